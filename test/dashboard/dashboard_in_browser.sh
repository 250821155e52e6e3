#!/bin/sh
# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0

# dashboard_in_browser.sh <show_demo_dashboard> [directory for screenshots]
#
# Opens the demo dashboard in a headless Chromium and checks what a person would see, also after the
# node, the model and the server have changed. Ends with 77 (skipped) where there is no Chromium or
# no Python.
set -eu

command -v chromium > /dev/null || command -v chromium-browser > /dev/null ||
  command -v google-chrome > /dev/null || {
  echo "skipped: no Chromium"
  exit 77
}
command -v python3 > /dev/null || {
  echo "skipped: no Python"
  exit 77
}
exec python3 -B "$(dirname "$0")/dashboard_in_browser.py" "$@"
