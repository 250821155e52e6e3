// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// What is known of the models' prototypes, loaded once for each model and again when it changes.

export class Galleries {
  #wanted = new Map();     // model_id → version
  #galleries = new Map();  // model_id → {version, prototypes: by index}

  constructor(onLoaded) {
    this.onLoaded = onLoaded;
  }

  /** Forgets all other models. */
  keepOnly(models) {
    for (const model of [...this.#galleries.keys()].filter((known) => !models.has(known))) {
      this.#galleries.delete(model);
    }
  }

  /** The old one stays in use until the new one is there. */
  async load({model_id: model, version}) {
    this.#wanted.set(model, version);
    try {
      const answer = await fetch(`gallery.json?model=${encodeURIComponent(model)}`);
      const list = answer.ok ? await answer.json() : [];
      if (this.#wanted.get(model) === version) {
        const prototypes = new Map(list.map((prototype) => [prototype.prototype, prototype]));
        this.#galleries.set(model, {version, prototypes});
        this.onLoaded();
      }
    } catch {
      // The line is down; all galleries are told of again when it is back.
    }
  }

  has(model) {
    return this.#galleries.has(model);
  }

  /** {class_name, prior, source, patch: address or null}, or null. */
  prototype(model, index) {
    const gallery = this.#galleries.get(model);
    const prototype = gallery?.prototypes.get(index);
    return prototype ? {
      ...prototype,
      patch: prototype.has_patch
        ? `prototypes/${index}.jpg?model=${encodeURIComponent(model)}&v=${gallery.version}` : null,
    } : null;
  }
}
