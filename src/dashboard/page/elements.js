// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// Texts that change, numbers and times as text, and the words of a verdict.

import {breakable, isNumber} from './common.js';

/** Changes a text only where it is another one, so that nothing is read out or laid out twice. */
export function setText(node, text) {
  if (node.textContent !== text) {
    node.textContent = text;
  }
}

/** A name that may break after its underscores, points and slashes. */
export function setName(node, name) {
  if (node.textContent !== name) {
    node.replaceChildren(...breakable(name));
  }
}

export function decimal(value) {
  if (!isNumber(value)) {
    return '–';
  }
  const size = Math.abs(value);
  const text = size !== 0 && (size < 1e-3 || size >= 1e6)
    ? value.toExponential(1).replace('e+', 'e') : value.toFixed(size < 1 ? 3 : 2);
  return text.replace('-', '−');
}

/** Two numbers that are compared, with as many digits as it takes to see that they differ. */
export function decimals(first, second) {
  let texts = [decimal(first), decimal(second)];
  if (isNumber(first) && isNumber(second) && first !== second) {
    for (let digits = 4; texts[0] === texts[1] && digits <= 17; ++digits) {
      texts = [first, second].map((value) => value.toPrecision(digits).replace('-', '−'));
    }
  }
  return texts;
}

export function seconds(value) {
  return value < 60 ? `${Math.floor(value)} s`
    : value < 3600 ? `${Math.floor(value / 60)} min` : `${Math.floor(value / 3600)} h`;
}

/** Seconds of a clock that only runs forwards. */
export const now = () => performance.now() / 1000;

export const statuses = {
  known: {word: 'KNOWN', mark: '✓'},
  unknown: {word: 'UNKNOWN', mark: '?'},
  uncalibrated: {word: 'UNCALIBRATED', mark: '–'},
};
