// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <vector>

#include "datasets/garbage_kinds.hpp"

namespace mgproto::garbage
{

void draw_uniform_noise(cv::Mat & image, Random & random)
{
  fill(image, [&](int, int) { return draw_colour(random); });
}

void draw_grey_noise(cv::Mat & image, Random & random)
{
  fill(image, [&](int, int) { return grey(random.uniform(0.0, 256.0)); });
}

void draw_gaussian_noise(cv::Mat & image, Random & random)
{
  const Colour mean = draw_colour(random);
  const double deviation = random.uniform(10.0, 80.0);
  const bool coloured = random.chance(0.7);
  fill(image, [&](int, int) {
    Colour offset = grey(random.normal());
    if (coloured) {
      offset[1] = random.normal();
      offset[2] = random.normal();
    }
    return mean + offset * deviation;
  });
}

void draw_coarse_noise(cv::Mat & image, Random & random)
{
  const int cell = 2 + random.index(15);
  const bool smooth = random.chance(0.5), coloured = random.chance(0.7);
  const Colour mean = mix(grey(127.5), draw_colour(random), 0.4);
  const double contrast = random.uniform(60.0, 160.0);
  const std::uint64_t seed = random.next();
  fill(image, [&](int x, int y) {
    const int left =
      smooth ? 0 : x % cell;  // value noise at whole numbers is the value of one cell
    const int above = smooth ? 0 : y % cell;
    const double column = static_cast<double>(x - left) / cell;
    const double row = static_cast<double>(y - above) / cell;
    Colour offset = grey(value_noise(seed, column, row));
    if (coloured) {
      offset[1] = value_noise(seed + 1, column, row);
      offset[2] = value_noise(seed + 2, column, row);
    }
    return mean + offset * contrast;
  });
}

void draw_salt_and_pepper(cv::Mat & image, Random & random)
{
  const Colour ground =
    random.chance(0.5) ? grey(random.uniform(40.0, 216.0)) : draw_colour(random);
  const double share = random.uniform(0.2, 1.0), salt = random.uniform(0.3, 0.7);
  const bool coloured = random.chance(0.3);
  fill(image, [&](int, int) {
    Colour colour = ground;
    if (coloured) {
      for (int channel = 0; channel < 3; ++channel) {
        if (random.chance(share)) {
          colour[channel] = random.chance(salt) ? 255.0 : 0.0;
        }
      }
    } else if (random.chance(share)) {
      colour = grey(random.chance(salt) ? 255.0 : 0.0);
    }
    return colour;
  });
}

/// What a decoder makes of damaged data: blocks of one colour, and blocks with one frequency.
void draw_blocks(cv::Mat & image, Random & random)
{
  struct Block
  {
    Colour colour, amplitude;
    int across, down;  ///< half periods
  };
  const int side = random.chance(0.5) ? 8 : 16;
  const double waves = random.uniform(0.0, 0.8), same = random.uniform(0.0, 0.6);
  const bool coloured = random.chance(0.8);
  const int columns = (image.cols + side - 1) / side, rows = (image.rows + side - 1) / side;
  std::vector<Block> blocks;
  for (int i = 0; i < columns * rows; ++i) {
    Block block{{}, {}, 0, 0};
    block.colour = i > 0 && random.chance(same) ? blocks.back().colour : draw_colour(random);
    if (!coloured) {
      block.colour = grey(block.colour[0]);
    }
    if (random.chance(waves)) {
      block.across = random.index(8);
      block.down = random.index(8);
      const Colour tint = coloured ? draw_colour(random) : grey(random.uniform(0.0, 256.0));
      block.amplitude = tint * 0.4;
    }
    blocks.push_back(block);
  }
  fill(image, [&](int x, int y) {
    const Block & block = blocks.at(y / side * columns + x / side);
    const double u = (x % side + 0.5) / (2 * side), v = (y % side + 0.5) / (2 * side);
    return block.colour + block.amplitude * (wave(block.across * u) * wave(block.down * v));
  });
}

}  // namespace mgproto::garbage
