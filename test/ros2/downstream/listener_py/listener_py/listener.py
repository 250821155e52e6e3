# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0

"""Prints what a perception node says, and ends when it has seen a prediction and a flag."""

from mgproto_ros.msg import OodFlag
from mgproto_ros.msg import Prediction
import rclpy
from rclpy.node import Node


class Listener(Node):
    """Keeps the first prediction and the first flag."""

    def __init__(self):
        super().__init__('listener_py')
        self.prediction = None
        self.flag = None
        self.create_subscription(
            Prediction, '/mgproto/output/prediction', self.take_prediction, 10)
        self.create_subscription(OodFlag, '/mgproto/output/ood', self.take_flag, 10)

    def take_prediction(self, prediction):
        """Keep the first."""
        self.prediction = self.prediction or prediction

    def take_flag(self, flag):
        """Keep the first."""
        self.flag = self.flag or flag


def main():
    """Listen."""
    rclpy.init()
    listener = Listener()
    while not (listener.prediction and listener.flag):
        rclpy.spin_once(listener)
    print('class', listener.prediction.class_name)
    print(f'unknown {int(listener.flag.unknown)}: {listener.flag.reason}')
    listener.destroy_node()
    rclpy.shutdown()
