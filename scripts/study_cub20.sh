#!/bin/sh
# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0

# All runs of docs/results/cub20.md that are not done yet, then the page. Options are those of study.py.
set -eu
exec "$(dirname "$0")/study.py" "$(dirname "$0")/../docs/results/cub20" "$@"
