// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// The camera's picture, large and small.

export function drawPicture(canvas, bitmap) {
  if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
    [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
  }
  canvas.getContext('2d').drawImage(bitmap, 0, 0);
}

/** Fills the canvas; what does not fit is cut off. */
export function drawThumbnail(canvas, bitmap) {
  const factor = Math.max(canvas.width / bitmap.width, canvas.height / bitmap.height);
  const [width, height] = [bitmap.width * factor, bitmap.height * factor];
  canvas.getContext('2d').drawImage(bitmap, (canvas.width - width) / 2, (canvas.height - height) / 2,
    width, height);
}

/** A box of the source image, in two strokes to be seen on any ground. */
export function outline(canvas, [scaleX, scaleY], [x, y, width, height]) {
  const context = canvas.getContext('2d');
  context.setLineDash([8, 5]);
  for (const [lineWidth, strokeStyle] of [[5, '#000'], [2, '#fff']]) {
    Object.assign(context, {lineWidth, strokeStyle});
    context.strokeRect(x * scaleX, y * scaleY, width * scaleX, height * scaleY);
  }
}

/** Draws the box as large as the canvas allows; false if nothing of it is in the picture. */
export function drawCrop(canvas, bitmap, [scaleX, scaleY], [x, y, width, height]) {
  const left = Math.max(0, x * scaleX);
  const top = Math.max(0, y * scaleY);
  const right = Math.min(bitmap.width, (x + width) * scaleX);
  const bottom = Math.min(bitmap.height, (y + height) * scaleY);
  if (!(right > left && bottom > top)) {
    return false;
  }
  const context = canvas.getContext('2d');
  context.clearRect(0, 0, canvas.width, canvas.height);
  const factor = Math.min(canvas.width / (right - left), canvas.height / (bottom - top));
  const [w, h] = [(right - left) * factor, (bottom - top) * factor];
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, left, top, right - left, bottom - top,
    (canvas.width - w) / 2, (canvas.height - h) / 2, w, h);
  return true;
}
