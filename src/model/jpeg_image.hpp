// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__JPEG_IMAGE_HPP_
#define MODEL__JPEG_IMAGE_HPP_

#include <cstddef>
#include <cstdint>
#include <opencv2/core/mat.hpp>

namespace mgproto
{

/// Decodes a JPEG to the pixels that OpenCV gives, 8-bit BGR or grey; but where OpenCV fills lost
/// pixels with grey and reports success, this throws ImageError. The inks of a CMYK file come as
/// they are, in four channels. May throw cv::Exception for want of memory.
cv::Mat decode_jpeg(const std::uint8_t * data, std::size_t size, bool grey);

}  // namespace mgproto

#endif  // MODEL__JPEG_IMAGE_HPP_
