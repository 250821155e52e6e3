// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "visual/pair_picture.hpp"

#include <cstddef>
#include <opencv2/imgproc.hpp>
#include <string>

#include "visual/palette.hpp"
#include "visual/patch_picture.hpp"
#include "visual/text.hpp"

namespace mgproto::visual
{
namespace
{

void draw_missing(cv::Mat & canvas, const cv::Rect & tile, const std::string & reason)
{
  cv::rectangle(canvas, tile, kTile, cv::FILLED);
  cv::rectangle(canvas, tile, kRule, 1);
  const std::string text = shortened(reason, tile.width, kSmall);
  const int x = tile.x + (tile.width - text_width(text, kSmall)) / 2;
  draw_text(canvas, text, {x, tile.y + tile.height / 2 + 4}, kSmall);
}

}  // namespace

void draw_pair(
  cv::Mat & canvas, const cv::Rect & this_tile, const cv::Rect & that_tile, const cv::Mat & image,
  const PrototypeEvidence & place, const Manifest & manifest, const cv::Scalar & ink)
{
  const auto index = static_cast<std::size_t>(place.prototype);
  const auto & all = manifest.prototypes;
  const bool projected = place.prototype >= 0 && index < all.size() && all[index];
  const PatchPicture that = projected ? stored_patch(*all[index]) : PatchPicture();
  // A patch that has nothing around it is beside one that has nothing, either.
  const bool with_context = that.pixels.empty() || !that.box.empty();
  const PatchPicture part = patch_of(image, place.box, with_context);
  if (part.pixels.empty()) {
    draw_missing(canvas, this_tile, "outside");
  } else {
    draw_patch(canvas, this_tile, part, ink);
  }
  if (!that.pixels.empty()) {
    draw_patch(canvas, that_tile, that, ink);
    return;
  }
  const bool stored = projected && !all[index]->patch.empty();
  draw_missing(
    canvas, that_tile,
    stored      ? "patch unreadable"
    : projected ? "no patch stored"
                : "not projected yet");
}

}  // namespace mgproto::visual
