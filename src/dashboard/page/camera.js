// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// The newest of one camera. Pictures are loaded one at a time, so that a slow line skips frames; a
// prediction is shown together with the picture that the server tells it with.

import {now} from './elements.js';

const minute = 60;
const rateOver = 5;  // seconds

async function loadPicture(name, seq) {
  try {
    const answer = await fetch(`cameras/${encodeURIComponent(name)}/overlay.jpg?seq=${seq}`);
    return answer.ok ? await createImageBitmap(await answer.blob()) : null;
  } catch {
    return null;
  }
}

const sameStamp = (a, b) => Boolean(a && b) && a.sec === b.sec && a.nanosec === b.nanosec;

export class Camera {
  prediction = null;  // the newest: {sec, nanosec, arrived, regions}
  picture = null;     // the newest: {sec, nanosec, seq, source_width, source_height}
  points = [];        // {at, score, threshold, status} of the last minute
  shown = {prediction: null, picture: null, bitmap: null};
  #loading = false;

  constructor(name, onShown) {
    this.name = name;
    this.onShown = onShown;
  }

  update({prediction, picture, points}) {
    if (prediction) {
      this.prediction = {...prediction, arrived: now() - prediction.age};
    }
    if (picture) {
      this.picture = picture;
    }
    for (const [age, score, threshold, status] of points ?? []) {
      // News come sooner or later after they are sent, but time does not run backwards.
      const at = Math.max(now() - age, this.points.at(-1)?.at ?? -Infinity);
      this.points.push({at, score, threshold, status});
    }
    const first = this.points.findIndex((point) => now() - point.at <= minute);
    this.points.splice(0, first < 0 ? this.points.length : first);
  }

  /** Another server may count its pictures anew. What is shown stays until there is something to show. */
  restart() {
    [this.prediction, this.picture, this.points] = [null, null, []];
    this.shown = {...this.shown, picture: null};
  }

  /** Seconds since the last prediction, whether it is shown or not; null before the first. */
  silence() {
    const last = this.points.at(-1)?.at ?? this.prediction?.arrived;
    return last === undefined ? null : now() - last;
  }

  /** Predictions a second. */
  rate() {
    const recent = this.points.filter((point) => now() - point.at <= rateOver);
    return recent.length > 1 ? (recent.length - 1) / Math.max(0.1, recent.at(-1).at - recent[0].at) : 0;
  }

  /** Shows the newest, when its picture is there. */
  async advance() {
    if (this.#loading) {
      return;
    }
    const {prediction, picture} = this;
    if (picture && picture.seq !== this.shown.picture?.seq) {
      this.#loading = true;
      const bitmap = await loadPicture(this.name, picture.seq);
      this.#loading = false;
      if (bitmap) {
        this.shown.bitmap?.close();
        this.shown = {prediction, picture, bitmap};
      } else {
        this.shown = {...this.shown, prediction};
      }
    } else {
      this.shown = {prediction, picture, bitmap: picture && this.shown.bitmap};
    }
    this.onShown(this);
    if (this.picture !== picture && this.picture.seq !== this.shown.picture?.seq) {
      this.advance();
    }
  }

  /** Whether the picture is of the frame that the prediction is about. */
  isPaired() {
    return sameStamp(this.shown.picture, this.shown.prediction);
  }

  /** Pixels of the picture for one pixel of the source image, [horizontally, vertically]. */
  scale() {
    const {picture, prediction, bitmap} = this.shown;
    const whole = prediction?.regions.find((region) => region.detection_id === '')?.region;
    const width = picture.source_width || whole?.[2] || bitmap.width;
    const height = picture.source_height || whole?.[3] || bitmap.height;
    return [bitmap.width / width, bitmap.height / height];
  }
}
