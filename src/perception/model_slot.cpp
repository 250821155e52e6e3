// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "perception/model_slot.hpp"

#include <filesystem>
#include <optional>
#include <utility>

#include "visual/patch_picture.hpp"

namespace mgproto::perception
{

std::shared_ptr<LoadedModel> load(
  const std::string & path, const Recognizer::Options & options, int version)
{
  constexpr std::size_t kDigits = 8;
  Recognizer recognizer(path, options);
  auto info = std::make_shared<ModelInfo>();
  info->manifest = recognizer.manifest();
  for (std::optional<Provenance> & source : info->manifest.prototypes) {
    if (source) {
      source->patch = visual::boxed_jpeg(*source);
    }
  }
  info->id = std::filesystem::path(path).stem().string() + "@" +
             info->manifest.tensors_sha256.substr(0, kDigits);
  info->path = path;
  info->device = recognizer.device();
  info->version = version;
  return std::make_shared<LoadedModel>(LoadedModel{std::move(recognizer), std::move(info)});
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

std::shared_ptr<const ModelInfo> ModelSlot::info() const
{
  const std::lock_guard lock(mutex_);
  return current_ ? current_->info : nullptr;
}

}  // namespace mgproto::perception
