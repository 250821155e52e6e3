// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// Numbers as text, tables, and the charts, which are drawn as SVG at the width of their place and
// take their colours from the style sheet.

/** facts: [[name, text]] */
function factList(facts) {
  return element('dl', {},
    facts.flatMap(([name, text]) => [element('dt', {}, name), element('dd', {}, text)]));
}

// Numbers

const shortPercent = (share) => `${decimal(100 * share)} %`;

function decimal(value) {
  if (!isNumber(value)) {
    return '–';
  }
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) {
    return value.toExponential(1).replace('.0e', 'e').replace('e+', 'e');
  }
  return String(Number(value.toFixed(size < 1 ? 4 : size < 100 ? 2 : 0)));
}

const fixed = (digits) => (value) => (isNumber(value) ? value.toFixed(digits) : '–');

function duration(seconds) {
  if (!isNumber(seconds)) {
    return '–';
  }
  if (seconds < 1) {
    return `${Math.round(1000 * seconds)} ms`;
  }
  if (seconds < 90) {
    return `${decimal(Math.round(10 * seconds) / 10)} s`;
  }
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min`
    : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')} h`;
}

// Tables

/**
 * columns: [{name, value: row => number or text, show: row => text or node, number: bool}].
 * A click on a column's name sorts by it: text from A, numbers from the largest; again: reversed.
 */
function table(columns, rows) {
  const body = element('tbody');
  const headers = columns.map((column, i) => element('th',
    {scope: 'col', class: column.number ? 'number' : null},
    element('button', {type: 'button', onclick: () => sort(i)}, column.name)));
  const cells = (row) => columns.map((column) => element('td',
    {class: column.number ? 'number' : null},
    column.show ? column.show(row) : column.value(row) ?? '–'));
  const draw = (sorted) => body.replaceChildren(...sorted.map((row) => element('tr', {}, cells(row))));

  function sort(i) {
    const before = headers[i].getAttribute('aria-sort');
    const downwards = before ? before === 'ascending' : Boolean(columns[i].number);
    headers.forEach((header) => header.removeAttribute('aria-sort'));
    headers[i].setAttribute('aria-sort', downwards ? 'descending' : 'ascending');
    const value = columns[i].value;
    draw([...rows].sort((a, b) => (downwards ? -1 : 1) * compare(value(a), value(b))));
  }
  draw(rows);
  return element('div', {class: 'scroll', tabindex: 0},
    element('table', {}, element('thead', {}, element('tr', {}, headers)), body));
}

function compare(a, b) {
  if (typeof a === 'string' && typeof b === 'string') {
    return a.localeCompare(b, undefined, {numeric: true});
  }
  return (isNumber(a) ? a : -Infinity) - (isNumber(b) ? b : -Infinity) || 0;
}

// Axes

/** place(value) in pixels between `begin` and `end`, its inverse at(), and the ticks. */
function axis(low, high, begin, end, ticks) {
  return {
    ticks,
    place: (value) => begin + (value - low) / (high - low) * (end - begin),
    at: (place) => low + (place - begin) / (end - begin) * (high - low),
  };
}

/** About `count` round steps; `whole`: the axis begins and ends at a tick. */
function linearAxis(low, high, begin, end, {whole = false, count = 5} = {}) {
  if (!(high > low)) {
    const margin = Math.abs(low) / 10;
    [low, high] = low === 0 ? [0, 1] : [low - margin, low + margin];
  }
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough);
  if (whole) {
    low = step * Math.floor(low / step + 1e-9);
    high = step * Math.ceil(high / step - 1e-9);
  }
  const ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i) {
    ticks.push(i * step);
  }
  return axis(low, high, begin, end, ticks);
}

/** Ticks at powers of ten, and between them while they are few. */
function logAxis(low, high, begin, end) {
  const margin = 0.05 * (Math.log10(high / low) || 10);
  const [from, to] = [Math.log10(low) - margin, Math.log10(high) + margin];
  const ticks = [];
  for (let power = Math.floor(from); power <= to; ++power) {
    ticks.push(...(to - from < 2.5 ? [1, 3] : [1]).map((factor) => factor * 10 ** power));
  }
  const {place} = axis(from, to, begin, end);
  return {
    ticks: ticks.filter((tick) => Math.log10(tick) >= from && Math.log10(tick) <= to),
    place: (value) => place(Math.log10(value)),
  };
}

function extent(values, floor = null) {
  let [low, high] = [floor ?? Infinity, -Infinity];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return [low, high];
}

const sizedPlaces = [];

