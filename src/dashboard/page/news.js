// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// The line to the server. It is opened again whenever it breaks, and given up while nobody sees the
// page: a browser has only six lines to a server, for all of its windows together.

import {now} from './elements.js';

const silence = 7;  // seconds; the server says something every two
const checkEvery = 2000;  // milliseconds

/**
 * onNews(news) gets what changed, after each (re)connection everything; onLine(state) gets 'open',
 * 'lost' or 'refused'.
 */
export function listen(onNews, onLine) {
  let source = null;
  let lastHeard = now();

  function open() {
    source?.close();
    source = new EventSource('events');
    lastHeard = now();
    source.addEventListener('news', (event) => {
      lastHeard = now();
      onLine('open');
      onNews(JSON.parse(event.data));
    });
    source.addEventListener('tick', () => {
      lastHeard = now();
      onLine('open');
    });
    // A browser tries again by itself after a broken line, but not after an answer that says no.
    source.addEventListener('error', (event) =>
      onLine(event.target.readyState === EventSource.CLOSED ? 'refused' : 'lost'));
  }

  open();
  document.addEventListener('visibilitychange', () => (document.hidden ? source.close() : open()));
  setInterval(() => {
    if (document.hidden) {
      return;
    }
    if (now() - lastHeard > silence) {
      onLine(source.readyState === EventSource.CLOSED ? 'refused' : 'lost');
      open();
    } else if (source.readyState === EventSource.CLOSED) {
      open();
    }
  }, checkEvery);
}
