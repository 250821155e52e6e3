# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0

"""A player that shows things known and unknown, the perception node, and a window."""

import subprocess

from ament_index_python.packages import get_package_prefix
from ament_index_python.packages import get_package_share_directory
from ament_index_python.packages import PackageNotFoundError
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.actions import ExecuteProcess
from launch.actions import IncludeLaunchDescription
from launch.actions import LogInfo
from launch.actions import OpaqueFunction
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

SHARE = get_package_share_directory('mgproto_ros')
MGPROTO = get_package_prefix('mgproto_ros') + '/lib/mgproto_ros/mgproto'
CAMERA = '/camera/image_raw'

# Model, and what `mgproto play` is told.
SHOWS = {
    'birds': ('birds_demo', ['birds']),
    'groceries': (
        'groceries', [SHARE + '/config/groceries', '--shuffle', '--loop', '--hold', '10']),
}


def has(package):
    """Whether the package is installed."""
    try:
        get_package_prefix(package)
    except PackageNotFoundError:
        return False
    return True


def window():
    """Show the overlay where there is no rviz."""
    if has('rqt_image_view'):
        return Node(
            package='rqt_image_view', executable='rqt_image_view',
            arguments=['/mgproto/debug/overlay'])
    return LogInfo(msg='neither rviz2 nor rqt_image_view is installed: no window')


def demo(context):
    """Make the actions, once the arguments are known."""
    if subprocess.run([MGPROTO, 'play', '--help'], capture_output=True).returncode != 0:
        raise RuntimeError(
            'the demo needs `mgproto play`, which was not built, because Fast DDS 2 '
            "(libfastrtps-dev, libfastcdr-dev), cpp-httplib, Chart.js or OpenCV's videoio is "
            "missing: cmake's table says which. perception.launch.py needs none of them")
    model, images = SHOWS[LaunchConfiguration('show').perform(context)]
    view = LaunchConfiguration('view').perform(context).lower() == 'true'
    return [
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(SHARE + '/launch/perception.launch.py'),
            launch_arguments={
                'model': LaunchConfiguration('model').perform(context)
                or f'{SHARE}/config/models/{model}.safetensors',
                'image': CAMERA,
                'rviz': str(view and has('rviz2')),
            }.items()),
        ExecuteProcess(
            name='player', output='screen',
            cmd=[
                MGPROTO, 'play', *images, '--topic', CAMERA,
                '--rate', LaunchConfiguration('rate'), '--wait']),
        *([window()] if view and not has('rviz2') else []),
    ]


def generate_launch_description():
    """Describe the demo."""
    return LaunchDescription([
        DeclareLaunchArgument(
            'show', default_value='birds', choices=list(SHOWS),
            description='drawn birds, half of them strangers, or photographs of groceries, of 28 '
            'products that the model knows and 12 that it does not'),
        DeclareLaunchArgument(
            'model', default_value='', description='checkpoint; empty: the one for what is shown'),
        DeclareLaunchArgument('rate', default_value='10', description='images a second'),
        DeclareLaunchArgument(
            'view', default_value='true', description='open a window with the overlay'),
        OpaqueFunction(function=demo),
    ])
