// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/data/image.hpp"

#include <filesystem>
#include <fstream>
#include <opencv2/imgcodecs.hpp>
#include <string>
#include <system_error>

#include "mgproto_ros/error.hpp"

namespace mgproto
{
namespace
{

std::vector<std::uint8_t> read_bytes(const std::string & file)
{
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(file, error);  // no size for a directory
  std::ifstream stream(file, std::ios::binary);
  if (error || !stream) {
    throw FileError(file, "cannot be read");
  }
  std::vector<std::uint8_t> bytes(size);
  if (!stream.read(reinterpret_cast<char *>(bytes.data()), static_cast<std::streamsize>(size))) {
    throw FileError(file, "cannot be read");
  }
  return bytes;
}

/// Whether a JPEG has no end marker after its pixels. The decoder fills what is missing with grey
/// and reports success, so half a download would otherwise train the network on grey.
bool is_cut_short(const std::vector<std::uint8_t> & bytes)
{
  const std::size_t size = bytes.size();
  if (size < 4 || bytes[0] != 0xFF || bytes[1] != 0xD8) {
    return false;  // not a JPEG
  }
  std::size_t at = 2;
  bool in_pixels = false;
  while (!in_pixels && at + 4 <= size && bytes[at] == 0xFF) {  // segments up to the first scan
    if (bytes[at + 1] == 0xFF) {
      ++at;  // fill byte
      continue;
    }
    in_pixels = bytes[at + 1] == 0xDA;
    at += 2 + bytes[at + 2] * 256u + bytes[at + 3];
  }
  for (; at + 1 < size; ++at) {  // inside a scan 0xFF 0xD9 cannot be a pixel
    if (bytes[at] == 0xFF && bytes[at + 1] == 0xD9) {
      return false;
    }
  }
  return true;
}

cv::Mat decode(const std::string & file, int flags)
{
  const std::vector<std::uint8_t> bytes = read_bytes(file);
  if (bytes.empty()) {
    throw FileError(file, "is empty");
  }
  if (is_cut_short(bytes)) {
    throw FileError(file, "is cut short");
  }
  cv::Mat image;
  try {
    image = cv::imdecode(bytes, flags | cv::IMREAD_IGNORE_ORIENTATION);
  } catch (const cv::Exception &) {
    image.release();
  }
  if (image.empty()) {
    throw FileError(file, "is not a readable image");
  }
  return image;
}

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
  return sample.record >= 0 ? read_cifar_record(sample)
                            : cropped(decode(sample.file, cv::IMREAD_COLOR), sample);
}

cv::Mat read_mask(const Sample & sample)
{
  return sample.mask.empty() ? cv::Mat()
                             : cropped(decode(sample.mask, cv::IMREAD_GRAYSCALE), sample);
}

ImageView view(const cv::Mat & bgr)
{
  return {bgr.data, bgr.cols, bgr.rows, bgr.step[0], PixelFormat::bgr};
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
  const cv::Mat image = read_image(sample);
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
