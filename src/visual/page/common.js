// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// Elements, and numbers as text, of the live page and of a training's report. What came from
// elsewhere only ever enters a page as text nodes.

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) {
      node.addEventListener(name.slice(2), value);
    } else if (value !== null && value !== undefined) {
      node.setAttribute(name, value);
    }
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

export function element(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An element of a drawing. */
export function shape(tag, attributes = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

/** A name that may break after its underscores, points and slashes. */
export function breakable(name) {
  return String(name).split(/(?<=[_./])/).flatMap((part) => [part, element('wbr')]);
}

export const isNumber = (value) => Number.isFinite(value);

export function percent(share) {
  return isNumber(share) ? `${(100 * share).toFixed(1)} %` : '–';
}
