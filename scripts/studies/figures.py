# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0
"""Figures of results: where each is found, how it is called and how it is written."""

import dataclasses
import math
import re
import statistics

from studies.study import StudyError

MISSING = '–'
# In the order of the tables.
SCORES = {'joint': 'joint score', 'log_density': 'log p(x)', 'msp': 'MSP', 'maxlogit': 'MaxLogit',
          'energy': 'Energy', 'gen': 'GEN', 'mahalanobis': 'Mahalanobis',
          'mahalanobis_directions': 'Mahalanobis++',
          'relative_mahalanobis': 'relative Mahalanobis', 'knn': 'KNN', 'gem': 'GEM',
          'conjnorm': 'ConjNorm', 'neco': 'NECO', 'vim': 'ViM', 'nnguide': 'NNGuide',
          'react': 'ReAct', 'ash': 'ASH', 'scale': 'SCALE', 'fdbd': 'fDBD', 'nci': 'NCI',
          'odin': 'ODIN'}
RATES = {'fpr95': 'FPR95', 'auroc': 'AUROC', 'aupr_in': 'AUPR-in', 'aupr_out': 'AUPR-out'}


@dataclasses.dataclass(frozen=True)
class Figure:
    """One number of a result."""

    header: str
    path: tuple
    scale: float = 100
    digits: int = 1

    def of(self, result):
        """Give the number, scaled for reading, or None."""
        node = result
        for step in self.path:
            if isinstance(node, dict):
                node = node.get(step)
            elif isinstance(node, list) and step == 'last':
                node = next((item for item in reversed(node) if item['type'] == 'epoch'), None)
            elif isinstance(node, list) and isinstance(step, int):  # counted from 1
                found = [item for item in node if item['type'] == 'projection']
                node = found[step - 1] if step <= len(found) else None
            elif isinstance(node, list):
                node = next((item for item in node if item['name'] == step), None)
            else:
                return None
        if isinstance(node, bool) or not isinstance(node, (int, float)) or not math.isfinite(node):
            return None
        return node * self.scale

    def over(self, results):
        """Mean and standard deviation (n − 1) over results that differ by seed; None for none."""
        values = [value for value in map(self.of, results) if value is not None]
        if not values:
            return None, None
        return statistics.mean(values), statistics.stdev(values) if len(values) > 1 else None

    def text(self, results):
        """Write a table's cell."""
        mean, deviation = self.over(results)
        if mean is None:
            return MISSING
        text = f'{mean:.{self.digits}f}'
        return text if deviation is None else f'{text} ± {deviation:.{self.digits}f}'


def stage_accuracy(stage):
    return Figure(stage, ('stages', stage, 'accuracy'))


def _interpretability(key, header, **kind):
    return Figure(header, ('evaluation', 'interpretability', *key.split('/')), **kind)


