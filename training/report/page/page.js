// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// Fills the sections from what write_report() put into the page.

const data = JSON.parse(document.getElementById('data').textContent);
const results = data.results ?? {};
const finished = data.results !== null;
const {iterations, epochs} = data.curves;

const secondsUntilReload = 60;
// Published numbers: 0.15 with prototypes apart, below 0.03 when they have become one point.
const collapsedDistance = 0.05;

const latest = (values) => (values ?? []).filter(isNumber).pop() ?? null;
const sum = (values) => values.filter(isNumber).reduce((a, b) => a + b, 0);
const mean = (values) => {
  const numbers = (values ?? []).filter(isNumber);
  return numbers.length > 0 ? sum(numbers) / numbers.length : null;
};
const stages = (Array.isArray(results.stages) ? [data.baseline, ...results.stages] : []).filter(Boolean);
const finalStage = stages.find((stage) => stage.name === results.final_stage);
/** What unknown images are told by: a head without p(x) has only the energy of its logits. */
const density = stages.some((stage) => stage.score === 'energy') ? 'energy' : 'log p(x)';
const score = stages.some((stage) => stage.score === 'joint') ? 'joint score' : density;

/** What the page has drawn, for whoever checks it from outside. */
function publishCounts() {
  const images = [...document.querySelectorAll('img')].filter((image) => image.complete);
  const shown = images.filter((image) => image.naturalWidth > 0);
  const charts = [...document.querySelectorAll('svg[data-points]')];
  Object.assign(document.documentElement.dataset, {
    charts: charts.length,
    points: sum(charts.map((chart) => Number(chart.dataset.points))),
    pictures: shown.length,
    brokenPictures: images.length - shown.length,
  });
}

function accuracyOfModel() {
  const confusion = Array.isArray(results.confusion) ? results.confusion : [];
  const images = sum(confusion.map((row) => sum(row ?? [])));
  return images > 0 ? sum(confusion.map((row, id) => row?.[id])) / images
    : stages.map((stage) => stage.accuracy).filter(isNumber).pop() ?? latest(epochs.test_accuracy);
}

/** The class whose images are taken as known least often, as words behind a tile's. */
function worstClass() {
  const {class_id: id, tpr} = finalStage?.worst_class ?? {};
  return isNumber(tpr) ? [', of ', ...breakable(results.classes?.[id] ?? `class ${id}`), ` ${percent(tpr)}`] : [];
}

function drawSummary(section) {
  const sets = (data.densities?.sets ?? []).filter((set) => isNumber(set.accepted));
  const test = sets.find((set) => set.kind === 'test');
  // Of the sets to reject the one that comes off worst: an average would hide it.
  const strangers = sets.filter((set) => set.kind === 'ood');
  const worst = strangers.sort((a, b) => b.accepted - a.accepted)[0];
  const tiles = [
    [percent(accuracyOfModel()), `${finished ? '' : 'latest '}accuracy on the test images`],
    test ? [percent(test.accepted), ['of the test images taken as known', ...worstClass()]] : null,
    [percent(finalStage?.wrong_known), 'of the wrong answers taken as known'],
    worst ? [percent(worst.accepted), ['of ', ...breakable(worst.name), ' wrongly taken as known' +
      (strangers.length > 1 ? `, the worst of ${strangers.length} sets` : '')]] : null,
    Array.isArray(results.prototypes) && results.prototypes.length > 0
      ? [results.prototypes.length, `prototypes of ${results.classes?.length ?? '?'} classes`] : null,
    isNumber(results.images_train)
      ? [results.images_train, `training images, ${results.images_test ?? '?'} for the test`] : null,
    finished ? [duration(results.seconds), 'from start to end']
      : [decimal(latest(iterations.at)), 'epochs so far'],
  ].filter((tile) => tile && tile[0] !== '–');
  section.append(element('div', {class: 'tiles'}, tiles.map(([value, text]) =>
    element('div', {}, element('b', {}, String(value)), element('span', {}, text)))));
  const distance = latest(epochs.mean_pairwise_distance);
  if (distance !== null && distance < collapsedDistance) {
    section.append(element('p', {class: 'notice'},
      `The prototypes of a class are nearly one point (mean pairwise distance ${decimal(distance)}), ` +
      'so they explain little more than one prototype would. ' +
      'A larger head.concentration or em.sharpness, or less em.smoothing, keeps them apart.'));
  }
  return true;
}

