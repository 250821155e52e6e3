// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DATASETS__IMAGE_HPP_
#define DATASETS__IMAGE_HPP_

#include <cstddef>
#include <mutex>
#include <opencv2/core/mat.hpp>
#include <vector>

#include "datasets/dataset.hpp"
#include "mgproto_ros/image_view.hpp"

namespace mgproto
{

constexpr int kCifarSide = 32;
constexpr int kCifarRecordBytes = 1 + 3 * kCifarSide * kCifarSide;  // label, then R, G, B planes

/// The sample's image as 8-bit BGR, cropped if the sample says so. An EXIF orientation is ignored,
/// because parts, boxes and masks are given in the pixels of the file. Generated images are drawn
/// anew. Throws FileError if the file is missing, broken or cut short.
cv::Mat read_image(const Sample & sample);

/// The object's mask, 8-bit, one channel, 0 = background, cropped like the image; empty if the
/// sample has none. Throws FileError if it is broken.
cv::Mat read_mask(const Sample & sample);

/// Gives the images of a data set, decoding each only once as long as they fit into a byte limit:
/// what comes after the limit is decoded each time. Safe to use from several threads. The images
/// are shared: do not write into them.
class ImageSource
{
public:
  /// `dataset` must outlive this object. A limit of 0 keeps nothing.
  ImageSource(const Dataset & dataset, std::size_t cache_bytes);

  /// Throws FileError like read_image().
  cv::Mat operator()(std::int64_t index);

  std::size_t cached_bytes() const;

private:
  const Dataset & dataset_;
  const std::size_t limit_;
  mutable std::mutex mutex_;
  std::size_t used_ = 0;         // under mutex_
  std::vector<cv::Mat> images_;  // under mutex_; empty where not cached
};

}  // namespace mgproto

#endif  // DATASETS__IMAGE_HPP_
