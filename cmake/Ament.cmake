# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0

# ament's and rosidl's scripts need the Python that their modules are installed for, which need not
# be the first one on PATH.
if(NOT Python3_EXECUTABLE)
  foreach(_python python3 /usr/bin/python3)
    execute_process(COMMAND ${_python} -c "import ament_package"
      RESULT_VARIABLE _result OUTPUT_QUIET ERROR_QUIET)
    if(_result EQUAL 0)
      find_program(_python_path ${_python})
      set(Python3_EXECUTABLE "${_python_path}" CACHE FILEPATH "Python with ament's modules")
      break()
    endif()
  endforeach()
endif()

find_package(ament_cmake QUIET)
