# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0

"""
Packages of other people, built against what is installed: both listeners hear a node.

Usage: test_downstream.py [MODEL], which also runs the program that links the recognizer.
"""

import os
import subprocess
import sys
import time

from ament_index_python.packages import get_package_prefix
import domain_coordinator
from mgproto_ros.msg import OodFlag
from mgproto_ros.msg import Prediction
import rclpy


def program(package, name):
    """Where `ros2 run` finds it."""
    return os.path.join(get_package_prefix(package), 'lib', package, name)


def speak_to(listeners, seconds):
    """Publish what a perception node would, until they have ended."""
    rclpy.init()
    node = rclpy.create_node('mgproto')
    predictions = node.create_publisher(Prediction, '~/output/prediction', 10)
    flags = node.create_publisher(OodFlag, '~/output/ood', 10)
    end = time.monotonic() + seconds
    while time.monotonic() < end and any(listener.poll() is None for listener in listeners):
        predictions.publish(Prediction(class_name='wren'))
        flags.publish(OodFlag(unknown=True, reason='unlike anything in training'))
        time.sleep(0.1)
    node.destroy_node()
    rclpy.shutdown()


def main():
    """Run all of them, in a ROS domain that nobody else uses."""
    with domain_coordinator.domain_id() as domain:
        os.environ['ROS_DOMAIN_ID'] = str(domain)
        check_listeners()
    check_recognizer(sys.argv[1:])


def check_listeners():
    """Check that each hears the node."""
    packages = ['listener_cpp', 'listener_py']
    listeners = [
        subprocess.Popen([program(package, 'listener')], stdout=subprocess.PIPE, text=True)
        for package in packages]
    speak_to(listeners, 30)
    for package, listener in zip(packages, listeners):
        listener.kill()
        heard, _ = listener.communicate()
        assert sorted(heard.splitlines()) == [
            'class wren', 'unknown 1: unlike anything in training'], f'{package} heard {heard!r}'
        print(package, 'heard the node')


def check_recognizer(models):
    """Have the program that links the library read each model."""
    for model in models:
        said = subprocess.run(
            [program('listener_cpp', 'recognize'), model], stdout=subprocess.PIPE, text=True,
            check=True).stdout
        assert said == '12 classes\n', said
        print('recognize:', said, end='')


if __name__ == '__main__':
    main()
