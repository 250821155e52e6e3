# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0
"""The plots of a page, by kind. Each gives the panels of one figure."""

import collections

from studies.charts import Panel, Series, svg
from studies.figures import figures_of, rate, RATES, score_name
from studies.study import StudyError
from studies.tables import scored_runs


def sweep(study, spec):
    """Draw a panel for every figure, the sets to reject together in one."""
    panels = {}
    for column in spec['columns']:
        figure, (name, *of) = figures_of(column)[0], column.split('/')
        points = [(place, *figure.over(study.results(run)))
                  for place, (_, run) in enumerate(spec['points'])]
        title = f'{score_name(of[0])}: {RATES[(of + ["fpr95"])[1]]} %' if of else figure.header
        panel = panels.setdefault(title, Panel(
            '', spec['label'], title, [],
            ticks=[(place, str(value)) for place, (value, _) in enumerate(spec['points'])]))
        panel.series.append(Series(name, [point for point in points if point[1] is not None]))
    return list(panels.values())


def accuracy_over_epochs(result, first=1):
    """
    Give points with a vertical drop at each projection, and the indices of those after one.

    Epochs count from 1, as people do; those before `first` are left out.
    """
    points, projected = [], set()
    projections = {
        line['epoch']: line for line in result['epochs'] if line['type'] == 'projection'}
    for line in result['epochs']:
        end = line['epoch'] + 1
        if line['type'] != 'epoch' or end < first:
            continue
        projection = projections.get(line['epoch'])
        if projection is None:
            points.append((end, 100 * line['test_accuracy']))
        else:
            projected.add(len(points) + 1)
            points += [(end, 100 * projection['before']), (end, 100 * projection['after'])]
    return points, frozenset(projected)


def projections(study, spec):
    """Accuracy over the epochs with what each projection takes."""
    series = [Series(study.label(run), *accuracy_over_epochs(result, spec.get('first_epoch', 1)))
              for run in spec['runs'] for result in study.results(run)]
    return [Panel('○ just after a projection', 'epoch', 'test accuracy %', series)]


FEWEST_ACCEPTED = 0.05  # of fewer, one image decides where the axis ends


def risk_coverage(study, spec):
    """Accuracy among the accepted images as the threshold moves."""
    series = []
    for run, score in scored_runs(spec):
        for result in study.results(run)[:1]:
            curve = (result['evaluation'].get('selective', {}).get(score) or {}).get('curve', [])
            points = [(100 * coverage, 100 * accuracy) for coverage, accuracy in curve
                      if coverage >= FEWEST_ACCEPTED]
            series.append(Series(f'{study.label(run)}, {score_name(score)}', points))
    return [Panel('Accuracy among accepted images', 'accepted images %', 'accuracy %', series)]


def rates(study, spec):
    """Draw a rate on each set to reject, as bars side by side."""
    sets = spec.get('sets', list(study.content['ood']))
    series = []
    for run, score in scored_runs(spec):
        points = [(place, *rate(ood_set, score, spec['rate']).over(study.results(run)))
                  for place, ood_set in enumerate(sets)]
        series.append(Series(f'{study.label(run)}, {score_name(score)}',
                             [point for point in points if point[1] is not None]))
    title = f'{RATES[spec["rate"]]} %'
    ticks = list(enumerate(sets))
    return [Panel(title, 'images to reject', title, series, ticks=ticks, bars=True)]


def coverage(study, spec):
    """How many of 200 calibrations accept which share of the known images."""
    series = []
    for run in spec['runs']:
        for result in study.results(run)[:1]:
            found = result['evaluation'].get('coverage')
            if found:
                counts = collections.Counter(round(100 * share) for share in found['accepted'])
                shares = range(min(counts), max(counts) + 1)
                series.append(Series(
                    f'{study.label(run)}, {100 * found["asked"]:g} % asked',
                    [(share, counts[share]) for share in shares]))
    return [Panel('', 'accepted known images %', 'calibrations', series)]


KINDS = {
    'sweep': sweep, 'projections': projections, 'risk_coverage': risk_coverage, 'rates': rates,
    'coverage': coverage}


def plot(study, spec, description):
    """Give the text of an SVG file."""
    if spec.get('kind') not in KINDS:
        raise StudyError(f'a plot is of kind {spec.get("kind")}; expected {", ".join(KINDS)}')
    return svg(KINDS[spec['kind']](study, spec), description)
