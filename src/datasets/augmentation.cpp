// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "datasets/augmentation.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <string>
#include <utility>

#include "datasets/colour.hpp"
#include "datasets/image.hpp"
#include "datasets/warp.hpp"
#include "mgproto_ros/error.hpp"
#include "model/image_file.hpp"

namespace mgproto
{
namespace
{

/// Below it bilinear sampling does not visibly alias, and shrinking first would only blur.
constexpr double kShrinkFrom = 1.2;

constexpr int kCropAttempts = 10;  // torchvision's

void require(bool holds, const std::string & key, const std::string & range)
{
  if (!holds) {
    throw ConfigError("augmentation." + key, "must be " + range);
  }
}

double radians(double degrees) { return degrees * CV_PI / 180; }

/// The largest centred crop with an allowed ratio, when ten random ones did not fit.
cv::Rect2d fallback_crop(const AugmentationConfig & config, int width, int height)
{
  const double ratio = static_cast<double>(width) / height;
  double w = 1;
  double h = 1;
  if (ratio < config.crop_ratio[0]) {
    h = ratio / config.crop_ratio[0];
  } else if (ratio > config.crop_ratio[1]) {
    w = config.crop_ratio[1] / ratio;
  }
  return {(1 - w) / 2, (1 - h) / 2, w, h};
}

cv::Rect2d draw_crop(const AugmentationConfig & config, int width, int height, Random & random)
{
  const double image_ratio = static_cast<double>(width) / height;
  for (int attempt = 0; attempt < kCropAttempts; ++attempt) {
    const double area = random.uniform(config.crop_scale[0], config.crop_scale[1]);
    const double ratio =
      std::exp(random.uniform(std::log(config.crop_ratio[0]), std::log(config.crop_ratio[1])));
    const double w = std::sqrt(area * ratio / image_ratio);
    const double h = std::sqrt(area / ratio * image_ratio);
    if (w <= 1 && h <= 1) {
      const double x = random.uniform(0, 1 - w);
      const double y = random.uniform(0, 1 - h);
      return {x, y, w, h};
    }
  }
  return fallback_crop(config, width, height);
}

/// What the preprocessing keeps of an image when the random crop is switched off.
cv::Rect2d preprocessing_crop(const PreprocessingConfig & config, int width, int height)
{
  if (config.mode == PreprocessingConfig::Mode::resize) {
    return {0, 0, 1, 1};
  }
  const double side =
    static_cast<double>(std::min(width, height)) * config.size / shorter_side(config);
  const double w = side / width;
  const double h = side / height;
  return {(1 - w) / 2, (1 - h) / 2, w, h};
}

cv::Matx33d perspective(const std::array<cv::Point2d, 4> & corners)
{
  const cv::Point2f from[4] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  const cv::Point2f to[4] = {corners[0], corners[1], corners[2], corners[3]};
  return cv::Matx33d(cv::getPerspectiveTransform(from, to).ptr<double>());
}

cv::Matx33d translation(double x, double y) { return {1, 0, x, 0, 1, y, 0, 0, 1}; }

cv::Matx33d scaling(double x, double y) { return {x, 0, 0, 0, y, 0, 0, 0, 1}; }

/// torchvision's rotation after shear along x.
cv::Matx33d rotation_shear(double angle, double shear)
{
  const double c = std::cos(radians(angle));
  const double s = std::sin(radians(angle));
  const double t = std::tan(radians(shear));
  return {c, -c * t - s, 0, s, -s * t + c, 0, 0, 0, 1};
}

}  // namespace

void check(const AugmentationConfig & config)
{
  require(config.views >= 0, "views", "at least 0");
  const auto share = [](double value) { return value >= 0 && value <= 1; };
  require(config.perspective >= 0 && config.perspective < 1, "perspective", "within 0 to 1");
  require(share(config.perspective_probability), "perspective_probability", "within 0 to 1");
  require(share(config.brightness), "brightness", "within 0 to 1");
  require(share(config.contrast), "contrast", "within 0 to 1");
  require(share(config.saturation), "saturation", "within 0 to 1");
  require(config.hue >= 0 && config.hue <= 0.5, "hue", "within 0 to 0.5");
  require(share(config.flip_probability), "flip_probability", "within 0 to 1");
  require(config.rotation >= 0 && config.rotation <= 180, "rotation", "within 0 to 180");
  require(config.shear >= 0 && config.shear <= 80, "shear", "within 0 to 80");
  require(share(config.translation), "translation", "within 0 to 1");
  const auto & [smallest, largest] = config.crop_scale;
  require(
    smallest > 0 && smallest <= largest && largest <= 1, "crop_scale", "rising within 0 to 1");
  const auto & [narrowest, widest] = config.crop_ratio;
  require(narrowest > 0 && narrowest <= widest && widest < 1e3, "crop_ratio", "rising above 0");
}

AugmentationDraw draw_augmentation(
  const AugmentationConfig & config, int width, int height, Random & random)
{
  AugmentationDraw draw;
  const bool distorted = random.chance(config.perspective_probability);
  for (cv::Point2d & corner : draw.corners) {
    const double x = random.uniform(0, config.perspective / 2);
    const double y = random.uniform(0, config.perspective / 2);
    if (distorted) {
      corner += cv::Point2d(corner.x == 0 ? x : -x, corner.y == 0 ? y : -y);
    }
  }

  for (int i = 3; i > 0; --i) {
    std::swap(draw.colour_order[i], draw.colour_order[random.index(i + 1)]);
  }
  draw.brightness = random.uniform(1 - config.brightness, 1 + config.brightness);
  draw.contrast = random.uniform(1 - config.contrast, 1 + config.contrast);
  draw.saturation = random.uniform(1 - config.saturation, 1 + config.saturation);
  draw.hue = random.uniform(-config.hue, config.hue);

  draw.flip = random.chance(config.flip_probability);

  draw.angle = random.uniform(-config.rotation, config.rotation);
  draw.translation.x = random.uniform(-config.translation, config.translation);
  draw.translation.y = random.uniform(-config.translation, config.translation);
  draw.shear = random.uniform(-config.shear, config.shear);

  if (config.crop) {
    draw.crop = draw_crop(config, width, height, random);
  }
  return draw;
}

cv::Matx33d input_from_image(const AugmentationDraw & draw, int width, int height, int size)
{
  const cv::Matx33d pixels = scaling(width, height);
  const cv::Matx33d shares = scaling(1.0 / width, 1.0 / height);
  const cv::Matx33d flip = draw.flip ? translation(width, 0) * scaling(-1, 1) : cv::Matx33d::eye();
  const double x = draw.translation.x * width;
  const double y = draw.translation.y * height;
  const cv::Matx33d affine = translation(width / 2.0 + x, height / 2.0 + y) *
                             rotation_shear(draw.angle, draw.shear) *
                             translation(-width / 2.0, -height / 2.0);
  const cv::Matx33d crop = scaling(size / draw.crop.width, size / draw.crop.height) *
                           translation(-draw.crop.x, -draw.crop.y) * shares;
  return crop * affine * flip * pixels * perspective(draw.corners) * shares;
}

Augmenter::Augmenter(const AugmentationConfig & config, const PreprocessingConfig & preprocessing)
: config_(config),
  preprocessor_(preprocessing),
  geometric_(
    (config.perspective > 0 && config.perspective_probability > 0) || config.flip_probability > 0 ||
    config.rotation > 0 || config.shear > 0 || config.translation > 0 || config.crop),
  scratch_(std::make_unique<ColourScratch>())
{
  check(config_);
}

Augmenter::~Augmenter() = default;

void Augmenter::operator()(const cv::Mat & bgr, Random & random, float * input)
{
  AugmentationDraw draw = draw_augmentation(config_, bgr.cols, bgr.rows, random);
  if (!geometric_) {
    bgr.copyTo(image_);
    change_colours(draw, image_, *scratch_);
    preprocessor_(view_of(image_), input);
    return;
  }
  if (!config_.crop) {
    draw.crop = preprocessing_crop(preprocessor_.config(), bgr.cols, bgr.rows);
  }
  apply(draw, bgr, input);
}

void Augmenter::apply(const AugmentationDraw & draw, const cv::Mat & bgr, float * input)
{
  shrink(draw, bgr);
  change_colours(draw, image_, *scratch_);

  const cv::Matx33d input_from_original =
    input_from_image(draw, bgr.cols, bgr.rows, preprocessor_.config().size);
  const cv::Matx33d shrunken_from_original = scaling(
    static_cast<double>(image_.cols) / bgr.cols, static_cast<double>(image_.rows) / bgr.rows);
  warp(image_, shrunken_from_original * input_from_original.inv(), preprocessor_.config(), input);
}

/// To about the network's resolution, so that one bilinear sample a pixel is enough.
void Augmenter::shrink(const AugmentationDraw & draw, const cv::Mat & bgr)
{
  const auto shrunken = [this](int length, double seen) {
    const double factor = length * seen / preprocessor_.config().size;
    return factor < kShrinkFrom ? length : std::max(1, static_cast<int>(length / factor));
  };
  const cv::Size size(shrunken(bgr.cols, draw.crop.width), shrunken(bgr.rows, draw.crop.height));
  if (size == bgr.size()) {
    bgr.copyTo(image_);
  } else {
    cv::resize(bgr, image_, size, 0, 0, cv::INTER_AREA);
  }
}

}  // namespace mgproto
