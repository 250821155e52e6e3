#!/usr/bin/python3
# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0
"""
Record docs/images/story.webp: a person teaches a running node on the dashboard's page.

A real node, camera and page, driven click by click in a headless Chromium. Needs img2webp
(Debian's package webp).
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / 'test/dashboard'))

from browser import Browser  # noqa: E402, I100

WIDTH, HEIGHT = 1280, 1130
EVERY = 0.35  # seconds from one frame to the next
GROUP = '#album .group'
HAS_TOMATOES = f'document.querySelectorAll("{GROUP} .pictures img").length >= 4'
IS_TOMATO = 'document.querySelector(".headline")?.textContent === "tomato"'


class Recorder:
    """Frames of the page while things happen."""

    def __init__(self, browser, directory):
        self.browser = browser
        self.directory = directory
        self.frames = []

    def record(self, seconds, until=None):
        end = time.monotonic() + seconds
        while time.monotonic() < end and not (until and self.browser.evaluate(until)):
            begin = time.monotonic()
            path = os.path.join(self.directory, f'{len(self.frames):04}.png')
            self.browser.screenshot(path)
            self.frames.append(path)
            time.sleep(max(0.0, EVERY - (time.monotonic() - begin)))


def camera_folder(directory):
    """Give a folder of what is shown: tomatoes, and between them two known products."""
    groceries = ROOT / 'config/groceries'
    tomatoes = sorted((groceries / 'unseen/Regular-Tomato').iterdir())
    known = [sorted((groceries / 'test' / name).iterdir())[0] for name in ('Mango', 'Zucchini')]
    images = [known[0], *tomatoes[:3], known[1], *tomatoes[3:]]
    folder = os.path.join(directory, 'camera')
    os.mkdir(folder)
    for number, image in enumerate(images):
        shutil.copy(image, os.path.join(folder, f'{number}.jpg'))
    return folder


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--mgproto', default=str(ROOT / 'build/mgproto'), metavar='FILE')
    parser.add_argument('--out', default=str(ROOT / 'docs/images/story.webp'), metavar='FILE')
    arguments = parser.parse_args()
    os.environ['ROS_DOMAIN_ID'] = str(100 + os.getpid() % 50)
    processes = []

    def start(*command, **more):
        processes.append(subprocess.Popen(
            [arguments.mgproto, *command], stderr=subprocess.DEVNULL, **more))
        return processes[-1]

    with tempfile.TemporaryDirectory() as directory:
        start('node', '-p', f'model:={ROOT}/config/models/groceries.safetensors', '-p',
              'ood.tpr:=0.85', '-p', f'teach.directory:={directory}/taught', '-r',
              '~/input/image:=/camera')
        page = start('dashboard', '--port', '0', stdout=subprocess.PIPE)
        url = page.stdout.readline().decode().strip()
        browser = Browser()
        try:
            browser.resize(WIDTH, HEIGHT)
            browser.show(url)
            time.sleep(4)
            start('play', camera_folder(directory), '--topic', '/camera', '--rate', '4', '--hold',
                  '4', '--loop')
            browser.wait_until('document.querySelector(".headline") !== null', 30)
            recorder = Recorder(browser, directory)
            browser.wait_until(HAS_TOMATOES, 60)
            recorder.record(3)
            for end in range(1, len('tomato') + 1):
                browser.evaluate(
                    f'document.querySelector("{GROUP} input").value = {"tomato"[:end]!r}')
                recorder.record(0.2)
            recorder.record(0.6)
            browser.evaluate(f'document.querySelector("{GROUP} button[type=submit]").click()')
            recorder.record(15, until=IS_TOMATO)
            recorder.record(7)
            subprocess.run(
                ['img2webp', '-lossy', '-q', '45', '-m', '6', '-loop', '0', '-d',
                 str(int(1000 * EVERY)), *recorder.frames, '-o', arguments.out],
                check=True, stdout=subprocess.DEVNULL)
            print(f'{arguments.out}: {len(recorder.frames)} frames, '
                  f'{os.path.getsize(arguments.out) / 1e6:.1f} MB')
        finally:
            browser.close()
            for process in processes:
                process.terminate()
            for process in processes:
                process.wait(20)


if __name__ == '__main__':
    main()
