# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0
"""Trains and evaluates what is not done yet, and keeps the small result of each run."""

import contextlib
import fcntl
import json
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import time

from studies.study import write_atomically

CURVE_POINTS = 25
EPOCH_KEYS = ('type', 'epoch', 'train_accuracy', 'test_accuracy', 'mean_pairwise_distance',
              'distinct_features', 'largest_responsibility', 'before', 'after', 'seconds')


class RunFailed(Exception):
    """One line that says why."""


class Stopped(Exception):
    """SIGINT or SIGTERM came."""


def thinned(curve, most=CURVE_POINTS):
    """At most so many points of a list, evenly taken, with both ends."""
    if len(curve) <= most:
        return curve
    return [curve[round(i * (len(curve) - 1) / (most - 1))] for i in range(most)]


def rounded(node):
    """Six digits are more than any figure deserves, and keep the file small."""
    if isinstance(node, float):
        return float(f'{node:.6g}')
    if isinstance(node, dict):
        return {key: rounded(value) for key, value in node.items()}
    if isinstance(node, list):
        return [rounded(value) for value in node]
    return node


def epochs_of(metrics):
    """Pick the lines of metrics.jsonl that are about an epoch or a projection."""
    lines = [json.loads(line) for line in metrics.splitlines()]
    return [{key: line[key] for key in EPOCH_KEYS if key in line}
            for line in lines if line['type'] in ('epoch', 'projection')]


def last_words(log):
    """Find the last line of a log that says something; wrong usage ends by naming --help."""
    lines = [line.strip() for line in log.splitlines()]
    return [line for line in lines if line and not line.startswith('Run with --help')][-1]


