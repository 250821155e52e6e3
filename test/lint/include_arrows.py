#!/usr/bin/env python3
# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0
"""
Check that files include only what the table of docs/architecture.md allows their room.

Usage: include_arrows.py [ROOT]
"""

from pathlib import Path
import re
import sys

# Headers of the libraries whose use is part of the table.
LIBRARIES = {
    'LibTorch': r'(torch|ATen|c10)/',
    'ROS 2': r'(rclcpp|rclcpp_components|image_transport|cv_bridge)/',
    'messages': r'([a-z0-9_]+_msgs|builtin_interfaces|mgproto_ros)/(msg|srv)/|rosidl_',
    'Fast DDS': r'(fastdds|fastrtps|fastcdr)/',
    'HTTP': r'httplib\.h',
}
# Its last column says which of them a room may use; OpenCV and the rest are everybody's.
ROW = re.compile(r'^\| `([^`]+)` \| ([^|]*) \| ([^|]*) \|$', re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)


def read_table(page):
    """Return for each room the rooms and the libraries that it may include."""
    table = {}
    section = page.read_text().partition('## Who may include whom')[2].partition('\n## ')[0]
    for room, rooms, libraries in ROW.findall(section):
        allowed = set(re.findall(r'`([^`]+)`', rooms))
        table[room] = (allowed, {name for name in LIBRARIES if name in libraries})
    return table


def room_of(path, rooms):
    """Return the most special room that the path, as seen from the root, lies in."""
    inside = [room for room in rooms if path.startswith(room + '/')]
    return max(inside, key=len, default=None)


def included_path(header):
    """Return the path from the root of a header as our files name it."""
    if header.startswith('training/'):
        return header
    return ('include/' if header.startswith('mgproto_ros/') else 'src/') + header


def problems(root):
    """Yield a line for each include that the table does not allow."""
    table = read_table(root / 'docs/architecture.md')
    if not table:
        yield 'docs/architecture.md: no table of rooms and what they may include'
    for folder in ('include', 'src', 'training'):
        for file in sorted((root / folder).rglob('*.?pp')):
            path = str(file.relative_to(root))
            room = room_of(path, table)
            if room is None:
                yield f'{path}: in no room of docs/architecture.md'
                continue
            rooms, libraries = table[room]
            for header in INCLUDE.findall(file.read_text()):
                used = next((n for n, p in LIBRARIES.items() if re.match(p, header)), None)
                other = room_of(included_path(header), table)
                if used is not None:
                    if used not in libraries:
                        yield f'{path}: {room} may not use {used} ({header})'
                elif other not in (None, room) and other not in rooms:
                    yield f'{path}: {room} may not include {other} ({header})'


def main():
    """Print what is not allowed and fail if there is anything."""
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2])
    found = list(problems(root))
    print('\n'.join(found) if found else 'all includes follow docs/architecture.md')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
