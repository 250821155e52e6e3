# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0

# The messages where ROS 2 is; the standard ones are ROS 2's own.
#
# Gives the same target as interfaces/ does without ROS 2, mgproto_interfaces, and for rclcpp
# mgproto_typesupport.
include(Messages)

add_library(mgproto_interfaces INTERFACE)
rosidl_get_typesupport_target(_introspection ${PROJECT_NAME} rosidl_typesupport_introspection_cpp)
target_link_libraries(mgproto_interfaces INTERFACE ${_introspection})
if(nav2_msgs_FOUND_AMENT_PACKAGE)
  set(_nav2_msgs nav2_msgs)
  target_compile_definitions(mgproto_interfaces INTERFACE MGPROTO_NAV2_MSGS)
endif()
foreach(_package builtin_interfaces std_msgs geometry_msgs sensor_msgs vision_msgs diagnostic_msgs
    visualization_msgs rmw_dds_common ${_nav2_msgs})
  target_link_libraries(mgproto_interfaces INTERFACE
    ${_package}::${_package}__rosidl_generator_cpp
    ${_package}::${_package}__rosidl_typesupport_introspection_cpp)
endforeach()

rosidl_get_typesupport_target(mgproto_typesupport ${PROJECT_NAME} rosidl_typesupport_cpp)