function drawCurves(section) {
  const of = (columns) => (name, key, series, style) =>
    ({name, x: columns.at, y: columns[key], series: `series-${series}`, style});
  const perIteration = of(iterations);
  const perEpoch = of(epochs);
  const end = Math.ceil(Math.max(latest(iterations.at), latest(epochs.at), 1));
  const charts = [
    {title: 'Loss', floor: 0, curves: [
      perIteration('total', 'total', 0), perIteration('cross-entropy', 'ce', 1),
      perIteration('mining', 'mine', 2), perIteration('auxiliary', 'aux', 3)]},
    {title: 'Accuracy', floor: 0, ceiling: 1, text: percent, tickText: shortPercent, curves: [
      perIteration('batch', 'accuracy', 'faint', 'background'), perEpoch('training', 'train_accuracy', 1),
      perEpoch('test', 'test_accuracy', 0)]},
    {title: 'Learning rates', log: true, curves: [
      perEpoch('backbone', 'learning_rates/backbone', 0), perEpoch('add-on', 'learning_rates/add_on', 1),
      perEpoch('proxies', 'learning_rates/proxies', 2), perEpoch('EM', 'learning_rates/em', 3, 'dashed')]},
    {title: 'Mean pairwise distance',
      note: 'Between the prototypes of a class; 0 means that they are one point.',
      floor: 0, curves: [perEpoch('distance', 'mean_pairwise_distance', 0)]},
    {title: 'Distinct features',
      note: 'How many different features of the memory a class’s prototypes are nearest to.',
      floor: 0, curves: [perEpoch('features', 'distinct_features', 0)]},
    {title: 'Largest responsibility',
      note: 'Mean over the memory; 1/M means that the prototypes share every feature alike.',
      floor: 0, ceiling: 1, curves: [perEpoch('responsibility', 'largest_responsibility', 0)]},
    {title: 'Memory fill', floor: 0, ceiling: 1, text: percent, tickText: shortPercent,
      curves: [perIteration('fill', 'memory_fill', 0)]},
    {title: 'Images per second', floor: 0, curves: [perIteration('images/s', 'images_per_second', 0)]},
    {title: 'Seconds per iteration', floor: 0, curves: [
      perIteration('data', 'seconds/data', 0), perIteration('forward', 'seconds/forward', 1),
      perIteration('backward', 'seconds/backward', 2), perIteration('EM', 'seconds/em', 3)]},
  ].map((chart) => lineChart({...chart, end})).filter(Boolean);
  section.append(element('div', {class: 'grid'}, charts));
  return charts.length > 0;
}

function drawStages(section) {
  if (stages.length === 0) {
    return false;
  }
  const number = (name, key, text = decimal) =>
    ({name, number: true, value: (stage) => stage[key], show: (stage) => text(stage[key])});
  section.append(element('div', {class: 'card'}, table([
    {name: 'Stage', value: (stage) => stage.name},
    number('Accuracy', 'accuracy', percent),
    number('Prototypes', 'prototypes'),
    number('Mean pairwise distance', 'mean_pairwise_distance', fixed(3)),
    number('Distinct patches', 'distinct_patches', fixed(1)),
    number(`Threshold of ${score}`, 'threshold', fixed(2)),
    number('Test images taken as known', 'tpr_test', percent),
    number('Wrong answers taken as known', 'wrong_known', percent),
  ], stages)));
  return true;
}

