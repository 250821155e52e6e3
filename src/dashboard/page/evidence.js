// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// "This looks like that": regions of the frame beside the training patches that they resemble.

import {element, isNumber, percent} from './common.js';
import {decimal, setName, setText} from './elements.js';
import {drawCrop} from './picture.js';

const cropPixels = 192;

/** One prototype: the two pictures, its name, prior and likelihood, and its share of the evidence. */
class Tile {
  #crop = element('canvas', {width: cropPixels, height: cropPixels, role: 'img',
    'aria-label': 'The region of this frame'});
  #noCrop = element('span', {}, 'no picture');
  #patch = element('img', {alt: 'The training patch'});
  #noPatch = element('span', {}, 'no picture');
  #name = element('p', {class: 'name'});
  #terms = element('p', {class: 'terms'});
  #share = element('p', {class: 'share'});
  #bar = element('span', {class: 'bar'});
  #source = element('p', {class: 'source'});

  constructor() {
    this.node = element('div', {class: 'prototype'},
      element('div', {class: 'pair'},
        element('figure', {}, element('div', {class: 'tile'}, this.#crop, this.#noCrop),
          element('figcaption', {}, 'this frame')),
        element('figure', {}, element('div', {class: 'tile'}, this.#patch, this.#noPatch),
          element('figcaption', {}, 'training patch'))),
      this.#name, this.#terms, this.#share, this.#bar, this.#source);
  }

  show(evidence, camera, prototype, galleryIsThere, className) {
    const {prior, likelihood, log_likelihood: logLikelihood, contribution} = evidence;
    const cropped = camera.isPaired() &&
      drawCrop(this.#crop, camera.shown.bitmap, camera.scale(), evidence.box);
    this.#crop.hidden = !cropped;
    this.#noCrop.hidden = cropped;
    const patch = prototype?.patch ?? null;
    if (patch !== null && this.#patch.getAttribute('src') !== patch) {
      this.#patch.src = patch;
    }
    this.#patch.hidden = patch === null;
    this.#noPatch.hidden = patch !== null;
    setText(this.#noPatch, galleryIsThere ? 'not projected' : 'not here yet');
    setName(this.#name, `prototype ${evidence.prototype}` +
      (prototype && prototype.class_name !== className ? ` of ${prototype.class_name}` : ''));
    const tiny = likelihood === 0 && isNumber(logLikelihood);
    setText(this.#terms, `π ${decimal(prior)}, h ` +
      (tiny ? `exp(${decimal(logLikelihood)})` : decimal(likelihood)));
    setText(this.#share, `${percent(contribution)} of the evidence`);
    this.#bar.style.setProperty('--share', `${100 * (contribution ?? 0)}%`);
    // The end of a path says more than its beginning; the mark keeps its punctuation in order.
    setText(this.#source, prototype?.source ? `\u200e${prototype.source}` : '');
    this.#source.title = prototype?.source ?? '';
  }
}

export class EvidenceCard {
  #tiles = [];

  constructor(card) {
    this.note = card.querySelector('.note');
    this.place = card.querySelector('.prototypes');
    this.missing = element('div', {class: 'missing', hidden: ''},
      element('p', {class: 'note'}, 'Parts of the class that were not found:'), element('div'));
    card.append(this.missing);
  }

  #showMissing(missing, patchOf) {
    const patches = missing.map(patchOf).filter((patch) => patch);
    this.missing.hidden = patches.length === 0;
    const row = this.missing.lastElementChild;
    while (row.childElementCount > patches.length) {
      row.lastElementChild.remove();
    }
    patches.forEach((patch, i) => {
      const image = row.children[i] ?? row.appendChild(element('img', {alt: 'A part not found'}));
      if (image.getAttribute('src') !== patch) {
        image.src = patch;
      }
    });
  }

  show(camera, region, galleries) {
    const {evidence, missing, model_id: model} = region;
    this.#showMissing(missing, (prototype) => galleries.prototype(model, prototype)?.patch);
    const galleryIsThere = galleries.has(model);
    setText(this.note, evidence.length === 0
      ? 'This prediction came without evidence.'
      : `Strongest places of ${region.status === 'unknown' ? 'the closest class, ' : ''}` +
        `${region.class_name}: prior π and likelihood h of the prototype that fires there; the share ` +
        'is what all prototypes that do add to what speaks for the class.' +
        (galleryIsThere ? '' : ' The training patches of this model have not come yet.'));
    while (this.#tiles.length > evidence.length) {
      this.#tiles.pop().node.remove();
    }
    evidence.forEach((item, i) => {
      if (!this.#tiles[i]) {
        this.#tiles.push(new Tile());
        this.place.append(this.#tiles[i].node);
      }
      this.#tiles[i].show(item, camera, galleries.prototype(model, item.prototype), galleryIsThere,
        region.class_name);
    });
  }
}
