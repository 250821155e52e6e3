# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0

# Everything that is looked for, in one place. What is missing and not needed by all of the package
# switches its part off and says so; the table at the end shows what will be built.

include(Ament)

find_package(Threads REQUIRED)
find_package(OpenCV REQUIRED COMPONENTS core imgproc imgcodecs)
find_package(nlohmann_json 3.2 REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(JPEG REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(libzip REQUIRED IMPORTED_TARGET libzip)
find_package(CLI11 REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(Torch 1.13 REQUIRED)
if(TORCH_CXX_FLAGS MATCHES "_GLIBCXX_USE_CXX11_ABI=0")
  message(FATAL_ERROR "This LibTorch (${TORCH_INSTALL_PREFIX}) was built with the old C++ ABI, "
    "which ROS 2 and Debian do not use: take the cxx11-ABI build")
endif()

# The component for ROS 2. Debian has ROS 1 packages with some of these names: only ament's count.
# Before all other parts of rosidl, because rosidl_default_generators must bring its generators in its
# own order: found one by one, the messages' exports would name targets that are not exported.
find_package(rclcpp QUIET)
if(rclcpp_FOUND_AMENT_PACKAGE)
  foreach(_package rclcpp_components rclcpp_lifecycle image_transport cv_bridge std_srvs builtin_interfaces std_msgs
      geometry_msgs sensor_msgs vision_msgs diagnostic_msgs visualization_msgs rmw_dds_common
      rosidl_default_generators)
    find_package(${_package} QUIET)
    if(NOT ${_package}_FOUND_AMENT_PACKAGE)
      list(APPEND MGPROTO_ROS2_MISSING ${_package})
    endif()
  endforeach()
  find_package(bond QUIET)  # optional
else()
  set(MGPROTO_ROS2_MISSING rclcpp)
endif()
if(MGPROTO_ROS2_MISSING)
  set(MGPROTO_ROS2 OFF)
else()
  set(MGPROTO_ROS2 ON)
  # For the trust gate's speed limit, which it does without otherwise.
  find_package(nav2_msgs QUIET)
endif()

# The DDS host and its tools: Debian's rosidl makes the messages, Fast DDS 2 carries them.
pkg_check_modules(httplib QUIET IMPORTED_TARGET cpp-httplib)
find_file(MGPROTO_CHART_JS chart.min.js
  PATHS /usr/share/javascript/chart.js /usr/share/nodejs/chart.js/dist
  DOC "Chart.js 3 (Debian's libjs-chart.js)" NO_DEFAULT_PATH)
foreach(_package rosidl_cmake rosidl_generator_cpp rosidl_typesupport_introspection_cpp fastcdr
    fastrtps)
  find_package(${_package} QUIET)
  if(NOT ${_package}_FOUND)
    list(APPEND MGPROTO_DDS_MISSING ${_package})
  endif()
endforeach()
if(NOT httplib_FOUND)
  list(APPEND MGPROTO_DDS_MISSING cpp-httplib)
endif()
if(NOT MGPROTO_CHART_JS)
  list(APPEND MGPROTO_DDS_MISSING Chart.js)
endif()
find_package(OpenCV QUIET COMPONENTS core imgproc imgcodecs videoio)
if(NOT TARGET opencv_videoio)
  list(APPEND MGPROTO_DDS_MISSING opencv_videoio)
endif()
if(MGPROTO_DDS_MISSING)
  set(MGPROTO_DDS OFF)
else()
  set(MGPROTO_DDS ON)
endif()

set(_parts "")
macro(part name available missing)
  if(${available})
    list(APPEND _parts "  ${name}: yes")
  else()
    list(APPEND _parts "  ${name}: no (${missing})")
  endif()
endmacro()

function(print_parts)
  message(STATUS "mgproto_ros ${PROJECT_VERSION}, ${CMAKE_BUILD_TYPE}, LibTorch ${Torch_VERSION}, "
    "OpenCV ${OpenCV_VERSION}; will be built:")
  foreach(_line IN LISTS _parts)
    message(STATUS "${_line}")
  endforeach()
endfunction()
