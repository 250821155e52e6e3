// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DATASETS__AUGMENTATION_HPP_
#define DATASETS__AUGMENTATION_HPP_

#include <array>
#include <memory>
#include <opencv2/core/mat.hpp>
#include <opencv2/core/matx.hpp>
#include <opencv2/core/types.hpp>

#include "mgproto_ros/model_config.hpp"
#include "model/preprocessing.hpp"
#include "model/random.hpp"

namespace mgproto
{

/// Random changes to training images, with torchvision's meaning of each number. Defaults are those
/// of the MGProto authors. Each is switched off by 0, the crop by `crop = false`.
struct AugmentationConfig
{
  int views = 0;             ///< of an image, in turns; 0 = a new one in every epoch
  double perspective = 0.2;  ///< a corner moves inwards by up to half of this share of a side
  double perspective_probability = 0.5;
  double brightness = 0.4;  ///< factor within 1 -+ this
  double contrast = 0.4;
  double saturation = 0.4;
  double hue = 0.02;  ///< added, within -+ this share of the colour circle, at most 0.5
  double flip_probability = 0.5;
  double rotation = 25;       ///< degrees, -+
  double shear = 15;          ///< degrees, -+, along x
  double translation = 0.05;  ///< share of a side, -+
  bool crop = true;
  std::array<double, 2> crop_scale{0.6, 1.0};              ///< share of the image's area
  std::array<double, 2> crop_ratio{3.0 / 4.0, 4.0 / 3.0};  ///< width / height
};

/// Throws ConfigError, naming the key, if a value is out of range.
void check(const AugmentationConfig & config);

/// What was drawn for one image. The default changes nothing.
struct AugmentationDraw
{
  /// Where the image's corners go, from the top left clockwise, as shares of width and height.
  std::array<cv::Point2d, 4> corners{
    {cv::Point2d(0, 0), cv::Point2d(1, 0), cv::Point2d(1, 1), cv::Point2d(0, 1)}};
  double brightness = 1;
  double contrast = 1;
  double saturation = 1;
  double hue = 0;
  std::array<int, 4> colour_order{{0, 1, 2, 3}};  ///< brightness, contrast, saturation, hue
  bool flip = false;
  double angle = 0;               ///< degrees, clockwise
  double shear = 0;               ///< degrees
  cv::Point2d translation{0, 0};  ///< shares of width and height
  cv::Rect2d crop{0, 0, 1, 1};    ///< shares of width and height
};

/// Draws for an image of width x height. A switched-off change draws its numbers all the same, so
/// that switching one off leaves the others as they were.
AugmentationDraw draw_augmentation(
  const AugmentationConfig & config, int width, int height, Random & random);

/// From pixels of an image of width x height to pixels of the network's input of size x size;
/// both continuous, with the centre of the first pixel at (0.5, 0.5). In torchvision's order:
/// perspective, flip, affine about the centre, crop, resize.
cv::Matx33d input_from_image(const AugmentationDraw & draw, int width, int height, int size);

struct ColourScratch;

/// Turns 8-bit images into augmented network inputs. Reuses its buffers: one instance per thread.
///
/// torchvision interpolates up to three times; here all geometric changes are one warp. Nothing is
/// lost by that, since no step before the crop moves pixels out of the frame and a later one back.
/// Differences that remain:
///  - a shrinking image is averaged down first, then warped, bilinear throughout (torchvision's
///    affine takes the nearest pixel);
///  - corners, translation and crop are real numbers, where torchvision rounds to pixels;
///  - colours change before the perspective, so its black corners stay black and do not count in
///    the mean that contrast refers to; results are rounded, where PIL truncates.
/// Outside the image all is black, as in torchvision. With every geometric change switched off the
/// image goes through the Preprocessor, so without colour changes the result is the Preprocessor's.
class Augmenter
{
public:
  /// Throws ConfigError if a config cannot be used.
  Augmenter(const AugmentationConfig & config, const PreprocessingConfig & preprocessing);
  ~Augmenter();

  /// Writes RGB planes [3, size, size], normalised, to `input`; `bgr` is not changed.
  void operator()(const cv::Mat & bgr, Random & random, float * input);

  /// The same for a given draw.
  void apply(const AugmentationDraw & draw, const cv::Mat & bgr, float * input);

private:
  void shrink(const AugmentationDraw & draw, const cv::Mat & bgr);

  AugmentationConfig config_;
  Preprocessor preprocessor_;
  bool geometric_;  // some geometric change is switched on
  std::unique_ptr<ColourScratch> scratch_;
  cv::Mat image_;  // shrunken, colours changed
};

}  // namespace mgproto

#endif  // DATASETS__AUGMENTATION_HPP_
