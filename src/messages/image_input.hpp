// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MESSAGES__IMAGE_INPUT_HPP_
#define MESSAGES__IMAGE_INPUT_HPP_

#include <memory>
#include <sensor_msgs/msg/compressed_image.hpp>
#include <sensor_msgs/msg/image.hpp>
#include <string>
#include <utility>

#include "mgproto_ros/error.hpp"
#include "perception/frame.hpp"

namespace mgproto::messages
{

/// An image message that cannot be used.
class InvalidMessage : public ImageError
{
public:
  InvalidMessage(std::string kind, const std::string & text)
  : ImageError(text), kind_(std::move(kind))
  {
  }
  /// One word for all messages with this fault: empty, size, step, data, encoding, endianness, depth
  /// or format.
  const std::string & kind() const { return kind_; }

private:
  std::string kind_;
};

/// What a node accepts beside ordinary images.
struct ImageRules
{
  bool allow_depth = false;  ///< 16UC1, 32FC1 and compressed depth
};

/// Whether view() can read it, if the rules allow it.
bool is_known_encoding(const std::string & name);

/// The message's own memory as an image, after everything it says about itself has been checked.
/// Padded rows and bytes behind the last row are fine. Throws InvalidMessage.
perception::CameraImage view(
  std::shared_ptr<const sensor_msgs::msg::Image> message, const ImageRules & rules);

/// What the bytes are counts, not what the format string calls them; they are not decoded yet. The
/// string matters where the bytes alone would mislead: depth, and mosaics. Throws InvalidMessage.
perception::CameraImage view(
  std::shared_ptr<const sensor_msgs::msg::CompressedImage> message, const ImageRules & rules);

}  // namespace mgproto::messages

#endif  // MESSAGES__IMAGE_INPUT_HPP_
