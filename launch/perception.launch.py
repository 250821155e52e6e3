# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0

"""
The perception node, in a container of its own or in one that is already there.

A model that cannot be loaded, or a container of its own that dies, ends the launch with code 1.
"""

from importlib.util import module_from_spec
from importlib.util import spec_from_file_location
import os
import signal
import tempfile

from ament_index_python.packages import get_package_prefix
from ament_index_python.packages import get_package_share_directory
from ament_index_python.packages import PackageNotFoundError
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.actions import LogInfo
from launch.actions import OpaqueFunction
from launch.actions import RegisterEventHandler
from launch.event_handlers import OnProcessExit
from launch.event_handlers import OnProcessStart
from launch.events import Shutdown
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import ComposableNodeContainer
from launch_ros.actions import Node
from launch_ros.descriptions import ComposableNode
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.utilities import make_namespace_absolute
from launch_ros.utilities import prefix_namespace
import yaml

SHARE = get_package_share_directory('mgproto_ros')

spec = spec_from_file_location('components', SHARE + '/launch/components.py')
components = module_from_spec(spec)
spec.loader.exec_module(components)

CONTAINERS = ['component_container', 'component_container_mt', 'component_container_isolated']

# Topics of one camera: argument, private name, what it is.
INPUTS = [
    ('image', 'input/image',
     'topic of the camera, without the suffix of a transport. {camera} in it is the name of the '
     "camera, or 'camera' if it has none; several may also be given as many topics, with commas"),
    ('detections', 'input/detections',
     'topic of a detector, vision_msgs/Detection2DArray: its boxes are answered instead of the '
     'whole image. Empty: none'),
    ('depth', 'input/depth',
     'topic of depth images, aligned with the image: positions are published. Empty: none'),
    ('camera_info', 'input/camera_info', "topic of the camera's calibration, which depth needs"),
]
OUTPUTS = [
    ('prediction', 'output/prediction', 'class, verdict, densities, evidence'),
    ('ood', 'output/ood', 'whether to treat it as unknown'),
    ('classification', 'output/classification', 'classes with p(c|x), none unless known'),
    ('evidence', 'output/evidence', 'maps of what speaks for the class'),
    ('output_detections', 'output/detections', "the detector's boxes with classes"),
    ('detections_3d', 'output/detections_3d', 'the same in space, if there is depth'),
    ('markers', 'output/markers', 'the same for rviz'),
    ('overlay', 'debug/overlay', 'the image with verdict, boxes and heat map'),
]
# Of the trust gate.
GATE_OUTPUTS = [
    ('trusted', 'output/trusted', 'whether to go on'),
    ('speed_limit', 'output/speed_limit', 'how fast, for Nav2'),
]

# Name, default, description.
ARGUMENTS = [
    ('model', '', 'path of the checkpoint to answer with. Empty: the one in params_file'),
    ('params_file', SHARE + '/config/perception.yaml',
     'parameters of the node; what is given as an argument here counts more'),
    ('cameras', '',
     'names of several cameras, such as front,rear; the topics of each are under its name. Empty: '
     'one camera without a name'),
    *((name, '/{camera}/image_raw' if name == 'image' else '', text) for name, _, text in INPUTS),
    ('image_transport', '',
     'raw, compressed, or any other that is installed. Empty: the one in params_file'),
    ('namespace', '', 'namespace of the node, and of the container that is started'),
    ('name', 'mgproto', 'name of the node'),
    ('use_sim_time', 'false', 'take the time from /clock: true or false'),
    ('log_level', 'info',
     'level of the node, debug to fatal, or LOGGER:=LEVEL, in a container that is started'),
    ('container', '',
     'name of a running container to join, whose owner it is left to. Empty: start one'),
    ('container_executable', CONTAINERS[0], 'what to start as a container'),
    ('use_intra_process', 'true', 'hand images over without a copy inside the container'),
    ('respawn', 'false',
     'start a container that died again, and try a model that cannot be loaded again, instead of '
     'ending the launch with code 1'),
    ('lifecycle', 'false', 'a managed node, whose state `ros2 lifecycle` or a manager sets'),
    ('autostart', 'true', 'have a managed node go to active by itself'),
    ('trust_gate', 'false',
     'also start the trust gate, which listens to ood and says whether, and how fast, to go on'),
    ('trust_gate_params_file', '', 'parameters of the gate. Empty: its defaults'),
    ('rviz', 'false', 'show overlay and markers in rviz'),
    ('rviz_frame', 'camera', 'frame that rviz shows markers in'),
    *((name, '', f'another name for ~/{topic}: {text}') for name, topic, text in OUTPUTS),
    *((name, '', f"another name for the gate's ~/{topic}: {text}")
      for name, topic, text in GATE_OUTPUTS),
    ('remappings', '', 'other names for other topics, FROM:=TO with spaces between them'),
]
CHOICES = {'container_executable': CONTAINERS}


