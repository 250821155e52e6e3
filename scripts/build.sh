#!/usr/bin/env bash
# Builds everything in release mode into build/; the command ends up at build/mgproto.
# Arguments go to cmake, for instance -DBUILD_TESTING=OFF.
set -euo pipefail
cd "$(dirname "$0")/.."
generator=()
[[ -f build/CMakeCache.txt ]] || ! command -v ninja >/dev/null || generator=(-G Ninja)
cmake -S . -B build "${generator[@]}" "$@"
cmake --build build --parallel "$(nproc)"
