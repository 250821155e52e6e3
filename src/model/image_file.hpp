// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__IMAGE_FILE_HPP_
#define MODEL__IMAGE_FILE_HPP_

#include <cstddef>
#include <cstdint>
#include <opencv2/core/mat.hpp>
#include <opencv2/imgcodecs.hpp>
#include <optional>
#include <string>

#include "mgproto_ros/image_view.hpp"

namespace mgproto
{

/// Width and height that the head of a JPEG, PNG or WebP file claims, without decoding it: a file of
/// a few bytes may claim gigabytes of pixels. Empty for anything else, or if the head is cut short.
std::optional<cv::Size> encoded_image_size(const std::uint8_t * data, std::size_t size);

/// Decodes the bytes of a JPEG, PNG, WebP, BMP, PNM or TIFF file as read_image() does. Throws ImageError, before it takes memory
/// for an image that claims more than 65536 pixels a side or 2^27 in all.
cv::Mat decode_image(const std::uint8_t * data, std::size_t size, int flags = cv::IMREAD_COLOR);

/// Decodes an image file as 8-bit BGR, or as other cv::IMREAD_ flags say. EXIF orientation is not
/// applied, since boxes and part annotations are in pixels of the file. Throws FileError, also for
/// a JPEG that is cut short or damaged, whose lost pixels would otherwise be grey.
cv::Mat read_image(const std::string & path, int flags = cv::IMREAD_COLOR);

/// Encodes by the path's extension (.png, .jpg, ...) and writes atomically. Throws FileError.
void write_image(const std::string & path, const cv::Mat & image);

/// `image` is 8-bit BGR and must outlive the view.
ImageView view_of(const cv::Mat & image);

}  // namespace mgproto

#endif  // MODEL__IMAGE_FILE_HPP_
