# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0

# The package for a machine that listens to a perception node elsewhere: its messages and nothing
# else, so of ROS 2 only std_msgs and sensor_msgs, and neither LibTorch nor OpenCV.

include(Ament)
find_package(rosidl_default_generators QUIET)
if(rosidl_default_generators_FOUND_AMENT_PACKAGE)
  find_package(std_msgs REQUIRED)
  find_package(sensor_msgs REQUIRED)
  include(Messages)
  ament_package()
  message(STATUS "mgproto_ros ${PROJECT_VERSION}: only its messages, for C, C++ and Python")
else()
  # Generated code would need std_msgs that it shares with other packages. The definitions are for
  # programs that read them, and there is nothing for find_package().
  install(DIRECTORY msg srv DESTINATION "share/${PROJECT_NAME}")
  message(STATUS "mgproto_ros ${PROJECT_VERSION}: only the definitions of its messages, because "
    "rosidl_default_generators was not found: is ROS 2 sourced?")
endif()
