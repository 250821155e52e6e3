// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// The statuses of /diagnostics, the worst first.

import {element} from './common.js';
import {now, seconds} from './elements.js';

const staleAfter = 5;  // seconds
const levels = [
  {word: 'OK', mark: '✓', kind: 'known', gravity: 0},
  {word: 'WARN', mark: '!', kind: 'warning', gravity: 2},
  {word: 'ERROR', mark: '✕', kind: 'unknown', gravity: 3},
  {word: 'STALE', mark: '–', kind: 'uncalibrated', gravity: 1},
];

export class HealthCard {
  #statuses = new Map();  // name → {level, name, message, values, arrived}

  constructor(card, link) {
    this.card = card;
    this.list = card.querySelector('.statuses');
    this.link = link;
  }

  clear() {
    this.#statuses.clear();
  }

  update(news) {
    for (const {age, status} of news) {
      this.#statuses.set(status.name, {...status, arrived: now() - age});
    }
  }

  draw() {
    const all = [...this.#statuses.values()]
      .map((status) => {
        const silent = now() - status.arrived;
        const level = silent > staleAfter ? levels[3] : levels[status.level] ?? levels[3];
        return {...status, silent, level};
      })
      .sort((a, b) => b.level.gravity - a.level.gravity || a.name.localeCompare(b.name));
    this.card.hidden = this.link.hidden = all.length === 0;
    if (all.length === 0) {
      return;
    }
    const worst = all[0].level;
    this.link.dataset.status = worst.kind;
    this.link.textContent = `${worst.mark} health ${worst.word}`;
    this.list.replaceChildren(...all.map(({name, message, level, silent, values}) =>
      element('div', {class: 'status'},
        element('p', {},
          element('span', {class: 'badge', 'data-status': level.kind}, `${level.mark} ${level.word}`),
          element('b', {}, name), element('span', {}, message),
          silent > staleAfter ? element('span', {class: 'note'}, `no news for ${seconds(silent)}`) : null),
        element('dl', {}, values.map(([key, value]) =>
          element('div', {}, element('dt', {}, key), element('dd', {}, value)))))));
  }
}
