#!/usr/bin/env bash
# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0
#
# Builds everything in release mode into build/; the command ends up at build/mgproto. With
# --target T first only that, for instance --target mgproto without the tests. Other arguments go to
# cmake, for instance -DBUILD_TESTING=OFF.
set -euo pipefail
cd "$(dirname "$0")/.."
target=()
if [[ ${1:-} == --target ]]; then
  target=(--target "$2")
  shift 2
fi
generator=()
[[ -f build/CMakeCache.txt ]] || ! command -v ninja >/dev/null || generator=(-G Ninja)
cmake -S . -B build "${generator[@]}" "$@"
cmake --build build --parallel "$(nproc)" "${target[@]}"
