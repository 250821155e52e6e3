// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/torch_state_dict.hpp"

#include <optional>
#include <set>
#include <utility>

#include "mgproto_ros/error.hpp"
#include "model/printable.hpp"
#include "model/tensor_bytes.hpp"

namespace mgproto
{
namespace
{

using pickle::Index;
using pickle::Kind;
using pickle::Pickle;
using pickle::Value;

// Views may share a storage, so tensors may add up to more than the file; a broadcast view of one
// number could add up to anything.
constexpr std::uint64_t kMaxBytesPerFileByte = 4;
constexpr std::uint64_t kSpareBytes = 1 << 20;

constexpr std::size_t kMaxEntries = 1 << 20;
constexpr std::size_t kMaxNameLength = 1024;
constexpr int kMaxDepth = 32;

class StateDictReader
{
public:
  StateDictReader(
    const std::string & path, const Pickle & pickle, std::uint64_t file_size,
    const StorageBytes & storage_bytes)
  : path_(path),
    pickle_(pickle),
    storage_bytes_(storage_bytes),
    bytes_left_(file_size * kMaxBytesPerFileByte + kSpareBytes)
  {
  }

  std::vector<TorchTensor> read()
  {
    const Value * top = &pickle_[pickle_.root];
    if (!is_dict(*top)) {
      throw FileError(path_, "expected a dict of tensors, such as a module's state_dict()");
    }
    for (const std::string_view name : {"state_dict", "model_state_dict", "model"}) {
      if (const Value * inner = find(*top, name); inner && holds_tensors(*inner)) {
        top = inner;
        break;
      }
    }
    add_dict(*top, "", 1);
    if (tensors_.empty()) {
      throw FileError(path_, "holds no tensors");
    }
    return std::move(tensors_);
  }

private:
  struct Entry
  {
    const Value & key;
    const Value & value;
  };

  bool is_call(const Value & value, std::string_view name) const
  {
    return value.kind == Kind::call && pickle_[value.items[0]].text == name;
  }

  const std::vector<Index> & arguments(const Value & call) const
  {
    return pickle_[call.items[1]].items;
  }

  // Python 2 passed the entries of an OrderedDict as a list of pairs.
  bool is_dict(const Value & value) const
  {
    return value.kind == Kind::dict || is_call(value, "collections.OrderedDict");
  }

  bool is_plain_tensor(const Value & value) const
  {
    return is_call(value, "torch._utils._rebuild_tensor_v2") ||
           is_call(value, "torch._utils._rebuild_tensor");
  }

  bool is_parameter(const Value & value) const
  {
    return is_call(value, "torch._utils._rebuild_parameter");
  }

  bool is_tensor(const Value & value) const
  {
    return is_plain_tensor(value) || is_parameter(value);
  }

  std::vector<Entry> entries(const Value & dict) const
  {
    std::vector<Entry> result;
    if (dict.kind == Kind::dict) {
      for (std::size_t i = 0; i + 1 < dict.items.size(); i += 2) {
        result.push_back({pickle_[dict.items[i]], pickle_[dict.items[i + 1]]});
      }
      return result;
    }
    for (const Index index : pickle_[arguments(dict)[0]].items) {
      const Value & pair = pickle_[index];
      if ((pair.kind != Kind::list && pair.kind != Kind::tuple) || pair.items.size() != 2) {
        throw FileError(path_, "expected the entries of an OrderedDict to be pairs");
      }
      result.push_back({pickle_[pair.items[0]], pickle_[pair.items[1]]});
    }
    return result;
  }

  const Value * find(const Value & dict, std::string_view name) const
  {
    for (const Entry & entry : entries(dict)) {
      if (entry.key.kind == Kind::text && entry.key.text == name) {
        return &entry.value;
      }
    }
    return nullptr;
  }

  bool holds_tensors(const Value & value) const
  {
    if (is_dict(value)) {
      for (const Entry & entry : entries(value)) {
        if (is_tensor(entry.value)) {
          return true;
        }
      }
    }
    return false;
  }

  void add_dict(const Value & dict, const std::string & prefix, int depth)
  {
    if (depth > kMaxDepth) {
      throw FileError(
        path_, "expected dicts at most " + std::to_string(kMaxDepth) + " deep, got more at " +
                 printable(prefix));
    }
    const std::vector<Entry> content = entries(dict);
    // The same dict may be reached along many ways, or hold itself.
    entries_seen_ += content.size();
    if (entries_seen_ > kMaxEntries) {
      throw FileError(path_, "expected at most " + std::to_string(kMaxEntries) + " entries");
    }
    for (const auto & [key, value] : content) {
      if (is_tensor(value)) {
        add_tensor(value, join(prefix, key));
      } else if (is_dict(value)) {
        add_dict(value, join(prefix, key), depth + 1);
      }
    }
  }

