// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef VISUAL__PATCH_PICTURE_HPP_
#define VISUAL__PATCH_PICTURE_HPP_

#include <cstdint>
#include <opencv2/core.hpp>
#include <vector>

#include "mgproto_ros/manifest.hpp"
#include "mgproto_ros/prediction.hpp"

namespace mgproto::visual
{

/// A box of an image, to be looked at beside others. With a box it shows the box and a little around
/// it: a square half as long again as the box's longer side, so that all boxes look equally large.
struct PatchPicture
{
  cv::Mat pixels;  ///< 8-bit BGR; empty if there are none
  cv::Rect box;    ///< in the pixels; empty if they are the box, with nothing around it
};

/// The square is moved into the image, and cut where the image is smaller. Empty if the box is
/// outside. Shares the image's pixels.
PatchPicture patch_of(const cv::Mat & image, const Box & box, bool with_context = true);

/// The patch that a checkpoint holds; empty if that is none, or none that can be read.
PatchPicture stored_patch(const Provenance & source);

/// The inverse: the box of the image that a prototype stands for, as a checkpoint keeps it.
void store_patch(Provenance & source, const cv::Mat & image);

/// The image as a JPEG, made smaller where its longer side is above `longest` pixels.
std::vector<std::uint8_t> small_jpeg(const cv::Mat & image, int longest);

/// The patch at another size.
PatchPicture resized(const PatchPicture & patch, cv::Size size);

/// Draws the patch as large as the tile allows, in its middle, and the box in `ink`.
void draw_patch(
  cv::Mat & canvas, const cv::Rect & tile, const PatchPicture & patch, const cv::Scalar & ink);

/// The stored patch as a JPEG with its box drawn in it, for viewers that know of no boxes. One
/// without a box stays as it is.
std::vector<std::uint8_t> boxed_jpeg(const Provenance & source);

/// A box to be seen on any photo.
void draw_box(cv::Mat & image, const cv::Rect & box, const cv::Scalar & ink);

/// The largest size of the image's shape that fits, at least one pixel each way.
cv::Size fitted(cv::Size image, cv::Size room);

/// The image at another size, smooth both ways.
cv::Mat resized(const cv::Mat & image, cv::Size size);

/// A box in an image of another size.
cv::Rect scaled(const cv::Rect & box, cv::Size from, cv::Size to);

/// A box in whole pixels, cut to an image of `size`; empty if it is outside.
cv::Rect pixels(const Box & box, cv::Size size);

}  // namespace mgproto::visual

#endif  // VISUAL__PATCH_PICTURE_HPP_
