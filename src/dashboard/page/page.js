// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// Puts the page together: which camera is shown, how the line and the node are, and when to draw.

import {AlbumCard} from './album.js';
import {Camera} from './camera.js';
import {element} from './common.js';
import {DensityChart} from './density_chart.js';
import {now, seconds, setText} from './elements.js';
import {EvidenceCard} from './evidence.js';
import {Galleries} from './gallery.js';
import {HealthCard} from './health.js';
import {listen} from './news.js';
import {drawPicture, drawThumbnail, outline} from './picture.js';
import {TrustCard} from './trust.js';
import {badge, showScores, Verdict} from './verdict.js';

const silentAfter = 3;  // seconds without a prediction
const drawEvery = 1000;  // milliseconds, without news
const chartEvery = 0.2;  // seconds

const byId = (id) => document.getElementById(id);
const root = document.documentElement;

const cameras = new Map();
let chosen = null;        // name of the camera that is shown
let chosenRegion = null;  // detection_id
let line = 'connecting';
let paused = false;
let chartDrawn = 0;

const galleries = new Galleries(() => cameras.has(chosen) && drawCamera(cameras.get(chosen)));
const verdict = new Verdict(byId('verdict'), (id) => {
  chosenRegion = id;
  drawCamera(cameras.get(chosen));
});
const evidence = new EvidenceCard(byId('evidence'));
const chart = new DensityChart(byId('density').querySelector('canvas'));
const album = new AlbumCard(byId('album'));
const trust = new TrustCard(byId('trust'));
const health = new HealthCard(byId('health'), byId('health-link'));

// Cameras

function addCamera(name) {
  const camera = new Camera(name, drawCamera);
  camera.badge = badge();
  camera.thumbnail = element('canvas', {width: 96, height: 72});
  camera.tab = element('button', {type: 'button', onclick: () => choose(name)},
    camera.thumbnail, element('span', {}, element('b', {}, name), camera.badge.node));
  cameras.set(name, camera);
  byId('tabs').append(camera.tab);
}

/** Forgets the cameras that a new line does not know, and what was said of the others. */
function restartCameras(names) {
  for (const camera of cameras.values()) {
    if (names.has(camera.name)) {
      camera.restart();
    } else {
      cameras.delete(camera.name);
      camera.tab.remove();
    }
  }
}

/** The chosen camera's name stands in the address, so that a reload shows it again. */
function choose(name) {
  chosen = name;
  chosenRegion = null;
  for (const camera of cameras.values()) {
    camera.tab.setAttribute('aria-current', camera.name === name);
  }
  history.replaceState(null, '', `#${encodeURIComponent(name)}`);
  drawCamera(cameras.get(name));
  cameras.get(name).advance();
}

function chooseFirst() {
  let wanted = null;
  try {
    wanted = decodeURIComponent(location.hash.slice(1));
  } catch {
    // Not an address that this page has written.
  }
  if (!cameras.has(chosen) && cameras.size > 0) {
    choose(cameras.has(wanted) ? wanted : cameras.keys().next().value);
  }
}

// Drawing

function drawChart(camera) {
  if (camera && now() - chartDrawn >= chartEvery) {
    chartDrawn = now();
    chart.show(camera.points, (camera.shown.prediction?.regions.length ?? 0) > 1);
  }
}

function drawCamera(camera) {
  const {prediction, bitmap} = camera.shown;
  if (bitmap) {
    drawThumbnail(camera.thumbnail, bitmap);
  }
  if (cameras.get(chosen) !== camera) {
    return;
  }
  const canvas = byId('picture').querySelector('canvas');
  canvas.hidden = !bitmap;
  byId('picture-missing').hidden = Boolean(bitmap);
  for (const id of ['verdict', 'density', 'scores', 'evidence']) {
    byId(id).hidden = !prediction;
  }
  if (bitmap) {
    drawPicture(canvas, bitmap);
  }
  if (prediction) {
    const {regions} = prediction;
    const region = regions.find(({detection_id: id}) => id === chosenRegion) ?? regions[0];
    if (regions.length > 1 && camera.isPaired()) {
      outline(canvas, camera.scale(), region.region);
    }
    verdict.show(region, regions);
    showScores(byId('scores').querySelector('ol'), region);
    evidence.show(camera, region, galleries);
    drawChart(camera);
    drawCaption(camera, region);
  }
  drawState();
}

