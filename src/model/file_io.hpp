// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__FILE_IO_HPP_
#define MODEL__FILE_IO_HPP_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace mgproto
{

/// The bytes of a regular file, read at once, so that nothing that is done to the file afterwards
/// matters to them. Their address stays the same when the object is moved.
class FileBytes
{
public:
  /// Throws FileError if the file is missing, unreadable, empty, a directory, not a regular file, larger
  /// than there is memory for, or changed in place while it is read.
  explicit FileBytes(const std::string & path);

  const std::string & path() const { return path_; }
  const std::byte * data() const { return data_.get(); }
  std::size_t size() const { return size_; }

private:
  std::string path_;
  std::unique_ptr<std::byte[]> data_;
  std::size_t size_ = 0;
};

/// The text of a small file. Throws FileError if it cannot be read, or is larger than 1 MiB, so not
/// `kind` ("a parameter file").
std::string read_text(const std::string & path, const std::string & kind);

struct ByteSpan
{
  const void * data;
  std::size_t size;
};

/// Writes the parts, one after another, as the new content of `path`. A reader, and a machine that
/// loses power, sees the old file or the new one, never a mixture: the parts go to a hidden temporary
/// file in the same directory, which then takes the place of `path`. The new file has the permissions
/// of any newly created file; a symbolic link at `path` is replaced, not followed.
///
/// Throws FileError if anything fails, and then the old file is untouched and the temporary one is
/// gone. (Only the very last step, making the rename durable, can fail with the new file in place;
/// the message says so.)
void write_atomically(const std::string & path, const std::vector<ByteSpan> & parts);

/// Throws FileError if write_atomically() could not even begin: to be said before the work, not after it.
void expect_writable(const std::string & path);

}  // namespace mgproto

#endif  // MODEL__FILE_IO_HPP_
