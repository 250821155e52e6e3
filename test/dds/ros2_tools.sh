#!/usr/bin/env bash
# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0

# ros2_tools.sh MGPROTO MODEL
#
# Looks at the DDS host with the tools of a real ROS 2. Ends with 77 (skipped) where there is none.
set -uo pipefail
mgproto=$1 model=$2

if ! command -v ros2 >/dev/null; then
  set +u
  # ROS 2's Python need not be the first on PATH.
  PATH=/usr/bin:$PATH
  for setup in /opt/ros/*/setup.bash; do
    # shellcheck disable=SC1090
    [[ -f $setup ]] && source "$setup"
  done
  set -u
fi
command -v ros2 >/dev/null || {
  echo "skipped: no ROS 2"
  exit 77
}

export ROS_DOMAIN_ID=$((100 + $$ % 100))
logs=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; ros2 daemon stop >/dev/null 2>&1; rm -rf "$logs"' EXIT
"$mgproto" node -p "model:=$model" -r '~/input/image:=/camera/image_raw' 2>"$logs/node" &
node=$!
"$mgproto" play birds --topic /camera/image_raw --rate 5 2>"$logs/play" &
play=$!

failures=0
# expect NAME TEXT COMMAND...: the command prints the text, within some tries, since discovery takes
# its time.
expect() {
  local name=$1 text=$2 output try
  shift 2
  for try in 1 2 3 4 5; do
    output=$(timeout 30 "$@" 2>&1)
    if [[ $output == *"$text"* ]]; then
      echo "ok: $name"
      return
    fi
  done
  echo "FAILED: $name: no '$text' in what '$*' printed:"
  echo "$output"
  failures=$((failures + 1))
}

expect "the node is listed" /mgproto ros2 node list
expect "topics are listed with their types" \
  "/mgproto/output/prediction [mgproto_ros/msg/Prediction]" ros2 topic list -t
expect "the player is named as publisher" "Node name: mgproto_player" \
  ros2 topic info -v /camera/image_raw
expect "the node is named as subscriber" "Node name: mgproto
" ros2 topic info -v /camera/image_raw
expect "the type hash is ROS 2's" \
  RIHS01_d31d41a9a4c4bc8eae9be757b0beed306564f7526c88ea6a4588fb9582527d47 \
  ros2 topic info -v /camera/image_raw
expect "images are echoed" "encoding: bgr8" ros2 topic echo --once --no-arr /camera/image_raw
expect "diagnostics are echoed" "hardware_id: mgproto" ros2 topic echo --once /diagnostics
expect "the rate is measured" "average rate: " timeout 8 ros2 topic hz /camera/image_raw
if ros2 interface show vision_msgs/msg/Classification >/dev/null 2>&1; then
  expect "classifications are echoed" "frame_id: camera" \
    ros2 topic echo --once /mgproto/output/classification
  expect "latched labels are echoed" "class_name: 001.Red_throated_Fantail" \
    ros2 topic echo --once --qos-durability transient_local --qos-reliability reliable \
    /mgproto/output/label_info
fi

# Many at once, coming and going.
for round in 1 2 3; do
  for listener in 1 2 3; do
    timeout 30 ros2 topic echo --once --no-arr /camera/image_raw >"$logs/$round.$listener" 2>&1 &
    echoes+=($!)
  done
  wait "${echoes[@]}"
  echoes=()
done
for file in "$logs"/?.?; do
  grep -q "encoding: bgr8" "$file" || {
    echo "FAILED: one of several listeners got no image: $(cat "$file")"
    failures=$((failures + 1))
  }
done
for process in $node $play; do
  kill -0 "$process" 2>/dev/null || {
    echo "FAILED: a process of ours ended: $(cat "$logs/node" "$logs/play")"
    failures=$((failures + 1))
  }
done
exit $((failures > 0))
