// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// What nodes do not know, in groups that look alike, and how it gets a name.

import {element} from './common.js';
import {setText} from './elements.js';

let requests = 0;

/** One group: its pictures, of which some may be left out, and the name to give them. */
class Group {
  #pictures = new Map();  // id → button
  #row = element('div', {class: 'pictures'});
  #name = element('input', {type: 'text', maxlength: '100', placeholder: 'what is it?',
    'aria-label': 'Name of what these pictures show', list: 'taught-names', autocomplete: 'off'});
  #teach = element('button', {type: 'submit', class: 'plain'}, 'Teach');
  #nearest = element('p', {class: 'note'});

  constructor(node, onTeach) {
    this.node = node;
    this.form = element('form', {class: 'group', onsubmit: (event) => {
      event.preventDefault();
      onTeach({action: 'teach', node, name: this.#name.value.trim(), images: this.chosen()});
    }}, this.#row, element('div', {class: 'naming'}, this.#name, this.#teach), this.#nearest);
  }

  chosen() {
    return [...this.#pictures].filter(([, button]) => button.getAttribute('aria-pressed') === 'true')
      .map(([id]) => id);
  }

  show(images, mayTeach) {
    const ids = new Set(images.map(({id}) => id));
    for (const [id, button] of this.#pictures) {
      if (!ids.has(id)) {
        button.remove();
        this.#pictures.delete(id);
      }
    }
    for (const {id, reason, camera} of images) {
      if (!this.#pictures.has(id)) {
        const button = element('button', {type: 'button', 'aria-pressed': 'true',
          title: [camera, reason, 'click to leave it out'].filter(Boolean).join(' · '),
          onclick: () => {
            const pressed = button.getAttribute('aria-pressed') === 'true';
            button.setAttribute('aria-pressed', !pressed);
            this.#allowTeaching(mayTeach);
          }},
        element('img', {src: `album/${id}.jpg?node=${encodeURIComponent(this.node)}`,
          alt: 'not known'}));
        this.#pictures.set(id, button);
        this.#row.append(button);
      }
    }
    setText(this.#nearest, `nearest class: ${images.at(-1).nearest_class}`);
    this.#allowTeaching(mayTeach);
  }

  #allowTeaching(mayTeach) {
    this.#name.disabled = !mayTeach;
    this.#teach.disabled = !mayTeach || this.chosen().length === 0;
  }
}

export class AlbumCard {
  #albums = new Map();  // node → album
  #groups = new Map();  // node and group → Group
  #asked = new Map();   // id of a request → what to say while it is not answered
  #teaching = {token: null, problem: ''};

  constructor(card) {
    this.card = card;
    this.note = card.querySelector('.note');
    this.groups = card.querySelector('.groups');
    this.taught = card.querySelector('.taught');
    this.status = card.querySelector('.answer');
    this.names = element('datalist', {id: 'taught-names'});
    card.append(this.names);
  }

  /** A new line, perhaps to another server. */
  async restart() {
    this.#albums.clear();
    this.#asked.clear();
    this.draw();
    try {
      const answer = await fetch('teaching.json');
      this.#teaching = answer.ok ? await answer.json() : {token: null, problem: ''};
    } catch {
      this.#teaching = {token: null, problem: ''};
    }
    this.draw();
  }

  update(albums, answers) {
    for (const album of albums) {
      this.#albums.set(album.node, album);
    }
    for (const {id, success, message} of answers) {
      if (this.#asked.delete(id)) {
        this.#say(message, success ? 'known' : 'unknown');
      }
    }
    if (albums.length > 0 || answers.length > 0) {
      this.draw();
    }
  }

  draw() {
    const albums = [...this.#albums.values()];
    this.card.hidden = albums.length === 0;
    const seen = new Set();
    for (const album of albums) {
      this.#drawAlbum(album, seen);
    }
    for (const [key, group] of this.#groups) {
      if (!seen.has(key)) {
        group.form.remove();
        this.#groups.delete(key);
      }
    }
    this.#drawNote(albums);
    this.taught.replaceChildren(...albums.flatMap((album) => this.#taughtOf(album)));
    this.names.replaceChildren(...new Set(albums.flatMap(({taught}) => taught)
      .map((name) => element('option', {value: name}))));
  }

  #drawAlbum({node, images, problem}, seen) {
    const groups = new Map();
    for (const image of images) {
      groups.set(image.group, [...groups.get(image.group) ?? [], image]);
    }
    for (const [number, members] of groups) {
      const key = `${number} ${node}`;
      seen.add(key);
      if (!this.#groups.has(key)) {
        this.#groups.set(key, new Group(node, (request) => this.#ask(request)));
        this.groups.prepend(this.#groups.get(key).form);
      }
      this.#groups.get(key).show(members, this.#teaching.token !== null && problem === '');
    }
  }

  #drawNote(albums) {
    const kinds = this.#groups.size;
    const problems = [...albums.map(({problem}) => problem),
      this.#teaching.token === null ? this.#teaching.problem : ''].filter(Boolean);
    setText(this.note, (kinds === 0 ? 'Nothing that it does not know waits for a name.'
      : `${kinds} ${kinds === 1 ? 'kind of thing' : 'kinds of things'} it did not know, by how they look.` +
        ' Give one a name, and it is known from then on.') +
      (problems.length > 0 ? ` Nothing can be taught here: ${problems[0]}.` : ''));
  }

  #taughtOf({node, taught, can_undo: canUndo}) {
    const mayTeach = this.#teaching.token !== null;
    const chips = taught.map((name) => element('span', {class: 'chip'}, name,
      mayTeach ? element('button', {type: 'button', 'aria-label': `Forget ${name}`, title: 'Forget it',
        onclick: () => this.#ask({action: 'forget', node, name})}, '×') : null));
    if (canUndo && mayTeach) {
      chips.push(element('button', {type: 'button', class: 'plain undo',
        onclick: () => this.#ask({action: 'undo', node})}, 'Undo'));
    }
    return taught.length > 0 ? [element('span', {class: 'note'}, 'taught: '), ...chips] : chips;
  }

  async #ask(request) {
    const id = `page ${Date.now()} ${++requests}`;
    const what = {teach: `teaching ${request.name} …`, forget: `forgetting ${request.name} …`,
      undo: 'undoing …'}[request.action];
    if (request.action === 'teach' && request.name === '') {
      this.#say('Give it a name first.', 'warning');
      return;
    }
    this.#asked.set(id, what);
    this.#say(what, 'uncalibrated');
    try {
      const answer = await fetch('teach', {method: 'POST', body: JSON.stringify({...request, id}),
        headers: {'Content-Type': 'application/json', 'X-Mgproto-Token': this.#teaching.token}});
      if (!answer.ok) {
        this.#asked.delete(id);
        this.#say((await answer.text()).trim(), 'unknown');
      }
    } catch {
      this.#asked.delete(id);
      this.#say('the dashboard does not answer', 'unknown');
    }
  }

  #say(text, kind) {
    this.status.dataset.status = kind;
    setText(this.status, text);
  }
}
