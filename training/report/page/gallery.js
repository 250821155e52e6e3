// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// All prototypes, by class and falling prior. A class is filled in when it comes near the window;
// the pictures' text is only read then.

const nearPixels = 600;
let pictureCache = null;

function picturesOf(index) {
  pictureCache = pictureCache ?? JSON.parse(document.getElementById('pictures').textContent);
  return pictureCache[index] ?? {};
}

function picture(base64, description, missing) {
  const src = `data:image/jpeg;base64,${base64}`;
  return element('div', {class: 'tile'}, base64
    ? element('img', {src, alt: description, onload: publishCounts, onerror: publishCounts})
    : missing);
}

function picturePair(prototype) {
  const {patch, heat} = picturesOf(prototype.index);
  return element('div', {class: 'pair'},
    picture(patch, 'The training patch', prototype.image ? 'no picture' : 'not projected'),
    picture(heat, 'Where the prototype fires in its training image', 'no heat map'));
}

function showPrototype(prototype, name) {
  const {row, col, box} = prototype;
  const facts = {
    'Class': name,
    'Prior π': fixed(4)(prototype.prior),
    'Training image': prototype.image ?? '–',
    'Feature map': isNumber(row) && isNumber(col) ? `row ${row}, column ${col}` : '–',
    'Box': Array.isArray(box) ? `${box[2]} × ${box[3]} px at (${box[0]}, ${box[1]})` : '–',
  };
  const dialog = element('dialog', {
    'aria-label': `Prototype ${prototype.prototype}`,
    onclose: () => dialog.remove(),
    onclick: (event) => event.target === dialog && dialog.close(),
  },
  element('h3', {}, `Prototype ${prototype.prototype ?? prototype.index}`),
  factList(Object.entries(facts)),
  picturePair(prototype),
  element('button', {class: 'plain', type: 'button', onclick: () => dialog.close()}, 'Close'));
  document.body.append(dialog);
  dialog.showModal();
}

function prototypeCard(prototype, name, largest) {
  const {prior, image} = prototype;
  const share = 100 * (prior ?? 0) / (largest || 1);
  return element('button',
    {class: 'prototype', type: 'button', onclick: () => showPrototype(prototype, name)},
    picturePair(prototype),
    element('span', {class: 'bar', style: `--share: ${share}%`, title: 'Prior π'}, `π ${fixed(3)(prior)}`),
    // The end of a path says more than its beginning; the mark keeps its punctuation in order.
    image ? element('span', {class: 'source', title: image}, `\u200e${image}`) : null);
}

function drawGallery(section, results) {
  const prototypes = (results.prototypes ?? []).map((prototype, index) => ({...prototype, index}));
  if (prototypes.length === 0) {
    return false;
  }
  const classes = new Map();
  for (const prototype of prototypes) {
    classes.set(prototype.class_id, [...(classes.get(prototype.class_id) ?? []), prototype]);
  }
  for (const group of classes.values()) {
    group.sort((a, b) => compare(b.prior, a.prior));
  }

  let waiting = [];  // of {place, fillIn}: classes that have not been near the window yet
  const groups = element('div');
  const found = element('span', {class: 'note', role: 'status'});

  function fillNearWindow() {
    waiting = waiting.filter(({place, fillIn}) => {
      const {top, bottom} = place.getBoundingClientRect();
      const near = top < window.innerHeight + nearPixels && bottom > -nearPixels;
      if (near) {
        fillIn();
      }
      return !near;
    });
    publishCounts();
  }

  function show(query) {
    waiting = [];
    groups.replaceChildren();
    let shown = 0;
    const wanted = query.trim().toLowerCase();
    for (const [id, all] of classes) {
      const name = className(results, id);
      const group = name.toLowerCase().includes(wanted) ? all
        : all.filter(({image}) => String(image ?? '').toLowerCase().includes(wanted));
      if (group.length > 0) {
        shown += group.length;
        const cards = element('div', {class: 'prototypes'});
        const largest = extent(all.map(({prior}) => prior ?? 0))[1];
        groups.append(element('div', {class: 'group'}, element('h3', {}, name), cards));
        waiting.push({
          place: cards,
          fillIn: () => cards.append(...group.map((prototype) => prototypeCard(prototype, name, largest))),
        });
      }
    }
    found.textContent = `${shown} of ${prototypes.length} prototypes, ` +
      `${groups.childElementCount} of ${classes.size} classes`;
    fillNearWindow();
  }

  section.append(
    element('p', {class: 'note'}, 'Each prototype is a patch of a training image: on the left the patch ' +
      'in a box, on the right where the prototype fires in that image, from clear at a likelihood of 0 ' +
      'to pale yellow at 1. By falling prior π within a class.'),
    element('div', {class: 'filter'},
      element('input', {
        type: 'search',
        list: 'class-names',
        placeholder: 'Class or training image',
        'aria-label': 'Filter by class or training image',
        oninput: (event) => show(event.target.value),
      }),
      element('datalist', {id: 'class-names'},
        [...classes.keys()].map((id) => element('option', {value: className(results, id)}))),
      found),
    groups);
  section.hidden = false;  // nothing is near the window otherwise
  window.addEventListener('scroll', fillNearWindow, {passive: true});
  window.addEventListener('resize', fillNearWindow);
  show('');
  return true;
}
