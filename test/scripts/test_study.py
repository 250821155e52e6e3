#!/usr/bin/python3
# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0
"""
Run scripts/study.py with a program in place of mgproto that answers at once, from its seed.

What the figures of a real run are is not covered: mgproto's own tests have that.
"""

import fcntl
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as ElementTree

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / 'scripts'
sys.path.insert(0, str(SCRIPTS))

from studies.charts import Panel, round_ticks, Series, svg  # noqa: E402
from studies.figures import cell  # noqa: E402
from studies.page import page_of  # noqa: E402
from studies.plots import accuracy_over_epochs  # noqa: E402
from studies.runs import thinned  # noqa: E402
from studies.study import Study  # noqa: E402

# Trained accuracy is 0.90 + seed / 100, so that means can be worked out by hand.
QUICK_MGPROTO = r"""#!/usr/bin/python3
import json, os, pathlib, signal, sys, time
words = sys.argv[1:]
with open(os.environ['CALLS'], 'a') as calls:
    calls.write(' '.join(words) + '\n')
if words == ['--version']:
    print('1.2.3')
elif words[0] == 'dataset':
    pathlib.Path(words[words.index('--out') + 1]).mkdir()
elif words[0] == 'evaluate':
    rates = {'fpr95': 0.25, 'auroc': 0.875, 'aupr_in': 0.5, 'aupr_out': 0.5}
    print(json.dumps({
        'count': 4, 'accuracy': 0.9251,
        'selective': {
            'msp': {'aurc': 0.1, 'curve': [[i / 100, 1 - i / 1000] for i in range(101)]},
            'log_density': None},
        'ood': {'cars': {'count': 4, 'scores': {'msp': rates, 'odin': None}}
                if 'cars=/cars' in words else {'error': '/empty: no images'}},
        'coverage': {'asked': 0.95, 'mean': 0.951, 'accepted': [0.94, 0.95, 0.951, 0.97]},
        'garbage': {'stripes': 0.25},
        'interpretability': {'purity': 0.5, 'diversity': 0.3456, 'oirr': None}}))
else:
    run = pathlib.Path(words[words.index('--resume' if '--resume' in words else '--out') + 1])
    if 'mode=broken' in words:
        print('mgproto: mode: nobody can do that\nRun with --help for more information.',
              file=sys.stderr)
        sys.exit(1)
    if '--resume' not in words:
        run.mkdir()
        (run / 'config.yaml').write_text(words[words.index('--seed') + 1])
    if 'mode=slow' in words:
        def save(*_):
            (run / 'snapshot.safetensors').write_text('')
            sys.exit(1)
        signal.signal(signal.SIGTERM, save)
        (run / 'started').write_text('')
        time.sleep(60)
    accuracy = 0.90 + int((run / 'config.yaml').read_text()) / 100
    (run / 'final.safetensors').write_text('')
    (run / 'metrics.jsonl').write_text(''.join(json.dumps(line) + '\n' for line in [
        {'type': 'iteration', 'epoch': 0, 'total': 1.5},
        {'type': 'epoch', 'epoch': 0, 'test_accuracy': 0.5, 'largest_responsibility': 0.25},
        {'type': 'projection', 'epoch': 1, 'before': 0.9, 'after': 0.8},
        {'type': 'epoch', 'epoch': 1, 'test_accuracy': 0.9, 'largest_responsibility': 0.75}]))
    (run / 'results.json').write_text(json.dumps({
        'seconds': 90.0, 'confusion': [[1, 2], [3, 4]], 'stages': [
            {'name': 'trained', 'accuracy': accuracy, 'distinct_patches': 9.25},
            {'name': 'projected', 'accuracy': accuracy - 0.005},
            {'name': 'pruned to 4', 'accuracy': 0.5}]}))
"""


