// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// The verdict in words, what it rests on, and the most probable classes.

import {element, isNumber, percent} from './common.js';
import {decimal, decimals, setName, setText, statuses} from './elements.js';

const wordsOf = {
  density: 'fits a class',
  parts: 'has its parts',
  place: 'more like it than like all',
  distance: 'seen such before',
};

/** The verdict as a badge; its word and mark say what its colour says. */
export function badge() {
  const node = element('span', {class: 'badge'});
  return {
    node,
    show(status) {
      const {word, mark} = statuses[status];
      node.dataset.status = status;
      setText(node, `${mark} ${word}`);
    },
  };
}

function fact(label, meaning) {
  const value = element('b');
  const node = element('div', {}, element('span', {}, label), value, element('span', {}, meaning));
  return {node, value};
}

function meaningOf({status, class_name: name, posterior}) {
  const probability = `p(c|x) = ${percent(posterior)}`;
  if (status === 'unknown') {
    return name ? `closest class: ${name}, ${probability}` : 'no class has a finite density';
  }
  return probability;
}

export class Verdict {
  #badge = badge();
  #headline = element('p', {class: 'headline'});
  #meaning = element('p', {class: 'meaning'});
  #reason = element('p', {class: 'reason'});
  #density = fact('log p(x)', 'of what it sees');
  #score = fact('score', 'of all questions');
  #threshold = fact('threshold', 'below it: unknown');
  #typicality = fact('typicality', 'of calibration images are no higher');
  #questions = element('ul', {class: 'questions bars', 'aria-label': 'Questions asked'});
  #regions = element('div', {class: 'regions', role: 'group', 'aria-label': 'Regions', hidden: ''});

  /** onRegion(detection_id): one of several regions was chosen. */
  constructor(card, onRegion) {
    this.onRegion = onRegion;
    card.append(this.#regions, this.#badge.node, this.#headline, this.#meaning, this.#reason,
      element('div', {class: 'facts'},
        this.#density.node, this.#score.node, this.#threshold.node, this.#typicality.node),
      this.#questions);
  }

  show(region, regions) {
    const unknown = region.status === 'unknown';
    this.#badge.show(region.status);
    setName(this.#headline, unknown ? 'nothing it knows' : region.class_name || 'no class');
    this.#headline.classList.toggle('faint', unknown);
    setText(this.#meaning, meaningOf(region));
    setText(this.#reason, region.reason);
    const [score, threshold] = decimals(region.score, region.threshold);
    const isDensity = region.score === region.log_density;
    setText(this.#density.value, isDensity ? score : decimal(region.log_density));
    this.#score.node.hidden = isDensity;
    setText(this.#score.value, score);
    setText(this.#threshold.value, threshold);
    setText(this.#typicality.value, percent(region.typicality));
    this.#showQuestions(region.questions.filter(({p_value: p}) => isNumber(p)));
    this.#showRegions(region, regions);
  }

  /** What was asked, and the share of known images that answer no better. */
  #showQuestions(questions) {
    this.#questions.hidden = questions.length === 0;
    questions.forEach(({name, p_value: p}, i) => {
      const row = this.#questions.children[i] ?? this.#questions.appendChild(element('li', {},
        element('span', {class: 'name'}), element('span', {class: 'bar'}),
        element('span', {class: 'number'})));
      const [label, bar, number] = row.children;
      setText(label, wordsOf[name] ?? name);
      bar.style.setProperty('--share', `${100 * p}%`);
      setText(number, percent(p));
    });
  }

  #showRegions(chosen, regions) {
    this.#regions.hidden = regions.length < 2;
    while (this.#regions.childElementCount > regions.length) {
      this.#regions.lastElementChild.remove();
    }
    regions.forEach((region, i) => {
      const button = this.#regions.children[i] ?? this.#regions.appendChild(element('button',
        {type: 'button', onclick: (event) => this.onRegion(event.currentTarget.dataset.id)}));
      const {mark} = statuses[region.status];
      button.dataset.id = region.detection_id;
      button.dataset.status = region.status;
      button.setAttribute('aria-pressed', region === chosen);
      setText(button, `${mark} ${region.status === 'unknown' ? 'unknown' : region.class_name} ` +
        `(${region.detection_id || 'whole image'})`);
    });
  }
}

/** Bars of p(c|x); the class that is answered stands out. */
export function showScores(list, region) {
  while (list.childElementCount > region.scores.length) {
    list.lastElementChild.remove();
  }
  region.scores.forEach((score, i) => {
    const row = list.children[i] ?? list.appendChild(element('li', {},
      element('span', {class: 'name'}), element('span', {class: 'bar'}), element('span', {class: 'number'})));
    const [name, bar, number] = row.children;
    row.classList.toggle('answer', score.class_id === region.class_id);
    setName(name, score.class_name);
    bar.style.setProperty('--share', `${100 * (score.posterior ?? 0)}%`);
    setText(number, percent(score.posterior));
  });
}