/** `draw(width)` is called by drawSized(), once the place is in the page and whenever it changed. */
function whenSized(place, draw) {
  sizedPlaces.push({place, draw, width: 0});
}

function drawSized() {
  for (const sized of sizedPlaces) {
    const width = Math.floor(sized.place.clientWidth);
    if (width > 0 && width !== sized.width) {
      sized.width = width;
      sized.draw(width);
    }
  }
  publishCounts();
}

/** The frame of a chart: grid, axes, their labels. */
function frame(width, height, title, xAxis, yAxis, xText, yText, xName) {
  const {left, right, top, bottom} = margins;
  return shape('svg', {viewBox: `0 0 ${width} ${height}`, height, role: 'img', 'aria-label': title},
    yAxis.ticks.map((tick) => [tick, yAxis.place(tick)]).flatMap(([tick, y]) => [
      shape('line', {class: 'gridline', x1: left, x2: width - right, y1: y, y2: y}),
      shape('text', {x: left - 6, y: y + 4, 'text-anchor': 'end'}, yText(tick))]),
    shape('line', {class: 'axis', x1: left, x2: width - right, y1: height - bottom, y2: height - bottom}),
    xAxis.ticks.map((tick) =>
      shape('text', {x: xAxis.place(tick), y: height - bottom + 16, 'text-anchor': 'middle'}, xText(tick))),
    shape('text', {x: width - right, y: height - 2, 'text-anchor': 'end'}, xName),
    shape('line', {class: 'cursor', y1: top, y2: height - bottom}));
}

const margins = {left: 50, right: 12, top: 10, bottom: 34};

/** Shows `read(x)`, {place, title, lines: [[class, text]]}, beside the pointer. */
function followPointer(place, read) {
  const tooltip = element('div', {class: 'tooltip', hidden: ''});
  place.append(tooltip);
  const hide = () => {
    tooltip.hidden = true;
    place.querySelector('.cursor')?.style.removeProperty('visibility');
  };
  place.addEventListener('pointerleave', hide);
  place.addEventListener('pointermove', (event) => {
    const box = place.getBoundingClientRect();
    const found = read(event.clientX - box.left);
    const cursor = place.querySelector('.cursor');
    if (!found || !cursor) {
      return hide();
    }
    cursor.setAttribute('x1', found.place);
    cursor.setAttribute('x2', found.place);
    cursor.style.visibility = 'visible';
    tooltip.hidden = false;
    tooltip.replaceChildren(found.title,
      element('ul', {}, found.lines.map(([kind, text]) => element('li', {class: kind}, text))));
    const onTheRight = found.place + 12 + tooltip.offsetWidth < box.width;
    tooltip.style.left =
      `${Math.max(0, onTheRight ? found.place + 12 : found.place - 12 - tooltip.offsetWidth)}px`;
  });
}

function legend(entries) {
  return element('ul', {class: 'legend'}, entries.map(([kind, text]) => element('li', {class: kind}, text)));
}

// Charts

const dotsUpTo = 40;  // points; more would hide the curve

/**
 * Curves from epoch 0 to `end`. curves: [{name, x, y, series, style}]; nulls leave gaps. Returns a
 * card, or null if no curve has a point.
 */
function lineChart({
  title, note, curves, end, text = decimal, tickText = text, floor = null, ceiling = null, log = false,
}) {
  const drawn = curves
    .map((curve) => ({
      ...curve,
      y: (curve.y ?? []).map((y) => (isNumber(y) && (!log || y > 0) ? y : null)),
    }))
    .filter((curve) => curve.y.some(isNumber));
  if (drawn.length === 0) {
    return null;
  }
  const height = 230;
  const place = element('div', {class: 'chart'});
  let xAxis;

  whenSized(place, (width) => {
    const {left, right, top, bottom} = margins;
    const [low, high] = extent(drawn.flatMap((curve) => curve.y.filter(isNumber)), floor);
    xAxis = linearAxis(0, end, left, width - right, {count: 6});
    const yAxis = (log ? logAxis : linearAxis)(low, ceiling ?? high, height - bottom, top, {whole: true});
    const svg = frame(width, height, title, xAxis, yAxis, decimal, tickText, 'epochs');
    let points = 0;
    for (const {x, y, series, style} of drawn) {
      let path = '';
      y.forEach((value, i) => {
        if (value === null) {
          return;
        }
        const [cx, cy] = [xAxis.place(x[i]).toFixed(1), yAxis.place(value).toFixed(1)];
        path += `${i === 0 || y[i - 1] === null ? 'M' : 'L'}${cx} ${cy}`;
        ++points;
        if (y.length <= dotsUpTo) {
          svg.append(shape('circle', {class: `dot ${series}`, cx, cy, r: 2.4}));
        }
      });
      svg.append(shape('path', {class: `curve ${series} ${style ?? ''}`, d: path}));
    }
    svg.dataset.points = points;
    place.querySelector('svg')?.remove();
    place.prepend(svg);
  });

  followPointer(place, (pointer) => {
    const at = xAxis.at(pointer);
    const nearest = drawn.map(({name, x, y, series}) => {
      let best = null;
      y.forEach((value, i) => {
        if (value !== null && (best === null || Math.abs(x[i] - at) < Math.abs(x[best] - at))) {
          best = i;
        }
      });
      return {name, series, x: x[best], y: y[best]};
    });
    const closest = nearest.reduce((a, b) => (Math.abs(b.x - at) < Math.abs(a.x - at) ? b : a));
    return {
      place: xAxis.place(closest.x),
      title: `after ${closest.x.toFixed(2)} epochs`,
      lines: nearest.map(({name, series, y}) => [series, `${name}: ${text(y)}`]),
    };
  });
  return element('div', {class: 'card'}, element('h3', {}, title),
    note ? element('p', {class: 'note'}, note) : null,
    drawn.length > 1 ? legend(drawn.map(({series, name}) => [series, name])) : null, place);
}

