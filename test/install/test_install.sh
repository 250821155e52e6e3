#!/usr/bin/env bash
# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0
#
# Installs the package into a temporary prefix, builds a program against it that knows nothing else
# of the source tree, and runs it.
# Usage: test_install.sh BUILD_DIRECTORY MODEL
set -euo pipefail
build=$1 model=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/prefix" >"$work/log" || { cat "$work/log"; exit 1; }
cp -r "$here/consumer" "$work/source"
cmake -S "$work/source" -B "$work/build" "-DCMAKE_PREFIX_PATH=$work/prefix" -DCMAKE_BUILD_TYPE=Release
cmake --build "$work/build"

"$work/build/consumer" "$model"
if "$work/build/consumer" "$work/nothing.safetensors"; then
  echo "a model that is not there was loaded"
  exit 1
fi

# Nothing but the interface: a program may bring other versions of what is inside.
others=$(nm -DC --defined-only "$work"/prefix/lib/libmgproto_recognizer.so |
  grep -vE ' mgproto::(Recognizer::|architectures)| (typeinfo|typeinfo name|vtable) for mgproto::[A-Za-z]*Error$' || true)
if [[ -n $others ]]; then
  echo "libmgproto_recognizer.so shows more than its headers declare:"
  head -n 20 <<<"$others"
  exit 1
fi
"$work/prefix/bin/mgproto" --version