class Arguments(dict):
    """The arguments' values, and what follows from several of them."""

    def __init__(self, context):
        super().__init__(
            (name, LaunchConfiguration(name).perform(context)) for name, _, _ in ARGUMENTS)
        # One camera without a name has its topics directly under the node's.
        self.cameras = [name.strip() for name in self['cameras'].strip('[]').split(',')]
        if len(self.cameras) > 1 and '' in self.cameras:
            raise ValueError(f"cameras is '{self['cameras']}', expected names")

    def is_true(self, name):
        """Read a switch."""
        if self[name].lower() not in ('true', 'false'):
            raise ValueError(f"{name} is '{self[name]}', expected true or false")
        return self[name].lower() == 'true'

    def topics(self, name):
        """Return a topic for each camera, None if the argument is empty."""
        topics = self[name].split(',')
        if not self[name]:
            return [None for _ in self.cameras]
        if len(topics) == len(self.cameras) > 1:
            return [topic.strip() for topic in topics]
        if len(topics) == 1 and (len(self.cameras) == 1 or '{camera}' in self[name]):
            return [self[name].replace('{camera}', camera or 'camera') for camera in self.cameras]
        raise ValueError(
            f"{name} is '{self[name]}' for {len(self.cameras)} cameras, expected {{camera}} in it "
            'or as many topics')

    def remappings(self):
        """Return pairs of a private name and what it becomes."""
        pairs = [
            (f'~/{camera}/{topic}'.replace('//', '/'), target)
            for name, topic, _ in INPUTS + OUTPUTS
            for camera, target in zip(self.cameras, self.topics(name)) if target]
        for pair in self['remappings'].split():
            source, arrow, target = pair.partition(':=')
            if not (source and arrow and target):
                raise ValueError(f"remappings has '{pair}', expected FROM:=TO")
            pairs.append((source, target))
        return pairs

    def parameters(self):
        """Return what the node is to be given."""
        parameters = [self['params_file']]
        if self['model']:
            # A container that runs already may have started elsewhere.
            path = os.path.abspath(os.path.expanduser(self['model']))
            parameters.append({'model': ParameterValue(path, value_type=str)})
        if self['image_transport']:
            parameters.append({'image_transport': self['image_transport']})
        if self.cameras != ['']:
            parameters.append({'cameras': self.cameras})
        if self['detections']:
            parameters.append({'use_detections': True})
        if self['depth']:
            parameters.append({'use_depth': True})
        if self.is_true('lifecycle'):
            parameters.append({'autostart': self.is_true('autostart')})
        return parameters + self.time()

    def time(self):
        """Return the parameter for the clock, unless whoever includes this file is to set it."""
        return [{'use_sim_time': True}] if self.is_true('use_sim_time') else []


def perception_node(arguments):
    """Describe the node."""
    lifecycle = arguments.is_true('lifecycle')
    return ComposableNode(
        package='mgproto_ros',
        plugin='mgproto_ros::' + ('LifecyclePerceptionNode' if lifecycle else 'PerceptionNode'),
        namespace=arguments['namespace'],
        name=arguments['name'],
        parameters=arguments.parameters(),
        remappings=arguments.remappings(),
        extra_arguments=[
            {'use_intra_process_comms': arguments.is_true('use_intra_process')}],
    )


def resolved(arguments, node_name, topic):
    """Return the names that a topic of the node has, one for each camera."""
    targets = dict(arguments.remappings())
    names = []
    for camera in arguments.cameras:
        name = f'~/{camera}/{topic}'.replace('//', '/')
        name = targets.get(name, name).replace('~', node_name)
        names.append(name if name.startswith('/') else f"{node_name.rpartition('/')[0]}/{name}")
    return names


