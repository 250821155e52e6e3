# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium, driven over its debugging pipe; needs nothing but Python."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ('chromium', 'chromium-browser', 'google-chrome')


def find():
    """Path of the browser, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One page in one browser. What the page says on the console is in `console`."""

    def __init__(self):
        self.console = []
        self._received = b''
        self._last_id = 0
        self._profile = tempfile.mkdtemp()
        read_commands, self._commands = os.pipe()
        self._answers, write_answers = os.pipe()
        # The browser reads commands from descriptor 3 and answers on 4.
        arguments = [
            find(), '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic',
            '--no-first-run', '--disable-background-networking', '--disable-component-update',
            '--disable-sync', '--hide-scrollbars', f'--user-data-dir={self._profile}',
            '--remote-debugging-pipe']
        self._process = subprocess.Popen(
            ['sh', '-c', f'exec "$@" 3<&{read_commands} 4>&{write_answers}', 'sh', *arguments],
            pass_fds=(read_commands, write_answers), stderr=subprocess.DEVNULL)
        os.close(read_commands)
        os.close(write_answers)
        target = self._call('Target.createTarget', url='about:blank')['targetId']
        self._session = None
        self._session = self._call(
            'Target.attachToTarget', targetId=target, flatten=True)['sessionId']
        for domain in ('Page', 'Runtime', 'Log'):
            self._call(f'{domain}.enable')

    def close(self):
        self._process.terminate()
        self._process.wait(10)
        shutil.rmtree(self._profile, ignore_errors=True)

    def resize(self, width, height, dark=False):
        self._call('Emulation.setDeviceMetricsOverride', width=width, height=height,
                   deviceScaleFactor=1, mobile=width < 600)
        self._call('Emulation.setEmulatedMedia', features=[
            {'name': 'prefers-color-scheme', 'value': 'dark' if dark else 'light'}])

    def show(self, url):
        self._call('Page.navigate', url=url)

    def evaluate(self, expression):
        result = self._call('Runtime.evaluate', expression=expression, returnByValue=True,
                            awaitPromise=True)
        if 'exceptionDetails' in result:
            raise RuntimeError(f'{expression}: {result["exceptionDetails"]}')
        return result['result'].get('value')

    def wait_until(self, condition, seconds=20):
        """
        Wait for a JavaScript expression to be true; raise TimeoutError with its words.

        An expression that throws is not true yet: what it looks for may still come.
        """
        end = time.monotonic() + seconds
        while True:
            problem = ''
            try:
                if self.evaluate(condition):
                    return
            except RuntimeError as error:
                problem = f' ({error})'
            if time.monotonic() > end:
                raise TimeoutError(f'after {seconds} s still not: {condition}{problem}')
            time.sleep(0.1)

    def screenshot(self, path, whole_page=False):
        picture = self._call('Page.captureScreenshot', captureBeyondViewport=whole_page)
        with open(path, 'wb') as file:
            file.write(base64.b64decode(picture['data']))

    def _call(self, method, **parameters):
        self._last_id += 1
        message = {'id': self._last_id, 'method': method, 'params': parameters}
        if getattr(self, '_session', None):
            message['sessionId'] = self._session
        os.write(self._commands, json.dumps(message).encode() + b'\0')
        while True:
            answer = self._next_message()
            if answer.get('id') == self._last_id:
                if 'error' in answer:
                    raise RuntimeError(f'{method}: {answer["error"]}')
                return answer['result']
            self._note(answer)

    def _next_message(self):
        while b'\0' not in self._received:
            if not select.select([self._answers], [], [], 60)[0]:
                raise TimeoutError('the browser does not answer')
            part = os.read(self._answers, 1 << 20)
            if not part:
                raise RuntimeError('the browser has ended')
            self._received += part
        message, self._received = self._received.split(b'\0', 1)
        return json.loads(message)

    def _note(self, event):
        parameters = event.get('params', {})
        if event.get('method') == 'Runtime.consoleAPICalled':
            self.console.append(' '.join(str(a.get('value')) for a in parameters['args']))
        elif event.get('method') == 'Runtime.exceptionThrown':
            self.console.append(str(parameters['exceptionDetails']))
        elif event.get('method') == 'Log.entryAdded':
            entry = parameters['entry']
            self.console.append(f'{entry["text"]} {entry.get("url", "")}')
