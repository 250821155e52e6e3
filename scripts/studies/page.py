# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0
"""The page of a study, whole, from study.json and the results that are there."""

import os
import re
import shlex

from studies.figures import cell, FIGURES
from studies.plots import plot
from studies.study import StudyError, write_atomically
from studies.tables import table
from studies.verdicts import decided, runs_in

PLACEHOLDER = re.compile(r'\{(\w+):([^{}?]+)\}')  # {run or group:figure}


def page_of(study):
    """Give the text of STUDY_DIR.md, and the files of STUDY_DIR/plots by name."""
    page = _Page(study)
    return page.text(), page.plots


def write_page(study):
    """Write STUDY_DIR.md and STUDY_DIR/plots, and remove plots that are no longer shown."""
    text, plots = page_of(study)
    directory = study.directory / 'plots'
    for name, content in plots.items():
        directory.mkdir(exist_ok=True)
        write_atomically(directory / name, content)
    for file in directory.glob('*.svg'):
        if file.name not in plots:
            file.unlink()
    write_atomically(study.directory.with_suffix('.md'), text)


def _prose(text):
    return text if isinstance(text, str) else '\n\n'.join(text)


def _shown(command):
    """Write a command in a code block, with a new line for every setting."""
    lines = shlex.join(command).replace(' --set ', ' \\\n  --set ').replace(
        ' --ood ', ' \\\n  --ood ')
    return ['```', lines, '```']


class _Page:

    def __init__(self, study):
        self._study = study
        inside = study.directory.is_relative_to(os.getcwd())
        self._path = os.path.relpath(study.directory) if inside else study.directory
        self.plots = {}

    def text(self):
        content = self._study.content
        parts = [f'# {content["title"]}']
        if 'intro' in content:
            parts.append(self._filled(_prose(content['intro'])))
        parts.append(self._how_it_was_made())
        for section in content.get('sections', []):
            try:
                parts.append(self._section(section))
            except KeyError as error:
                raise StudyError(f'section {section.get("title")}: {error} is missing') from None
        parts.append(self._all_runs())
        return '\n\n'.join(parts) + '\n'

    def _how_it_was_made(self):
        runs = self._study.runs
        results = [result for run in runs for result in self._study.results(run.name)]
        versions = sorted({result['version'] for result in results})
        missing = [run.name for run in runs if self._study.result(run) is None]
        folder = self._study.directory.name
        lines = ['This page and its plots are written by the command below, which runs what is '
                 'not done, from `study.json` and a small file of results for every run, all in '
                 f'[{folder}/]({folder}/).',
                 '± is the standard deviation over seeds (n − 1); what has none is one run. – is '
                 'what was not measured or does not exist.',
                 '', '```', f'scripts/study.py {self._path}', '```']
        if versions:
            lines += ['', f'Version of the package: {", ".join(versions)}.']
        if missing:
            lines += ['', f'**Not done yet:** {", ".join(missing)}.']
        return '\n'.join(lines)

    def _section(self, section):
        parts = [f'## {section["title"]}']
        if 'text' in section:
            parts.append(self._filled(_prose(section['text'])))
        if 'table' in section:
            parts += [self._made_by(section['table']), self._table(section['table'])]
        if 'plot' in section:
            parts += [self._made_by(section['plot']), self._plot(section)]
        if 'sweep' in section:
            spec = {'kind': 'sweep', **section['sweep']}
            shown = self._plot({**section, 'plot': spec})
            parts += [self._made_by(spec), self._table(spec), shown]
        if 'found' in section:
            parts.append(self._filled(_prose(section['found'])))
        return '\n\n'.join(parts)

    def _table(self, spec):
        return '\n'.join(map(self._filled, table(self._study, spec)))

    def _plot(self, section):
        title = section['title']
        name = re.sub(r'\W+', '_', title.lower()).strip('_') + '.svg'
        self.plots[name] = plot(self._study, section['plot'], title)
        return f'![{title}]({self._study.directory.name}/plots/{name})'

    def _made_by(self, spec):
        """Give the command for the runs and groups that a table or plot shows."""
        names = [*spec.get('runs', []), *(run for _, run in spec.get('points', []))]
        rows = spec.get('rows', [])
        if spec['kind'] == 'text':
            cells = ' '.join(word for row in rows for word in row)
            names += [found[1] for found in PLACEHOLDER.finditer(cells)]
            names += runs_in(PLACEHOLDER.sub('', cells))
        else:
            names += [run for run, _ in rows]
        only = ''.join(f' --only {name}' for name in dict.fromkeys(names)) or ' --page-only'
        return f'`scripts/study.py {self._path}{only}`:'

    def _filled(self, text):
        """Replace {run:figure} by the figure, and {condition ? words : words} by the words."""
        return decided(self._study, PLACEHOLDER.sub(
            lambda found: cell(found[2], self._study.results(found[1])), text))

    def _all_runs(self):
        study, content = self._study, self._study.content
        lines = ['## All runs', '']
        if 'prepare' in content:
            lines += ['The data:', '', '```', *(step['command'] for step in content['prepare']),
                      '```', '']
        directory = f'runs/study_{study.directory.name}'
        lines += ['Every run is trained by the commands further below and then evaluated by', '']
        for command in dict.fromkeys(tuple(study.evaluate_command(run, f'{directory}/NAME'))
                                     for run in study.runs):  # one for all runs of the same images
            lines += _shown(['mgproto', *command])
        lines += ['', '| run | seed | minutes | |', '| --- | --- | --- | --- |']
        for run in study.runs:
            minutes = FIGURES['minutes'].text(study.results(run.name))
            lines.append(f'| {run.name} | {run.settings["seed"]} | {minutes} | {run.note} |')
        lines += ['', '<details><summary>The commands</summary>', '']
        for run in study.runs:
            lines += _shown(['mgproto', *study.model_command(run, f'{directory}/{run.name}')])
        return '\n'.join([*lines, '', '</details>'])
