#!/usr/bin/env bash
# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0
#
# Installs what mgproto_ros needs from Debian 12 (or a Debian-based system). Quiet when there is
# nothing to do.
set -euo pipefail

packages=(
  build-essential cmake ninja-build pkg-config
  libtorch-dev libopencv-dev
  # Debian's default BLAS is the reference one, far slower; docs/performance.md compares the builds.
  libopenblas0-openmp
  # The DDS host, the player and the dashboard.
  libfastrtps-dev libfastcdr-dev libcpp-httplib-dev libjs-chart.js
  libcli11-dev libjpeg-dev nlohmann-json3-dev libssl-dev libyaml-cpp-dev libzip-dev
  # Debian's own ament and rosidl, for `colcon build` without a ROS 2 installation.
  ament-cmake rosidl-core colcon python3-colcon-ros python3-colcon-bash python3-colcon-output
  python3-colcon-package-selection python3-colcon-parallel-executor
  python3-colcon-recursive-crawl python3-colcon-test-result
  # Tests.
  libgtest-dev libbenchmark-dev chromium cyclonedds-dev cyclonedds-tools iproute2
  clang-format clang-tidy python3-ament-flake8 python3-ament-lint-cmake python3-ament-pep257
  python3-ament-xmllint libxml2-utils
)

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
((${#missing[@]} == 0)) && exit 0

if ! command -v apt-get >/dev/null; then
  echo "setup.sh: no apt-get here. Install what corresponds to: ${missing[*]}" >&2
  exit 1
fi
if ((EUID == 0)); then
  as_root=()
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null || [[ -t 0 && -n "$(command -v sudo)" ]]; then
  as_root=(sudo)
else
  echo "setup.sh: neither root nor sudo. As root, run: apt-get install ${missing[*]}" >&2
  exit 1
fi

echo "setup.sh: installing ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install() {
  "${as_root[@]}" apt-get update -qq &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -qq -y --no-install-recommends "${missing[@]}"
}
if ! install >"$log" 2>&1; then
  tail -n 20 "$log" >&2
  echo "setup.sh: apt-get could not install ${missing[*]}" >&2
  exit 1
fi
