# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0
"""What a study consists of: study.json, checked, and the results that are there."""

import dataclasses
import json
import os
import pathlib
import re


class StudyError(Exception):
    """One line that names the thing and what was expected."""


@dataclasses.dataclass(frozen=True)
class Run:
    """One training, or model in closed form, with its evaluation."""

    name: str
    group: str
    settings: dict  # config (or fit, a backbone), set and seed: all that the result depends on
    note: str
    after: str  # the run whose checkpoint it starts from, or ''


def write_atomically(path, text):
    """Either all of it is there, or what was there before."""
    part = path.with_name(f'.{path.name}.part')
    try:
        with open(part, 'w', encoding='utf-8') as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


class Study:
    """study.json and the result files beside it."""

    def __init__(self, directory):
        self.directory = pathlib.Path(directory)
        path = self.directory / 'study.json'
        try:
            self.content = json.loads(path.read_text(encoding='utf-8'))
            self.runs = [self._run(entry) for entry in self.content['runs']]
        except FileNotFoundError:
            raise StudyError(f'{path}: there is no such file') from None
        except json.JSONDecodeError as error:
            raise StudyError(f'{path}: {error}') from None
        except ValueError:
            raise StudyError(f'{path}: a setting is not key=value') from None
        except KeyError as error:
            raise StudyError(f'{path}: {error} is missing') from None
        self._check_names(path)

    def _run(self, entry):
        fits = 'fit' in entry
        common = [] if fits else self.content.get('common', [])
        chosen = dict(setting.split('=', 1) for setting in common)
        chosen.update(setting.split('=', 1) for setting in entry.get('set', []))
        settings = {**({'fit': entry['fit']} if fits else {'config': self.content['config']}),
                    'set': [f'{key}={value}' for key, value in chosen.items()],
                    'seed': entry.get('seed', 1),
                    **{key: entry[key] for key in ('data', 'ood') if key in entry}}
        name = entry['name']
        return Run(name, entry.get('group', name), settings, entry.get('note', ''),
                   entry.get('after', ''))

    def _check_names(self, path):
        names = [run.name for run in self.runs]
        for run in self.runs:
            if not re.fullmatch(r'\w+', run.name) or run.name == 'study':
                raise StudyError(f'{path}: a run cannot be called "{run.name}"')
            if names.count(run.name) > 1 or (run.group != run.name and run.group in names):
                raise StudyError(f"{path}: {run.name} shares its name, or its group's, with a run")
            if run.after and run.after not in names:
                raise StudyError(f'{path}: {run.name} is after "{run.after}", which is no run')
            same_group = self.runs_of(run.group)
            if any({**run.settings, 'seed': 0} != {**other.settings, 'seed': 0}
                   for other in same_group):
                raise StudyError(f'{path}: the runs of {run.group} differ by more than the seed')

    def runs_of(self, name):
        """Find the runs of a group, or the one run of that name."""
        found = [run for run in self.runs if name in (run.group, run.name)]
        if not found:
            raise StudyError(f'{self.directory}/study.json has no run or group "{name}"')
        return found

    def chosen(self, names):
        """Find the runs of these names, in the order of the study; all if there are no names."""
        if names is None:
            return self.runs
        wanted = [run for name in names for run in self.runs_of(name)]
        return [run for run in self.runs if run in wanted]

    def label(self, name):
        """How tables call a run or group."""
        return self.content.get('labels', {}).get(name, name)

    def result_path(self, run):
        return self.directory / f'{run.name}.json'

    def result(self, run):
        """Read what is stored of a run; None if it is not done with the settings of today."""
        try:
            result = json.loads(self.result_path(run).read_text(encoding='utf-8'))
        except FileNotFoundError:
            return None
        except json.JSONDecodeError as error:
            raise StudyError(f'{self.result_path(run)}: {error}') from None
        same = all(result.get(key) == value for key, value in run.settings.items())
        return result if same else None

    def state(self, run):
        if self.result(run) is not None:
            return 'done'
        return 'made with other settings' if self.result_path(run).exists() else 'not done'

    def results(self, name):
        """Read the stored results of a run or group."""
        return [result for result in map(self.result, self.runs_of(name)) if result is not None]

    def model_command(self, run, directory):
        """Give the words behind `mgproto` that make the model."""
        data, ood = self._images(run)
        settings = list(run.settings['set'])
        if 'fit' in run.settings:
            words = ['fit', '--data', data, '--backbone', run.settings['fit']]
        else:
            words = ['train', '--config', run.settings['config']]
            settings = ([f'data.path={data}'] +
                        [f'data.ood.{name}={path}' for name, path in ood.items()] + settings)
        words += ['--out', str(directory), '--seed', str(run.settings['seed'])]
        for setting in settings:
            words += ['--set', setting]
        return words

    def _images(self, run):
        """Give the images of a run and the sets to reject, its own or the study's."""
        return (run.settings.get('data', self.content['data']),
                run.settings.get('ood', self.content.get('ood', {})))

    def evaluate_command(self, run, directory):
        data, ood = self._images(run)
        words = ['evaluate', '--model', f'{directory}/final.safetensors', '--data', data]
        for name, path in ood.items():
            words += ['--ood', f'{name}={path}']
        return words + self.content.get('evaluate', []) + ['--json']
