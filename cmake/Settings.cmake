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
option(MGPROTO_SANITIZE "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)

# For everything of ours: include paths from the root of the tree and warnings.
add_library(mgproto_settings INTERFACE)
target_include_directories(mgproto_settings INTERFACE
  "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}")
target_compile_options(mgproto_settings INTERFACE -Wall -Wextra -Wshadow
  $<$<COMPILE_LANGUAGE:CXX>:-Wno-deprecated-copy>)
if(MGPROTO_SANITIZE)
  target_compile_options(mgproto_settings INTERFACE
    -fsanitize=address,undefined -fno-omit-frame-pointer)
  target_link_options(mgproto_settings INTERFACE -fsanitize=address,undefined)
endif()
