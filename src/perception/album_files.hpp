// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__ALBUM_FILES_HPP_
#define PERCEPTION__ALBUM_FILES_HPP_

#include <cstddef>
#include <string>

#include "perception/album.hpp"

namespace mgproto::perception
{

/// What the model did not know as files, to be labelled later: NAME.jpg, and NAME.json with what is known
/// of it. Whoever moves one elsewhere keeps it.
class AlbumFiles
{
public:
  /// Throws FileError if the directory cannot be made.
  explicit AlbumFiles(const std::string & directory);

  /// Writes it, atomically, and removes the oldest beyond `size`. Throws FileError.
  void keep(const AlbumImage & image, std::size_t size);

private:
  const std::string directory_;
};

}  // namespace mgproto::perception

#endif  // PERCEPTION__ALBUM_FILES_HPP_
