// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "visual/label_place.hpp"

#include <algorithm>

namespace mgproto::visual
{
namespace
{

constexpr int kFarthest = 3;  // labels that may be between a label and its box

}  // namespace

std::optional<cv::Rect> label_place(
  const cv::Rect & box, cv::Size size, const cv::Rect & area, const std::vector<cv::Rect> & taken)
{
  const cv::Size room = area.size() - size;
  if (room.width < 0 || room.height < 0) {
    return std::nullopt;
  }
  const auto within = [](int position, int begin, int length) {
    return std::clamp(position, begin, begin + length);
  };
  const int left = within(box.x, area.x, room.width);
  const int right = within(box.x + box.width - size.width, area.x, room.width);
  const auto free_at = [&](int y) -> std::optional<cv::Rect> {
    for (const int x : {left, right}) {
      const cv::Rect label({x, within(y, area.y, room.height)}, size);
      const auto covers = [&](const cv::Rect & other) { return !(other & label).empty(); };
      if (std::none_of(taken.begin(), taken.end(), covers)) {
        return label;
      }
    }
    return std::nullopt;
  };
  const int bottom = box.y + box.height;
  std::vector<int> tops{box.y - size.height, bottom, box.y, bottom - size.height};
  for (int between = 1; between <= kFarthest; ++between) {
    tops.push_back(box.y - (between + 1) * size.height);
    tops.push_back(bottom + between * size.height);
  }
  for (const int top : tops) {
    if (const auto label = free_at(top)) {
      return label;
    }
  }
  return std::nullopt;
}

}  // namespace mgproto::visual
