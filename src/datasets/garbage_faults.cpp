// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>
#include <vector>

#include "datasets/garbage_kinds.hpp"

namespace mgproto::garbage
{
namespace
{

struct Blob
{
  Colour colour;
  double x, y, across, down;  ///< centre and half axes, in widths and heights of the image
};

/// Ellipses before a slow change of colour. At an edge of 1 each of them fades from its centre on;
/// at 0.1 it is nearly sharp.
class BlobScene
{
public:
  BlobScene(int blobs, double largest, double edge, Random & random)
  : edge_(edge), seed_(random.next()), left_(draw_colour(random)), right_(draw_colour(random))
  {
    for (int i = 0; i < blobs; ++i) {
      Blob blob{draw_colour(random), 0.0, 0.0, 0.0, 0.0};
      blob.x = random.uniform(-0.1, 1.1);
      blob.y = random.uniform(-0.1, 1.1);
      blob.across = random.uniform(0.3, 1.0) * largest;
      blob.down = random.uniform(0.3, 1.0) * largest;
      blobs_.push_back(blob);
    }
  }

  /// u and v are 0 to 1.
  Colour operator()(double u, double v) const
  {
    Colour colour = mix(left_, right_, 0.5 + 0.5 * value_noise(seed_, 1.5 * u, 1.5 * v));
    for (const Blob & blob : blobs_) {
      const double dx = (u - blob.x) / blob.across, dy = (v - blob.y) / blob.down;
      const double distance = std::sqrt(dx * dx + dy * dy);
      colour = mix(blob.colour, colour, smooth_step(1.0 - edge_, 1.0, distance));
    }
    return colour;
  }

private:
  double edge_;
  std::uint64_t seed_;
  Colour left_, right_;
  std::vector<Blob> blobs_;
};

Colour sensor_noise(Random & random)
{
  Colour noise;
  for (int channel = 0; channel < 3; ++channel) {
    noise[channel] = random.normal();
  }
  return noise;
}

void copy_block(cv::Mat & image, const cv::Rect & to, int from_x, int from_y)
{
  for (int y = 0; y < to.height; ++y) {
    for (int x = 0; x < to.width; ++x) {
      image.at<cv::Vec3b>(to.y + y, to.x + x) = image.at<cv::Vec3b>(from_y + y, from_x + x);
    }
  }
}

/// Everything from row `cut` on becomes blocks from anywhere above it.
void misplace_blocks(cv::Mat & image, int cut, Random & random)
{
  // No higher than what was received, so that no block is copied from one that was.
  const int side = std::min(random.chance(0.5) ? 8 : 16, cut);
  for (int y = cut; y < image.rows; y += side) {
    for (int x = 0; x < image.cols; x += side) {
      const cv::Rect to(x, y, std::min(side, image.cols - x), std::min(side, image.rows - y));
      const int from_x = random.index(image.cols - to.width + 1);
      copy_block(image, to, from_x, random.index(cut - to.height + 1));
    }
  }
}

}  // namespace

void draw_underexposed(cv::Mat & image, Random & random)
{
  const BlobScene scene(4 + random.index(5), 0.5, 0.5, random);
  const double light = random.uniform(0.0, 0.05), black = random.uniform(0.0, 6.0);
  const double noise = random.uniform(0.8, 4.0);
  fill(image, [&](int x, int y) {
    return grey(black) + scene((x + 0.5) / image.cols, (y + 0.5) / image.rows) * light +
           sensor_noise(random) * noise;
  });
}

void draw_overexposed(cv::Mat & image, Random & random)
{
  const BlobScene scene(4 + random.index(5), 0.5, 0.5, random);
  const double darkest = random.uniform(225.0, 245.0), range = random.uniform(30.0, 120.0);
  const double noise = random.uniform(0.0, 2.0);
  fill(image, [&](int x, int y) {
    const Colour light = scene((x + 0.5) / image.cols, (y + 0.5) / image.rows) * (1.0 / 255.0);
    return grey(darkest) + light * range + sensor_noise(random) * noise;
  });
}

void draw_blur(cv::Mat & image, Random & random)
{
  const double largest = random.uniform(0.3, 0.8);
  const BlobScene scene(3 + random.index(10), largest, 1.0, random);
  fill(image, [&](int x, int y) { return scene((x + 0.5) / image.cols, (y + 0.5) / image.rows); });
}

void draw_broken_transfer(cv::Mat & image, Random & random)
{
  const double edge = random.uniform(0.1, 0.5);
  const BlobScene scene(6 + random.index(10), 0.4, edge, random);
  const double noise = random.uniform(1.0, 4.0);
  fill(image, [&](int x, int y) {
    return scene((x + 0.5) / image.cols, (y + 0.5) / image.rows) + sensor_noise(random) * noise;
  });

  const double received = random.uniform(0.15, 0.8);
  const int cut = std::max(1, static_cast<int>(received * image.rows));
  if (cut == image.rows) {
    return;
  }
  cv::Mat lost = image.rowRange(cut, image.rows);
  switch (random.index(5)) {
    case 0:
      return fill(lost, [](int, int) { return grey(128.0); });
    case 1:  // zeros in YUV
      return fill(lost, [](int, int) { return Colour(0.0, 135.0, 0.0); });
    case 2:
      return fill(lost, [](int, int) { return grey(0.0); });
    case 3:
      for (int y = cut; y < image.rows; ++y) {
        copy_block(image, cv::Rect(0, y, image.cols, 1), 0, cut - 1);
      }
      return;
    default:
      return misplace_blocks(image, cut, random);
  }
}

}  // namespace mgproto::garbage
