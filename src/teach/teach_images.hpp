// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TEACH__TEACH_IMAGES_HPP_
#define TEACH__TEACH_IMAGES_HPP_

#include <opencv2/core/mat.hpp>
#include <string>
#include <vector>

#include "mgproto_ros/manifest.hpp"

namespace mgproto
{

struct Checkpoint;

/// An image to be shown, or the part of one that is to be looked at.
struct LessonImage
{
  std::string name;
  cv::Mat pixels;  ///< 8-bit BGR
};

/// The images that a class keeps of what it was shown; of more the newest stay.
inline constexpr std::size_t kMostShown = 64;

/// The model with the class `name`, taught by these images: a new one, or one that was taught before and
/// has seen them as well from now on. Every prototype is a patch of one of them. `when` as
/// TaughtClass::when. The model given is left alone. Throws Error, in one line that names what is wrong,
/// for a name that cannot be one, for no images, for one without pixels, and as with_class() does.
Checkpoint teach_images(
  Checkpoint & model, const std::string & name, const std::vector<LessonImage> & images,
  const std::string & when);

/// What so many images are too few for; empty if they are enough.
std::string caution_for(std::size_t images);

/// Now, as TaughtClass::when.
std::string utc_now();

}  // namespace mgproto

#endif  // TEACH__TEACH_IMAGES_HPP_
