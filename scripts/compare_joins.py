#!/usr/bin/python3
# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0
"""
Compare ways to join a model's answers into one score, on what `evaluate --scores` wrote.

Every answer is put in the mean and deviation of the known images first; the margin, the logarithm
of the odds of the best class, is tried beside the model's own questions. Prints AUROC of each set
to reject, and the area under risk and coverage of the known images (wrong answers; lower is
better).
"""

import argparse
import csv
import math
import statistics

QUESTIONS = ('log_density', 'parts', 'place', 'distance')


def log_phi(z):
    if z > -25:
        return math.log(math.erfc(-z / math.sqrt(2)) / 2)
    return -z * z / 2 - math.log(-z) - math.log(2 * math.pi) / 2


def veto(z):
    return 2 * log_phi(z['distance'] + 2)


def fisher(z, questions):
    return sum(log_phi(z[question]) for question in questions)


def harmonic(z):
    rarity = [-log_phi(z[question]) for question in QUESTIONS]
    return -max(rarity) - math.log(sum(math.exp(one - max(rarity)) for one in rarity))


WAYS = {
    'the joint score': lambda z: fisher(z, QUESTIONS[:3]) + veto(z),
    'without log p(x)': lambda z: fisher(z, ('parts', 'place')) + veto(z),
    'without the parts': lambda z: fisher(z, ('log_density', 'place')) + veto(z),
    'without the place': lambda z: fisher(z, ('log_density', 'parts')) + veto(z),
    'without the distance': lambda z: fisher(z, QUESTIONS[:3]),
    'with the margin, too': lambda z: fisher(z, (*QUESTIONS[:3], 'margin')) + veto(z),
    'Fisher, distance as loud as the others': lambda z: fisher(z, QUESTIONS),
    'sum of z, and the veto': lambda z: sum(z[question] for question in QUESTIONS[:3]) + veto(z),
    'minimum (Bonferroni)': lambda z: min(z[question] for question in QUESTIONS),
    'harmonic mean of p-values': harmonic,
    'sum of squares below the mean': lambda z: -sum(
        min(0, z[question]) ** 2 for question in QUESTIONS),
    **{f'{question} alone': lambda z, question=question: z[question]
       for question in (*QUESTIONS, 'margin')},
}


def answer(row, question):
    """Give the number of a question; the margin is the logarithm of the odds of the best class."""
    if question != 'margin':
        return float(row[question])
    share = min(max(float(row['msp']), 1e-12), 1 - 1e-7)
    return math.log(share) - math.log1p(-share)


def auroc(known, strange):
    """Share of pairs in which the known image scores higher; ties count half."""
    order = sorted([(score, 1) for score in known] + [(score, 0) for score in strange])
    below = wins = i = 0
    while i < len(order):
        j = i
        while j < len(order) and order[j][0] == order[i][0]:
            j += 1
        positive = sum(mark for _, mark in order[i:j])
        negative = j - i - positive
        wins += positive * (below + negative / 2)
        below += negative
        i = j
    return wins / (len(known) * len(strange))


def area_under_risk(scores, right):
    wrong = 0
    risks = []
    for count, (_, fits) in enumerate(sorted(zip(scores, right), reverse=True), 1):
        wrong += not fits
        risks.append(wrong / count)
    return statistics.mean(risks)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog='Example:\n  mgproto evaluate ... --scores scores.csv\n'
               '  scripts/compare_joins.py scores.csv --known test')
    parser.add_argument('scores', metavar='FILE')
    parser.add_argument('--known', default='test', help='the set of known images (default: test)')
    parser.add_argument('--only', default='', metavar='PREFIXES',
                        help='of strangers, images whose names begin with one of these, by comma')
    arguments = parser.parse_args()
    with open(arguments.scores, encoding='utf-8') as file:
        rows = list(csv.DictReader(file))
    known = [row for row in rows if row['set'] == arguments.known]
    scale = {}
    for question in (*QUESTIONS, 'margin'):
        values = [answer(row, question) for row in known]
        scale[question] = statistics.mean(values), statistics.pstdev(values)

    def answers(row):
        return {question: (answer(row, question) - mean) / deviation
                for question, (mean, deviation) in scale.items()}

    prefixes = tuple(arguments.only.split(','))
    sets = {}
    for row in rows:
        if row['set'] != arguments.known and row['image'].startswith(prefixes):
            sets.setdefault(row['set'], []).append(answers(row))
    right = [row['label'] == row['predicted'] for row in known]
    print('| joined by | ' + ' | '.join(f'{name}: AUROC %' for name in sets) +
          ' | area under risk % |\n|' + ' --- |' * (len(sets) + 2))
    for name, way in WAYS.items():
        scores = [way(answers(row)) for row in known]
        cells = [f'{100 * auroc(scores, [way(z) for z in found]):.1f}' for found in sets.values()]
        cells.append(f'{100 * area_under_risk(scores, right):.2f}')
        print(f'| {name} | ' + ' | '.join(cells) + ' |')


if __name__ == '__main__':
    main()
