// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "teach/teach_files.hpp"

#include "mgproto_ros/error.hpp"
#include "model/checkpoint_file.hpp"
#include "model/teach.hpp"

namespace mgproto
{
namespace
{

Manifest saved(const std::string & output, const Checkpoint & checkpoint)
{
  save_checkpoint(output, *checkpoint.network, checkpoint.manifest);
  return CheckpointFile::open(output).manifest();
}

}  // namespace

Manifest teach_file(
  const std::string & model, const std::string & output, const std::string & name,
  const std::vector<LessonImage> & images)
{
  Checkpoint checkpoint = load_mixtures(model);
  if (const std::string problem = teaching_problem(*checkpoint.network); !problem.empty()) {
    throw FileError(model, problem);
  }
  return saved(output, teach_images(checkpoint, name, images, utc_now()));
}

Manifest forget_in_file(
  const std::string & model, const std::string & output, const std::string & name)
{
  Checkpoint checkpoint = load_mixtures(model);
  return saved(output, without_class(checkpoint, name));
}

}  // namespace mgproto
