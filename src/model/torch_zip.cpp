// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/torch_zip.hpp"

#include <zip.h>

#include <map>
#include <memory>
#include <optional>

#include "mgproto_ros/error.hpp"
#include "model/printable.hpp"
#include "model/torch_globals.hpp"
#include "model/torch_state_dict.hpp"

namespace mgproto
{
namespace
{

class ZipArchive
{
public:
  ZipArchive(const std::string & path, std::string_view file)
  : path_(path), bytes_left_(file.size()), archive_(nullptr, zip_discard)
  {
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t * source = zip_source_buffer_create(file.data(), file.size(), 0, &error);
    archive_.reset(source ? zip_open_from_source(source, ZIP_RDONLY, &error) : nullptr);
    const std::string reason = zip_error_strerror(&error);
    zip_error_fini(&error);
    if (!archive_) {
      zip_source_free(source);  // otherwise the archive owns it
      throw FileError(path, "is a damaged zip archive: " + reason);
    }
  }

  /// The folder that torch.save puts everything into, with its slash.
  std::string folder() const
  {
    std::optional<std::string> found;
    const zip_int64_t count = zip_get_num_entries(archive_.get(), 0);
    for (zip_int64_t i = 0; i < count; ++i) {
      const char * raw = zip_get_name(archive_.get(), static_cast<zip_uint64_t>(i), 0);
      const std::string_view entry = raw ? raw : "";
      const std::size_t slash = entry.find('/');
      if (slash == std::string_view::npos) {
        continue;
      }
      const std::string_view inside = entry.substr(slash);
      if (inside == "/constants.pkl" || inside.substr(0, 6) == "/code/") {
        throw FileError(
          path_, "is a TorchScript archive: expected a state_dict() written by torch.save");
      }
      if (inside == "/data.pkl" && !found) {
        found = entry.substr(0, slash + 1);
      }
    }
    if (!found) {
      throw FileError(
        path_, "is a zip archive without data.pkl: expected one that torch.save wrote");
    }
    return *found;
  }

  bool has(const std::string & entry) const
  {
    return zip_name_locate(archive_.get(), entry.c_str(), 0) >= 0;
  }

  /// The bytes of an entry, which add up over all reads to at most the size of the file.
  std::string read(const std::string & entry)
  {
    zip_stat_t stat;
    if (zip_stat(archive_.get(), entry.c_str(), 0, &stat) != 0) {
      fail(entry, "is missing");
    }
    constexpr zip_uint64_t kNeeded = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;
    if ((stat.valid & kNeeded) != kNeeded || stat.comp_method != ZIP_CM_STORE) {
      fail(entry, "is compressed, which torch.save never does");
    }
    if (stat.size != stat.comp_size || stat.size > bytes_left_) {
      fail(entry, "is said to be larger than the file has room for");
    }
    bytes_left_ -= stat.size;

    const std::unique_ptr<zip_file_t, decltype(&zip_fclose)> file(
      zip_fopen(archive_.get(), entry.c_str(), 0), zip_fclose);
    if (!file) {
      fail(entry, zip_strerror(archive_.get()));
    }
    std::string bytes(stat.size, '\0');
    std::size_t at = 0;
    while (at < bytes.size()) {
      const zip_int64_t got = zip_fread(file.get(), &bytes[at], bytes.size() - at);
      if (got <= 0) {
        fail(entry, got < 0 ? zip_file_strerror(file.get()) : "ends early");
      }
      at += static_cast<std::size_t>(got);
    }
    char beyond = 0;  // reading the end makes libzip compare the checksum
    if (zip_fread(file.get(), &beyond, 1) != 0) {
      fail(entry, zip_file_strerror(file.get()));
    }
    return bytes;
  }

private:
  [[noreturn]] void fail(const std::string & entry, const std::string & problem) const
  {
    throw FileError(path_, "zip entry " + printable(entry) + " " + problem);
  }

  const std::string & path_;
  std::uint64_t bytes_left_;
  std::unique_ptr<zip_t, decltype(&zip_discard)> archive_;
};

}  // namespace

std::vector<TorchTensor> read_torch_zip(const std::string & path, std::string_view file)
{
  ZipArchive archive(path, file);
  const std::string folder = archive.folder();
  if (archive.has(folder + "byteorder")) {
    const std::string order = archive.read(folder + "byteorder");
    if (order != "little") {
      throw FileError(path, "expected byte order little, got " + printable(order));
    }
  }
  const std::string object_bytes = archive.read(folder + "data.pkl");
  const pickle::Pickle object = unpickle_torch(path, object_bytes);

  std::map<std::string_view, std::string> storages;
  return read_state_dict(path, object, file.size(), [&](const TorchStorage & storage) {
    auto found = storages.find(storage.key);
    if (found == storages.end()) {
      std::string bytes = archive.read(folder + "data/" + std::string(storage.key));
      found = storages.emplace(storage.key, std::move(bytes)).first;
    }
    return std::string_view(found->second);
  });
}

}  // namespace mgproto
