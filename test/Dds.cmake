# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0

# Messages, DDS and what is built on it.

# Bytes and images from the wire.
add_executable(test_wire
  ${MGPROTO_WIRE_SOURCES}
  "${PROJECT_SOURCE_DIR}/src/messages/image_input.cpp"
  "${PROJECT_SOURCE_DIR}/src/messages/image_output.cpp"
  "${PROJECT_SOURCE_DIR}/src/model/file_io.cpp"
  "${PROJECT_SOURCE_DIR}/src/model/image_file.cpp"
  "${PROJECT_SOURCE_DIR}/src/model/jpeg_image.cpp"
  "${PROJECT_SOURCE_DIR}/src/model/sha256.cpp"
  "${PROJECT_SOURCE_DIR}/src/perception/decode.cpp"
  "${PROJECT_SOURCE_DIR}/src/perception/position.cpp"
  dds/test_cdr.cpp
  dds/test_cdr_mutations.cpp
  dds/test_message_text.cpp
  dds/test_type_hash.cpp
  messages/test_image_input.cpp
  perception/test_decode.cpp
  perception/test_position.cpp)
sanitize(test_wire)
target_link_libraries(test_wire PRIVATE
  mgproto_interfaces opencv_core opencv_imgproc opencv_imgcodecs JPEG::JPEG OpenSSL::Crypto)
add_room_test(test_wire)

add_executable(test_messages
  messages/test_prediction_messages.cpp
  messages/test_depth_input.cpp
  messages/test_detections_input.cpp
  messages/test_model_messages.cpp
  messages/test_position_messages.cpp
  messages/test_publish.cpp
  messages/test_teach_messages.cpp
  messages/test_trust_messages.cpp)
target_link_libraries(test_messages PRIVATE mgproto_messages opencv_imgcodecs)
add_room_test(test_messages)

add_executable(test_tools
  tools/test_frame_pace.cpp
  tools/test_frame_source.cpp
  tools/test_live_table.cpp
  tools/test_scoreboard.cpp
  tools/test_truth_log.cpp)
target_link_libraries(test_tools PRIVATE
  mgproto_tools mgproto_data opencv_imgproc opencv_imgcodecs opencv_videoio)
add_room_test(test_tools)

# Other processes to talk to: one of ours, and one that uses Cyclone DDS as ROS 2 does.
add_executable(node_peer dds/node_peer.cpp)
target_link_libraries(node_peer PRIVATE mgproto_dds)
add_executable(test_dds
  dds/test_environment.cpp
  dds/test_node.cpp
  dds/test_peers.cpp
  dds/test_topic_names.cpp)
target_compile_definitions(test_dds PRIVATE MGPROTO_NODE_PEER="$<TARGET_FILE:node_peer>")
target_link_libraries(test_dds PRIVATE mgproto_dds)
add_dependencies(test_dds node_peer)
find_package(CycloneDDS QUIET)
if(CycloneDDS_FOUND)
  enable_language(C)
  idlc_generate(TARGET cyclone_messages FILES dds/cyclone_peer/ros_messages.idl)
  add_executable(cyclone_peer dds/cyclone_peer/cyclone_peer.cpp)
  target_link_libraries(cyclone_peer PRIVATE mgproto_settings cyclone_messages CycloneDDS::ddsc)
  target_compile_definitions(test_dds PRIVATE MGPROTO_CYCLONE_PEER="$<TARGET_FILE:cyclone_peer>")
  add_dependencies(test_dds cyclone_peer)
endif()
add_room_test(test_dds)
add_test(NAME two_machines
  COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/dds/two_machines.sh" $<TARGET_FILE:node_peer>
    $<$<TARGET_EXISTS:cyclone_peer>:$<TARGET_FILE:cyclone_peer>>)
set_tests_properties(two_machines PROPERTIES SKIP_RETURN_CODE 77)

add_executable(test_perception_host dds/test_perception_host.cpp)
target_compile_definitions(test_perception_host PRIVATE MGPROTO_COMMAND="$<TARGET_FILE:mgproto>")
target_link_libraries(test_perception_host PRIVATE mgproto_dds mgproto_data opencv_imgcodecs)
add_dependencies(test_perception_host mgproto teachable_model)
add_room_test(test_perception_host)

add_executable(test_trust_gate_host dds/test_trust_gate_host.cpp)
target_compile_definitions(test_trust_gate_host PRIVATE MGPROTO_COMMAND="$<TARGET_FILE:mgproto>")
target_link_libraries(test_trust_gate_host PRIVATE mgproto_dds)
add_dependencies(test_trust_gate_host mgproto)
add_room_test(test_trust_gate_host)

add_test(NAME ros2_tools
  COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/dds/ros2_tools.sh" $<TARGET_FILE:mgproto>
    "${PROJECT_SOURCE_DIR}/config/models/birds_demo.safetensors")
set_tests_properties(ros2_tools PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)

add_executable(test_dashboard
  dashboard/test_allowed_host.cpp
  dashboard/test_camera.cpp
  dashboard/test_feed.cpp
  dashboard/test_server.cpp)
target_link_libraries(test_dashboard PRIVATE mgproto_dds mgproto_dashboard PkgConfig::httplib)
add_room_test(test_dashboard)
add_executable(show_demo_dashboard dashboard/show_demo_dashboard.cpp)
target_link_libraries(show_demo_dashboard PRIVATE
  mgproto_dashboard opencv_core opencv_imgproc opencv_imgcodecs)
add_test(NAME dashboard_in_browser
  COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/dashboard/in_browser.sh" dashboard_in_browser.py
    $<TARGET_FILE:show_demo_dashboard>)
set_tests_properties(dashboard_in_browser PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME teach_in_browser
  COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/dashboard/in_browser.sh" teach_in_browser.py
    $<TARGET_FILE:mgproto> "${PROJECT_SOURCE_DIR}")
set_tests_properties(teach_in_browser PROPERTIES SKIP_RETURN_CODE 77)

# These talk to none but each other, also where a ROS 2 brings another Fast DDS.
set_tests_properties(test_dds two_machines test_perception_host test_trust_gate_host test_dashboard
  dashboard_in_browser teach_in_browser
  PROPERTIES ENVIRONMENT FASTDDS_BUILTIN_TRANSPORTS=DEFAULT)

# The demo builds into build/ and runs what is there.
if(PROJECT_BINARY_DIR STREQUAL "${PROJECT_SOURCE_DIR}/build")
  add_test(NAME demo
    COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/demo.sh" "${PROJECT_SOURCE_DIR}")
  set_tests_properties(demo PROPERTIES TIMEOUT 300)
endif()
