#!/usr/bin/env bash
# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0

# demo.sh SOURCE_DIR
#
# Runs the demo as a user does, on what is built: it answers within seconds, ends by itself with a
# summary that adds up, and leaves no process behind.
set -uo pipefail
cd "$1" || exit 1
fail() {
  echo "FAILED: $*"
  cat "$errors"
  exit 1
}
errors=$(mktemp)
trap 'rm -f "$errors"' EXIT
begin=$(date +%s%N)
output=$(scripts/demo.sh --seconds 6 --rate 10 --port 8190 --json 2>"$errors") ||
  fail "the demo ended with code $?"
seconds=$((($(date +%s%N) - begin) / 1000000000))

/usr/bin/python3 - "$(tail -n 1 <<<"$output")" <<'END' || fail "the summary does not add up"
import json, sys
print(sys.argv[1])
s = json.loads(sys.argv[1])
unknown = s['unknown']
assert set(unknown) == {'unseen_species', 'vehicles', 'textures'}, unknown
assert s['frames'] >= s['predictions'] > 10, s
assert s['known']['count'] > 5 and sum(k['count'] for k in unknown.values()) > 5, s
assert s['known']['accuracy'] >= 0.8 and s['known']['accepted'] >= 0.5, s
assert unknown['vehicles']['rejected'] + unknown['textures']['rejected'] >= 1, s
assert 0 < s['latency_ms']['p50'] <= s['latency_ms']['p95'], s
END
((seconds <= 20)) || fail "6 seconds of demo took $seconds"
domain=$(grep -o 'ROS_DOMAIN_ID=[0-9]*' "$errors" | head -n 1)
sleep 0.5
for process in /proc/[0-9]*; do
  if tr '\0' '\n' <"$process/environ" 2>/dev/null | grep -qx "$domain" &&
    [[ $(readlink "$process/exe") == *mgproto ]]; then
    fail "$(tr '\0' ' ' <"$process/cmdline") was left behind"
  fi
done
echo "ok: $seconds s"
