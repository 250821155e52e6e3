// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "dashboard/json_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "mgproto_ros/error.hpp"

namespace mgproto::dashboard
{
namespace
{

using nlohmann::json;

constexpr std::size_t kMaxText = 1000;   // bytes of one string
constexpr std::size_t kMaxList = 100;    // scores, prototypes, values of one message
constexpr std::size_t kMaxImages = 400;  // of an album

std::string dumped(const json & value)
{
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string cut(const std::string & text) { return text.substr(0, kMaxText); }

json box_json(const Box & box) { return {box.x, box.y, box.width, box.height}; }

template <typename Items, typename ToJson>
json first_of(const Items & items, const ToJson & to_json)
{
  json list = json::array();
  for (std::size_t i = 0; i < std::min(items.size(), kMaxList); ++i) {
    list.push_back(to_json(items[i]));
  }
  return list;
}

json score_json(const Score & score)
{
  return {
    {"class_id", score.class_id},
    {"class_name", cut(score.class_name)},
    {"posterior", score.posterior},
    {"log_likelihood", score.log_likelihood}};
}

json question_json(const std::pair<std::string, double> & question)
{
  return {{"name", cut(question.first)}, {"p_value", question.second}};
}

json evidence_json(const Evidence & evidence)
{
  return {
    {"prototype", evidence.prototype},
    {"class_id", evidence.class_id},
    {"prior", evidence.prior},
    {"likelihood", evidence.likelihood},
    {"log_likelihood", evidence.log_likelihood},
    {"contribution", evidence.contribution},
    {"x", evidence.x},
    {"y", evidence.y},
    {"box", box_json(evidence.box)}};
}

}  // namespace

const char * verdict_word(Verdict verdict)
{
  switch (verdict) {
    case Verdict::known:
      return "known";
    case Verdict::uncalibrated:
      return "uncalibrated";
    case Verdict::unknown:
      break;
  }
  return "unknown";
}

std::string json_text(const std::string & text) { return dumped(cut(text)); }

std::string json_text(double number)
{
  if (!std::isfinite(number)) {
    return "null";
  }
  std::array<char, 32> digits{};
  std::snprintf(digits.data(), digits.size(), "%.6g", number);
  return digits.data();
}

std::string json_text(const Prediction & prediction)
{
  return dumped(
    {{"frame_id", cut(prediction.frame_id)},
     {"status", verdict_word(prediction.status)},
     {"reason", cut(prediction.reason)},
     {"class_id", prediction.class_id},
     {"class_name", cut(prediction.class_name)},
     {"posterior", prediction.posterior},
     {"log_likelihood", prediction.log_likelihood},
     {"log_density", prediction.log_density},
     {"score", prediction.score},
     {"threshold", prediction.threshold},
     {"typicality", prediction.typicality},
     {"questions", first_of(prediction.questions, question_json)},
     {"missing", first_of(prediction.missing, [](int prototype) { return json(prototype); })},
     {"region", box_json(prediction.region)},
     {"detection_id", cut(prediction.detection_id)},
     {"scores", first_of(prediction.scores, score_json)},
     {"evidence", first_of(prediction.evidence, evidence_json)},
     {"model_id", cut(prediction.model_id)}});
}

std::string json_text(const Health & health)
{
  const json values = first_of(health.values, [](const auto & value) {
    return json{cut(value.first), cut(value.second)};
  });
  return dumped(
    {{"level", health.level},
     {"name", cut(health.name)},
     {"message", cut(health.message)},
     {"values", values}});
}

std::string json_text(const Trust & trust)
{
  return dumped(
    {{"gate", cut(trust.gate)},
     {"trusted", trust.trusted},
     {"speed_limit", trust.speed_limit},
     {"reason", cut(trust.reason)},
     {"period", trust.period}});
}

std::string json_text(const std::vector<PrototypePatch> & gallery)
{
  json list = json::array();
  for (const PrototypePatch & patch : gallery) {
    list.push_back(
      {{"prototype", patch.prototype},
       {"class_name", cut(patch.class_name)},
       {"prior", patch.prior},
       {"source", cut(patch.source)},
       {"has_patch", !patch.jpeg.empty()}});
  }
  return dumped(list);
}

std::string json_text(const Album & album)
{
  json images = json::array();
  const std::size_t count = album.images.size();
  for (std::size_t i = count - std::min(count, kMaxImages); i < count; ++i) {
    const AlbumImage & image = album.images[i];
    images.push_back(
      {{"id", image.id},
       {"group", image.group},
       {"camera", cut(image.camera)},
       {"nearest_class", cut(image.nearest_class)},
       {"reason", cut(image.reason)}});
  }
  return dumped(
    {{"node", cut(album.node)},
     {"images", images},
     {"problem", cut(album.problem)},
     {"taught", first_of(album.taught, [](const std::string & name) { return json(cut(name)); })},
     {"can_undo", album.can_undo}});
}

std::string json_text(const TeachAnswer & answer)
{
  return dumped(
    {{"node", cut(answer.node)},
     {"id", cut(answer.id)},
     {"success", answer.success},
     {"message", cut(answer.message)}});
}

TeachRequest read_teach_request(const std::string & text)
{
  using Action = TeachRequest::Action;
  static const std::map<std::string, Action> kActions{
    {"teach", Action::teach}, {"forget", Action::forget}, {"undo", Action::undo}};
  try {
    const json request = json::parse(text);
    TeachRequest result;
    result.action = kActions.at(request.at("action").get<std::string>());
    result.node = request.at("node").get<std::string>();
    result.id = request.at("id").get<std::string>();
    result.name = request.value("name", "");
    result.images = request.value("images", std::vector<std::uint32_t>());
    result.camera = request.value("camera", "");
    return result;
  } catch (const std::exception &) {  // of JSON or of the map
    throw Error("expected {action: teach, forget or undo; node, id, name, images, camera}");
  }
}

}  // namespace mgproto::dashboard
