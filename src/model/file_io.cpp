// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/file_io.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <new>
#include <system_error>

#include "mgproto_ros/error.hpp"

namespace mgproto
{
namespace
{

class FileDescriptor
{
public:
  explicit FileDescriptor(int number) : number_(number) {}
  ~FileDescriptor()
  {
    if (number_ >= 0) {
      close(number_);
    }
  }
  FileDescriptor(const FileDescriptor &) = delete;
  FileDescriptor & operator=(const FileDescriptor &) = delete;

  int get() const { return number_; }
  bool is_open() const { return number_ >= 0; }

private:
  int number_;
};

/// To be called right after the failed system call.
[[noreturn]] void throw_errno(const std::string & path, const std::string & what_failed)
{
  const int error = errno;
  throw FileError(path, what_failed + ": " + std::generic_category().message(error));
}

struct stat status_of(const FileDescriptor & file, const std::string & path)
{
  struct stat status = {};
  if (fstat(file.get(), &status) != 0) {
    throw_errno(path, "cannot read the file's size");
  }
  return status;
}

std::size_t memory_of_machine()
{
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// How many there were.
std::size_t read_up_to(
  std::size_t size, const FileDescriptor & file, const std::string & path, std::byte * to)
{
  std::size_t done = 0;
  while (done < size) {
    const ssize_t count = read(file.get(), to + done, size - done);
    if (count == 0) {
      break;
    }
    if (count < 0 && errno != EINTR) {
      throw_errno(path, "cannot read");
    }
    done += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
  }
  return done;
}

/// A new file in a directory; removed again unless it was renamed.
class TemporaryFile
{
public:
  TemporaryFile(const std::string & final_path, const FileDescriptor & directory)
  : final_path_(final_path), directory_(directory), file_(create())
  {
    if (!file_.is_open()) {
      throw_errno(final_path_, "cannot create a temporary file in its directory");
    }
  }
  ~TemporaryFile()
  {
    if (!renamed_) {
      unlinkat(directory_.get(), name_.c_str(), 0);
    }
  }
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile & operator=(const TemporaryFile &) = delete;

  void write_all(const ByteSpan & part)
  {
    auto next = static_cast<const char *>(part.data);
    std::size_t left = part.size;
    while (left > 0) {
      const ssize_t written = write(file_.get(), next, left);
      if (written < 0 && errno != EINTR) {
        throw_errno(final_path_, "cannot write");
      }
      if (written > 0) {
        next += written;
        left -= static_cast<std::size_t>(written);
      }
    }
  }

  void take_the_place_of_final_path()
  {
    if (fsync(file_.get()) != 0) {
      throw_errno(final_path_, "cannot write to the disk");
    }
    const std::string final_name = std::filesystem::path(final_path_).filename();
    if (renameat(directory_.get(), name_.c_str(), directory_.get(), final_name.c_str()) != 0) {
      throw_errno(final_path_, "cannot replace the old file");
    }
    renamed_ = true;
  }

private:
  int create()
  {
    static std::atomic<unsigned> counter{0};
    const std::string prefix = "." + std::filesystem::path(final_path_).filename().string() +
                               ".tmp-" + std::to_string(getpid()) + "-";
    // A process that was killed may have left the same name behind, hence the attempts. Unlike
    // mkstemp(), open() gives the permissions that the umask asks for.
    int number = -1;
    for (int attempt = 0; attempt < 100; ++attempt) {
      name_ = prefix + std::to_string(counter++);
      number =
        openat(directory_.get(), name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (number >= 0 || errno != EEXIST) {
        break;
      }
    }
    return number;
  }

  std::string final_path_;
  const FileDescriptor & directory_;
  std::string name_;
  bool renamed_ = false;
  FileDescriptor file_;
};

}  // namespace

FileBytes::FileBytes(const std::string & path) : path_(path)
{
  // O_NONBLOCK: opening a named pipe must fail the check below, not wait for a writer.
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.is_open()) {
    throw_errno(path, "cannot open");
  }
  const struct stat before = status_of(file, path);
  if (S_ISDIR(before.st_mode)) {
    throw FileError(path, "is a directory, not a file");
  }
  if (!S_ISREG(before.st_mode)) {
    throw FileError(path, "is not a regular file");
  }
  if (before.st_size == 0) {
    throw FileError(path, "is empty");
  }
  size_ = static_cast<std::size_t>(before.st_size);
  if (size_ <= memory_of_machine()) {
    data_.reset(new (std::nothrow) std::byte[size_]);
  }
  if (!data_) {
    throw FileError(
      path, "its " + std::to_string(size_) + " bytes are more than there is memory for");
  }
  const std::size_t read_bytes = read_up_to(size_, file, path, data_.get());
  const struct stat after = status_of(file, path);
  if (
    read_bytes < size_ || after.st_size != before.st_size ||
    after.st_mtim.tv_sec != before.st_mtim.tv_sec ||
    after.st_mtim.tv_nsec != before.st_mtim.tv_nsec) {
    throw FileError(path, "was changed while it was read");
  }
}

std::string read_text(const std::string & path, const std::string & kind)
{
  constexpr std::size_t kLargest = 1 << 20;
  std::ifstream stream(path, std::ios::binary);
  if (!stream || std::filesystem::is_directory(path)) {
    throw FileError(path, "cannot be read");
  }
  std::string text(kLargest + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (stream.bad()) {
    throw FileError(path, "cannot be read");
  }
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > kLargest) {
    throw FileError(path, "larger than 1 MiB, so not " + kind);
  }
  return text;
}

namespace
{

/// The directory of a file that is to be written.
FileDescriptor open_directory_of(const std::string & path)
{
  const std::filesystem::path target(path);
  if (!target.has_filename()) {
    throw FileError(path, "does not name a file to write");
  }
  // rename() would replace a device or a pipe without a word.
  struct stat status = {};
  if (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    throw FileError(
      path, S_ISDIR(status.st_mode) ? "is a directory, not a file" : "is not a regular file");
  }
  const std::string directory_path =
    target.has_parent_path() ? target.parent_path().string() : std::string(".");
  const int number = open(directory_path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (number < 0) {
    throw_errno(path, "cannot open its directory '" + directory_path + "'");
  }
  return FileDescriptor(number);
}

}  // namespace

void write_atomically(const std::string & path, const std::vector<ByteSpan> & parts)
{
  const FileDescriptor directory = open_directory_of(path);
  TemporaryFile temporary(path, directory);
  for (const ByteSpan & part : parts) {
    temporary.write_all(part);
  }
  temporary.take_the_place_of_final_path();

  // EINVAL: the file system does not sync directories.
  if (fsync(directory.get()) != 0 && errno != EINVAL) {
    throw_errno(path, "was written, but might not survive a loss of power");
  }
}

void expect_writable(const std::string & path)
{
  const FileDescriptor directory = open_directory_of(path);
  TemporaryFile(path, directory);  // is removed again
}

}  // namespace mgproto
