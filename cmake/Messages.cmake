# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0

# Our messages and services, generated, installed and exported as in every package of ROS 2.

# rosidl also writes C.
enable_language(C)

file(GLOB _interfaces CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}"
  "${PROJECT_SOURCE_DIR}/msg/*.msg" "${PROJECT_SOURCE_DIR}/srv/*.srv")
rosidl_generate_interfaces(${PROJECT_NAME} ${_interfaces} DEPENDENCIES std_msgs sensor_msgs)
ament_export_dependencies(rosidl_default_runtime)
