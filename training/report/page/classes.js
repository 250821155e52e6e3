// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// Accuracy by class, and what is taken for what.

const sideBySideUpTo = 40;  // classes; more need the width

const className = (results, id) => results.classes?.[id] ?? `class ${id}`;

/** One entry per class: {id, name, images, accuracy, mistaken: {id, count} or null}. */
function classRows(results, confusion) {
  return confusion.map((row, id) => {
    const images = row.reduce((sum, count) => sum + count, 0);
    const others = row.map((count, other) => ({id: other, count}))
      .filter((other) => other.id !== id && other.count > 0);
    return {
      id, images,
      name: className(results, id),
      accuracy: images > 0 ? row[id] / images : null,
      mistaken: others.sort((a, b) => b.count - a.count)[0] ?? null,
    };
  });
}

function classTable(results, confusion) {
  const rows = classRows(results, confusion);
  rows.sort((a, b) => compare(a.accuracy, b.accuracy));
  return table([
    {name: 'Class', value: (row) => row.name, show: (row) => breakable(row.name)},
    {name: 'Images', number: true, value: (row) => row.images},
    {name: 'Accuracy', number: true, value: (row) => row.accuracy,
      show: (row) => element('div', {class: 'bar', style: `--share: ${100 * (row.accuracy ?? 0)}%`},
        percent(row.accuracy))},
    {name: 'Mostly taken for', value: (row) => row.mistaken?.count ?? 0,
      show: (row) => (row.mistaken
        ? [...breakable(className(results, row.mistaken.id)), ` (${row.mistaken.count})`] : '')},
  ], rows);
}

/**
 * Rows are true classes, columns predicted ones. Only cells that are not zero become elements, so
 * that 200 classes are a few thousand of them; the names stay in view while the cells scroll.
 */
function confusionMatrix(results, confusion) {
  const count = confusion.length;
  const names = confusion.map((_, id) => className(results, id));
  const totals = confusion.map((row) => row.reduce((sum, value) => sum + value, 0));
  const hint = 'Rows are the true classes, columns the predicted ones. Point at a cell to read it.';
  const readout = element('p', {class: 'note'}, hint);
  const place = element('div', {});

  whenSized(place, (width) => {
    const labels = Math.round(Math.min(170, width * 0.3));
    const cell = Math.max(11, Math.min(34, Math.floor((width - labels - 2) / count)));
    const size = cell * count;
    const fontSize = Math.min(11.5, cell - 1);
    const letters = Math.floor(labels / (0.63 * fontSize));
    const short = (name) => (name.length > letters ? name.slice(0, letters - 1) + '…' : name);
    const label = (name, attributes) => shape('text', {...attributes, style: `font-size: ${fontSize}px`},
      shape('title', {}, name), short(name));
    const middle = (i) => (i + 0.5) * cell;

    const cells = [];
    confusion.forEach((row, y) => row.forEach((value, x) => {
      if (!(value > 0)) {
        return;
      }
      const strength = 0.15 + 0.85 * Math.sqrt(value / totals[y]);
      cells.push(shape('rect', {class: x === y ? 'right' : 'wrong', x: x * cell + 0.5, y: y * cell + 0.5,
        width: cell - 1, height: cell - 1, 'fill-opacity': strength.toFixed(2)}));
      if (cell >= 20) {
        cells.push(shape('text', {class: strength > 0.6 ? 'strong' : null, x: middle(x), y: middle(y) + 4,
          'text-anchor': 'middle'}, String(value)));
      }
    }));
    const lines = Array.from({length: count + 1}, (_, i) => `M0 ${i * cell}H${size}M${i * cell} 0V${size}`);
    const frameOfCell = shape('rect', {class: 'frame', width: cell, height: cell});
    const body = shape('svg',
      {width: size + 1, height: size + 1, role: 'img', 'aria-label': 'Confusion matrix'},
      shape('path', {class: 'gridline', d: lines.join(''), opacity: 0.6}), cells, frameOfCell);
    body.dataset.points = cells.length;
    body.addEventListener('pointermove', (event) => {
      const box = body.getBoundingClientRect();
      const x = Math.min(count - 1, Math.floor((event.clientX - box.left) / cell));
      const y = Math.min(count - 1, Math.floor((event.clientY - box.top) / cell));
      const value = confusion[y]?.[x] ?? 0;
      frameOfCell.setAttribute('x', x * cell);
      frameOfCell.setAttribute('y', y * cell);
      frameOfCell.style.visibility = 'visible';
      readout.textContent = `${names[y]} taken for ${names[x]}: ${value} of ${totals[y]} images` +
        (totals[y] > 0 ? ` (${percent(value / totals[y])})` : '');
    });
    body.addEventListener('pointerleave', () => {
      frameOfCell.style.removeProperty('visibility');
      readout.textContent = hint;
    });

    const columnLabels = names.map((name, i) =>
      label(name, {transform: `translate(${middle(i) + fontSize / 3} ${labels - 4}) rotate(-90)`}));
    const rowLabels = names.map((name, i) =>
      label(name, {x: labels - 6, y: middle(i) + fontSize / 3, 'text-anchor': 'end'}));
    place.replaceChildren(element('div',
      {class: 'matrix', style: `grid-template-columns: ${labels}px ${size + 1}px`, tabindex: 0},
      element('div', {class: 'corner'}),
      element('div', {class: 'columns'}, shape('svg', {width: size + 1, height: labels}, columnLabels)),
      element('div', {class: 'rows'}, shape('svg', {width: labels, height: size + 1}, rowLabels)),
      body));
  });
  return element('div', {}, readout, place);
}

function drawClasses(section, results) {
  const confusion = (results.confusion ?? []).map((row) =>
    (Array.isArray(row) ? row.map((value) => (isNumber(value) ? value : 0)) : []));
  if (confusion.length === 0) {
    return false;
  }
  section.append(element('div', {class: confusion.length <= sideBySideUpTo ? 'two' : null},
    element('div', {class: 'card'},
      element('h3', {}, 'Accuracy by class'), classTable(results, confusion)),
    element('div', {class: 'card'},
      element('h3', {}, 'Confusion matrix'), confusionMatrix(results, confusion))));
  return true;
}
