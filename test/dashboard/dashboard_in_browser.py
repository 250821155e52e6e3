# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0
"""What in_browser.sh checks."""

import os
import subprocess
import sys

from browser import Browser

NARROW, WIDE = (360, 780), (1280, 900)


class Demo:
    """The demo dashboard, as a program of its own."""

    def __init__(self, program, port=0):
        self.process = subprocess.Popen(
            [program, str(port)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        self.port = int(self.url.rstrip('/').rsplit(':', 1)[1])

    def tell(self, line):
        self.process.stdin.write(line + '\n')
        self.process.stdin.flush()

    def end(self):
        self.process.stdin.close()
        self.process.wait(10)


def text_of(selector):
    return f'(document.querySelector({selector!r})?.textContent ?? "")'


def number_of(selector):
    return f'document.querySelectorAll({selector!r}).length'


def fits(browser):
    return browser.evaluate('document.documentElement.scrollWidth <= innerWidth')


SHOWN_PATCHES = ('[...document.querySelectorAll("#evidence img:not([hidden])")]'
                 '.filter((image) => image.complete && image.naturalWidth > 0).length')
# Some pixel of the first crop is drawn. Read from a copy: a canvas that is read is drawn
# differently.
CROP_IS_DRAWN = """(() => {
  const crop = document.querySelector("#evidence canvas:not([hidden])");
  const copy = new OffscreenCanvas(16, 16).getContext("2d");
  copy.drawImage(crop ?? copy.canvas, 0, 0, 16, 16);
  return copy.getImageData(0, 0, 16, 16).data.some((value) => value > 0);
})()"""


def check_first_sight(browser):
    browser.wait_until(f'{text_of("#state")}.startsWith("live")')
    browser.wait_until(f'{text_of("#verdict .badge")} === "✓ KNOWN"')
    browser.wait_until(f'{text_of(".headline")} === "002.Square"')
    browser.wait_until(f'{number_of("#scores li")} === 3')
    browser.wait_until(f'{text_of("#scores .answer .number")} === "90.0 %"')
    browser.wait_until(f'{number_of("#evidence .prototype")} === 3')
    browser.wait_until(f'{SHOWN_PATCHES} === 3')
    browser.wait_until(CROP_IS_DRAWN)
    browser.wait_until(f'{text_of("#evidence .terms")} === "π 0.333, h 0.900"')
    browser.wait_until(f'{text_of("#evidence .share")} === "54.5 % of the evidence"')
    browser.wait_until(f'{text_of("#health-link")} === "! health WARN"')
    browser.wait_until(f'{number_of(".status")} === 2')
    browser.wait_until(f'{number_of("#tabs button")} === 2')
    browser.wait_until('document.querySelector("#picture canvas").width === 320')


def check_unknown(browser):
    browser.wait_until(f'{text_of("#verdict .badge")} === "? UNKNOWN"')
    browser.wait_until(f'{text_of(".meaning")} === "closest class: 001.Circle, p(c|x) = 90.0 %"')
    browser.wait_until(f'{text_of(".reason")} === "log p(x) is below the threshold"')


def check_nasty_name(browser):
    browser.wait_until(f'{text_of(".headline")}.startsWith("<img src=x")')
    assert not browser.evaluate(f'{number_of("img[src=x]")}'), 'a class name became an element'
    assert browser.evaluate('document.title') == 'mgproto: drawn shapes'


def check_regions(browser):
    browser.evaluate('document.querySelectorAll("#tabs button")[1].click()')
    browser.wait_until(f'{number_of(".regions button")} === 2')
    browser.evaluate('document.querySelectorAll(".regions button")[1].click()')
    browser.wait_until(f'{text_of("#verdict > .badge")} === "? UNKNOWN"')
    browser.evaluate('document.querySelectorAll(".regions button")[0].click()')
    browser.wait_until(f'{text_of("#verdict > .badge")} === "✓ KNOWN"')
    browser.wait_until(CROP_IS_DRAWN)


def check_swap(browser, demo):
    demo.tell('swap')
    browser.wait_until(f'{text_of("#caption")}.includes("model shapes_1")')
    browser.wait_until(f'{SHOWN_PATCHES} === 3')
    browser.wait_until('document.querySelector("#evidence img").src.includes("model=shapes_1")')


def check_trust(browser, demo, keep):
    hidden = 'document.querySelector("#trust").hidden'
    assert browser.evaluate(hidden), 'trust is shown although there is no gate'
    demo.tell('gate')
    browser.wait_until(f'!{hidden}')
    browser.wait_until(f'{text_of("#trust .badge")} === "✓ TRUSTED"')
    browser.wait_until(f'{text_of("#trust .limit")} === "100 % speed limit"')
    browser.wait_until(f'{text_of("#trust .badge")} === "✕ NOT TRUSTED"')
    browser.wait_until(f'{text_of("#trust .limit")} === "20 % speed limit"')
    browser.wait_until(f'{text_of("#trust .reason")}.startsWith("/mgproto/front/output/ood: ")')
    keep('trust')
    browser.wait_until(f'{text_of("#trust .badge")} === "✓ TRUSTED"')
    browser.resize(*NARROW, dark=True)
    keep('trust_narrow')
    assert fits(browser), 'narrow: the page with a gate is wider than the window'
    browser.resize(*WIDE)
    demo.tell('stop gate')
    browser.wait_until(f'{text_of("#trust .badge")} === "– SILENT"')
    browser.wait_until(
        f'{text_of("#trust .reason")}.startsWith("/trust_gate has said nothing for ")')


def check_silence(browser, demo):
    demo.tell('silence')
    browser.wait_until(f'{text_of("#state")}.startsWith("no news for ")')
    demo.tell('speak')
    browser.wait_until(f'{text_of("#state")}.startsWith("live")')


def check_restart(browser, demo, program):
    demo.end()
    browser.wait_until(f'{text_of("#state")}.includes("does not answer")')
    # What the browser says about a line that is down is not the page's fault.
    browser.console.clear()
    again = Demo(program, demo.port)
    browser.wait_until(f'{text_of("#state")}.startsWith("live")')
    browser.wait_until(f'{SHOWN_PATCHES} === 3')
    browser.wait_until(CROP_IS_DRAWN)
    return again


def main(program, pictures=None):
    def keep(name):
        if pictures:
            os.makedirs(pictures, exist_ok=True)
            browser.screenshot(os.path.join(pictures, f'{name}.png'))

    demo = Demo(program)
    browser = Browser()
    try:
        browser.resize(*WIDE)
        browser.show(demo.url)
        check_first_sight(browser)
        keep('known')
        check_nasty_name(browser)
        check_unknown(browser)
        keep('unknown')
        assert fits(browser), 'wide: the page is wider than the window'
        browser.resize(*NARROW, dark=True)
        check_first_sight(browser)
        keep('narrow')
        assert fits(browser), 'narrow: the page is wider than the window'
        browser.resize(*WIDE)
        check_regions(browser)
        keep('regions')
        check_swap(browser, demo)
        check_trust(browser, demo, keep)
        check_silence(browser, demo)
        assert not browser.console, f'the page complains: {browser.console}'
        demo = check_restart(browser, demo, program)
        assert not [line for line in browser.console if 'ERR_CONNECTION' not in line], \
            f'the page complains: {browser.console}'
    finally:
        browser.close()
        demo.end()


if __name__ == '__main__':
    main(*sys.argv[1:])
