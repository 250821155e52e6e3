# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0
"""
Words that follow from figures: {CONDITION ? words : CONDITION ? words : words}.

A condition compares sums of figures and numbers, `a:projected - b:trained >= 1.2`; `within`
compares the amount of a difference, ±a:projected is the spread over the seeds of a group, and
several are joined by `and`. Words without an alternative are a claim: it is an error if their
condition is false.
"""

import operator
import re

from studies.figures import figures_of, MISSING
from studies.study import StudyError

CHOICE = re.compile(r'\{([^{}]* \? [^{}]*)\}')
COMPARISONS = {'>': operator.gt, '<': operator.lt, '>=': operator.ge, '<=': operator.le,
               'within': lambda difference, limit: abs(difference) <= limit}


class _NotDone(Exception):
    """A run of a condition has no result yet."""


def _value(study, term):
    """Give the mean of RUN:FIGURE, the deviation of ±RUN:FIGURE, or a number as it is written."""
    run, colon, name = term.lstrip('±').partition(':')
    if not colon:
        try:
            return float(term)
        except ValueError:
            raise StudyError(f'"{term}" is neither a number nor RUN:FIGURE') from None
    figures = figures_of(name)
    if len(figures) > 1:
        raise StudyError(f'{term} is two figures: expected SET/SCORE/RATE')
    results = study.results(run)
    if not results:
        raise _NotDone()
    mean, deviation = figures[0].over(results)
    value = deviation if term.startswith('±') else mean
    if value is None:
        raise StudyError(f'{term} was not measured, and words depend on it')
    return value


def _sum(study, text):
    first, *rest = re.split(r' ([+-]) ', text.strip())
    total = _value(study, first)
    for sign, term in zip(rest[::2], rest[1::2]):
        total += _value(study, term) * (1 if sign == '+' else -1)
    return total


def _holds(study, condition):
    # All are worked out, so that a mistake shows whatever the figures are.
    held = []
    for comparison in condition.split(' and '):
        parts = re.split(r' (>=|<=|>|<|within) ', comparison)
        if len(parts) != 3:
            raise StudyError(f'"{comparison}" is no comparison of two sums')
        held.append(COMPARISONS[parts[1]](_sum(study, parts[0]), _sum(study, parts[2])))
    return all(held)


def _words(study, choice):
    words = MISSING
    for case in choice.split(' : '):
        condition, mark, words = case.partition(' ? ')
        if not mark:
            return case
        try:
            if _holds(study, condition):
                return words
        except _NotDone:
            return MISSING
    raise StudyError(f'the figures do not say "{words}": {choice.split(" ? ")[0]} is false')


def decided(study, text):
    """Replace every choice by the words that the figures choose."""
    return CHOICE.sub(lambda found: _words(study, found[1]), text)


def runs_in(text):
    """Find the runs and groups that conditions name."""
    conditions = (case.partition(' ? ')[0] for found in CHOICE.finditer(text)
                  for case in found[1].split(' : ') if ' ? ' in case)
    return [name for condition in conditions for name in re.findall(r'(\w+):', condition)]
