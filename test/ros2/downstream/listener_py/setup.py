# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0

from setuptools import setup

setup(
    name='listener_py',
    version='0.1.0',
    packages=['listener_py'],
    data_files=[
        ('share/ament_index/resource_index/packages', ['resource/listener_py']),
        ('share/listener_py', ['package.xml']),
    ],
    install_requires=['setuptools'],
    maintainer='The mgproto_ros Authors',
    maintainer_email='maintainers@mgproto-ros.invalid',
    description="Somebody else's Python package that uses mgproto_ros.",
    license='Apache-2.0',
    entry_points={'console_scripts': ['listener = listener_py.listener:main']},
)
