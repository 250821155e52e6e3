#!/usr/bin/python3
# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0
"""
Run a study, what is done left out, and write its page: STUDY_DIR.md and STUDY_DIR/plots.

STUDY_DIR/study.json says what is trained, evaluated and shown; docs/results/README.md explains it.
Every run leaves STUDY_DIR/NAME.json. Exit codes: 0 fine, 1 a run failed or was stopped, 2 wrong
usage.
"""

import argparse
import os
import pathlib
import sys

from studies.page import write_page
from studies.runs import Runner
from studies.study import Study, StudyError

ROOT = pathlib.Path(__file__).resolve().parent.parent


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog='Ctrl-C stops cleanly; the same command goes on where it stopped.')
    parser.add_argument('study', metavar='STUDY_DIR', type=pathlib.Path)
    parser.add_argument('--mgproto', type=pathlib.Path, default=ROOT / 'build/mgproto',
                        metavar='FILE', help='the command (default: build/mgproto)')
    parser.add_argument('--only', action='append', metavar='NAME',
                        help='only this run or group, as often as wanted')
    parser.add_argument('--runs', type=pathlib.Path, metavar='DIR',
                        help='run directories (default: runs/study_NAME)')
    parser.add_argument('--page-only', action='store_true', help='run nothing, write the page')
    parser.add_argument('--list', action='store_true', help='show the state of the runs, and end')
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    directory = arguments.study.resolve()
    runs = (arguments.runs or ROOT / f'runs/study_{directory.name}').resolve()
    mgproto = arguments.mgproto.resolve()
    os.chdir(ROOT)  # what the paths of a study are relative to
    try:
        study = Study(directory)
        chosen = study.chosen(arguments.only)
        if arguments.list:
            for run in chosen:
                print(f'{run.name:24} {study.state(run)}')
            return 0
        write_page(study)  # also before the runs: a mistake in a section shows at once
    except StudyError as error:
        print(f'study.py: {error}', file=sys.stderr)
        return 2
    if arguments.page_only:
        return 0
    code = Runner(study, mgproto, runs).run_all(chosen)
    write_page(study)
    return code


if __name__ == '__main__':
    sys.exit(main())
