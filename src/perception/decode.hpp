// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__DECODE_HPP_
#define PERCEPTION__DECODE_HPP_

#include <opencv2/core/mat.hpp>

#include "mgproto_ros/image_view.hpp"
#include "perception/frame.hpp"

namespace mgproto::perception
{

/// The image as the model takes it: a view of the camera's own memory for rgb8, bgr8 and mono8, else
/// a view of `buffer`, which is reused. Both must outlive the view. Of 16 bits it is the upper byte.
/// Throws ImageError for a compressed image that is no JPEG, PNG or WebP, cannot be decoded, is cut
/// short, or claims more than 65536 pixels a side or 2^27 in all.
ImageView decode(const CameraImage & image, cv::Mat & buffer);

/// A copy of the pixels as 8-bit BGR.
cv::Mat bgr_copy(const ImageView & image);

}  // namespace mgproto::perception

#endif  // PERCEPTION__DECODE_HPP_
