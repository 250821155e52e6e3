#!/usr/bin/env bash
# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0
#
# Formats every C++ file with clang-format; with --check only says which are not formatted.
set -euo pipefail
cd "$(dirname "$0")/.."
mapfile -t files < <(find include src training test -name '*.cpp' -o -name '*.hpp' | sort)
if [[ "${1:-}" == --check ]]; then
  exec clang-format --dry-run --Werror "${files[@]}"
fi
clang-format -i "${files[@]}"