def trust_gate(arguments, node_name):
    """Describe the gate that listens to the node."""
    file = arguments['trust_gate_params_file']
    flags = resolved(arguments, node_name, 'output/ood')
    return ComposableNode(
        package='mgproto_ros',
        plugin='mgproto_ros::TrustGate',
        namespace=arguments['namespace'],
        name='trust_gate',
        parameters=[*([file] if file else []), {'flags': flags}, *arguments.time()],
        remappings=[
            (f'~/{topic}', arguments[name]) for name, topic, _ in GATE_OUTPUTS if arguments[name]],
    )


def rviz_config(arguments, node_name):
    """Write a configuration for the node's actual names, and return its path."""
    with open(SHARE + '/config/perception.rviz') as file:
        config = yaml.safe_load(file)
    manager = config['Visualization Manager']
    manager['Global Options']['Fixed Frame'] = arguments['rviz_frame']
    displays = []
    for display in manager['Displays']:
        topic = display['Topic']['Value'].replace('/mgproto/', '', 1)
        for camera, name in zip(arguments.cameras, resolved(arguments, node_name, topic)):
            displays.append({
                **display, 'Name': f"{display['Name']} {camera}".strip(),
                'Topic': {**display['Topic'], 'Value': name}})
    manager['Displays'] = displays
    with tempfile.NamedTemporaryFile('w', suffix='.rviz', delete=False) as file:
        yaml.safe_dump(config, file)
    return file.name


def rviz(arguments, node_name):
    """Show what the node publishes."""
    try:
        get_package_prefix('rviz2')
    except PackageNotFoundError:
        return LogInfo(msg='rviz2 is not installed: no window')
    return Node(
        package='rviz2', executable='rviz2', parameters=arguments.time(),
        arguments=['-d', rviz_config(arguments, node_name)])


def own_container(arguments, node_name, nodes):
    """Start a container for the nodes, and fill it whenever it starts."""
    logger, arrow, level = arguments['log_level'].rpartition(':=')
    logger = logger if arrow else node_name.strip('/').replace('/', '.')
    container = ComposableNodeContainer(
        package='rclcpp_components',
        executable=arguments['container_executable'],
        namespace=arguments['namespace'],
        name=arguments['name'] + '_container',
        arguments=['--ros-args', '--log-level', f'{logger}:={level}'],
        parameters=arguments.time(),
        respawn=arguments.is_true('respawn'),
        respawn_delay=components.RETRY,
        output='screen',
    )

    def fill(event, context):
        nodes.load_into(container.node_name, lambda: (
            container.process_details['pid'] == event.pid and container.return_code is None))

    def end(event, context):
        if context.is_shutdown or arguments.is_true('respawn'):
            return
        if event.returncode in (0, -signal.SIGINT):  # it was asked to
            context.emit_event_sync(Shutdown(reason=f'the container of {node_name} has ended'))
        else:
            components.fail(
                context, f'the container of {node_name} ended with code {event.returncode}')

    return [
        RegisterEventHandler(OnProcessStart(target_action=container, on_start=fill)),
        RegisterEventHandler(OnProcessExit(target_action=container, on_exit=end)),
        container,
    ]


def perception(context):
    """Make the actions, once the arguments are known."""
    arguments = Arguments(context)
    node = perception_node(arguments)
    namespace = make_namespace_absolute(prefix_namespace(
        context.launch_configurations.get('ros_namespace'), arguments['namespace']))
    node_name = f"{namespace.rstrip('/')}/{arguments['name']}"
    descriptions = [node]
    if arguments.is_true('trust_gate'):
        descriptions.append(trust_gate(arguments, node_name))
    nodes = components.Components(
        context, descriptions, respawn=arguments.is_true('respawn'),
        required=not arguments['container'])
    if arguments['container']:
        nodes.load_into(arguments['container'])
        actions = []
    else:
        actions = own_container(arguments, node_name, nodes)
    return actions + ([rviz(arguments, node_name)] if arguments.is_true('rviz') else [])


def generate_launch_description():
    """Describe the arguments and what they lead to."""
    return LaunchDescription([
        DeclareLaunchArgument(
            name, default_value=default, description=description, choices=CHOICES.get(name))
        for name, default, description in ARGUMENTS
    ] + [OpaqueFunction(function=perception)])