class Runner:
    """
    Run one child at a time, and nothing that another program is at.

    SIGINT and SIGTERM go to the child once, and it saves what it has.
    """

    def __init__(self, study, mgproto, runs):
        self._study = study
        self._mgproto = mgproto
        self._runs = runs
        self._version = None
        self._child = None
        self._signal = None

    def run_all(self, chosen):
        """Exit code: 0, 1 if any run failed, 128 + signal if it was stopped."""
        open_runs = [run for run in chosen if self._study.result(run) is None]
        if not open_runs:
            return 0
        self._runs.mkdir(parents=True, exist_ok=True)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._on_signal)
        try:
            with self._lock('prepare', wait=True):
                self._version = self._call(
                    [self._mgproto, '--version'], self._runs / 'prepare.log', keep_output=True)
                self._prepare()
            done = [self._try(run) for run in open_runs]
        except RunFailed as error:
            self._complain(f'nothing can run: {error}')
            return 1
        except Stopped:
            self._complain('stopped; the same command goes on')
            return 128 + self._signal
        return 0 if all(done) else 1

    @contextlib.contextmanager
    def _lock(self, name, wait):
        """Whether this program may do what is called so, and no other one beside it."""
        with open(self._runs / f'{name}.lock', 'w', encoding='utf-8') as lock:
            mine = self._take(lock)
            while wait and not mine:
                if self._signal is not None:
                    raise Stopped()
                time.sleep(0.2)
                mine = self._take(lock)
            yield mine

    @staticmethod
    def _take(lock):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            return False

    def _on_signal(self, number, _frame):
        self._signal = number
        if self._child is not None:
            self._child.send_signal(number)

    @staticmethod
    def _complain(line):
        print(f'study.py: {line}', file=sys.stderr, flush=True)

    def _prepare(self):
        for step in self._study.content.get('prepare', []):
            made = pathlib.Path(step['makes'])
            if made.exists():
                continue
            # Under another name, so that half of it is never taken for all of it.
            part = made.with_name(f'part.{made.name}')
            if part.is_dir():
                shutil.rmtree(part)
            part.unlink(missing_ok=True)
            made.parent.mkdir(parents=True, exist_ok=True)
            print(step['command'], flush=True)
            words = [str(part) if word == step['makes'] else word
                     for word in shlex.split(step['command'])]
            if words[0] == 'mgproto':
                words[0] = str(self._mgproto)
            self._call(words, self._runs / 'prepare.log')
            os.rename(part, made)

    def _try(self, run):
        try:
            with self._lock(run.name, wait=False) as mine:
                if not mine:
                    print(f'{run.name}: another study.py is at it', flush=True)
                elif self._study.result(run) is None:  # it may have just been done
                    self._run(run)
            return True
        except (RunFailed, OSError, ValueError, KeyError) as error:
            self._complain(f'{run.name}: failed: {error}')
            return False

    def _run(self, run):
        if self._study.result_path(run).exists():
            raise RunFailed(f'{self._study.result_path(run)} was made with other settings than '
                            'those of study.json; remove it to run it again')
        if run.after:
            with self._lock(run.after, wait=True):
                self._train(*self._study.runs_of(run.after))
        directory, log = self._train(run)
        print(f'{run.name}: evaluating', flush=True)
        evaluation = json.loads(self._call(
            [self._mgproto, *self._study.evaluate_command(run, directory)], log, keep_output=True))
        results = json.loads((directory / 'results.json').read_text(encoding='utf-8'))
        for name, found in evaluation['ood'].items():
            if 'error' in found:
                raise RunFailed(f'{name}: {found["error"]}')
        for selective in filter(None, evaluation['selective'].values()):
            selective['curve'] = thinned(selective['curve'])
        metrics = directory / 'metrics.jsonl'  # of a training alone
        result = {
            'name': run.name,
            **run.settings,
            'version': self._version.strip(),
            'seconds': results['seconds'],
            'stages': results['stages'],
            'evaluation': evaluation,
            'epochs': epochs_of(metrics.read_text(encoding='utf-8')) if metrics.exists() else [],
        }
        write_atomically(
            self._study.result_path(run), json.dumps(rounded(result), indent=1) + '\n')
        print(f'{run.name}: accuracy {100 * evaluation["accuracy"]:.1f} %', flush=True)

    def _train(self, run):
        """Give the run directory and its log. A training that is done is not done again."""
        directory = self._runs / run.name
        log = self._runs / f'{run.name}.log'
        settings = self._runs / f'{run.name}.settings.json'
        text = json.dumps(run.settings, indent=1) + '\n'
        if directory.exists() and not (settings.exists() and settings.read_text() == text):
            raise RunFailed(f'{directory} is of other settings; remove it to run it again')
        if (directory / 'results.json').exists():
            return directory, log
        print(f'{run.name}: training, see {log}', flush=True)
        if (directory / 'snapshot.safetensors').exists():
            self._call([self._mgproto, 'train', '--resume', directory], log)
            return directory, log
        if (directory / 'config.yaml').exists():
            shutil.rmtree(directory)  # killed before its first snapshot, or in the middle of a fit
        log.unlink(missing_ok=True)
        write_atomically(settings, text)
        self._call([self._mgproto, *self._study.model_command(run, directory)], log)
        return directory, log

    def _call(self, command, log, keep_output=False):
        """Give standard output of a child that ended well, if kept; all else goes to the log."""
        if self._signal is not None:
            raise Stopped()
        # It ends with this program even if that is killed. A process group of its own keeps Ctrl-C
        # from it: a second signal would end it before it has saved anything.
        words = ['setpriv', '--pdeathsig', 'TERM', 'nice', '-n', '10', *map(str, command)]
        with open(log, 'ab') as file:
            file.write(f'$ {shlex.join(map(str, command))}\n'.encode())
            file.flush()
            self._child = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE if keep_output else file,
                stderr=file, preexec_fn=os.setpgrp)
            if self._signal is not None:  # it came before there was a child to tell
                self._child.send_signal(self._signal)
            output = self._child.communicate()[0]
        code = self._child.returncode
        self._child = None
        if code != 0 and self._signal is not None:
            raise Stopped()
        if code < 0:
            raise RunFailed(f'killed by {signal.Signals(-code).name}')
        if code > 0:
            raise RunFailed(last_words(log.read_text(encoding='utf-8', errors='replace')))
        return output.decode() if keep_output else None
