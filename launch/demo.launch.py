# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0

"""Drawn birds and strangers, the perception node, and a window with the overlay."""

from ament_index_python.packages import get_package_prefix
from ament_index_python.packages import get_package_share_directory
from ament_index_python.packages import PackageNotFoundError
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.actions import ExecuteProcess
from launch.actions import IncludeLaunchDescription
from launch.actions import LogInfo
from launch.conditions import IfCondition
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

SHARE = get_package_share_directory('mgproto_ros')
CAMERA = '/camera/image_raw'


def window():
    """Show the overlay with whichever viewer is installed."""
    wanted = IfCondition(LaunchConfiguration('view'))
    viewers = [
        ('rviz2', 'rviz2', ['-d', SHARE + '/config/perception.rviz']),
        ('rqt_image_view', 'rqt_image_view', ['/mgproto/debug/overlay']),
    ]
    for package, executable, arguments in viewers:
        try:
            get_package_prefix(package)
        except PackageNotFoundError:
            continue
        return Node(
            package=package, executable=executable, arguments=arguments, condition=wanted)
    return LogInfo(
        msg='neither rviz2 nor rqt_image_view is installed: no window', condition=wanted)


def generate_launch_description():
    """Describe the demo."""
    return LaunchDescription([
        DeclareLaunchArgument(
            'model', default_value=SHARE + '/config/models/birds_demo.safetensors',
            description='checkpoint to answer with'),
        DeclareLaunchArgument('rate', default_value='10', description='images a second'),
        DeclareLaunchArgument('view', default_value='true', description='open a window'),
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(SHARE + '/launch/perception.launch.py'),
            launch_arguments={'model': LaunchConfiguration('model'), 'image': CAMERA}.items()),
        ExecuteProcess(
            name='player', output='screen',
            cmd=[
                get_package_prefix('mgproto_ros') + '/lib/mgproto_ros/mgproto', 'play', 'birds',
                '--topic', CAMERA, '--rate', LaunchConfiguration('rate'), '--wait']),
        window(),
    ])
