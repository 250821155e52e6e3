#!/usr/bin/env bash
# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0
#
# clang-tidy, with the checks of .clang-tidy, on the rooms that do without LibTorch, whose headers
# would take it minutes a file. Usage: clang_tidy.sh BUILD_DIRECTORY
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$1
mapfile -t files < <(/usr/bin/python3 - "$build/compile_commands.json" <<'END'
import json
import re
import sys
rooms = r'/mgproto_(files|visual|perception|data|config|messages|tools|dashboard)\.dir/'
for command in json.load(open(sys.argv[1])):
    if re.search(rooms, command['output'] if 'output' in command else command['command']):
        print(command['file'])
END
)
((${#files[@]} > 0)) || { echo "clang_tidy.sh: no files in $build/compile_commands.json"; exit 1; }
printf '%s\0' "${files[@]}" |
  xargs -0 -n 1 -P "$(nproc)" clang-tidy -p "$build" --quiet --warnings-as-errors='*' \
    --extra-arg=-Wno-unknown-warning-option
echo "${#files[@]} units checked"
