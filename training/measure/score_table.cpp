// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/measure/score_table.hpp"

#include <torch/torch.h>

#include "datasets/text_file.hpp"
#include "model/number_text.hpp"
#include "training/ground/calibration.hpp"

namespace mgproto
{
namespace
{

constexpr int kDigits = 9;  // all that a float32 has

std::string name_of(const std::vector<std::string> & classes, std::int64_t label)
{
  return label >= 0 ? csv_field(classes.at(label)) : "";
}

}  // namespace

ScoreTable::ScoreTable(Network & network, const std::vector<NamedScore> & scores)
: network_(network), text_("set,image,label,predicted")
{
  for (const NamedScore & score : scores) {
    if (score.score) {
      scores_.push_back(score);
      text_ += "," + score.name;
    }
  }
  text_ += network.familiarity() != nullptr ? ",parts,place,distance\n" : "\n";
}

void ScoreTable::add(
  const std::string & set, const Dataset & dataset, const std::vector<std::string> & classes,
  const ImageOutputs & images)
{
  std::vector<torch::Tensor> columns;
  for (const NamedScore & score : scores_) {
    columns.push_back(score.score(images).to(torch::kFloat64));
  }
  const std::vector<Answers> answers = answers_of(network_, images);
  const torch::Tensor predicted = images.logits.argmax(1);
  for (std::int64_t i = 0; i < images.labels.size(0); ++i) {
    text_ += csv_field(set) + "," +
             csv_field(dataset.samples.at(images.images[i].item<std::int64_t>()).name) + "," +
             name_of(classes, images.labels[i].item<std::int64_t>()) + "," +
             name_of(classes, predicted[i].item<std::int64_t>());
    for (const torch::Tensor & column : columns) {
      text_ += "," + general(column[i].item<double>(), kDigits);
    }
    for (std::size_t q = 1; network_.familiarity() != nullptr && q < kQuestions; ++q) {
      text_ += "," + general(answers[i][q], kDigits);
    }
    text_ += "\n";
  }
}

}  // namespace mgproto
