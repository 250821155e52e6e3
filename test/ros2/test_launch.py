# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0

"""The launch files, as a user starts them: what they start, how they end, what is left."""

import os
import re
import shutil
import signal
import stat
import subprocess
import tempfile
import threading
import time
import unittest

from ament_index_python.packages import get_package_prefix
from ament_index_python.packages import get_package_share_directory
from ament_index_python.packages import PackageNotFoundError
from rcl_interfaces.srv import GetParameters
import rclpy
import yaml

SHARE = get_package_share_directory('mgproto_ros')
BIRDS = SHARE + '/config/models/birds_demo.safetensors'
GROCERIES = SHARE + '/config/models/groceries.safetensors'  # takes longer to load
MISSING = '/nowhere/missing.safetensors'
NO_FILE = MISSING + ': cannot open'
# What a program that ends by an error, or by a signal, leaves on the screen.
CRASH = re.compile('terminate called|what\\(\\):|Traceback|core dumped|exit code -[0-9]*[^29,0-9]')


class Running:
    """A command with all that it starts, and what they have said."""

    def __init__(self, *command, prefix=None):
        environment = dict(os.environ, PYTHONUNBUFFERED='1')
        if prefix:
            environment['AMENT_PREFIX_PATH'] = f"{prefix}:{environment['AMENT_PREFIX_PATH']}"
        self.output = ''
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env=environment, start_new_session=True, text=True)
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            self.output += line

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for pid in self.members():
            os.kill(pid, signal.SIGKILL)
        self.process.wait()
        self.reader.join()
        self.process.stdout.close()

    def members(self, name=''):
        """Return who runs in this session, its first process among them."""
        pids = []
        for pid in filter(str.isdigit, os.listdir('/proc')):
            try:
                with open(f'/proc/{pid}/stat') as file:
                    state, _, _, session = file.read().rpartition(')')[2].split()[:4]
                with open(f'/proc/{pid}/cmdline') as file:
                    command = file.read()
            except OSError:
                continue
            if int(session) == self.process.pid and state != 'Z' and name in command:
                pids.append(int(pid))
        return pids

    def wait_for(self, text, seconds=30, count=1):
        """Wait until it has been said so often."""
        end = time.monotonic() + seconds
        while self.output.count(text) < count:
            assert time.monotonic() < end, f'{text!r} is not in {self.output}'
            assert self.process.poll() is None, f'ended without {text!r}: {self.output}'
            time.sleep(0.05)

    def interrupt(self):
        """Press Ctrl-C, which a terminal tells all of them."""
        os.killpg(self.process.pid, signal.SIGINT)
        return self.end()

    def end(self, seconds=15):
        """Wait for the end, and return the code."""
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f'still running after {seconds} s: {self.output}')
        time.sleep(0.2)
        assert not self.members(), f'{self.members()} left running: {self.output}'
        self.reader.join()
        return code


def launch(*arguments, file='perception.launch.py', prefix=None):
    return Running('ros2', 'launch', 'mgproto_ros', file, *arguments, prefix=prefix)


def write_program(path, text):
    os.makedirs(os.path.dirname(path))
    with open(path, 'w') as file:
        file.write(text)
    os.chmod(path, stat.S_IRWXU)


def register_package(prefix, package):
    index = prefix + '/share/ament_index/resource_index/packages'
    os.makedirs(index)
    open(f'{index}/{package}', 'w').close()


