// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "perception/taught_versions.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "mgproto_ros/error.hpp"
#include "model/checkpoint_file.hpp"
#include "model/file_io.hpp"
#include "model/sha256.hpp"

namespace mgproto::perception
{
namespace
{

namespace fs = std::filesystem;

constexpr std::size_t kDigits = 8;  // of the hash of a file
constexpr const char * kEnding = ".safetensors";

std::string hash_of(const std::string & path)
{
  const FileBytes file(path);
  return sha256_hex(file.data(), file.size()).substr(0, kDigits);
}

std::string new_temporary_directory()
{
  std::string path = (fs::temp_directory_path() / "mgproto_taught_XXXXXX").string();
  if (mkdtemp(path.data()) == nullptr) {
    throw FileError(path, std::string("cannot be made: ") + std::strerror(errno));
  }
  return path;
}

void copy(const std::string & from, const std::string & to)
{
  const FileBytes file(from);
  write_atomically(to, {{file.data(), file.size()}});
}

}  // namespace

TaughtVersions::TaughtVersions(const std::string & base, const std::string & directory)
: base_(base), stem_(fs::path(base).stem().string()), is_temporary_(directory.empty())
{
  if (!is_temporary_) {
    directory_ = (fs::path(directory) / (stem_ + "@" + hash_of(base))).string();
  }
}

TaughtVersions::~TaughtVersions()
{
  if (lock_ >= 0) {
    close(lock_);
  }
  if (is_temporary_ && !directory_.empty()) {
    std::error_code ignored;
    fs::remove_all(directory_, ignored);
  }
}

std::string TaughtVersions::file(int number) const
{
  const std::string name = stem_ + "_taught_" + std::to_string(number) + kEnding;
  return (fs::path(directory_) / name).string();
}

std::vector<int> TaughtVersions::numbers() const
{
  std::vector<int> numbers;
  std::error_code ignored;  // a directory that is not there yet
  for (const auto & entry : fs::directory_iterator(directory_, ignored)) {
    const std::string name = entry.path().filename().string();
    const std::string prefix = stem_ + "_taught_";
    int number = 0;
    if (name.rfind(prefix, 0) == 0) {
      std::from_chars(name.data() + prefix.size(), name.data() + name.size(), number);
    }
    if (number > 0 && fs::path(file(number)).filename() == name) {
      numbers.push_back(number);
    }
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::vector<std::string> TaughtVersions::files() const
{
  std::vector<std::string> files{base_};
  for (const int number : numbers()) {
    files.push_back(file(number));
  }
  std::reverse(files.begin(), files.end());
  return files;
}

std::string TaughtVersions::next(const Manifest & current)
{
  lock();
  bring_backbone(current);
  const std::vector<int> present = numbers();
  const int number = present.empty() ? 1 : present.back() + 1;
  for (const int old : present) {
    if (old <= number - 1 - kKept) {
      std::error_code ignored;
      fs::remove(file(old), ignored);
    }
  }
  return file(number);
}

void TaughtVersions::lock()
{
  if (lock_ >= 0) {
    return;
  }
  if (directory_.empty()) {
    directory_ = new_temporary_directory();
  }
  std::error_code problem;
  fs::create_directories(directory_, problem);
  const std::string path = (fs::path(directory_) / "lock").string();
  const int lock = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock < 0) {
    throw FileError(path, std::string("cannot be written: ") + std::strerror(errno));
  }
  if (flock(lock, LOCK_EX | LOCK_NB) != 0) {
    close(lock);
    throw FileError(directory_, "another process teaches this model");
  }
  lock_ = lock;
}

/// A backbone that models share is shared with the taught ones, too.
void TaughtVersions::bring_backbone(const Manifest & current)
{
  if (current.backbone_file) {
    const std::string own = beside(file(1), *current.backbone_file);
    if (!fs::exists(own)) {
      copy(beside(base_, *current.backbone_file), own);
    }
  }
}

std::string TaughtVersions::previous()
{
  const std::vector<std::string> all = files();
  const std::vector<int> present = numbers();
  if (present.empty()) {
    throw Error("nothing was taught that could be taken back");
  }
  const bool is_first = present.size() == 1;
  if (is_first && present.front() != 1) {
    throw Error("only the last " + std::to_string(kKept) + " steps can be taken back");
  }
  lock();
  return all[1];
}

void TaughtVersions::remove_newest()
{
  lock();
  const std::vector<int> present = numbers();
  if (!present.empty()) {
    fs::remove(file(present.back()));
  }
}

}  // namespace mgproto::perception
