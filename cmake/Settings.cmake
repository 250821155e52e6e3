# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0

# Build type, language level and warnings.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
endif()
if(NOT CMAKE_BUILD_TYPE MATCHES "^(Release|RelWithDebInfo)$")
  message(WARNING "Build type is ${CMAKE_BUILD_TYPE}: recognition will be several times slower "
    "than with -DCMAKE_BUILD_TYPE=Release")
endif()

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

option(BUILD_TESTING "Build the tests" ON)
option(MGPROTO_MESSAGES_ONLY "Build only the messages, for a machine that listens" OFF)
option(MGPROTO_WERROR "Warnings are errors" OFF)
option(MGPROTO_UNITY "Compile the files of a room together, which halves the CPU time" ON)
option(MGPROTO_SANITIZE "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)

# For everything of ours: include paths from the root of the tree and warnings.
add_library(mgproto_settings INTERFACE)
target_include_directories(mgproto_settings INTERFACE
  "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}")
target_compile_options(mgproto_settings INTERFACE -Wall -Wextra -Wshadow
  $<$<COMPILE_LANGUAGE:CXX>:-Wno-deprecated-copy>)
if(MGPROTO_WERROR)
  target_compile_options(mgproto_settings INTERFACE -Werror)
endif()
if(MGPROTO_SANITIZE)
  target_compile_options(mgproto_settings INTERFACE
    -fsanitize=address,undefined -fno-omit-frame-pointer)
  target_link_options(mgproto_settings INTERFACE -fsanitize=address,undefined)
endif()

# compile_together(<target> <files>)
#
# <files> of the target's files are one unit for the compiler. What their headers cost is then paid
# once for all of them; a changed file takes its neighbours along, so a unit stays below a minute.
function(compile_together target files)
  set_target_properties(${target} PROPERTIES
    UNITY_BUILD ${MGPROTO_UNITY} UNITY_BUILD_BATCH_SIZE ${files})
  if(MGPROTO_UNITY)
    # GCC takes the files of a unit for headers, in which an anonymous namespace would be a mistake.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()
