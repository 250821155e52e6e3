// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "perception/model_slot.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "visual/patch_picture.hpp"

namespace mgproto::perception
{

namespace
{

/// Patches, each with its box, as they are shown to viewers: for those of a model drawn once.
class BoxedPatches
{
public:
  explicit BoxedPatches(const LoadedModel * drawn)
  {
    for (std::size_t k = 0; drawn != nullptr && k < drawn->info->manifest.prototypes.size(); ++k) {
      if (const auto & source = drawn->model.manifest().prototypes[k]) {
        drawn_[key_of(*source)] = &drawn->info->manifest.prototypes[k]->patch;
      }
    }
  }

  std::vector<std::uint8_t> of(const Provenance & source) const
  {
    const auto found = drawn_.find(key_of(source));
    return found == drawn_.end() ? visual::boxed_jpeg(source) : *found->second;
  }

private:
  using Key = std::tuple<std::vector<std::uint8_t>, int, int, int, int>;

  static Key key_of(const Provenance & source)
  {
    const Box & box = source.in_patch;
    return {source.patch, box.x, box.y, box.width, box.height};
  }

  std::map<Key, const std::vector<std::uint8_t> *> drawn_;
};

}  // namespace

std::shared_ptr<LoadedModel> loaded(TeachableModel model, int version, const LoadedModel * before)
{
  constexpr std::size_t kDigits = 8;
  const BoxedPatches boxed(before);
  auto info = std::make_shared<ModelInfo>();
  info->manifest = model.manifest();
  for (std::optional<Provenance> & source : info->manifest.prototypes) {
    if (source) {
      source->patch = boxed.of(*source);
    }
  }
  info->id = std::filesystem::path(model.path()).stem().string() + "@" +
             info->manifest.tensors_sha256.substr(0, kDigits);
  info->path = model.path();
  info->device = model.recognizer().device();
  info->version = version;
  return std::make_shared<LoadedModel>(LoadedModel{std::move(model), std::move(info)});
}

ModelSlot::Use::Use(ModelSlot & slot) : slot_(slot)
{
  const std::lock_guard lock(slot_.mutex_);
  model_ = slot_.current_.get();
  slot_.in_use_ = model_;
}

ModelSlot::Use::~Use()
{
  const std::lock_guard lock(slot_.mutex_);
  slot_.in_use_ = nullptr;
  slot_.released_.notify_all();
}

void ModelSlot::replace(std::shared_ptr<LoadedModel> model)
{
  std::unique_lock lock(mutex_);
  std::swap(current_, model);
  const LoadedModel * old = model.get();
  released_.wait(lock, [&] { return in_use_ == nullptr || in_use_ != old; });
}

void ModelSlot::wait_until_unused()
{
  std::unique_lock lock(mutex_);
  released_.wait(lock, [this] { return in_use_ == nullptr; });
}

std::shared_ptr<const LoadedModel> ModelSlot::current() const
{
  const std::lock_guard lock(mutex_);
  return current_;
}

std::shared_ptr<const ModelInfo> ModelSlot::info() const
{
  const std::lock_guard lock(mutex_);
  return current_ ? current_->info : nullptr;
}

}  // namespace mgproto::perception
