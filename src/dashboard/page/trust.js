// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// What trust gates tell the autonomy stack: trust, the speed limit, and both over the last minute.

import {element, isNumber} from './common.js';
import {now, seconds, setText} from './elements.js';
import {colour, keepColours, minute, timeChart} from './time_chart.js';

const leastPatience = 3;  // seconds
const periodsMissed = 3;  // after which a gate is taken for dead

const limitText = (limit) => (isNumber(limit) ? `${Number(limit.toFixed(1))} %` : '–');

/** One gate: what it says, beside its chart. */
class GateRow {
  #trust = {};
  #points = [];  // {at, trusted, limit} of the last minute
  #badge = element('span', {class: 'badge'});
  #name = element('b');
  #limit = element('b');
  #reason = element('p', {class: 'reason'});
  #chart;

  constructor() {
    const canvas = element('canvas',
      {role: 'img', 'aria-label': 'The speed limit of the last minute, and whether it was trusted'});
    this.node = element('div', {class: 'gate'},
      element('div', {},
        element('p', {class: 'line'}, this.#badge, this.#name),
        element('p', {class: 'limit'}, this.#limit, element('span', {class: 'note'}, ' speed limit')),
        this.#reason),
      element('div', {class: 'chart'}, canvas));
    this.#chart = timeChart(canvas,
      [{data: [], stepped: true, fill: 'origin', pointRadius: 0, borderWidth: 2, clip: 2}],
      {min: 0, max: 100, grid: {},
        ticks: {stepSize: 50, callback: (limit) => `${limit} %`}},
      ({raw, parsed}) =>
        `${raw.trusted ? 'trusted' : 'not trusted'}, limit ${limitText(parsed.y)}`);
    keepColours(this.#chart, () => this.#takeColours());
  }

  #takeColours() {
    const [dataset] = this.#chart.data.datasets;
    const kinds = {true: colour('--known'), false: colour('--unknown')};
    const lineOf = ({p0DataIndex: at}) => kinds[dataset.data[at]?.trusted ?? false];
    dataset.segment = {
      borderColor: lineOf,
      backgroundColor: (segment) => `${lineOf(segment)}33`,
    };
    dataset.borderColor = kinds.false;
  }

  update({trust, points}) {
    this.#trust = trust;
    for (const [age, trusted, limit] of points) {
      const at = Math.max(now() - age, this.#points.at(-1)?.at ?? -Infinity);
      this.#points.push({at, trusted, limit});
    }
    // One of before the minute stays, for what held when it began.
    const first = this.#points.findIndex((point) => now() - point.at <= minute);
    this.#points.splice(0, Math.max(0, first < 0 ? this.#points.length - 1 : first - 1));
  }

  draw(isOnly) {
    const {gate, trusted, speed_limit: limit, reason} = this.#trust;
    const silent = now() - this.#points.at(-1).at;
    const isSilent = silent > this.#patience();
    const [kind, text] = isSilent ? ['uncalibrated', '– SILENT']
      : trusted ? ['known', '✓ TRUSTED'] : ['unknown', '✕ NOT TRUSTED'];
    this.#badge.dataset.status = kind;
    setText(this.#badge, text);
    setText(this.#name, gate);
    this.#name.hidden = isOnly;
    setText(this.#limit, isSilent ? '–' : limitText(limit));
    setText(this.#reason, isSilent ? `${gate} has said nothing for ${seconds(silent)}` : reason);
    this.#drawChart(isSilent);
  }

  #patience() {
    const {period} = this.#trust;
    return Math.max(leastPatience, isNumber(period) ? periodsMissed * period : 0);
  }

  /** What was said holds until the next word, but not beyond the gate's end. */
  #drawChart(isSilent) {
    const at = now();
    const data = [];
    for (const point of this.#points) {
      if (data.length > 0 && point.at - at - data.at(-1).x > this.#patience()) {
        data.push({x: data.at(-1).x, y: NaN, trusted: false});
      }
      data.push({x: point.at - at, y: point.limit, trusted: point.trusted});
    }
    if (!isSilent) {
      data.push({...data.at(-1), x: 0});
    }
    this.#chart.data.datasets[0].data = data;
    this.#chart.update('none');
  }

  remove() {
    this.#chart.destroy();
    this.node.remove();
  }
}

export class TrustCard {
  #rows = new Map();  // name → GateRow

  constructor(card) {
    this.card = card;
    this.list = card.querySelector('.gates');
  }

  restart() {
    this.#rows.forEach((row) => row.remove());
    this.#rows.clear();
  }

  update(news) {
    for (const one of news) {
      const {gate} = one.trust;
      if (!this.#rows.has(gate)) {
        this.#rows.set(gate, new GateRow());
        this.list.append(this.#rows.get(gate).node);
      }
      this.#rows.get(gate).update(one);
    }
  }

  draw() {
    this.card.hidden = this.#rows.size === 0;
    this.#rows.forEach((row) => row.draw(this.#rows.size === 1));
  }
}
