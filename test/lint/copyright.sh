#!/usr/bin/env bash
# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0
#
# Every source file names its owner and its licence in its first lines. Under ROS 2 ament_copyright
# says the same of the kinds of files that it knows.
set -euo pipefail
cd "$(dirname "$0")/../.."
mapfile -t files < <(find CMakeLists.txt .ci cmake include src training test scripts launch \
  interfaces -type f \( -name '*.cpp' -o -name '*.hpp' -o -name '*.py' -o -name '*.sh' -o -name '*.js' \
  -o -name '*.cmake' -o -name CMakeLists.txt -o -path .ci/run \) | sort)
without=$(awk '
  FNR == 1 { if (NR > 1 && found < 2) print file; file = FILENAME; found = 0 }
  FNR <= 6 && /Copyright 20[0-9][0-9] The mgproto_ros Authors|SPDX-License-Identifier: Apache-2.0/ { ++found }
  END { if (found < 2) print file }' "${files[@]}")
if [[ -n $without ]]; then
  echo "no copyright and SPDX-License-Identifier in the first lines of:"
  echo "$without"
  exit 1
fi
echo "${#files[@]} source files name their licence"
