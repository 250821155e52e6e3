// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// What the charts of the last minute have in common.

export const minute = 60;

export const colour = (name) =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Seconds from a minute ago until now. */
export const timeAxis = () => ({
  type: 'linear',
  min: -minute,
  max: 0,
  grid: {drawTicks: false},
  ticks: {stepSize: 15, maxRotation: 0, callback: (at) => (at === 0 ? 'now' : `${-at} s`)},
});

/** A chart of lines over time; `label(item)` says what a point means. */
export function timeChart(canvas, datasets, y, label) {
  return new Chart(canvas, {
    type: 'line',
    data: {datasets},
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
            label,
          },
        },
      },
      scales: {x: timeAxis(), y},
    },
  });
}

/** Calls take() now and whenever light changes to dark; it may change the chart's data. */
export function keepColours(chart, take) {
  const takeAll = () => {
    take();
    for (const scale of Object.values(chart.options.scales)) {
      scale.grid.color = colour('--rule');
      scale.grid.borderColor = colour('--faint');
      scale.ticks.color = colour('--faint');
    }
    Object.assign(chart.options.plugins.tooltip, {
      backgroundColor: colour('--card'), titleColor: colour('--faint'), bodyColor: colour('--ink'),
      borderColor: colour('--rule'), borderWidth: 1,
    });
    chart.update('none');
  };
  takeAll();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', takeAll);
}