class TestLaunch(unittest.TestCase):

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = directory.name

    def test_a_model_is_ready_and_ctrl_c_ends_all(self):
        with launch('model:=' + BIRDS) as running:
            running.wait_for('ready: birds_demo')
            running.wait_for('/mgproto is loaded into /mgproto_container')
            self.assertEqual(running.interrupt(), 0, running.output)
            self.assertNotRegex(running.output, CRASH)

    def test_a_model_that_is_not_there_ends_the_launch_with_its_line(self):
        with launch('model:=' + MISSING) as running:
            self.assertEqual(running.end(), 1, running.output)
            self.assertRegex(running.output, f'ERROR.*{NO_FILE}')
            self.assertNotRegex(running.output, CRASH)

    def test_a_model_that_is_damaged_ends_the_launch_with_its_line(self):
        damaged = self.directory + '/damaged.safetensors'
        with open(BIRDS, 'rb') as file, open(damaged, 'wb') as half:
            half.write(file.read(1000000))
        for front_end in ('perception.launch.xml', 'perception.launch.yaml'):
            with launch('model:=' + damaged, file=front_end) as running:
                self.assertEqual(running.end(), 1, running.output)
                self.assertRegex(running.output, f'ERROR.*was not loaded.*{damaged}: ')

    def test_a_container_that_dies_ends_the_launch(self):
        with launch('model:=' + BIRDS) as running:
            running.wait_for('ready: birds_demo')
            os.kill(running.members('mgproto_container')[0], signal.SIGKILL)
            self.assertEqual(running.end(), 1, running.output)
            self.assertIn('the container of /mgproto ended with code -9', running.output)

    def test_with_respawn_all_is_tried_again(self):
        model = self.directory + '/late.safetensors'
        with launch('model:=' + model, 'respawn:=true') as running:
            running.wait_for(model + ': cannot open')
            shutil.copy(BIRDS, model)
            running.wait_for('ready: late')
            running.wait_for('/mgproto is loaded into')
            os.kill(running.members('mgproto_container')[0], signal.SIGKILL)
            running.wait_for('ready: late', count=2)
            running.wait_for('/mgproto is loaded into', count=2)
            self.assertEqual(running.interrupt(), 0, running.output)

    def test_the_container_of_somebody_else_lives_on(self):
        container = os.path.join(
            get_package_prefix('rclcpp_components'), 'lib/rclcpp_components/component_container')
        with Running(container, '--ros-args', '-r', '__node:=somebodys') as somebody:
            with launch('container:=/somebodys', 'model:=' + MISSING) as running:
                self.assertEqual(running.end(), 1, running.output)
                self.assertRegex(running.output, f'ERROR.*not loaded into /somebodys.*{NO_FILE}')
            with launch('container:=/somebodys', 'model:=' + BIRDS) as running:
                self.assertEqual(running.end(), 0, running.output)
            somebody.wait_for('ready: birds_demo')
            self.assertEqual(somebody.interrupt(), 0, somebody.output)

    def test_arguments_give_the_node_names_topics_and_parameters(self):
        arguments = [
            'model:=' + BIRDS, 'namespace:=robot1', 'name:=eyes', 'cameras:=front,rear',
            'detections:=/{camera}/boxes', 'ood:=/unknown/{camera}', 'use_sim_time:=true',
            'remappings:=~/output/album:=/album', 'container_executable:=component_container_mt',
            'image_transport:=compressed', 'log_level:=warn']
        with launch(*arguments) as running:
            running.wait_for('/robot1/eyes is loaded into /robot1/eyes_container')
            self.assertTrue(running.members('component_container_mt'))
            self.assertNotIn('ready: birds_demo', running.output)

            context = rclpy.Context()
            rclpy.init(context=context)
            node = rclpy.create_node('robot', context=context)
            executor = rclpy.executors.SingleThreadedExecutor(context=context)
            client = node.create_client(GetParameters, '/robot1/eyes/get_parameters')
            self.assertTrue(client.wait_for_service(timeout_sec=10))
            answer = client.call_async(GetParameters.Request(
                names=['use_sim_time', 'use_detections', 'image_transport']))
            executor.add_node(node)
            executor.spin_until_future_complete(answer, timeout_sec=10)
            values = answer.result().values
            topics = dict(node.get_topic_names_and_types())
            rclpy.shutdown(context=context)

            self.assertTrue(values[0].bool_value)
            self.assertTrue(values[1].bool_value)
            self.assertEqual(values[2].string_value, 'compressed')
            for topic in [
                    '/front/image_raw/compressed', '/rear/image_raw/compressed', '/front/boxes',
                    '/unknown/front', '/unknown/rear', '/robot1/eyes/front/output/prediction',
                    '/album']:
                self.assertIn(topic, topics)
            self.assertEqual(running.interrupt(), 0, running.output)

    def test_a_wrong_argument_is_named(self):
        for arguments, line in [
                (['rviz:=maybe'], "rviz is 'maybe', expected true or false"),
                (['cameras:=front,,rear'], "cameras is 'front,,rear', expected names"),
                (['cameras:=front,rear', 'image:=/camera'], "image is '/camera' for 2 cameras"),
                (['remappings:=/there'], "remappings has '/there', expected FROM:=TO"),
                (['container_executable:=box'], 'component_container_isolated')]:
            with launch('model:=' + BIRDS, *arguments) as running:
                self.assertEqual(running.end(), 1, running.output)
                self.assertIn(line, running.output)

    def test_all_front_ends_describe_the_same_arguments(self):
        shown = []
        for file in ('perception.launch.py', 'perception.launch.xml', 'perception.launch.yaml'):
            with Running('ros2', 'launch', 'mgproto_ros', file, '--show-args') as running:
                self.assertEqual(running.end(), 0, running.output)
                shown.append(running.output)
        self.assertIn("'model':\n", shown[0])
        self.assertNotIn('no description given', shown[0])
        self.assertEqual(shown[0], shown[1])
        self.assertEqual(shown[0], shown[2])

    def test_rviz_shows_the_topics_that_the_node_has(self):
        # In rviz's place a program that says what it was given.
        register_package(self.directory, 'rviz2')
        write_program(
            self.directory + '/lib/rviz2/rviz2',
            '#!/bin/bash\n[[ $1 == -d ]] && cp "$2" "$(dirname "$0")/given"\n')
        arguments = [
            'model:=' + BIRDS, 'rviz:=true', 'namespace:=robot1', 'name:=eyes',
            'cameras:=front,rear', 'overlay:=/seen/{camera}', 'rviz_frame:=base_link']
        with launch(*arguments, prefix=self.directory) as running:
            running.wait_for('[rviz2-2]: process has finished cleanly')
            with open(self.directory + '/lib/rviz2/given') as file:
                manager = yaml.safe_load(file)['Visualization Manager']
            topics = [display['Topic']['Value'] for display in manager['Displays']]
            self.assertIn('/seen/front', topics)
            self.assertIn('/seen/rear', topics)
            self.assertFalse([topic for topic in topics if topic.startswith('/mgproto')])
            self.assertEqual(manager['Global Options']['Fixed Frame'], 'base_link')

    def test_without_rviz_it_says_so_and_goes_on(self):
        try:
            get_package_prefix('rviz2')
            self.skipTest('rviz2 is installed')
        except PackageNotFoundError:
            pass
        with launch('model:=' + BIRDS, 'rviz:=true') as running:
            running.wait_for('rviz2 is not installed')
            running.wait_for('ready: birds_demo')

    def test_the_demo_shows_images(self):
        with launch('view:=false', 'show:=groceries', file='demo.launch.py') as running:
            running.wait_for('ready: groceries')
            running.wait_for('mgproto play: /camera/image_raw at 10 Hz')
            self.assertEqual(running.interrupt(), 0, running.output)

    def test_the_demo_says_what_is_missing_without_a_player(self):
        register_package(self.directory, 'mgproto_ros')
        write_program(self.directory + '/lib/mgproto_ros/mgproto', '#!/bin/sh\nexit 2\n')
        os.symlink(SHARE, self.directory + '/share/mgproto_ros')
        with launch(file='demo.launch.py', prefix=self.directory) as running:
            self.assertEqual(running.end(), 1, running.output)
            self.assertRegex(running.output, 'ERROR.*needs `mgproto play`.*Fast DDS')


class TestInterrupt(unittest.TestCase):
    """Ctrl-C at any time while the node is made."""

    def test_the_program_ends_without_an_error(self):
        program = get_package_prefix('mgproto_ros') + '/lib/mgproto_ros/perception_node'
        for delay in (0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.5, 2.5):
            with Running(program, '--ros-args', '-p', 'model:=' + GROCERIES) as running:
                time.sleep(delay)
                code = running.interrupt()
                # Before rclcpp has taken over, a signal ends it as any program.
                self.assertIn(code, [0, -signal.SIGINT], f'{delay} s: {running.output}')
                self.assertNotRegex(running.output, CRASH, f'{delay} s')
                self.assertNotIn('FATAL', running.output, f'{delay} s')

    def test_the_launch_ends_without_an_error(self):
        for delay in (0.1, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 2.0):
            with launch('model:=' + GROCERIES) as running:
                running.wait_for('process started')
                time.sleep(delay)
                self.assertEqual(running.interrupt(), 0, f'{delay} s: {running.output}')
                self.assertNotRegex(running.output, CRASH, f'{delay} s')
                self.assertNotIn('was not loaded', running.output, f'{delay} s')


if __name__ == '__main__':
    unittest.main()
