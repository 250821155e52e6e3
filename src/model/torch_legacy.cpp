// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/torch_legacy.hpp"

#include <cstring>
#include <map>

#include "mgproto_ros/error.hpp"
#include "model/printable.hpp"
#include "model/torch_globals.hpp"
#include "model/torch_state_dict.hpp"

namespace mgproto
{
namespace
{

using pickle::Index;
using pickle::Kind;
using pickle::Pickle;
using pickle::Value;

// 0x1950a86a20f9469cfc6c, as a pickle holds it.
constexpr std::string_view kMagic("\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", 10);
constexpr std::int64_t kProtocol = 1001;

void check_byte_order(const std::string & path, const Pickle & system)
{
  const Value & settings = system[system.root];
  for (std::size_t i = 0; settings.kind == Kind::dict && i + 1 < settings.items.size(); i += 2) {
    if (
      system[settings.items[i]].text == "little_endian" &&
      system[settings.items[i + 1]].integer != 1) {
      throw FileError(path, "expected byte order little, got big");
    }
  }
}

/// The element type of each storage that the object refers to. Throws FileError.
std::map<std::string_view, DType> storage_dtypes(const std::string & path, const Pickle & object)
{
  std::map<std::string_view, DType> dtypes;
  for (const Value & value : object.values) {
    if (value.kind == Kind::persistent) {
      const TorchStorage storage = storage_of(path, object, value);
      if (dtypes.emplace(storage.key, storage.dtype).first->second != storage.dtype) {
        throw FileError(path, "storage " + printable(storage.key) + " has two element types");
      }
    }
  }
  return dtypes;
}

/// Finds each storage behind the pickles: its number of elements, then its bytes. Throws FileError.
std::map<std::string_view, std::string_view> locate_storages(
  const std::string & path, const std::map<std::string_view, DType> & dtypes, const Pickle & keys,
  std::string_view bytes)
{
  if (keys[keys.root].kind != Kind::list) {
    throw FileError(path, "expected a list of storages after the pickled object");
  }
  std::map<std::string_view, std::string_view> storages;
  for (const Index index : keys[keys.root].items) {
    const auto dtype = dtypes.find(keys[index].text);
    if (keys[index].kind != Kind::text || dtype == dtypes.end()) {
      throw FileError(path, "lists a storage that no tensor uses");
    }
    TorchStorage storage{dtype->first, dtype->second, 0};
    if (bytes.size() < sizeof(storage.numel)) {
      throw FileError(path, "ends before storage " + printable(storage.key));
    }
    std::memcpy(&storage.numel, bytes.data(), sizeof(storage.numel));
    bytes.remove_prefix(sizeof(storage.numel));
    const std::size_t length = storage_length(path, storage, bytes.size());
    storages.emplace(storage.key, bytes.substr(0, length));
    bytes.remove_prefix(length);
  }
  return storages;
}

}  // namespace

bool is_torch_legacy(std::string_view file)
{
  return file.substr(0, 32).find(kMagic) != std::string_view::npos;
}

std::vector<TorchTensor> read_torch_legacy(const std::string & path, std::string_view file)
{
  std::string_view rest = file;
  const auto next = [&] {
    Pickle pickle = unpickle_torch(path, rest);
    rest.remove_prefix(pickle.length);
    return pickle;
  };
  const Pickle magic = next();
  const Pickle protocol = next();
  if (magic[magic.root].text != kMagic || protocol[protocol.root].integer != kProtocol) {
    throw FileError(
      path, "expected PyTorch's magic number and protocol " + std::to_string(kProtocol));
  }
  check_byte_order(path, next());
  const Pickle object = next();
  const Pickle keys = next();
  const auto storages = locate_storages(path, storage_dtypes(path, object), keys, rest);
  return read_state_dict(path, object, file.size(), [&](const TorchStorage & storage) {
    const auto found = storages.find(storage.key);
    if (found == storages.end()) {
      throw FileError(path, "storage " + printable(storage.key) + " is missing");
    }
    return found->second;
  });
}

}  // namespace mgproto
