// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "perception/album.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "mgproto_ros/error.hpp"

namespace mgproto::perception
{
namespace
{

/// Cosine of two descriptors beyond which they are of one thing from one place.
constexpr float kSame = 0.8F;
/// Mean cosine with the images of a group beyond which an image is one of them.
constexpr float kAlike = 0.3F;

/// 0 for descriptors of different models.
float cosine(const std::vector<float> & a, const std::vector<float> & b)
{
  return a.size() == b.size() ? std::inner_product(a.begin(), a.end(), b.begin(), 0.0F) : 0.0F;
}

}  // namespace

bool Album::is_new(const std::vector<float> & descriptor) const
{
  const std::lock_guard lock(mutex_);
  return std::none_of(images_.begin(), images_.end(), [&](const Image & image) {
    return cosine(image->descriptor, descriptor) > kSame;
  });
}

Album::Image Album::add(AlbumImage image, std::size_t size)
{
  const std::lock_guard lock(mutex_);
  image.id = ++last_id_;
  image.group = group_of(image.descriptor);
  Image added = std::make_shared<const AlbumImage>(std::move(image));
  images_.push_back(added);
  while (images_.size() > size) {
    images_.pop_front();
  }
  ++version_;
  return added;
}

std::uint32_t Album::group_of(const std::vector<float> & descriptor)
{
  struct Group
  {
    float sum = 0;
    float count = 0;
  };
  std::map<std::uint32_t, Group> groups;
  for (const Image & image : images_) {
    Group & group = groups[image->group];
    group.sum += cosine(image->descriptor, descriptor);
    group.count += 1;
  }
  const auto nearest =
    std::max_element(groups.begin(), groups.end(), [](const auto & a, const auto & b) {
      return a.second.sum / a.second.count < b.second.sum / b.second.count;
    });
  const bool is_alike =
    nearest != groups.end() && nearest->second.sum / nearest->second.count > kAlike;
  return is_alike ? nearest->first : ++last_group_;
}

std::vector<Album::Image> Album::images() const
{
  const std::lock_guard lock(mutex_);
  return {images_.begin(), images_.end()};
}

std::vector<Album::Image> Album::find(const std::vector<std::uint32_t> & ids) const
{
  const std::lock_guard lock(mutex_);
  std::vector<Image> found;
  for (const std::uint32_t id : ids) {
    const auto image = std::find_if(
      images_.begin(), images_.end(), [id](const Image & one) { return one->id == id; });
    if (image == images_.end()) {
      throw ConfigError("album_ids", "no image " + std::to_string(id) + " in the album");
    }
    if (std::find(found.begin(), found.end(), *image) != found.end()) {
      throw ConfigError("album_ids", "image " + std::to_string(id) + " is named twice");
    }
    found.push_back(*image);
  }
  return found;
}

void Album::remove(const std::vector<std::uint32_t> & ids)
{
  const std::lock_guard lock(mutex_);
  const auto gone = [&](const Image & image) {
    return std::find(ids.begin(), ids.end(), image->id) != ids.end();
  };
  images_.erase(std::remove_if(images_.begin(), images_.end(), gone), images_.end());
  ++version_;
}

void Album::clear()
{
  const std::lock_guard lock(mutex_);
  images_.clear();
  ++version_;
}

std::uint64_t Album::version() const
{
  const std::lock_guard lock(mutex_);
  return version_;
}

}  // namespace mgproto::perception
