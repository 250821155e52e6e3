// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// The score of the last minute against the threshold, with Chart.js.

import {decimal, now} from './elements.js';
import {colour, keepColours, timeChart} from './time_chart.js';

export class DensityChart {
  #chart;

  constructor(canvas) {
    this.#chart = timeChart(canvas, [
      {label: 'score', data: [], borderWidth: 1.8, clip: 6},
      {label: 'threshold', data: [], borderWidth: 1.5, borderDash: [5, 4], pointRadius: 0,
        pointHitRadius: 0, stepped: true},
    ], {grace: '8%', ticks: {maxTicksLimit: 5}, grid: {}},
    (item) => `${item.dataset.label} ${decimal(item.parsed.y)}`);
    keepColours(this.#chart, () => this.#takeColours());
  }

  #takeColours() {
    const [line, alarm] = [colour('--series-0'), colour('--unknown')];
    const isUnknown = ({raw}) => raw?.status === 'unknown';
    const [density, threshold] = this.#chart.data.datasets;
    Object.assign(density, {
      borderColor: line,
      pointBackgroundColor: (point) => (isUnknown(point) ? alarm : line),
      pointBorderColor: (point) => (isUnknown(point) ? alarm : line),
      pointStyle: (point) => (isUnknown(point) ? 'triangle' : 'circle'),
    });
    threshold.borderColor = colour('--ink');
  }

  /** Points of several regions of one frame are not joined: they are of different things. */
  show(points, areRegions) {
    const [density, threshold] = this.#chart.data.datasets;
    const at = now();
    density.data = points.map((point) => ({x: point.at - at, y: point.score, status: point.status}));
    density.showLine = !areRegions;
    density.pointRadius = ({raw}) => (raw?.status === 'unknown' ? 3.5 : areRegions ? 2 : 0);
    threshold.data = points.map((point) => ({x: point.at - at, y: point.threshold}));
    this.#chart.update('none');
  }
}
