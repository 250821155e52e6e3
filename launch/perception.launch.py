# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0

"""The perception node, in a container of its own or in one that is already there."""

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.actions import OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import ComposableNodeContainer
from launch_ros.actions import LoadComposableNodes
from launch_ros.descriptions import ComposableNode
from launch_ros.parameter_descriptions import ParameterValue

SHARE = get_package_share_directory('mgproto_ros')

ARGUMENTS = [
    ('model', '', 'checkpoint to answer with; empty: the one in params_file'),
    ('image', '/camera/image_raw', "the camera's topic, without the suffix of a transport"),
    ('params_file', SHARE + '/config/perception.yaml', 'parameters of the node'),
    ('use_intra_process', 'true', 'hand images over without a copy inside a container'),
    ('container', '', 'name of a running container to join; empty: start one'),
    ('namespace', '', 'of the node, and of a container that is started'),
    ('name', 'mgproto', 'of the node'),
]


def perception(context):
    """Make the actions, once the arguments are known."""
    value = {name: LaunchConfiguration(name).perform(context) for name, _, _ in ARGUMENTS}
    parameters = [value['params_file']]
    if value['model']:
        parameters.append({'model': ParameterValue(value['model'], value_type=str)})
    node = ComposableNode(
        package='mgproto_ros',
        plugin='mgproto_ros::PerceptionNode',
        namespace=value['namespace'],
        name=value['name'],
        parameters=parameters,
        remappings=[('~/input/image', value['image'])],
        extra_arguments=[
            {'use_intra_process_comms': value['use_intra_process'].lower() == 'true'}],
    )
    if value['container']:
        return [LoadComposableNodes(
            target_container=value['container'], composable_node_descriptions=[node])]
    return [ComposableNodeContainer(
        package='rclcpp_components',
        executable='component_container',
        namespace=value['namespace'],
        name=value['name'] + '_container',
        composable_node_descriptions=[node],
        output='screen',
    )]


def generate_launch_description():
    """Describe the arguments and what they lead to."""
    return LaunchDescription([
        DeclareLaunchArgument(name, default_value=default, description=description)
        for name, default, description in ARGUMENTS
    ] + [OpaqueFunction(function=perception)])
