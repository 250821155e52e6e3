// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/report/results_json.hpp"

#include <algorithm>

#include "model/file_io.hpp"
#include "training/report/base64.hpp"
#include "visual/patch_picture.hpp"

namespace mgproto
{
namespace
{

using nlohmann::json;
using Json = nlohmann::ordered_json;

template <typename Value>
Json or_null(const std::optional<Value> & value)
{
  return value ? Json(*value) : Json();
}

std::optional<double> mean(const std::optional<PurityScore> & purity)
{
  return purity ? std::optional<double>(purity->mean) : std::nullopt;
}

std::optional<double> deviation(const std::optional<PurityScore> & purity)
{
  return purity ? std::optional<double>(purity->deviation) : std::nullopt;
}

Json worst_class_json(const Calibrated & calibrated)
{
  return {
    {"class_id", calibrated.worst_class},
    {"tpr", or_null(calibrated.tpr_of_class.at(calibrated.worst_class))}};
}

Json scores_json(const SetScores & scores)
{
  return {{"test", scores.test}, {"calibration", scores.calibration}, {"ood", scores.ood}};
}

Json selective_json(const std::optional<Selective> & selective)
{
  if (!selective) {
    return {};
  }
  Json curve = Json::array();
  for (const RiskPoint & point : selective->curve) {
    curve.push_back({point.coverage, point.accuracy});
  }
  return {{"aurc", selective->aurc}, {"curve", curve}};
}

Json ood_json(const OodResult & set)
{
  if (!set.error.empty()) {
    return {{"error", set.error}};
  }
  Json scores = Json::object();
  for (const auto & [name, separation] : set.scores) {
    scores[name] = Json();
    if (separation) {
      scores[name] = {
        {"fpr95", separation->fpr95},
        {"auroc", separation->auroc},
        {"aupr_in", separation->aupr_in},
        {"aupr_out", separation->aupr_out}};
    }
  }
  return {{"count", set.count}, {"passed", or_null(set.passed)}, {"scores", scores}};
}

Json pruning_json(const std::vector<ModelResult> & rows)
{
  Json table;
  for (const ModelResult & row : rows) {
    Json ood = Json::object();
    for (const auto & [name, set] : row.ood) {
      const Separation & separation = *set.scores.front().second;
      ood[name] = {{"fpr95", separation.fpr95}, {"auroc", separation.auroc}};
    }
    table.push_back(
      {{"method", row.name},
       {"keep", or_null(row.keep)},
       {"prototypes", or_null(row.prototypes)},
       {"accuracy", row.accuracy},
       {"ood", ood}});
  }
  return table;
}

const Separation & separation_by(const OodResult & set, const std::string & score)
{
  const auto found = std::find_if(
    set.scores.begin(), set.scores.end(), [&](const auto & entry) { return entry.first == score; });
  return *found->second;
}

Json stages_json(const std::vector<ModelResult> & stages)
{
  Json list = Json::array();
  for (const ModelResult & stage : stages) {
    Json ood = Json::object();
    for (const auto & [name, set] : stage.ood) {
      const Separation & separation = separation_by(set, stage.score);
      ood[name] = {
        {"fpr95", separation.fpr95},
        {"auroc", separation.auroc},
        {"msp_auroc", separation_by(set, "msp").auroc},
        {"passed_at_threshold", or_null(set.passed)}};
    }
    const auto & calibrated = stage.calibrated;
    list.push_back(
      {{"name", stage.name},
       {"accuracy", stage.accuracy},
       {"prototypes", or_null(stage.prototypes)},
       {"mean_pairwise_distance", or_null(stage.diversity)},
       {"distinct_patches", or_null(stage.distinct_patches)},
       {"score", stage.score},
       {"threshold", calibrated ? Json(calibrated->threshold) : Json()},
       {"tpr_test", calibrated ? Json(calibrated->tpr) : Json()},
       {"wrong_known", calibrated ? or_null(calibrated->wrong_known) : Json()},
       {"worst_class", calibrated ? worst_class_json(*calibrated) : Json()},
       {"ood", ood}});
  }
  return list;
}

}  // namespace

std::vector<std::pair<std::string, std::optional<double>>> interpretability_rows(
  const Evaluation & evaluation)
{
  std::vector<std::pair<std::string, std::optional<double>>> rows;
  if (evaluation.classifier.empty()) {
    const Interpretability & found = evaluation.interpretability;
    rows = {
      {"consistency", found.consistency},
      {"stability", found.stability},
      {"purity", mean(found.purity)},
      {"purity_std", deviation(found.purity)},
      {"purity_train", mean(evaluation.purity_train)},
      {"purity_train_std", deviation(evaluation.purity_train)},
      {"oirr", found.oirr},
      {"dauc", found.dauc},
      {"diversity", found.diversity},
      {"on_object", found.on_object},
      {"centre_on_object", found.centre_on_object},
      {"sufficient", found.sufficient},
      {"necessary", found.necessary},
      {"alike", found.alike},
      {"apart/iou", found.apart ? std::optional(found.apart->iou) : std::nullopt},
      {"apart/share", found.apart ? std::optional(found.apart->share) : std::nullopt}};
  }
  const PartReferences & references = evaluation.part_references;
  if (references.centre.consistency) {
    rows.insert(
      rows.end(), {{"centre_consistency", references.centre.consistency},
                   {"centre_purity", mean(references.centre.purity)},
                   {"part_consistency", references.features.consistency},
                   {"part_purity", mean(references.features.purity)},
                   {"backbone_part_consistency", references.backbone.consistency},
                   {"backbone_part_purity", mean(references.backbone.purity)}});
  }
  return rows;
}

Json evaluation_json(const Evaluation & evaluation)
{
  const bool has_head = evaluation.classifier.empty();
  Json result{{"count", evaluation.count}};
  if (!has_head) {
    result["classifier"] = evaluation.classifier;
  }
  result["accuracy"] = evaluation.model.accuracy;
  result["top5"] = evaluation.top5;
  result["ece"] = or_null(evaluation.ece);
  result["cross_entropy"] = or_null(evaluation.cross_entropy);
  result["per_class"] = Json::array();
  for (std::size_t c = 0; c < evaluation.classes.size(); ++c) {
    const ClassResult & one = evaluation.classes[c];
    const auto & calibrated = evaluation.model.calibrated;
    result["per_class"].push_back(
      {{"name", one.name},
       {"count", one.count},
       {"accuracy", or_null(one.accuracy)},
       {"known", calibrated ? or_null(calibrated->tpr_of_class.at(c)) : Json()}});
  }
  if (has_head) {
    result["confusion"] = evaluation.confusion;
  }
  if (const auto & calibrated = evaluation.model.calibrated) {
    result["calibrated"] = {
      {"threshold", calibrated->threshold},
      {"tpr", calibrated->tpr},
      {"wrong_known", or_null(calibrated->wrong_known)},
      {"worst_class", worst_class_json(*calibrated)}};
  }
  if (has_head) {
    result["selective"] = {
      {"decision", selective_json(evaluation.by_decision)},
      {"log_density", selective_json(evaluation.by_log_density)},
      {"msp", selective_json(evaluation.by_msp)}};
  }
  if (const auto & coverage = evaluation.coverage) {
    result["coverage"] = {
      {"asked", coverage->asked},
      {"calibrated_on", coverage->calibrated_on},
      {"mean", coverage->mean},
      {"accepted", coverage->accepted}};
  }
  if (!evaluation.garbage.empty()) {
    result["garbage"] = evaluation.garbage;
  }
  result["ood"] = Json::object();
  for (const auto & [name, set] : evaluation.model.ood) {
    result["ood"][name] = ood_json(set);
  }
  result["interpretability"] = Json::object();
  for (const auto & [name, value] : interpretability_rows(evaluation)) {
    result["interpretability"][Json::json_pointer("/" + name)] = or_null(value);
  }
  if (evaluation.pruning) {
    result["pruning"] = pruning_json(*evaluation.pruning);
  }
  if (const auto & projected = evaluation.projected) {
    result["projected"] = Json();
    if (projected->distinct_patches) {
      result["projected"] = {
        {"accuracy", projected->accuracy}, {"distinct_patches", *projected->distinct_patches}};
    }
  }
  result["broken"] = evaluation.broken;
  result["left_out"] = evaluation.left_out;
  result["positive"] = "in-distribution";
  return result;
}

json results_json(const TrainingResults & results)
{
  json prototypes = json::array();
  for (const PrototypeResult & prototype : results.prototypes) {
    json entry{
      {"prototype", prototypes.size()},
      {"class_id", prototype.class_id},
      {"prior", or_null(prototype.prior)}};
    if (const auto & source = prototype.source) {
      entry["image"] = source->image;
      entry["row"] = source->row;
      entry["col"] = source->col;
      entry["box"] = {source->box.x, source->box.y, source->box.width, source->box.height};
    }
    prototypes.push_back(entry);
  }
  return {
    {"model", "final.safetensors"},
    {"classes", results.classes},
    {"stages", stages_json(results.stages)},
    {"final_stage", results.final_stage},
    {"threshold", or_null(results.threshold)},
    {"confusion", results.confusion},
    {"prototypes", prototypes},
    {"images_train", results.images_train},
    {"images_test", results.images_test},
    {"seconds", results.seconds}};
}

json pictures_json(const TrainingResults & results)
{
  const auto picture = [](const std::vector<std::uint8_t> & jpeg) {
    return jpeg.empty() ? json() : json(base64(jpeg));
  };
  json pictures = json::array();
  for (const auto & [class_id, prior, source, heat] : results.prototypes) {
    pictures.push_back(
      {{"patch", source ? picture(visual::boxed_jpeg(*source)) : json()}, {"heat", picture(heat)}});
  }
  return pictures;
}

void write_results(const std::string & run_directory, const TrainingResults & results)
{
  json all = results_json(results);
  const json pictures = pictures_json(results);
  for (std::size_t k = 0; k < pictures.size(); ++k) {
    if (results.prototypes[k].source) {
      all["prototypes"][k].update(pictures[k]);
    }
  }
  all["log_density"] = scores_json(results.log_density);
  if (results.joint) {
    all["joint"] = scores_json(*results.joint);
  }
  const std::string text = all.dump();
  write_atomically(run_directory + "/results.json", {{text.data(), text.size()}});
}

std::string with_stages(const std::string & training, const std::vector<ModelResult> & stages)
{
  json all = training.empty() ? json::object() : json::parse(training);
  all["stages"] = stages_json(stages);
  return all.dump();
}

}  // namespace mgproto
