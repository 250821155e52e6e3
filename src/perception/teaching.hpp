// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__TEACHING_HPP_
#define PERCEPTION__TEACHING_HPP_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "perception/album.hpp"

namespace mgproto::perception
{

/// A class to be taught: by images of the album, or by what a camera sees now.
struct TeachRequest
{
  static constexpr std::size_t kMostImages = 64;

  std::string name;
  std::vector<std::uint32_t> album_ids;  ///< none: the camera
  std::string camera;                    ///< its name
  std::size_t images = 1;                ///< of the camera
  Box box;                               ///< in the camera's image; empty: all that is looked at
};

/// What became of it.
struct TeachAnswer
{
  bool success = false;
  std::string message;      ///< what was learnt, with what is uncertain about it, or why it was not
  std::string model_id;     ///< of the model that answers now
  std::size_t classes = 0;  ///< that it knows
};

/// What is to be given a name, and what was.
struct AlbumState
{
  std::vector<Album::Image> images;
  std::string problem;              ///< why nothing can be taught now; empty if it can
  std::vector<std::string> taught;  ///< classes, in the order they were taught
  bool can_undo = false;
  std::uint64_t version = 0;  ///< higher with every change
};

}  // namespace mgproto::perception

#endif  // PERCEPTION__TEACHING_HPP_
