// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__FRAMES_HPP_
#define PERCEPTION__FRAMES_HPP_

#include <chrono>
#include <cstdint>
#include <memory>
#include <opencv2/core.hpp>
#include <utility>
#include <vector>

#include "perception/frame.hpp"
#include "perception/statistics.hpp"

namespace mgproto::perception::test
{

inline Stamp stamp(std::int32_t sec) { return {sec, 0}; }

/// Without an image: enough for whoever only passes it on.
inline Frame empty_frame(int camera, std::int32_t sec, Clock::time_point received)
{
  Frame frame;
  frame.camera = camera;
  frame.header.stamp = stamp(sec);
  frame.header.frame_id = "camera" + std::to_string(camera) + "_optical";
  frame.received = received;
  return frame;
}

/// An 8-bit BGR image, as a camera's driver would send it.
inline Frame frame_of(const cv::Mat & image, std::int32_t sec, int camera = 0)
{
  Frame frame = empty_frame(camera, sec, Clock::now());
  const auto owner = std::make_shared<cv::Mat>(image.clone());
  frame.image.owner = owner;
  frame.image.data = owner->data;
  frame.image.size = owner->total() * owner->elemSize();
  frame.image.width = owner->cols;
  frame.image.height = owner->rows;
  frame.image.step = owner->step[0];
  frame.image.encoding = Encoding::bgr8;
  return frame;
}

inline Frame compressed_frame(std::vector<std::uint8_t> bytes, std::int32_t sec, int camera = 0)
{
  Frame frame = empty_frame(camera, sec, Clock::now());
  const auto owner = std::make_shared<std::vector<std::uint8_t>>(std::move(bytes));
  frame.image.owner = owner;
  frame.image.data = owner->data();
  frame.image.size = owner->size();
  frame.image.encoding = Encoding::compressed;
  return frame;
}

}  // namespace mgproto::perception::test

#endif  // PERCEPTION__FRAMES_HPP_
