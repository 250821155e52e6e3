# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0

"""
The component in a container, with a camera in another process.

Others beside it fail to load or are unloaded in the middle of their work, and it goes on.
"""

import json
import os
import tempfile
import unittest

from ament_index_python.packages import get_package_prefix
from composition_interfaces.srv import ListNodes
from composition_interfaces.srv import LoadNode
from composition_interfaces.srv import UnloadNode
import launch
from launch.actions import DeclareLaunchArgument
from launch.actions import ExecuteProcess
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration
import launch_testing.actions
import launch_testing.asserts
from mgproto_ros.msg import OodFlag
from mgproto_ros.msg import Prediction
from rcl_interfaces.msg import Parameter
from rcl_interfaces.msg import ParameterType
import rclpy

PREFIX = get_package_prefix('mgproto_ros')
MISSING = '/nowhere/missing.safetensors'
TRUTH = os.path.join(tempfile.mkdtemp(), 'truth.jsonl')


def generate_test_description():
    return launch.LaunchDescription([
        DeclareLaunchArgument('model'),
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(
                os.path.join(PREFIX, 'share', 'mgproto_ros', 'launch', 'perception.launch.py')),
            launch_arguments={'model': LaunchConfiguration('model')}.items()),
        ExecuteProcess(cmd=[
            os.path.join(PREFIX, 'lib', 'mgproto_ros', 'mgproto'), 'play', 'birds',
            '--topic', '/camera/image_raw', '--rate', '20', '--wait', '--log', TRUTH]),
        launch_testing.actions.ReadyToTest(),
    ])


def stamp_of(message):
    return message.header.stamp.sec, message.header.stamp.nanosec


class TestContainer(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        rclpy.init()
        cls.node = rclpy.create_node('robot')
        cls.predictions = []
        cls.flags = []
        cls.node.create_subscription(
            Prediction, '/mgproto/output/prediction', cls.predictions.append, 10)
        cls.node.create_subscription(OodFlag, '/mgproto/output/ood', cls.flags.append, 10)

    @classmethod
    def tearDownClass(cls):
        cls.node.destroy_node()
        rclpy.shutdown()

    def wait_for_predictions(self, count):
        del self.predictions[:]
        del self.flags[:]
        end = self.node.get_clock().now().nanoseconds + 60e9
        while len(self.predictions) < count:
            rclpy.spin_once(self.node, timeout_sec=0.5)
            self.assertLess(self.node.get_clock().now().nanoseconds, end, 'no predictions')

    def call(self, service_type, name, request):
        client = self.node.create_client(service_type, name)
        self.assertTrue(client.wait_for_service(timeout_sec=30))
        future = client.call_async(request)
        rclpy.spin_until_future_complete(self.node, future, timeout_sec=60)
        self.assertTrue(future.done())
        return future.result()

    def test_images_of_another_process_are_answered_in_order(self):
        self.wait_for_predictions(5)
        stamps = [stamp_of(prediction) for prediction in self.predictions]
        self.assertEqual(stamps, sorted(set(stamps)))
        self.assertTrue(all(p.model_id.startswith('birds_demo@') for p in self.predictions))

    def test_birds_are_named_and_strangers_flagged(self):
        self.wait_for_predictions(80)
        with open(TRUTH) as lines:
            truths = [json.loads(line) for line in lines]
        labels = {(t['stamp']['sec'], t['stamp']['nanosec']): t['label'] for t in truths}
        flags = {stamp_of(flag): flag.unknown for flag in self.flags}
        right, rejected = [], []
        for prediction in self.predictions:
            kind, name = labels[stamp_of(prediction)].split('/')
            if kind == 'known':
                right.append(prediction.class_name.endswith('.' + name))
            elif kind in ('vehicles', 'textures') and stamp_of(prediction) in flags:
                rejected.append(flags[stamp_of(prediction)])
        self.assertGreater(len(right), 20)
        self.assertGreater(sum(right), 0.9 * len(right))
        self.assertGreater(len(rejected), 10)
        self.assertGreater(sum(rejected), 0.7 * len(rejected))

    def load(self, name, model):
        request = LoadNode.Request(
            package_name='mgproto_ros', plugin_name='mgproto_ros::PerceptionNode', node_name=name,
            remap_rules=['~/input/image:=/camera/image_raw'])
        parameter = Parameter(name='model')
        parameter.value.type = ParameterType.PARAMETER_STRING
        parameter.value.string_value = model
        request.parameters.append(parameter)
        return self.call(LoadNode, '/mgproto_container/_container/load_node', request)

    def test_one_that_is_unloaded_at_work_leaves_the_other(self, test_args):
        for _ in range(3):
            second = self.load('second', test_args['model'])
            self.assertTrue(second.success, second.error_message)
            self.wait_for_predictions(5)
            answer = self.call(
                UnloadNode, '/mgproto_container/_container/unload_node',
                UnloadNode.Request(unique_id=second.unique_id))
            self.assertTrue(answer.success, answer.error_message)
            self.wait_for_predictions(2)

    def test_one_that_cannot_load_says_why_and_the_other_goes_on(self):
        answer = self.load('broken', MISSING)

        self.assertFalse(answer.success)
        self.assertIn(MISSING, answer.error_message)
        nodes = self.call(
            ListNodes, '/mgproto_container/_container/list_nodes', ListNodes.Request())
        self.assertEqual(nodes.full_node_names, ['/mgproto'])
        self.wait_for_predictions(5)


@launch_testing.post_shutdown_test()
class TestEnd(unittest.TestCase):

    def test_all_end_without_a_crash(self, proc_info):
        launch_testing.asserts.assertExitCodes(proc_info, allowable_exit_codes=[0, -2, 130])
