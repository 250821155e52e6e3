# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0

# What a program can check of how the code is written. Under ROS 2 the same by ament_lint_auto.
set(_lint "${CMAKE_CURRENT_SOURCE_DIR}/lint")
add_test(NAME include_arrows COMMAND /usr/bin/python3 -B "${_lint}/include_arrows.py")
add_test(NAME copyright COMMAND "${_lint}/copyright.sh")

find_program(CLANG_FORMAT clang-format)
if(CLANG_FORMAT)
  add_test(NAME format COMMAND "${PROJECT_SOURCE_DIR}/scripts/format.sh" --check)
endif()

find_program(CLANG_TIDY clang-tidy)
if(CLANG_TIDY)
  add_test(NAME clang_tidy COMMAND "${_lint}/clang_tidy.sh" "${PROJECT_BINARY_DIR}")
  set_tests_properties(clang_tidy PROPERTIES TIMEOUT 1800)
endif()

set(_cmake_files CMakeLists.txt cmake interfaces src test training)
set(_python_files launch scripts test)
foreach(_check "lint_cmake;${_cmake_files}" "xmllint;package.xml" "flake8;${_python_files}"
    "pep257;${_python_files}")
  list(POP_FRONT _check _name)
  find_program(AMENT_${_name} ament_${_name})
  if(AMENT_${_name})
    add_test(NAME ${_name} COMMAND "${AMENT_${_name}}" ${_check}
      WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  endif()
endforeach()
