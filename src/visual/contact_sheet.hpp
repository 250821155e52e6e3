// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef VISUAL__CONTACT_SHEET_HPP_
#define VISUAL__CONTACT_SHEET_HPP_

#include <cstddef>
#include <opencv2/core.hpp>
#include <string>

#include "mgproto_ros/manifest.hpp"
#include "mgproto_ros/prediction.hpp"

namespace mgproto::visual
{

constexpr int kSheetReasons = 3;

/// Many explanations on one picture: of each image its name, the answer, and the strongest places,
/// each above the training patch that it looks like.
///
/// Keeps a reference to the manifest, which must outlive it.
class ContactSheet
{
public:
  /// Room for `count` images.
  ContactSheet(const Manifest & manifest, std::size_t count, int columns = 4);

  /// Draws one more. The evidence holds places, the strongest first (EvidenceRequest with
  /// prototypes_per_class); at most kSheetReasons of the most probable class are shown. Throws
  /// ImageError unless the image is 8-bit BGR and has pixels.
  void add(const cv::Mat & image_bgr, const Prediction & prediction, const std::string & name);

  const cv::Mat & picture() const { return canvas_; }

private:
  const Manifest & manifest_;
  int columns_;
  int count_ = 0;
  cv::Mat canvas_;
};

}  // namespace mgproto::visual

#endif  // VISUAL__CONTACT_SHEET_HPP_