function drawUnknown(section) {
  if (data.densities) {
    section.append(
      element('p', {class: 'note'}, `Share of each set’s images by ${score}. ` +
        (isNumber(data.densities.threshold) ? 'Images below the threshold, which was set on held-out ' +
          'images of the known classes, are called unknown. ' : '') +
        'The outermost bars hold everything beyond them.'),
      densityChart(data.densities, score));
  }
  const rows = stages.flatMap((stage) => Object.entries(stage.ood ?? {}).filter(([, values]) => values)
    .map(([set, values]) => ({stage: stage.name, set, ...values})));
  if (rows.length > 0) {
    const share = (name, key) =>
      ({name, number: true, value: (row) => row[key], show: (row) => percent(row[key])});
    section.append(element('div', {class: 'card'},
      element('p', {class: 'note'}, 'Images of known classes (ID) are the positives. FPR95 is the share ' +
        'of unknown images taken as known when 95 % of the test images are; lower is better. ' +
        'AUROC: higher is better, 50 % is chance. MSP is the largest posterior, the usual score of a ' +
        'classifier without a density.'),
      table([
        {name: 'Stage', value: (row) => row.stage},
        {name: 'Unknown images', value: (row) => row.set, show: (row) => breakable(row.set)},
        share(`FPR95, ${score}`, 'fpr95'),
        share(`AUROC, ${score}`, 'auroc'),
        share('AUROC, MSP', 'msp_auroc'),
      ], rows)));
  }
  return Boolean(data.densities) || rows.length > 0;
}

function drawTimes(section) {
  const parts = [['data', 'data'], ['forward', 'forward'], ['backward', 'backward'], ['EM', 'em']]
    .map(([name, key], i) => ({name, series: `series-${i}`, seconds: mean(iterations[`seconds/${key}`])}))
    .filter((part) => part.seconds !== null);
  const total = sum(parts.map((part) => part.seconds));
  const perEpoch = mean(epochs.seconds);
  const facts = [
    ['Whole run', duration(results.seconds)],
    ['An epoch', duration(perEpoch)],
    ['An iteration', duration(parts.length > 0 ? total : null)],
    ['Images per second', decimal(mean(iterations.images_per_second))],
  ].filter(([, text]) => text !== '–');
  if (facts.length === 0) {
    return false;
  }
  section.append(element('div', {class: 'card'},
    factList(facts),
    total > 0 ? [
      element('div', {class: 'stack', role: 'img', 'aria-label': 'Parts of an iteration'}, parts.map((part) =>
        element('div', {class: part.series, style: `flex: ${part.seconds / total}`}))),
      legend(parts.map(({series, name, seconds}) =>
        [series, `${name}: ${duration(seconds)}, ${percent(seconds / total)}`])),
    ] : null));
  return true;
}

function drawConfig(section) {
  if (!data.config) {
    return false;
  }
  section.append(element('details', {class: 'card'},
    element('summary', {}, 'config.yaml, as it was resolved'),
    element('pre', {}, data.config)));
  return true;
}

function drawHeader() {
  const written = new Date(data.written).toLocaleString();
  document.title = `${data.run} – training report`;
  document.getElementById('run').textContent = data.run;
  document.getElementById('status').textContent = finished
    ? `Training report, ${written}` + (results.model ? ` · ${results.model}` : '')
    : `Training goes on: as of ${written}, read again every minute`;
  if (!finished) {
    setTimeout(() => location.reload(), 1000 * secondsUntilReload);
  }
}

function drawPage() {
  drawHeader();
  const sections = {
    summary: drawSummary,
    curves: drawCurves,
    stages: drawStages,
    unknown: drawUnknown,
    classes: (section) => drawClasses(section, results),
    prototypes: (section) => drawGallery(section, results),
    times: drawTimes,
    config: drawConfig,
  };
  for (const [id, draw] of Object.entries(sections)) {
    const section = document.getElementById(id);
    try {
      section.hidden = !draw(section);
      drawSized();
    } catch (error) {
      // One section that cannot be drawn must not take the others with it.
      section.hidden = false;
      section.append(element('p', {class: 'notice'}, `This part cannot be shown: ${error.message}`));
      console.error(error);
    }
    const title = section.querySelector('h2');
    if (title && !section.hidden) {
      document.getElementById('contents').append(element('a', {href: `#${id}`}, title.textContent));
    }
  }
  window.addEventListener('resize', drawSized);
  // The sections had no height when the browser looked for the place that the address names.
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

drawPage();
