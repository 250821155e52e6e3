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

run() { # OPTIONS...: the summary is in $output, how long it took in $seconds
  local begin
  begin=$(date +%s%N)
  output=$(scripts/demo.sh --port 8190 --json "$@" 2>"$errors") ||
    fail "the demo ended with code $?"
  output=$(tail -n 1 <<<"$output")
  seconds=$((($(date +%s%N) - begin) / 1000000000))
  domain=$(grep -o 'ROS_DOMAIN_ID=[0-9]*' "$errors" | head -n 1)
  sleep 0.5
  for process in /proc/[0-9]*; do
    if tr '\0' '\n' <"$process/environ" 2>/dev/null | grep -qx "$domain" &&
      [[ $(readlink "$process/exe") == *mgproto ]]; then
      fail "$(tr '\0' ' ' <"$process/cmdline") was left behind"
    fi
  done
  echo "$seconds s: $output"
}

run --birds --seconds 6
/usr/bin/python3 - "$output" <<'END' || fail "the summary does not add up"
import json, sys
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

# One product is unknown before it is taught, and known from then on.
run --seconds 75 --teach-after 5
/usr/bin/python3 - "$output" <<'END' || fail "the summary does not add up"
import json, sys
s = json.loads(sys.argv[1])
assert s['known']['count'] > 20 and s['known']['accuracy'] >= 0.7, s
assert set(s['taught']) == {'Regular-Tomato'}, s
before, after = s['taught']['Regular-Tomato']['before'], s['taught']['Regular-Tomato']['after']
assert before['count'] >= 3 and before['rejected'] >= 0.6, s
assert after['count'] >= 3 and after['accuracy'] >= 0.6 and after['accepted'] >= 0.6, s
END
echo "ok"
