// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MGPROTO_ROS__ERROR_HPP_
#define MGPROTO_ROS__ERROR_HPP_

#include <stdexcept>
#include <string>

namespace mgproto
{

/// Base of everything this library throws. `what()` is one clear line that names the thing that was
/// wrong and what was expected; hosts and the command show it as it is.
class Error : public std::runtime_error
{
public:
  using std::runtime_error::runtime_error;
};

/// A file that cannot be read or written, or that is not what it claims to be.
class FileError : public Error
{
public:
  FileError(const std::string & path, const std::string & problem)
  : Error(path + ": " + problem), path_(path)
  {
  }
  const std::string & path() const { return path_; }

private:
  std::string path_;
};

/// A setting with an unknown name, a wrong type or a value out of range.
class ConfigError : public Error
{
public:
  ConfigError(const std::string & key, const std::string & problem)
  : Error(key + ": " + problem), key_(key)
  {
  }
  const std::string & key() const { return key_; }

private:
  std::string key_;
};

/// An image that cannot be used: no pixels, sizes that do not fit together, an unknown format.
class ImageError : public Error
{
public:
  using Error::Error;
};

/// A compute device that is not there, or that failed.
class DeviceError : public Error
{
public:
  using Error::Error;
};

}  // namespace mgproto

#endif  // MGPROTO_ROS__ERROR_HPP_
