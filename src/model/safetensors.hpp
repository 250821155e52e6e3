// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__SAFETENSORS_HPP_
#define MODEL__SAFETENSORS_HPP_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/dtype.hpp"
#include "model/file_io.hpp"

namespace mgproto
{

/// A tensor of a file, row-major.
struct TensorView
{
  DType dtype;
  std::vector<std::int64_t> shape;
  const std::byte * data;  ///< aligned for the dtype; not null even if there are no elements
  std::size_t bytes;
};

/// A safetensors file in memory: an 8-byte little-endian header length, a JSON header, and the
/// raw little-endian tensors. Owns the memory that its views point to, and keeps it in place when it
/// is moved.
///
/// Safe for files from anywhere: no content makes open() read out of bounds, recurse, run code or
/// allocate more than about ten times the header (itself at most 100 MB) and a copy of the tensors.
/// The values of the tensors are not looked at.
///
/// Stricter than the reference implementation in two things: a tensor entry has no fields but
/// `dtype`, `shape` and `data_offsets`, and a shape must not overflow even where another of its sizes
/// is zero, so that strides can be computed without checks.
class SafetensorsFile
{
public:
  /// Checks the whole container before it returns; throws FileError naming the file, the tensor if
  /// it is about one, and the defect.
  static SafetensorsFile open(const std::string & path);

  const std::string & path() const { return file_.path(); }
  /// The file's `__metadata__`; empty if it has none.
  const std::map<std::string, std::string> & metadata() const { return metadata_; }
  const std::map<std::string, TensorView> & tensors() const { return tensors_; }
  /// Throws FileError if the file has no such tensor.
  const TensorView & tensor(const std::string & name) const;

  /// SHA-256 (hex) of all bytes after the header. Reads the whole file.
  std::string tensors_sha256() const;

private:
  explicit SafetensorsFile(const std::string & path);

  FileBytes file_;
  std::size_t data_begin_ = 0;  ///< where in the file the tensors start
  std::map<std::string, std::string> metadata_;
  std::map<std::string, TensorView> tensors_;
  /// Tensors that the file holds at an address unfit for their dtype. The format allows that, and
  /// some writers do not pad the header; files of write_safetensors() need no copies.
  std::vector<std::unique_ptr<std::byte[]>> aligned_copies_;
};

struct TensorToWrite
{
  std::string name;
  DType dtype;
  std::vector<std::int64_t> shape;
  const void * data;  ///< contiguous, row-major; must live until the file is written
  std::size_t bytes;
};

/// What SafetensorsFile::tensors_sha256() will say of a file that write_safetensors() makes of these
/// tensors; known beforehand, so that it can go into the metadata.
std::string tensors_sha256(const std::vector<TensorToWrite> & tensors);

/// Writes the file atomically (see write_atomically). The same tensors and metadata always give the
/// same bytes, whatever the order of `tensors`. Throws FileError if a tensor cannot be stored (name
/// used twice or not UTF-8, size that does not fit the shape) or the file cannot be written.
void write_safetensors(
  const std::string & path, const std::vector<TensorToWrite> & tensors,
  const std::map<std::string, std::string> & metadata);

}  // namespace mgproto

#endif  // MODEL__SAFETENSORS_HPP_
