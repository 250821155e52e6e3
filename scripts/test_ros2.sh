#!/usr/bin/env bash
# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0
#
# Builds the package with colcon against the ROS 2 of this machine, sourced or in /opt/ros, runs the
# tests of the component, and builds and runs packages of other people against what is installed.
# Without a ROS 2 it says so and is done.
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ -z ${ROS_DISTRO:-} || -z ${AMENT_PREFIX_PATH:-} ]]; then
  # find fails where there is no /opt/ros, which is no failure here.
  setup=$({ find /opt/ros -mindepth 2 -maxdepth 2 -name setup.bash 2>/dev/null || true; } | sort | tail -n 1)
  if [[ -z $setup ]]; then
    echo "test_ros2.sh: no ROS 2 here: the ROS 2 component was not tested"
    exit 0
  fi
  set +u
  # shellcheck disable=SC1090
  source "$setup"
  set -u
fi
if ! command -v colcon >/dev/null; then
  echo "test_ros2.sh: colcon was not found: the ROS 2 component was not tested"
  exit 0
fi
echo "test_ros2.sh: ROS 2 ${ROS_DISTRO:-} at ${AMENT_PREFIX_PATH%%:*}"

# Another Python may come first on PATH than the one that ROS 2 was made for.
python=$(command -v python3)
for candidate in "$python" /usr/bin/python3; do
  if "$candidate" -c 'import em, lark, numpy, rclpy' 2>/dev/null; then
    python=$candidate
    break
  fi
done
PATH=$(dirname "$python"):$PATH

# build/ itself is without ROS 2.
readonly here=${MGPROTO_ROS2_BUILD:-$PWD/build/ros2}
mkdir -p "$here" build
touch build/AMENT_IGNORE  # ament's linters are for the sources
generator=()
! command -v ninja >/dev/null || generator=(-G Ninja)
build() { # SOURCES PREFIX CMAKE_ARGUMENTS: into PREFIX/build and PREFIX/install
  colcon --log-base "$2/log" build --base-paths "$1" --build-base "$2/build" \
    --install-base "$2/install" --event-handlers console_direct+ \
    --cmake-args "${generator[@]}" "-DPython3_EXECUTABLE=$python" "${@:3}"
}
build . "$here" -DBUILD_TESTING=ON -DMGPROTO_ONLY_ROS2_TESTS=ON
colcon --log-base "$here/log" test --base-paths . --packages-select mgproto_ros \
  --build-base "$here/build" --install-base "$here/install" --event-handlers console_direct+
colcon test-result --test-result-base "$here/build" --verbose

# A package in C++ and one in Python, against the install, and against one of the messages alone,
# which is made without what the rest of the package needs.
test_downstream() ( # PREFIX [MODEL]
  set +u
  # shellcheck disable=SC1091
  source "$1/install/local_setup.bash"
  build test/ros2/downstream "$1/downstream"
  # shellcheck disable=SC1091
  source "$1/downstream/install/local_setup.bash"
  ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST \
    "$python" test/ros2/downstream/test_downstream.py "${@:2}"
)
test_downstream "$here" "$PWD/config/models/birds_demo.safetensors"
without=()
for package in Torch OpenCV rclcpp image_transport cv_bridge vision_msgs fastrtps; do
  without+=("-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON")
done
build . "$here/messages_only" -DMGPROTO_MESSAGES_ONLY=ON "${without[@]}" --no-warn-unused-cli
test_downstream "$here/messages_only"
