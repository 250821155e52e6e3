#!/usr/bin/env bash
# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0

# two_machines.sh NODE_PEER [CYCLONE_PEER]
#
# Nodes on two machines (network namespaces joined by a cable) find each other by multicast. Ends with
# 77 (skipped) and the reason where such machines cannot be made.
set -uo pipefail
ours=$1 cyclone=${2:-}
one=mgproto_one_$$ two=mgproto_two_$$

end() {
  kill $(jobs -p) 2>/dev/null
  wait 2>/dev/null
  ip netns delete $one 2>/dev/null
  ip netns delete $two 2>/dev/null
}
trap end EXIT
skip() {
  echo "skipped: $1"
  exit 77
}
ip netns add $one && ip netns add $two || skip "network namespaces cannot be made here"
# Entering one mounts /sys anew, which a container or a chroot may not allow.
ip netns exec $one true || skip "network namespaces can be made, but not entered here"
cable=mgp$(($$ % 10000))
ip link add ${cable}a netns $one type veth peer name ${cable}b netns $two ||
  skip "network namespaces cannot be joined by a cable (veth) here"
address=1
for place in "$one ${cable}a" "$two ${cable}b"; do
  read -r machine card <<<"$place"
  ip -n "$machine" address add 10.99.0.$((address++))/24 dev "$card"
  ip -n "$machine" link set lo up
  ip -n "$machine" link set "$card" up multicast on
  ip -n "$machine" route add default dev "$card"
done

export ROS_DOMAIN_ID=$((100 + $$ % 100))
unset ROS_AUTOMATIC_DISCOVERY_RANGE ROS_LOCALHOST_ONLY
failures=0
conversation() { # NAME EXPECTED SPEAKER LISTENER
  local heard
  ip netns exec $one "$3" say /words hello &
  local speaker=$!
  heard=$(ip netns exec $two timeout -s TERM 15 stdbuf -oL "$4" hear /words | grep -m 1 heard)
  kill $speaker
  wait $speaker 2>/dev/null
  if [[ $heard == "$2" ]]; then
    echo "ok: $1"
  else
    echo "FAILED: $1"
    failures=$((failures + 1))
  fi
}
conversation "two of our nodes" "heard hello" "$ours" "$ours"
if [[ -n $cyclone ]]; then
  conversation "ours is heard by Cyclone DDS" "heard hello" "$ours" "$cyclone"
  conversation "Cyclone DDS is heard by ours" "heard hello" "$cyclone" "$ours"
fi
ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST conversation "localhost keeps to its machine" "" \
  "$ours" "$ours"
exit $((failures > 0))
