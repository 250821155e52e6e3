// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "datasets/image.hpp"

#include <fstream>
#include <opencv2/imgcodecs.hpp>
#include <string>

#include "datasets/garbage.hpp"
#include "mgproto_ros/error.hpp"
#include "model/image_file.hpp"

namespace mgproto
{
namespace
{

cv::Mat read_cifar_record(const Sample & sample)
{
  std::ifstream stream(sample.file, std::ios::binary);
  stream.seekg(sample.record * kCifarRecordBytes + 1);
  constexpr int kArea = kCifarSide * kCifarSide;
  std::uint8_t planes[3 * kArea];
  if (!stream.read(reinterpret_cast<char *>(planes), sizeof(planes))) {
    throw FileError(sample.file, "record " + std::to_string(sample.record) + " cannot be read");
  }
  cv::Mat image(kCifarSide, kCifarSide, CV_8UC3);
  for (int i = 0; i < kArea; ++i) {
    std::uint8_t * bgr = image.data + 3 * i;
    bgr[0] = planes[2 * kArea + i];
    bgr[1] = planes[kArea + i];
    bgr[2] = planes[i];
  }
  return image;
}

cv::Mat cropped(const cv::Mat & image, const Sample & sample)
{
  if (!sample.crop) {
    return image;
  }
  const cv::Rect box(sample.crop->x, sample.crop->y, sample.crop->width, sample.crop->height);
  const cv::Rect inside = box & cv::Rect(0, 0, image.cols, image.rows);
  if (inside.empty()) {
    throw FileError(sample.file, "its bounding box lies outside the image");
  }
  return image(inside).clone();  // a view would keep the whole image in memory
}

}  // namespace

cv::Mat read_image(const Sample & sample)
{
  if (!sample.generated.empty()) {
    const auto index = static_cast<std::uint64_t>(sample.record);
    return garbage_image(sample.generated, index, garbage_size(index));
  }
  return sample.record >= 0 ? read_cifar_record(sample) : cropped(read_image(sample.file), sample);
}

cv::Mat read_mask(const Sample & sample)
{
  return sample.mask.empty() ? cv::Mat()
                             : cropped(read_image(sample.mask, cv::IMREAD_GRAYSCALE), sample);
}

ImageSource::ImageSource(const Dataset & dataset, std::size_t cache_bytes)
: dataset_(dataset), limit_(cache_bytes), images_(cache_bytes > 0 ? dataset.samples.size() : 0)
{
}

cv::Mat ImageSource::operator()(std::int64_t index)
{
  const Sample & sample = dataset_.samples.at(index);
  if (limit_ == 0) {
    return read_image(sample);
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!images_[index].empty()) {
      return images_[index];
    }
  }
  cv::Mat image = read_image(sample);
  const std::size_t bytes = image.total() * image.elemSize();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (images_[index].empty() && used_ + bytes <= limit_) {
    images_[index] = image;
    used_ += bytes;
  }
  return image;
}

std::size_t ImageSource::cached_bytes() const
{
  const std::lock_guard<std::mutex> lock(mutex_);
  return used_;
}

}  // namespace mgproto