function drawCaption(camera, region) {
  const {bitmap, prediction} = camera.shown;
  const {sec, nanosec} = prediction;
  setText(byId('caption'), [
    camera.name,
    region.frame_id && region.frame_id !== camera.name ? `frame ${region.frame_id}` : null,
    bitmap ? `${bitmap.width} × ${bitmap.height}` : null,
    `stamp ${sec}.${String(nanosec).padStart(9, '0').slice(0, 3)}`,
    region.model_id ? `model ${region.model_id}` : null,
  ].filter(Boolean).join(' · '));
}

/** How the line and the node are, in words. */
function stateOf(camera) {
  if (line !== 'open') {
    return {
      connecting: ['uncalibrated', 'connecting …'],
      lost: ['unknown', 'the dashboard does not answer, trying again'],
      refused: ['unknown', 'too many pages are open, trying again'],
    }[line];
  }
  const silence = camera?.silence() ?? null;
  if (silence === null) {
    return ['uncalibrated', 'waiting for the node'];
  }
  if (silence > silentAfter) {
    return ['warning', `no news for ${seconds(silence)}`];
  }
  return paused ? ['uncalibrated', 'paused'] : ['known', `live, ${camera.rate().toFixed(1)} a second`];
}

function drawState() {
  const camera = cameras.get(chosen);
  const [kind, text] = stateOf(camera);
  byId('state').dataset.status = kind;
  setText(byId('state'), text);
  root.classList.toggle('stale', kind === 'warning' || kind === 'unknown');
  byId('waiting').hidden = Boolean(camera?.shown.prediction ?? camera?.shown.bitmap);
  byId('camera').hidden = !byId('waiting').hidden;
  setText(byId('waiting'), camera
    ? `Nothing has come from camera ${camera.name} yet. The page goes on by itself when the node speaks.`
    : 'No camera has been heard of yet. The page goes on by itself when the node speaks.');
  byId('tabs').hidden = cameras.size < 2;
  for (const {shown: {prediction}, badge: small} of cameras.values()) {
    small.node.hidden = !prediction;
    if (prediction) {
      small.show(worstOf(prediction.regions).status);
    }
  }
}

/** The region that needs a look first. */
const worstOf = (regions) => regions.find(({status}) => status === 'unknown') ?? regions[0];

// What comes

function onNews(news) {
  if (news.title !== undefined) {
    // The first news of a line are everything: what was known before is of the past.
    setText(byId('title'), news.title);
    document.title = news.title;
    restartCameras(new Set(news.cameras.map(({name}) => name)));
    galleries.keepOnly(new Set(news.galleries.map(({model_id: model}) => model)));
    health.clear();
    trust.restart();
    album.restart();
  }
  for (const camera of news.cameras) {
    if (!cameras.has(camera.name)) {
      addCamera(camera.name);
    }
    cameras.get(camera.name).update(camera);
  }
  news.galleries.forEach((gallery) => galleries.load(gallery));
  album.update(news.albums, news.answers);
  trust.update(news.gates);
  if (!paused && (news.gates.length > 0 || news.title !== undefined)) {
    trust.draw();
  }
  health.update(news.health);
  if (news.health.length > 0) {
    health.draw();
  }
  chooseFirst();
  if (!paused && cameras.has(chosen)) {
    cameras.get(chosen).advance();
  }
  drawState();
}

byId('pause').addEventListener('click', (event) => {
  paused = !paused;
  event.currentTarget.setAttribute('aria-pressed', paused);
  event.currentTarget.textContent = paused ? 'Continue' : 'Pause';
  drawState();
});

// The other cameras' small pictures need not be smooth, and ages grow without news.
setInterval(() => {
  if (!paused) {
    drawChart(cameras.get(chosen));
    trust.draw();
  }
  if (!paused && line === 'open') {
    cameras.forEach((camera) => camera.advance());
  }
  health.draw();
  drawState();
}, drawEvery);

listen(onNews, (state) => {
  line = state;
  drawState();
});
