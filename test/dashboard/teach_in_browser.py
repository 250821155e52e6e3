# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0
"""What in_browser.sh checks: a person gives a name to what a running node does not know."""

import os
import subprocess
import sys
import tempfile
import time

from browser import Browser

GROUP = '#album .group'
BADGE = '(document.querySelector("#verdict > .badge")?.textContent ?? "")'
ANSWER = '(document.querySelector("#album .answer")?.textContent ?? "")'
OWN_PATCH = ('[...document.querySelectorAll("#evidence img:not([hidden])")]'
             '.some((image) => image.complete && image.naturalWidth > 0)')


class Processes:
    """A camera that shows what the node does not know, the node, and the page."""

    def __init__(self, mgproto, source):
        self.all = []
        self.directory = tempfile.TemporaryDirectory()
        models = os.path.join(source, 'config', 'models')
        self.start(mgproto, 'node', '-p', f'model:={models}/groceries.safetensors',
                   '-p', 'ood.tpr:=0.85', '-p', f'teach.directory:={self.directory.name}',
                   '-r', '~/input/image:=/camera')
        dashboard = self.start(mgproto, 'dashboard', '--port', '0', stdout=subprocess.PIPE)
        self.url = dashboard.stdout.readline().decode().strip()
        products = os.path.join(source, 'config', 'groceries', 'unseen')
        self.start(mgproto, 'play', os.path.join(products, 'Regular-Tomato'), '--topic', '/camera',
                   '--rate', '3', '--loop')

    def start(self, *command, **more):
        self.all.append(subprocess.Popen(command, stderr=subprocess.DEVNULL, **more))
        return self.all[-1]

    def end(self):
        for process in self.all:
            process.terminate()
        for process in self.all:
            process.wait(20)
        self.directory.cleanup()


def click(browser, selector):
    browser.evaluate(f'document.querySelector({selector!r}).click()')


def type_name(browser, name):
    browser.evaluate(f'document.querySelector({GROUP + " input"!r}).value = {name!r}')


def check_teaching(browser, keep):
    browser.wait_until(f'{BADGE} === "? UNKNOWN"', 30)
    browser.wait_until('document.querySelectorAll("#album .pictures img").length >= 4', 30)
    browser.wait_until('[...document.querySelectorAll("#album img")]'
                       '.every((image) => image.naturalWidth > 0)')
    keep('unknown')
    # One picture is left out, and comes back.
    click(browser, f'{GROUP} .pictures button')
    assert browser.evaluate(
        f'document.querySelector("{GROUP} .pictures button").ariaPressed') == 'false'
    click(browser, f'{GROUP} .pictures button')
    # Without a name nothing happens.
    click(browser, f'{GROUP} button[type=submit]')
    browser.wait_until(f'{ANSWER} === "Give it a name first."')
    type_name(browser, 'tomato')
    keep('named')
    begin = time.monotonic()
    click(browser, f'{GROUP} button[type=submit]')
    browser.wait_until(f'{BADGE} === "✓ KNOWN"', 30)
    seconds = time.monotonic() - begin
    browser.wait_until('document.querySelector(".headline").textContent === "tomato"')
    browser.wait_until(OWN_PATCH)
    browser.wait_until(f'{ANSWER}.startsWith("\'tomato\' is known from ")')
    browser.wait_until('document.querySelector("#album .chip").textContent.startsWith("tomato")')
    keep('known')
    return seconds


def check_undo(browser):
    click(browser, '#album .undo')
    browser.wait_until(f'{ANSWER}.startsWith("back to ")', 30)
    browser.wait_until(f'{BADGE} === "? UNKNOWN"')
    browser.wait_until('document.querySelectorAll("#album .chip").length === 0')


def check_refusal(browser):
    browser.wait_until(f'document.querySelectorAll("{GROUP}").length >= 1', 30)
    type_name(browser, 'Mango')
    click(browser, f'{GROUP} button[type=submit]')
    browser.wait_until(f'{ANSWER} === "\'Mango\' is a class of this model already"', 30)


def main(mgproto, source, pictures=None):
    def keep(name):
        if pictures:
            os.makedirs(pictures, exist_ok=True)
            browser.screenshot(os.path.join(pictures, f'{name}.png'), whole_page=True)

    processes = Processes(mgproto, source)
    browser = Browser()
    try:
        browser.resize(1280, 900)
        browser.show(processes.url)
        seconds = check_teaching(browser, keep)
        check_undo(browser)
        check_refusal(browser)
        assert not browser.console, f'the page complains: {browser.console}'
        print(f'known {seconds:.1f} s after the click')
    finally:
        browser.close()
        processes.end()


if __name__ == '__main__':
    main(*sys.argv[1:])
