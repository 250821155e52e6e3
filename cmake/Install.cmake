# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0

# What is installed, and the package's registration with ament where ament is.
include(GNUInstallDirs)

# For C++: find_package(mgproto_ros), mgproto_ros::recognizer.
install(DIRECTORY include/ DESTINATION "include/${PROJECT_NAME}")
install(TARGETS recognizer EXPORT mgproto_recognizer DESTINATION lib)

install(TARGETS mgproto RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
# Where `ros2 run mgproto_ros mgproto` looks for it.
install(TARGETS mgproto RUNTIME DESTINATION "lib/${PROJECT_NAME}")
install(DIRECTORY config DESTINATION "share/${PROJECT_NAME}")
if(MGPROTO_ROS2)
  install(DIRECTORY launch DESTINATION "share/${PROJECT_NAME}")
  install(TARGETS mgproto_ros_component LIBRARY DESTINATION lib)
  install(TARGETS perception_node trust_gate RUNTIME DESTINATION "lib/${PROJECT_NAME}")
  # Here, because ament_package() below reads variables that it sets.
  rclcpp_components_register_nodes(mgproto_ros_component
    "mgproto_ros::PerceptionNode" "mgproto_ros::TrustGate")
  rclcpp_components_register_node(mgproto_ros_component
    PLUGIN "mgproto_ros::LifecyclePerceptionNode" EXECUTABLE lifecycle_perception_node)
endif()

if(MGPROTO_DDS AND NOT MGPROTO_ROS2 OR nav2_msgs_FOUND_AMENT_PACKAGE)
  set(MGPROTO_SPEED_LIMIT ON)
endif()
part("library, trainer and command `mgproto`" TRUE "")
part("DDS host, player, dashboard" MGPROTO_DDS "not found: ${MGPROTO_DDS_MISSING}")
part("ROS 2 component" MGPROTO_ROS2 "not found: ${MGPROTO_ROS2_MISSING}")
part("the trust gate's speed limit" MGPROTO_SPEED_LIMIT "not found: nav2_msgs")
part("ament package" ament_cmake_FOUND "ament_cmake was not found")
part("tests" BUILD_TESTING "BUILD_TESTING is off")
print_parts()

if(ament_cmake_FOUND)
  ament_export_targets(mgproto_recognizer HAS_LIBRARY_TARGET)
  ament_package()
else()
  set(_cmake_files "share/${PROJECT_NAME}/cmake")
  install(EXPORT mgproto_recognizer NAMESPACE "${PROJECT_NAME}::"
    FILE "${PROJECT_NAME}Config.cmake" DESTINATION "${_cmake_files}")
  include(CMakePackageConfigHelpers)
  write_basic_package_version_file("${PROJECT_BINARY_DIR}/${PROJECT_NAME}ConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
  install(FILES "${PROJECT_BINARY_DIR}/${PROJECT_NAME}ConfigVersion.cmake"
    DESTINATION "${_cmake_files}")
endif()
