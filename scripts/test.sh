#!/usr/bin/env bash
# Everything from a bare machine to tested: set-up, build, all tests.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh
scripts/build.sh
ctest --test-dir build --output-on-failure
