# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0
"""The tables of a page, by kind. Each gives a header and rows of text."""

from studies.figures import cell, header, score_name, SCORES, stage_accuracy
from studies.study import StudyError


def named(study, name):
    """Name a run or group as a table does, with the number of seeds where there are several."""
    runs, done = len(study.runs_of(name)), len(study.results(name))
    if runs == 1:
        return study.label(name)
    return f'{study.label(name)} ({runs if done == runs else f"{done} of {runs}"} seeds)'


def stages(study, spec):
    """Accuracy at each stage of finishing: a row each, a column for every run."""
    results = {name: study.results(name) for name in spec['runs']}
    names = list(dict.fromkeys(
        stage['name'] for found in results.values() for result in found
        for stage in result['stages']))
    rows = [[stage, *(stage_accuracy(stage).text(found) for found in results.values())]
            for stage in names]
    return ['accuracy %', *(named(study, name) for name in results)], rows


def figures(study, spec):
    """Chosen figures side by side: a row for every run."""
    rows = [[named(study, run), *(cell(column, study.results(run)) for column in spec['columns'])]
            for run in spec['runs']]
    return ['', *map(header, spec['columns'])], rows


def scored_runs(spec):
    """Pairs of a run and a score: given as they are, or every score of every run."""
    if 'rows' in spec:
        return spec['rows']
    return [(run, score) for run in spec['runs'] for score in spec.get('scores', SCORES)]


def scores(study, spec):
    """How well scores reject each set: a row for every run and score."""
    sets = spec.get('sets', list(study.content['ood']))
    rows = [[named(study, run), score_name(score),
             *(cell(f'{ood_set}/{score}', study.results(run)) for ood_set in sets)]
            for run, score in scored_runs(spec)]
    return ['', 'score', *(f'{ood_set}: FPR95 / AUROC %' for ood_set in sets)], rows


def sweep(study, spec):
    """Figures against one setting: a row for every value."""
    rows = [[str(value), *(cell(column, study.results(run)) for column in spec['columns'])]
            for value, run in spec['points']]
    return [spec['label'], *map(header, spec['columns'])], rows


def text(_, spec):
    """Rows as they were written."""
    return spec['header'], spec['rows']


KINDS = {'stages': stages, 'figures': figures, 'scores': scores, 'sweep': sweep, 'text': text}


def table(study, spec):
    """Markdown lines."""
    if spec.get('kind') not in KINDS:
        raise StudyError(f'a table is of kind {spec.get("kind")}; expected {", ".join(KINDS)}')
    head, rows = KINDS[spec['kind']](study, spec)
    lines = [head, ['---'] * len(head), *rows]
    return ['| ' + ' | '.join(word.replace('|', '\\|') for word in line) + ' |' for line in lines]
