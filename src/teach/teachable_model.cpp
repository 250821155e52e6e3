// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "teach/teachable_model.hpp"

#include <utility>

#include "mgproto_ros/error.hpp"
#include "model/checkpoint.hpp"
#include "model/recognizer_of.hpp"
#include "model/teach.hpp"

namespace mgproto
{

TeachableModel::TeachableModel(const std::string & path, const Recognizer::Options & options)
: TeachableModel(std::make_shared<Checkpoint>(load_mixtures(path)), path, options)
{
}

TeachableModel::TeachableModel(
  std::shared_ptr<Checkpoint> checkpoint, const std::string & path,
  const Recognizer::Options & options)
: path_(path),
  options_(options),
  checkpoint_(std::move(checkpoint)),
  recognizer_(std::make_shared<Recognizer>(recognizer_of(*checkpoint_, options)))
{
}

std::string TeachableModel::problem() const { return teaching_problem(*checkpoint_->network); }

std::shared_ptr<Checkpoint> TeachableModel::model() const
{
  return recognizer_->device() == "cpu" ? checkpoint_
                                        : std::make_shared<Checkpoint>(load_mixtures(path_));
}

TeachableModel TeachableModel::saved(Checkpoint changed, const std::string & output) const
{
  changed.manifest = save_with_backbone_of(path_, output, *changed.network, changed.manifest);
  return TeachableModel(std::make_shared<Checkpoint>(std::move(changed)), output, options_);
}

TeachableModel TeachableModel::taught(
  const std::string & name, const std::vector<LessonImage> & images,
  const std::string & output) const
{
  return saved(teach_images(*model(), name, images, utc_now()), output);
}

TeachableModel TeachableModel::without(const std::string & name, const std::string & output) const
{
  return saved(without_class(*model(), name), output);
}

}  // namespace mgproto
