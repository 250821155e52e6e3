// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// The score of the last minute against the threshold, with Chart.js.

import {decimal, now} from './elements.js';

const minute = 60;

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export class DensityChart {
  #chart;

  constructor(canvas) {
    this.#chart = new Chart(canvas, {
      type: 'line',
      data: {datasets: [
        {label: 'score', data: [], borderWidth: 1.8, clip: 6},
        {label: 'threshold', data: [], borderWidth: 1.5, borderDash: [5, 4], pointRadius: 0,
          pointHitRadius: 0, stepped: true},
      ]},
      options: {
        animation: false,
        normalized: true,
        parsing: false,
        maintainAspectRatio: false,
        interaction: {mode: 'nearest', axis: 'x', intersect: false},
        plugins: {
          legend: {display: false},
          tooltip: {
            displayColors: false,
            callbacks: {
              title: ([item]) => (item ? `${Math.round(-item.parsed.x)} s ago` : ''),
              label: (item) => `${item.dataset.label} ${decimal(item.parsed.y)}`,
            },
          },
        },
        scales: {
          x: {type: 'linear', min: -minute, max: 0, grid: {drawTicks: false},
            ticks: {stepSize: 15, maxRotation: 0, callback: (at) => (at === 0 ? 'now' : `${-at} s`)}},
          y: {grace: '8%', ticks: {maxTicksLimit: 5}},
        },
      },
    });
    this.takeColours();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.takeColours());
  }

  takeColours() {
    const {options, data} = this.#chart;
    const [line, alarm] = [colour('--series-0'), colour('--unknown')];
    const isUnknown = ({raw}) => raw?.status === 'unknown';
    Object.assign(data.datasets[0], {
      borderColor: line,
      pointBackgroundColor: (point) => (isUnknown(point) ? alarm : line),
      pointBorderColor: (point) => (isUnknown(point) ? alarm : line),
      pointStyle: (point) => (isUnknown(point) ? 'triangle' : 'circle'),
    });
    data.datasets[1].borderColor = colour('--ink');
    for (const scale of Object.values(options.scales)) {
      scale.grid.color = colour('--rule');
      scale.grid.borderColor = colour('--faint');
      scale.ticks.color = colour('--faint');
    }
    Object.assign(options.plugins.tooltip, {
      backgroundColor: colour('--card'), titleColor: colour('--faint'), bodyColor: colour('--ink'),
      borderColor: colour('--rule'), borderWidth: 1,
    });
    this.#chart.update('none');
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