/** Histograms of log p(x) or another score, as density_histograms() gives them, with the threshold. */
function densityChart({from, to, threshold, sets}, score) {
  const height = 300;
  const place = element('div', {class: 'chart'});
  const oods = sets.filter((set) => set.kind === 'ood');
  const drawn = sets.map((set) => ({
    ...set,
    series: set.kind === 'calibration' ? 'series-faint'
      : set.kind === 'test' ? 'series-0' : `series-${1 + oods.indexOf(set) % 5}`,
  }));
  const bins = drawn[0].shares.length;
  let xAxis;

  whenSized(place, (width) => {
    const {left, right, top, bottom} = margins;
    const [, highest] = extent(drawn.flatMap((set) => set.shares));
    xAxis = linearAxis(from, to, left, width - right, {count: Math.max(5, Math.round(width / 110))});
    const yAxis = linearAxis(0, highest, height - bottom, top + 16, {whole: true});
    const svg = frame(width, height, score, xAxis, yAxis, decimal, shortPercent, score);
    const edge = (bin) => xAxis.place(from + (to - from) * bin / bins).toFixed(1);
    const base = yAxis.place(0);
    // The test set last, so that it lies on top.
    for (const set of [...drawn].reverse()) {
      // Empty bins leave a gap: lines along the axis would hide each other.
      const steps = set.shares.map((share, bin) => (share > 0
        ? `V${yAxis.place(share).toFixed(1)}H${edge(bin + 1)}`
        : `V${base}M${edge(bin + 1)} ${base}`)).join('');
      const outline = `M${edge(0)} ${base}${steps}V${base}`;
      const isCalibration = set.kind === 'calibration';
      if (!isCalibration) {
        svg.append(shape('path', {class: `area ${set.series}`, d: outline}));
      }
      svg.append(shape('path', {class: `curve ${set.series} ${isCalibration ? 'dashed' : ''}`, d: outline}));
    }
    if (isNumber(threshold)) {
      const x = xAxis.place(threshold);
      svg.append(shape('line', {class: 'threshold', x1: x, x2: x, y1: top, y2: height - bottom}),
        shape('text', {class: 'threshold-label', x: x - 7, y: top + 6, 'text-anchor': 'end'}, '← unknown'),
        shape('text', {class: 'threshold-label', x: x + 7, y: top + 6}, 'known →'));
    }
    svg.dataset.points = bins * drawn.length;
    place.querySelector('svg')?.remove();
    place.prepend(svg);
  });

  followPointer(place, (pointer) => {
    const bin = Math.floor((xAxis.at(pointer) - from) / (to - from) * bins);
    if (bin < 0 || bin >= bins) {
      return null;
    }
    const edge = (i) => from + (to - from) * i / bins;
    return {
      place: xAxis.place(edge(bin + 0.5)),
      title: `${score} ${edge(bin).toFixed(2)} to ${edge(bin + 1).toFixed(2)}`,
      lines: drawn.map((set) => [set.series, `${set.name}: ${percent(set.shares[bin])}`]),
    };
  });
  const described = (set) => `${set.name} (${set.images} images` +
    (isNumber(set.accepted) ? `, ${percent(set.accepted)} taken as known)` : ')');
  return element('div', {class: 'card'},
    legend(drawn.map((set) => [set.series, described(set)])), place);
}
