// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__ALBUM_HPP_
#define PERCEPTION__ALBUM_HPP_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "mgproto_ros/prediction.hpp"
#include "perception/frame.hpp"

namespace mgproto::perception
{

/// An image, or a region of one, that the model did not know.
struct AlbumImage
{
  std::uint32_t id = 0;     ///< never given twice; 0 is none
  std::uint32_t group = 0;  ///< of images that look alike
  std::string camera;
  Header header;
  Box region;  ///< in the camera's image
  std::string detection_id;
  std::string nearest_class;
  std::string reason;                   ///< why it is not known
  std::vector<std::uint8_t> jpeg;       ///< of the region, large enough to teach by
  std::vector<std::uint8_t> thumbnail;  ///< the same, small
  std::vector<float> descriptor;        ///< as Prediction's
};

/// What the model did not know, to be given a name later. Bounded, without what it has already, and in
/// groups that look alike. For use by many threads.
class Album
{
public:
  using Image = std::shared_ptr<const AlbumImage>;

  /// Whether such an image would be new to it: a thing that stands before a camera is one image.
  bool is_new(const std::vector<float> & descriptor) const;

  /// With an id and a group of its own, as it is given back. Beyond `size` images the oldest leave.
  Image add(AlbumImage image, std::size_t size);

  /// In the order they came.
  std::vector<Image> images() const;
  /// These, in the order asked for. Throws ConfigError for one that is not there (any more), or is
  /// named twice.
  std::vector<Image> find(const std::vector<std::uint32_t> & ids) const;

  /// They have become known.
  void remove(const std::vector<std::uint32_t> & ids);
  /// All: to another model they look otherwise.
  void clear();

  /// One more with every change.
  std::uint64_t version() const;

private:
  std::uint32_t group_of(const std::vector<float> & descriptor);

  mutable std::mutex mutex_;
  std::deque<Image> images_;
  std::uint32_t last_id_ = 0;
  std::uint32_t last_group_ = 0;
  std::uint64_t version_ = 0;
};

}  // namespace mgproto::perception

#endif  // PERCEPTION__ALBUM_HPP_
