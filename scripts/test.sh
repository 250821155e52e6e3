#!/usr/bin/env bash
# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0
#
# Everything from a bare machine to tested: set-up, build, all tests; where there is a ROS 2, also
# the component built and tested against it. Arguments go to cmake.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh
scripts/build.sh "$@"
ctest --test-dir build --output-on-failure
scripts/test_ros2.sh
