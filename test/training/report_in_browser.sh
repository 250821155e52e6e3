#!/bin/sh
# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0

# report_in_browser.sh <test_report>
#
# Opens the pages that test_report writes in a headless Chromium, from file://. Fails if one of them
# says anything on the console, or if the finished run's charts or pictures are empty. Ends with 77
# (skipped) where there is no Chromium.
set -eu

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
  echo "skipped: no Chromium"
  exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

MGPROTO_REPORT_DIRECTORY="$work" "$1" --gtest_filter='*RunsInEveryStateHaveAPage' > "$work/log" ||
  fail "$(cat "$work/log")"

# The page counts what it has drawn, in attributes of <html>. The window is high enough to bring the
# prototypes, which are filled in when they come into view, to it.
open_page() {
  mkdir "$work/profile"
  timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
    --disable-background-networking --disable-component-update --disable-sync \
    --user-data-dir="$work/profile" --enable-logging=stderr --window-size=1200,6000 \
    --virtual-time-budget=5000 --dump-dom "file://$work/$1/report.html" \
    > "$work/$1.dom" 2> "$work/$1.log" || fail "$1: the browser ended with an error: $(cat "$work/$1.log")"
  rm -rf "$work/profile"
  if grep CONSOLE "$work/$1.log"; then
    fail "$1: the page complains"
  fi
}

# drawn <run> <what>: the page's count, 0 if it has none
drawn() {
  count=$(sed -n "s/.*<html[^>]* data-$2=\"\([0-9]*\)\".*/\1/p" "$work/$1.dom")
  echo "${count:-0}"
}

at_least() {
  [ "$(drawn "$1" "$2")" -ge "$3" ] || fail "$1: $(drawn "$1" "$2") $2 instead of at least $3"
}

for run in finished baseline running nulls empty; do
  open_page "$run"
  echo "$run: $(drawn "$run" charts) charts, $(drawn "$run" points) points, $(drawn "$run" pictures) pictures"
done

# Nine curves' cards, the histogram and the confusion matrix; 4 patches and 3 heat maps.
at_least finished charts 11
at_least finished points 400
at_least finished pictures 7
grep -q 'of near<wbr> wrongly taken as known, the worst of 2 sets' "$work/finished.dom" ||
  fail "finished: does not show the set that comes off worst"
at_least baseline charts 11
grep -q 'FPR95, energy' "$work/baseline.dom" || fail "baseline: calls its energy something else"
! grep -q 'FPR95, log p(x)' "$work/baseline.dom" || fail "baseline: claims a p(x)"
at_least running charts 9
at_least nulls charts 9
[ "$(drawn finished broken-pictures)" -eq 0 ] || fail "finished: a picture cannot be decoded"
grep -q 'Training goes on' "$work/running.dom" || fail "running: does not say that training goes on"
