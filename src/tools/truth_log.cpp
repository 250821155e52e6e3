// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/truth_log.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "mgproto_ros/error.hpp"

namespace mgproto::tools
{
namespace
{

using nlohmann::ordered_json;

constexpr std::size_t kLongestRead = 1 << 20;
constexpr std::size_t kLongestLine = 1 << 16;
constexpr std::uint32_t kNanosecondsPerSecond = 1'000'000'000;

[[noreturn]] void fail(const std::string & path, const char * what)
{
  throw FileError(path, std::string(what) + ": " + std::strerror(errno));
}

class OpenFile
{
public:
  explicit OpenFile(int descriptor) : descriptor_(descriptor) {}
  ~OpenFile() { close(descriptor_); }
  OpenFile(const OpenFile &) = delete;
  OpenFile & operator=(const OpenFile &) = delete;
  operator int() const { return descriptor_; }

private:
  int descriptor_;
};

std::optional<Truth> parse(const std::string & line)
{
  const ordered_json json = ordered_json::parse(line, nullptr, false);
  try {
    Truth truth;
    const auto sec = json.at("stamp").at("sec").get<std::int64_t>();
    const auto nanosec = json.at("stamp").at("nanosec").get<std::int64_t>();
    if (
      sec < std::numeric_limits<std::int32_t>::min() ||
      sec > std::numeric_limits<std::int32_t>::max() || nanosec < 0 ||
      nanosec >= kNanosecondsPerSecond) {
      return std::nullopt;
    }
    truth.stamp.sec = static_cast<std::int32_t>(sec);
    truth.stamp.nanosec = static_cast<std::uint32_t>(nanosec);
    truth.label = json.at("label").get<std::string>();
    truth.name = json.value("name", "");
    return truth;
  } catch (const ordered_json::exception &) {
    return std::nullopt;
  }
}

}  // namespace

TruthLog::TruthLog(const std::string & path)
: path_(path), file_(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666))
{
  if (file_ < 0) {
    fail(path_, "cannot be written");
  }
}

TruthLog::~TruthLog() { close(file_); }

void TruthLog::write(const Truth & truth)
{
  const ordered_json json{
    {"stamp", {{"sec", truth.stamp.sec}, {"nanosec", truth.stamp.nanosec}}},
    {"label", truth.label},
    {"name", truth.name}};
  // File names need not be UTF-8; whatever is not becomes U+FFFD.
  const std::string line = json.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
  for (std::size_t written = 0; written < line.size();) {
    const ssize_t count = ::write(file_, line.data() + written, line.size() - written);
    if (count < 0 && errno != EINTR) {
      fail(path_, "cannot be written");
    }
    written += count > 0 ? static_cast<std::size_t>(count) : 0;
  }
}

std::vector<Truth> TruthFollower::poll()
{
  rest_ += new_text();
  std::vector<Truth> truths;
  std::size_t begin = 0;
  for (std::size_t end = rest_.find('\n'); end != std::string::npos;
       end = rest_.find('\n', begin)) {
    const std::string line = rest_.substr(begin, end - begin);
    begin = end + 1;
    std::optional<Truth> truth = skip_rest_ ? std::nullopt : parse(line);
    skip_rest_ = false;
    if (truth) {
      truths.push_back(std::move(*truth));
    } else {
      ++broken_lines_;
    }
  }
  rest_.erase(0, begin);
  if (rest_.size() > kLongestLine) {
    rest_.clear();
    skip_rest_ = true;
  }
  return truths;
}

std::string TruthFollower::new_text()
{
  const OpenFile file(open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (file < 0) {
    if (errno == ENOENT) {
      return "";
    }
    fail(path_, "cannot be read");
  }
  struct stat status;
  if (fstat(file, &status) != 0) {
    fail(path_, "cannot be read");
  }
  if (status.st_ino != inode_ || status.st_size < offset_) {
    inode_ = status.st_ino;
    offset_ = 0;
    rest_.clear();
    skip_rest_ = false;
  }
  std::string text(std::min<std::size_t>(status.st_size - offset_, kLongestRead), '\0');
  const ssize_t count = pread(file, text.data(), text.size(), offset_);
  if (count < 0) {
    fail(path_, "cannot be read");
  }
  text.resize(static_cast<std::size_t>(count));
  offset_ += count;
  return text;
}

}  // namespace mgproto::tools