FIGURES = {
    'accuracy': Figure('accuracy %', ('evaluation', 'accuracy')),
    'top5': Figure('top 5 %', ('evaluation', 'top5')),
    'ece': Figure('calibration error %', ('evaluation', 'ece')),
    'trained': Figure('accuracy before projection %', ('stages', 'trained', 'accuracy')),
    'projected': Figure('accuracy after projection %', ('stages', 'projected', 'accuracy')),
    'distance': Figure(
        'pairwise distance', ('stages', 'trained', 'mean_pairwise_distance'), 1, 3),
    'distinct': Figure('distinct patches', ('stages', 'trained', 'distinct_patches'), 1),
    'responsibility': Figure(
        'largest responsibility', ('epochs', 'last', 'largest_responsibility'), 1, 2),
    'train_accuracy': Figure('accuracy in training %', ('epochs', 'last', 'train_accuracy')),
    'aurc': Figure(
        'area under risk-coverage %', ('evaluation', 'selective', 'log_density', 'aurc')),
    'aurc_decision': Figure(
        'area under risk-coverage, by what decides %',
        ('evaluation', 'selective', 'decision', 'aurc')),
    'known': Figure('known images accepted %', ('evaluation', 'calibrated', 'tpr')),
    'wrong_known': Figure(
        'wrong answers called known %', ('evaluation', 'calibrated', 'wrong_known')),
    'worst_class': Figure(
        'accepted of the worst class %', ('evaluation', 'calibrated', 'worst_class', 'tpr')),
    'coverage': Figure('accepted over splits %', ('evaluation', 'coverage', 'mean')),
    'aurc_msp': Figure(
        'area under risk-coverage, MSP %', ('evaluation', 'selective', 'msp', 'aurc')),
    'consistency': _interpretability('consistency', 'consistency %'),
    'stability': _interpretability('stability', 'stability %'),
    'purity': _interpretability('purity', 'purity (test) %'),
    'purity_train': _interpretability('purity_train', 'purity (training) %'),
    'centre_consistency': _interpretability('centre_consistency', 'consistency of the centre %'),
    'centre_purity': _interpretability('centre_purity', 'purity of the centre %'),
    'part_consistency': _interpretability(
        'part_consistency', 'consistency of parts, features %'),
    'part_purity': _interpretability('part_purity', 'purity of parts, features %'),
    'backbone_part_consistency': _interpretability(
        'backbone_part_consistency', 'consistency of parts, backbone %'),
    'backbone_part_purity': _interpretability(
        'backbone_part_purity', 'purity of parts, backbone %'),
    'oirr': _interpretability('oirr', 'OIRR %'),
    'dauc': _interpretability('dauc', 'DAUC %'),
    'diversity': _interpretability('diversity', 'diversity', scale=1, digits=3),
    'on_object': _interpretability('on_object', 'on the object %'),
    'centre_on_object': _interpretability('centre_on_object', 'centre on the object %'),
    'sufficient': _interpretability('sufficient', 'sufficient %'),
    'necessary': _interpretability('necessary', 'necessary %'),
    'alike': _interpretability('alike', 'alike %'),
    'apart/iou': _interpretability('apart/iou', 'overlap of boxes %'),
    'apart/share': _interpretability('apart/share', 'parts apart %'),
    'minutes': Figure('minutes', ('seconds',), 1 / 60),
}


def passed(ood_set):
    return Figure(f'{ood_set} called known %', ('evaluation', 'ood', ood_set, 'passed'))


def garbage(kind):
    return Figure(f'{kind} called known %', ('evaluation', 'garbage', kind))


def score_name(score):
    return SCORES.get(score, score)


def rate(ood_set, score, name):
    """One rate of one score on one set to reject."""
    return Figure(f'{ood_set}, {score_name(score)}: {RATES[name]} %',
                  ('evaluation', 'ood', ood_set, 'scores', score, name))


def figures_of(name):
    """
    Find the figures of a column.

    It is a key of FIGURES, an accuracy (stage/NAME, projection/NUMBER/before or after), or how a
    set is rejected (SET/SCORE/RATE, or SET/SCORE for FPR95 and AUROC; SET/passed and garbage/KIND
    at the model's own threshold).
    """
    if name in FIGURES:
        return [FIGURES[name]]
    parts = name.split('/')
    if parts[0] == 'stage' and len(parts) == 2:
        return [stage_accuracy(parts[1])]
    if re.fullmatch(r'projection/[1-9]\d*/(before|after)', name):
        return [Figure(name, ('epochs', int(parts[1]), parts[2]))]
    if parts[0] == 'garbage' and len(parts) == 2:
        return [garbage(parts[1])]
    if len(parts) == 2 and parts[1] == 'passed':
        return [passed(parts[0])]
    if len(parts) == 2:
        return [rate(*parts, 'fpr95'), rate(*parts, 'auroc')]
    if len(parts) == 3 and parts[2] in RATES:
        return [rate(*parts)]
    raise StudyError(f'"{name}" is no figure: expected {", ".join(FIGURES)}, stage/NAME, '
                     'projection/NUMBER/before|after, garbage/KIND, SET/passed, SET/SCORE or '
                     f'SET/SCORE/{"|".join(RATES)}')


def header(name):
    figures = figures_of(name)
    if len(figures) == 1:
        return figures[0].header
    ood_set, score = name.split('/')
    return f'{ood_set}, {score_name(score)}: FPR95 / AUROC %'


def cell(name, results):
    """Write a table's cell for a column."""
    texts = [figure.text(results) for figure in figures_of(name)]
    return MISSING if set(texts) == {MISSING} else ' / '.join(texts)