class StudyTest(unittest.TestCase):
    """A folder with a study of three seeds and one run of its own."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.root = pathlib.Path(temporary.name)
        self.directory = self.root / 'tiny'
        self.directory.mkdir()
        self.mgproto = self.root / 'mgproto'
        self.mgproto.write_text(QUICK_MGPROTO)
        self.mgproto.chmod(0o755)
        data = str(self.root / 'data')
        self.study = {
            'title': 'Tiny', 'config': 'tiny.yaml', 'common': ['size=1', 'mode=quick'],
            'prepare': [{'makes': data, 'command': f'mgproto dataset tiny --out {data}'}],
            'data': data, 'ood': {'cars': '/cars'}, 'labels': {'three': 'Three'},
            'runs': [{'name': f'seed_{seed}', 'group': 'three', 'seed': seed}
                     for seed in (1, 2, 3)] + [{'name': 'other', 'set': ['size=2']}],
            'sections': [
                {'title': 'Side by side', 'text': 'First: {seed_1:trained} %.',
                 'table': {'kind': 'figures', 'runs': ['three', 'other'],
                           'columns': ['trained', 'projected', 'distinct', 'responsibility',
                                       'diversity', 'oirr', 'cars/msp', 'cars/odin']}},
                {'title': 'Stages', 'table': {'kind': 'stages', 'runs': ['three', 'other']}},
                {'title': 'Scores', 'table': {'kind': 'scores', 'runs': ['other'],
                                              'scores': ['msp', 'odin']}},
                {'title': 'Sizes', 'sweep': {
                    'label': 'size', 'points': [[1, 'seed_1'], [2, 'other']],
                    'columns': ['trained', 'cars/msp/fpr95']}},
                {'title': 'Projections', 'plot': {'kind': 'projections', 'runs': ['other']}},
                {'title': 'Risk', 'plot': {'kind': 'risk_coverage', 'rows': [['other', 'msp']]}},
                {'title': 'Coverage', 'plot': {'kind': 'coverage', 'runs': ['other']}},
                {'title': 'Garbage', 'table': {'kind': 'figures', 'runs': ['other'],
                                               'columns': ['coverage', 'garbage/stripes']}},
                {'title': 'Claims', 'table': {
                    'kind': 'text', 'header': ['claim', 'found'],
                    'rows': [['good', '{three:trained} %']]}}]}

    def command(self, *options):
        (self.directory / 'study.json').write_text(json.dumps(self.study))
        return [SCRIPTS / 'study.py', self.directory, '--mgproto', self.mgproto,
                '--runs', self.root / 'runs', *options]

    def environment(self):
        return {**os.environ, 'CALLS': str(self.root / 'calls'), 'PYTHONDONTWRITEBYTECODE': '1'}

    def run_study(self, *options):
        return subprocess.run(self.command(*options), env=self.environment(), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)

    def calls(self, verb):
        lines = (self.root / 'calls').read_text().splitlines()
        return [line for line in lines if line.startswith(verb)]

    def test_a_model_in_closed_form_is_fitted_not_trained(self):
        self.study['runs'].append(
            {'name': 'fitted', 'fit': 'backbone.safetensors', 'set': ['size=3'], 'seed': 4})
        done = self.run_study('--only', 'fitted')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.calls('fit'), [
            f'fit --data {self.root}/data --backbone backbone.safetensors '
            f'--out {self.root}/runs/fitted --seed 4 --set size=3'])
        self.assertEqual(self.calls('train'), [])
        result = json.loads((self.directory / 'fitted.json').read_text())
        self.assertEqual(result['fit'], 'backbone.safetensors')

    def test_a_run_may_have_images_of_its_own(self):
        self.study['runs'].append(
            {'name': 'elsewhere', 'fit': 'backbone.safetensors', 'data': '/shops',
             'ood': {'cars': '/cars', 'boats': '/boats'}})
        done = self.run_study('--only', 'elsewhere')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('--data /shops', self.calls('fit')[0])
        self.assertEqual(self.calls('evaluate'), [
            f'evaluate --model {self.root}/runs/elsewhere/final.safetensors --data /shops '
            '--ood cars=/cars --ood boats=/boats --json'])

    def result(self, name):
        return json.loads((self.directory / f'{name}.json').read_text())

    def page(self):
        return (self.root / 'tiny.md').read_text()

    def circles(self, plot):
        root = ElementTree.parse(self.directory / 'plots' / plot).getroot()
        return root.findall('.//{http://www.w3.org/2000/svg}circle')

    def test_a_run_leaves_a_small_result(self):
        ended = self.run_study('--only', 'other')

        self.assertEqual((ended.returncode, ended.stderr), (0, ''))
        result = self.result('other')
        self.assertEqual(result['set'], ['size=2', 'mode=quick'])
        self.assertEqual((result['seed'], result['version'], result['seconds']), (1, '1.2.3', 90))
        self.assertEqual(len(result['evaluation']['selective']['msp']['curve']), 25)
        self.assertEqual([line['type'] for line in result['epochs']],
                         ['epoch', 'projection', 'epoch'])
        self.assertNotIn('confusion', result)

    def test_the_training_gets_the_settings_and_the_evaluation_the_sets(self):
        self.run_study('--only', 'other')

        runs, data = self.root / 'runs', self.root / 'data'
        self.assertEqual(self.calls('train'), [
            f'train --config tiny.yaml --out {runs}/other --seed 1 --set data.path={data} '
            '--set data.ood.cars=/cars --set size=2 --set mode=quick'])
        self.assertEqual(self.calls('evaluate'), [
            f'evaluate --model {runs}/other/final.safetensors --data {data} --ood cars=/cars '
            '--json'])
        self.assertTrue(data.is_dir())
        self.assertEqual(self.calls('dataset'), [f'dataset tiny --out {self.root}/part.data'])

    def test_what_is_done_is_not_done_again(self):
        self.run_study('--only', 'other', '--only', 'seed_2')
        self.run_study()

        names = [call.split('/runs/')[1].split()[0] for call in self.calls('train')]
        self.assertEqual(names, ['seed_2', 'other', 'seed_1', 'seed_3'])
        self.assertEqual(len(self.calls('dataset')), 1)

    def test_a_run_that_fails_does_not_keep_the_others_from_it(self):
        self.study['runs'][0:3] = [{'name': 'three', 'set': ['mode=broken']},
                                   {'name': 'seed_1'}]

        ended = self.run_study()

        self.assertEqual(ended.returncode, 1)
        self.assertEqual(ended.stderr,
                         'study.py: three: failed: mgproto: mode: nobody can do that\n')
        self.assertEqual(self.result('other')['name'], 'other')
        self.assertFalse((self.directory / 'three.json').exists())
        self.assertIn('**Not done yet:** three.', self.page())

    def test_a_set_that_cannot_be_evaluated_is_no_result(self):
        self.study['ood'] = {'cars': '/empty'}

        ended = self.run_study('--only', 'other')

        self.assertEqual(ended.returncode, 1)
        self.assertEqual(ended.stderr, 'study.py: other: failed: cars: /empty: no images\n')
        self.assertFalse((self.directory / 'other.json').exists())

    def test_a_result_of_other_settings_is_neither_shown_nor_overwritten(self):
        self.run_study('--only', 'other')
        self.study['common'] = ['size=1', 'mode=else']

        ended = self.run_study('--only', 'other')

        self.assertEqual(ended.returncode, 1)
        self.assertIn('was made with other settings', ended.stderr)
        self.assertIn('mode=quick', self.result('other')['set'])
        self.assertIn('other                    made with other settings',
                      self.run_study('--list').stdout)
        self.assertIn('| other | – | – |', self.page())

    def test_a_stop_lets_the_training_save_and_the_next_start_resumes_it(self):
        self.study['common'] = ['mode=slow']
        study = subprocess.Popen(self.command('--only', 'other'), env=self.environment(),
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        run = self.root / 'runs/other'
        end = time.monotonic() + 20
        while not (run / 'started').exists() and time.monotonic() < end:
            time.sleep(0.02)
        study.send_signal(signal.SIGTERM)

        self.assertEqual(study.communicate()[1], 'study.py: stopped; the same command goes on\n')
        self.assertEqual(study.returncode, 128 + signal.SIGTERM)
        self.assertTrue((run / 'snapshot.safetensors').exists())
        self.assertEqual([file.name for file in self.directory.glob('*.json')], ['study.json'])

        self.assertEqual(self.run_study('--only', 'other').returncode, 0)
        self.assertEqual(self.calls('train')[1], f'train --resume {run}')
        self.assertEqual(self.result('other')['seconds'], 90)

    def test_what_another_study_is_at_is_left_to_it(self):
        (self.root / 'runs').mkdir()
        with open(self.root / 'runs/seed_2.lock', 'w', encoding='utf-8') as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            ended = self.run_study()

        self.assertEqual((ended.returncode, ended.stderr), (0, ''))
        self.assertIn('seed_2: another study.py is at it\n', ended.stdout)
        names = [call.split('/runs/')[1].split()[0] for call in self.calls('train')]
        self.assertEqual(names, ['seed_1', 'seed_3', 'other'])

    def test_a_checkpoint_to_start_from_is_made_where_it_is_missing(self):
        self.run_study('--only', 'seed_1')
        shutil.rmtree(self.root / 'runs')
        self.study['runs'][3]['after'] = 'seed_1'

        self.assertEqual(self.run_study('--only', 'other').returncode, 0)

        names = [call.split('/runs/')[1].split()[0] for call in self.calls('train')]
        self.assertEqual(names, ['seed_1', 'seed_1', 'other'])
        self.assertEqual(len(self.calls('evaluate')), 2)
        self.study['runs'][3]['after'] = 'nobody'
        self.assertIn('other is after "nobody", which is no run', self.run_study().stderr)

    def test_tables_show_the_numbers_of_the_results(self):
        self.run_study()

        # 91, 92 and 93: mean 92, sum of squares 2, divided by n − 1 = 2, root 1.
        page = self.page()
        self.assertIn('| Three (3 seeds) | 92.0 ± 1.0 | 91.5 ± 1.0 | 9.2 ± 0.0 | 0.75 ± 0.00 | '
                      '0.346 ± 0.000 | – | 25.0 ± 0.0 / 87.5 ± 0.0 | – |', page)
        self.assertIn('| other | 91.0 | 90.5 | 9.2 | 0.75 | 0.346 | – | 25.0 / 87.5 | – |', page)
        self.assertIn('| pruned to 4 | 50.0 ± 0.0 | 50.0 |', page)
        self.assertIn('| other | MSP | 25.0 / 87.5 |\n| other | ODIN | – |', page)
        self.assertIn('| 1 | 91.0 | 25.0 |\n| 2 | 91.0 | 25.0 |', page)
        self.assertIn('| good | 92.0 ± 1.0 % |', page)
        self.assertIn('| other | 95.1 | 25.0 |', page)
        self.assertIn('First: 91.0 %.', page)
        self.assertIn('| seed_2 | 2 | 1.5 |', page)
        self.assertNotIn('Not done yet', page)

    def words(self, text):
        """Run all, and read what a section makes of the text."""
        self.study['sections'] = [{'title': 'Found', 'text': f'<{text}>'}]
        ended = self.run_study()
        self.assertEqual((ended.returncode, ended.stderr), (0, ''))
        return self.page().split('<', 1)[1].split('>\n', 1)[0]

    def test_words_follow_from_the_figures(self):
        # three: 91, 92 and 93 % with a deviation of 1; other: 91 %, after projection 90.5 %.
        for text, words in [
                ('{three:trained > other:trained ? better : worse}', 'better'),
                ('{other:trained > three:trained ? better : worse}', 'worse'),
                ('{three:trained - other:trained > 2 ? much : three:trained > 91 ? a bit : no}',
                 'a bit'),
                ('{other:trained - three:trained within ±three:trained ? level : apart}', 'level'),
                ('{three:trained - other:trained within 0.5 ? level : apart}', 'apart'),
                ('{three:trained >= 92 and three:trained <= 91 ? both : not both}', 'not both'),
                ('{other:stage/pruned to 4 < 50.5 ? {other:stage/pruned to 4} % are left : all}',
                 '50.0 % are left'),
                ('{other:projection/1/before - other:projection/1/after > 9 ? a drop}', 'a drop'),
                ('{other:cars/msp/fpr95 < 30 ? few} cars', 'few cars')]:
            with self.subTest(text):
                self.assertEqual(self.words(text), words)

    def test_words_that_the_figures_do_not_bear_out_are_an_error(self):
        self.run_study()
        for text, complaint in [
                ('{three:trained > 95 ? great}',
                 'the figures do not say "great": three:trained > 95 is false'),
                ('{other:oirr > 100 ? high : low}', 'other:oirr was not measured'),
                ('{±other:trained > 1 ? wide : narrow}', '±other:trained was not measured'),
                ('{nobody:trained > 95 ? a : b}', '"nobody"'),
                ('{other:nothing > 95 ? a : b}', '"nothing" is no figure'),
                ('{other:cars/msp > 95 ? a : b}', 'other:cars/msp is two figures'),
                ('{other:trained > much ? a : b}', '"much" is neither a number nor RUN:FIGURE'),
                ('{other:trained ? a : b}', '"other:trained" is no comparison')]:
            with self.subTest(text):
                self.study['sections'] = [{'title': 'Found', 'text': text}]
                ended = self.run_study('--page-only')
                self.assertEqual(ended.returncode, 2)
                self.assertIn(complaint, ended.stderr)

    def test_words_about_runs_that_are_not_done_wait_for_them(self):
        self.study['sections'] = [{'title': 'Claims', 'table': {
            'kind': 'text', 'header': ['claim'],
            'rows': [['[{three:trained > 95 ? great}]'], ['{other:oirr > 1 ? a : b}']]}}]

        ended = self.run_study('--page-only')

        self.assertEqual((ended.returncode, ended.stderr), (0, ''))
        self.assertIn('--only three --only other`:', self.page())
        self.assertIn('| [–] |\n| – |', self.page())

    def test_every_table_stands_below_the_command_that_made_it(self):
        self.run_study('--page-only')

        lines = self.page().split('\n## All runs')[0].splitlines()
        tops = [number for number, line in enumerate(lines) if line.startswith('| ---')]
        self.assertEqual(len(tops), 6)
        for top in tops:
            self.assertTrue(lines[top - 3].startswith('`scripts/study.py '), lines[top - 3])
        self.assertIn('--only three --only other`:', self.page())

    def test_a_page_without_results_says_so(self):
        ended = self.run_study('--page-only')

        self.assertEqual((ended.returncode, ended.stderr), (0, ''))
        self.assertIn('**Not done yet:** seed_1, seed_2, seed_3, other.', self.page())
        self.assertIn('| Three (0 of 3 seeds) | – |', self.page())
        self.assertEqual(len(self.circles('sizes.svg')), 0)

    def test_plots_hold_their_points(self):
        self.run_study()

        self.assertEqual(len(self.circles('sizes.svg')), 4)  # two figures of two runs
        self.assertEqual(len(self.circles('projections.svg')), 3)
        self.assertEqual(len(self.circles('risk.svg')), 23)  # of 25, two below 5 % of the images
        self.assertEqual(len(self.circles('coverage.svg')), 4)  # 94, 95, 96 and 97 %

    def test_mistakes_in_the_study_are_named_before_anything_runs(self):
        for change, complaint in [
                ({'table': {'kind': 'figures', 'runs': ['nobody'], 'columns': []}}, '"nobody"'),
                ({'table': {'kind': 'figures', 'runs': ['other'], 'columns': ['x']}}, '"x"'),
                ({'table': {'kind': 'figures', 'runs': ['other']}}, "'columns'"),
                ({'plot': {'kind': 'pie'}}, 'pie')]:
            self.study['sections'] = [{'title': 'A', **change}]
            ended = self.run_study()
            self.assertEqual(ended.returncode, 2)
            self.assertIn(complaint, ended.stderr)
        self.assertFalse((self.root / 'calls').exists())


class ShippedStudiesTest(unittest.TestCase):
    """The pages in docs/results."""

    def test_are_what_the_script_writes(self):
        root = SCRIPTS.parent
        before = os.getcwd()
        os.chdir(root)  # what the paths on a page are relative to
        self.addCleanup(os.chdir, before)
        studies = [file.parent for file in (root / 'docs/results').glob('*/study.json')]
        self.assertGreaterEqual(len(studies), 4)
        for directory in studies:
            text, plots = page_of(Study(directory))
            self.assertEqual(directory.with_suffix('.md').read_text(encoding='utf-8'), text)
            shown = {file.name: file.read_text(encoding='utf-8')
                     for file in directory.glob('plots/*')}
            self.assertEqual(shown, plots)


class FigureTest(unittest.TestCase):
    """Numbers of results."""

    def test_mean_and_deviation_leave_out_what_was_not_measured(self):
        # 0.5 and 0.6: mean 55 %, deviation sqrt(2 · 5² / 1) = 7.07.
        results = [{'evaluation': {'accuracy': share}} for share in (0.5, None, 0.6)]

        self.assertEqual(cell('accuracy', results), '55.0 ± 7.1')
        self.assertEqual(cell('accuracy', results[:2]), '50.0')
        self.assertEqual(cell('accuracy', results[1:2]), '–')
        self.assertEqual(cell('accuracy', [{'evaluation': {'accuracy': float('nan')}}]), '–')

    def test_thinning_keeps_both_ends(self):
        points = thinned(list(range(1000)), 4)

        self.assertEqual(points, [0, 333, 666, 999])
        self.assertEqual(thinned([1, 2], 4), [1, 2])

    def test_a_projection_is_a_drop_at_the_end_of_its_epoch(self):
        points, after = accuracy_over_epochs({'epochs': [
            {'type': 'epoch', 'epoch': 0, 'test_accuracy': 0.5},
            {'type': 'epoch', 'epoch': 1, 'test_accuracy': 0.75},
            {'type': 'projection', 'epoch': 1, 'before': 0.75, 'after': 0.25},
            {'type': 'epoch', 'epoch': 2, 'test_accuracy': 1.0}]})

        self.assertEqual(points, [(1, 50), (2, 75), (2, 25), (3, 100)])
        self.assertEqual(after, {2})


class ChartTest(unittest.TestCase):
    """SVG files."""

    def test_ticks_are_round_and_enclose_the_data(self):
        self.assertEqual(round_ticks(91.3, 99.6), [90, 92, 94, 96, 98, 100])
        self.assertEqual(round_ticks(0, 1), [0, 0.2, 0.4, 0.6, 0.8, 1])
        self.assertEqual(round_ticks(50, 50), [50, 50.2])

    def test_charts_are_xml_whatever_the_names(self):
        curves = [Series('<1>', [(0, 1), (1, 2, 0.5)]), Series('two', [(0, 3)])]
        lines = Panel('a < b', 'x & y', '"%"', curves)
        bars = Panel('bars', 'x', 'y', [Series('one', [(0, 1), (1, -2)])],
                     ticks=[(0, 'a'), (1, 'b')], bars=True)

        root = ElementTree.fromstring(svg([lines, bars], 'a & b'))

        namespace = '{http://www.w3.org/2000/svg}'
        self.assertEqual(len(root.findall(f'.//{namespace}circle')), 3)
        self.assertEqual(len(root.findall(f'.//{namespace}rect[@class="bar"]')), 2)
        texts = [text.text for text in root.iter(f'{namespace}text')]
        for words in ('a < b', 'x & y', '<1>', 'two', 'bars', 'b'):
            self.assertIn(words, texts)

    def test_a_higher_value_is_further_up(self):
        root = ElementTree.fromstring(
            svg([Panel('', '', '', [Series('', [(0, 1), (1, 2)])])], ''))

        low, high = root.iter('{http://www.w3.org/2000/svg}circle')
        self.assertLess(float(high.get('cy')), float(low.get('cy')))
        self.assertGreater(float(high.get('cx')), float(low.get('cx')))


if __name__ == '__main__':
    unittest.main()