  std::string join(const std::string & prefix, const Value & key) const
  {
    if (key.kind != Kind::text && key.kind != Kind::integer) {
      throw FileError(path_, "expected the names of tensors to be strings");
    }
    std::string name = prefix.empty() ? "" : prefix + ".";
    name += key.kind == Kind::text ? std::string(key.text) : std::to_string(key.integer);
    if (name.size() > kMaxNameLength) {
      throw FileError(
        path_, "expected names of at most " + std::to_string(kMaxNameLength) + " characters, got " +
                 printable(name));
    }
    return name;
  }

  [[noreturn]] void fail(const std::string & name, const std::string & problem) const
  {
    throw FileError(path_, "tensor " + printable(name) + ": " + problem);
  }

  void spend(const std::string & name, std::uint64_t bytes)
  {
    if (bytes > bytes_left_) {
      fail(name, "the tensors are far larger than the file that holds them");
    }
    bytes_left_ -= bytes;
  }

  /// _rebuild_tensor(storage, offset, size, stride), with more after it in _v2;
  /// _rebuild_parameter(tensor, ...).
  void add_tensor(const Value & value, std::string name)
  {
    const Value * call = &value;
    if (is_parameter(value) && !arguments(value).empty()) {
      call = &pickle_[arguments(value)[0]];
    }
    if (!is_plain_tensor(*call)) {
      fail(name, "expected the parameter to hold a tensor");
    }
    const std::vector<Index> & given = arguments(*call);
    if (given.size() < 4 || pickle_[given[0]].kind != Kind::persistent) {
      fail(name, "expected a storage, an offset, a size and strides");
    }
    if (!names_.insert(name).second) {
      fail(name, "is there twice");
    }
    const TorchStorage storage = storage_of(path_, pickle_, pickle_[given[0]]);
    StorageView view{
      to_integer(name, pickle_[given[1]]), to_integers(name, pickle_[given[2]]),
      to_integers(name, pickle_[given[3]])};
    spend(name, sizeof(TorchTensor) + 2 * name.size() + sizeof(std::int64_t) * view.shape.size());
    TorchTensor tensor;
    tensor.dtype = storage.dtype;
    tensor.data = read_view(name, storage, view);
    tensor.shape = std::move(view.shape);
    tensor.name = std::move(name);
    tensors_.push_back(std::move(tensor));
  }

  std::int64_t to_integer(const std::string & name, const Value & value) const
  {
    if (value.kind != Kind::integer || value.integer < 0) {
      fail(name, "expected offset, size and strides to be integers, not negative");
    }
    return value.integer;
  }

  std::vector<std::int64_t> to_integers(const std::string & name, const Value & value) const
  {
    if (value.kind != Kind::tuple || value.items.size() > kMaxDimensions) {
      fail(
        name, "expected size and strides to be tuples of at most " +
                std::to_string(kMaxDimensions) + " integers");
    }
    std::vector<std::int64_t> integers;
    for (const Index item : value.items) {
      integers.push_back(to_integer(name, pickle_[item]));
    }
    return integers;
  }

  std::vector<std::byte> read_view(
    const std::string & name, const TorchStorage & storage, const StorageView & view)
  {
    if (view.strides.size() != view.shape.size()) {
      fail(name, "expected as many strides as sizes");
    }
    const std::optional<std::uint64_t> bytes = view_bytes(storage, view);
    if (!bytes) {
      fail(
        name, "reaches beyond its storage " + printable(storage.key) + " of " +
                std::to_string(storage.numel) + " elements");
    }
    if (*bytes == 0) {
      return {};  // its storage need not be there
    }
    spend(name, *bytes);
    const std::string_view source = storage_bytes_(storage);
    storage_length(path_, storage, source.size());
    return copy_view(source, storage, view);
  }

  const std::string & path_;
  const Pickle & pickle_;
  const StorageBytes & storage_bytes_;
  std::uint64_t bytes_left_;
  std::size_t entries_seen_ = 0;
  std::set<std::string> names_;
  std::vector<TorchTensor> tensors_;
};

}  // namespace

std::vector<TorchTensor> read_state_dict(
  const std::string & path, const Pickle & pickle, std::uint64_t file_size,
  const StorageBytes & storage_bytes)
{
  return StateDictReader(path, pickle, file_size, storage_bytes).read();
}

}  // namespace mgproto
