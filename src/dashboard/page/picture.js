// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// The camera's picture, large and small.

const contextSides = 1.5;  // of the square around a box, in the box's longer sides

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

/**
 * Draws the box with a little around it, in a square as that of a training patch (PatchPicture in
 * src/visual); false if nothing of it is in the picture.
 */
export function drawCrop(canvas, bitmap, [scaleX, scaleY], [x, y, width, height]) {
  const left = Math.max(0, x * scaleX);
  const top = Math.max(0, y * scaleY);
  const right = Math.min(bitmap.width, (x + width) * scaleX);
  const bottom = Math.min(bitmap.height, (y + height) * scaleY);
  if (!(right > left && bottom > top)) {
    return false;
  }
  const side = contextSides * Math.max(right - left, bottom - top);
  const [w, h] = [Math.min(side, bitmap.width), Math.min(side, bitmap.height)];
  const fromX = Math.min(Math.max((left + right - w) / 2, 0), bitmap.width - w);
  const fromY = Math.min(Math.max((top + bottom - h) / 2, 0), bitmap.height - h);
  const factor = Math.min(canvas.width / w, canvas.height / h);
  const toX = (canvas.width - w * factor) / 2;
  const toY = (canvas.height - h * factor) / 2;
  const context = canvas.getContext('2d');
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, fromX, fromY, w, h, toX, toY, w * factor, h * factor);
  for (const [lineWidth, strokeStyle] of [[5, '#1f2937'], [1.5, '#fff']]) {
    Object.assign(context, {lineWidth, strokeStyle});
    context.strokeRect(toX + (left - fromX) * factor, toY + (top - fromY) * factor,
      (right - left) * factor, (bottom - top) * factor);
  }
  return true;
}
