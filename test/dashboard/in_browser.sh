#!/bin/sh
# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0

# in_browser.sh <script> ARGUMENTS...
#
# Runs a script of this folder, which looks at the page in a headless Chromium as a person would:
#   dashboard_in_browser.py <show_demo_dashboard> [directory for screenshots]
#   teach_in_browser.py <mgproto> <source directory> [directory for screenshots]
# Ends with 77 (skipped) where there is no Chromium or no Python.
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
ROS_DOMAIN_ID=$((150 + $$ % 50))
export ROS_DOMAIN_ID
script=$1
shift
exec python3 -B "$(dirname "$0")/$script" "$@"
