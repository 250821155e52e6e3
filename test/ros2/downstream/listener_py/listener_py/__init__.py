# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0
