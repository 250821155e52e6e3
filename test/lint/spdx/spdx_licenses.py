# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0

"""
The Apache License by its SPDX identifier, for ament_copyright.

It knows long headers only, and takes others from packages that register them as this one does:
PYTHONPATH=test/lint/spdx:$PYTHONPATH ament_copyright
"""

from ament_copyright import licenses

apache2 = licenses.apache2._replace(file_headers=['SPDX-License-Identifier: Apache-2.0'])
