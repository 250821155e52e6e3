#!/usr/bin/python3
# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0
"""
Measure what teaching reaches, what is done left out, and write docs/results/teach.md.

Groceries, by the model in config/models, and 20 species of birds, by a fit of theirs: new classes
taught by 1 to 20 images each, ten draws (`mgproto lessons`); for scale, a new fit of all classes
with the images of one draw of ten. Results are kept in docs/results/teach/NAME.json. Exit codes: 0
fine, 1 a run failed, 2 wrong usage.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / 'docs/results/teach'
SHOWN = (1, 2, 5, 10, 20)
RETRAINED_WITH = 10


def run(arguments, *command, output=None):
    words = [str(arguments.mgproto), *map(str, command)]
    print('+', ' '.join(words[1:]), file=sys.stderr)
    with open(output, 'w') if output else open('/dev/null', 'w') as file:
        subprocess.run(words, check=True, stdout=file)


def lessons(arguments, name, model, data, fresh):
    """Write NAME.json, unless it is there."""
    path = RESULTS / f'{name}.json'
    if not path.exists():
        part = path.with_suffix('.part')
        run(arguments, 'lessons', '--model', model, '--data', data, '--new', fresh, '--means',
            'train', '--shown', ','.join(map(str, SHOWN)), '--draws', 10, output=part)
        part.rename(path)
    return json.loads(path.read_text())


def link_images(images, directory):
    directory.mkdir(parents=True, exist_ok=True)
    for image in images:
        link = directory / image.name
        if not link.exists():
            link.symlink_to(image.resolve())


def share_right(arguments, model, images_of):
    """Mean over classes of the share of their images that is recognised."""
    shares = []
    for name, images in images_of.items():
        words = [str(arguments.mgproto), 'predict', '--json', '--model', str(model),
                 *map(str, images)]
        lines = subprocess.run(words, check=True, capture_output=True, text=True).stdout
        answers = [json.loads(line)['class_name'] for line in lines.splitlines()]
        shares.append(sum(answer == name for answer in answers) / len(images))
    return sum(shares) / len(shares)


def retrain(arguments, groceries):
    """Fit all forty products anew, the new ones with ten images; write retrained.json."""
    path = RESULTS / 'retrained.json'
    if path.exists():
        return json.loads(path.read_text())
    choice = random.Random(1)
    data = arguments.runs / 'retrained_data'
    new_tests, old_tests = {}, {}
    for product in sorted((groceries / 'train').iterdir()):
        link_images(sorted(product.iterdir()), data / 'train' / product.name)
        old_tests[product.name] = sorted((groceries / 'test' / product.name).iterdir())
        link_images(old_tests[product.name], data / 'test' / product.name)
    for product in sorted((groceries / 'unseen').iterdir()):
        images = sorted(product.iterdir())
        shown = set(choice.sample(images, RETRAINED_WITH))
        link_images(sorted(shown), data / 'train' / product.name)
        new_tests[product.name] = [image for image in images if image not in shown]
        link_images(new_tests[product.name], data / 'test' / product.name)
    fit = arguments.runs / 'retrained'
    if not (fit / 'final.safetensors').exists():
        run(arguments, 'fit', '--data', data, '--seed', 1, '--out', fit)
    model = fit / 'final.safetensors'
    result = {
        'new_right': share_right(arguments, model, new_tests),
        'old_right': share_right(arguments, model, old_tests)}
    path.write_text(json.dumps(result, indent=2) + '\n')
    return result


def percent(series, digits=1):
    return f'{100 * series["mean"]:.{digits}f} ± {100 * series["deviation"]:.{digits}f}'


def table(result):
    lines = ['| images shown | new right % | of these known % '
             '| nearest mean, plain / whitened: new % | old right % '
             '| nearest mean, plain / whitened: old % '
             '| AUROC % of strangers left, before → with half taught | seconds a class |',
             '|---|---|---|---|---|---|---|---|']
    for shown, row in sorted(result['shown'].items(), key=lambda item: int(item[0])):
        lines.append('| ' + ' | '.join([
            shown, percent(row['new_right']), percent(row['new_known']),
            f'{percent(row["plain_new_right"])} / {percent(row["whitened_new_right"])}',
            percent(row['old_right']),
            f'{percent(row["plain_old_right"])} / {percent(row["whitened_old_right"])}',
            f'{percent(row["strangers_auroc_before"])} → {percent(row["strangers_auroc"])}',
            f'{row["seconds"]["mean"]:.2f}']) + ' |')
    return lines


def page(arguments, results):
    lines = [
        '# What teaching reaches', '',
        'Written by `scripts/teach_study.py`; the numbers are in [teach/](teach). '
        f'{arguments.machine}', '',
        'In each of ten draws every new class is taught by so many of its photographs, chosen at '
        'random, one class after the other in a random order, and tested on its others. ± is the '
        'standard deviation over draws. [teach.md](../teach.md) says how it is done.', '']
    for name, title in (('groceries', 'Groceries: 28 products, twelve taught'),
                        ('cub20', 'Birds: 20 species, ten taught')):
        if name in results:
            result = results[name]
            lines += [f'## {title}', '',
                      f'Old classes right before anything is taught: '
                      f'{100 * result["old_right_before"]:.1f} %.', '', *table(result), '']
    if 'retrained' in results:
        result = results['retrained']
        lines += [
            '## For scale: everything fitted anew', '',
            f'`mgproto fit` of all forty products, the new ones with {RETRAINED_WITH} photographs '
            f'(one draw): new products right {100 * result["new_right"]:.1f} %, old ones '
            f'{100 * result["old_right"]:.1f} % (mean over products).', '']
    lines += arguments.findings.read_text().splitlines() if arguments.findings.exists() else []
    (ROOT / 'docs/results/teach.md').write_text('\n'.join(lines).rstrip('\n') + '\n')


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--data', type=pathlib.Path, default=ROOT / '../shared/data',
                        metavar='DIR', help='with groceries/, cub20/ and ood/unseen_species/')
    parser.add_argument('--mgproto', type=pathlib.Path, default=ROOT / 'build/mgproto',
                        metavar='FILE', help='the command (default: build/mgproto)')
    parser.add_argument('--runs', type=pathlib.Path, default=ROOT / 'runs/teach', metavar='DIR')
    parser.add_argument('--machine', default='', help='a sentence on what it was measured on')
    parser.add_argument('--only', choices=('groceries', 'cub20', 'retrained'), action='append')
    parser.add_argument('--page-only', action='store_true', help='run nothing, write the page')
    arguments = parser.parse_args()
    arguments.findings = RESULTS / 'findings.md'
    RESULTS.mkdir(parents=True, exist_ok=True)
    arguments.runs.mkdir(parents=True, exist_ok=True)
    groceries = arguments.data / 'groceries'
    cub20 = arguments.data / 'cub20'
    wanted = [] if arguments.page_only else arguments.only or ['groceries', 'cub20', 'retrained']
    try:
        if 'groceries' in wanted:
            lessons(arguments, 'groceries', ROOT / 'config/models/groceries.safetensors',
                    groceries, groceries / 'unseen')
        if 'cub20' in wanted:
            fit = arguments.runs / 'cub20'
            if not (fit / 'final.safetensors').exists():
                run(arguments, 'fit', '--data', cub20, '--seed', 1, '--out', fit)
            lessons(arguments, 'cub20', fit / 'final.safetensors', cub20,
                    arguments.data / 'ood/unseen_species')
        if 'retrained' in wanted:
            retrain(arguments, groceries)
    except (subprocess.CalledProcessError, OSError) as error:
        print(f'teach_study.py: {error}', file=sys.stderr)
        return 1
    page(arguments, {path.stem: json.loads(path.read_text()) for path in RESULTS.glob('*.json')})
    return 0


if __name__ == '__main__':
    sys.exit(main())
