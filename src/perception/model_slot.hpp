// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__MODEL_SLOT_HPP_
#define PERCEPTION__MODEL_SLOT_HPP_

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>

#include "perception/frame_prediction.hpp"
#include "teach/teachable_model.hpp"

namespace mgproto::perception
{

struct LoadedModel
{
  TeachableModel model;
  std::shared_ptr<const ModelInfo> info;
};

/// The id is the file's name and the first digits of the tensors' hash: birds_demo@98a57bd6.
/// Patches that the model before has as well are not drawn again.
std::shared_ptr<LoadedModel> loaded(
  TeachableModel model, int version, const LoadedModel * before = nullptr);

/// The model in use: one worker runs it, anybody may put another one in its place. The worker goes
/// on with the old one to the end of its batch.
class ModelSlot
{
public:
  /// While it lives, the worker uses the model that was in the slot when it was made.
  class Use
  {
  public:
    explicit Use(ModelSlot & slot);
    ~Use();
    Use(const Use &) = delete;
    Use & operator=(const Use &) = delete;

    /// nullptr if there is none.
    LoadedModel * model() const { return model_; }

  private:
    ModelSlot & slot_;
    LoadedModel * model_;
  };

  /// nullptr: no model. Returns when the worker has let go of the old one, which is then freed. Not
  /// to be called by the worker.
  void replace(std::shared_ptr<LoadedModel> model);

  /// Returns when the worker uses no model. Not to be called by the worker.
  void wait_until_unused();

  // nullptr if there is none.

  /// To teach by, while the worker answers by it.
  std::shared_ptr<const LoadedModel> current() const;
  std::shared_ptr<const ModelInfo> info() const;

private:
  mutable std::mutex mutex_;
  std::condition_variable released_;
  std::shared_ptr<LoadedModel> current_;
  const LoadedModel * in_use_ = nullptr;
};

}  // namespace mgproto::perception

#endif  // PERCEPTION__MODEL_SLOT_HPP_
