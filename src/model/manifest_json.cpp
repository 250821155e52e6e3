// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/manifest_json.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "mgproto_ros/error.hpp"
#include "model/conformal.hpp"
#include "model/decision.hpp"
#include "model/joint_score.hpp"
#include "model/printable.hpp"
#include "model/sha256.hpp"

namespace mgproto
{
namespace
{

using nlohmann::json;

constexpr int kMajor = 2;
constexpr int kMinor = 2;
constexpr int kOldestMajor = 1;  // without a backbone's map, head.combine and head.whole
constexpr Stage kStages[] = {Stage::backbone, Stage::trained, Stage::projected, Stage::pruned};
constexpr BackboneConfig::Map kMaps[] = {
  BackboneConfig::Map::last, BackboneConfig::Map::dilated, BackboneConfig::Map::penultimate,
  BackboneConfig::Map::hypercolumn};
constexpr HeadConfig::Combine kCombines[] = {
  HeadConfig::Combine::mixture, HeadConfig::Combine::product};
constexpr Criterion kCriteria[] = {Criterion::log_density, Criterion::joint};
constexpr const char * kQuestionNames[kQuestions] = {"log_density", "parts", "place", "distance"};
constexpr PreprocessingConfig::Mode kModes[] = {
  PreprocessingConfig::Mode::resize, PreprocessingConfig::Mode::resize_crop};

constexpr const char * kBackboneFile = "backbone_file";

/// For json::parse: what is nested deeply takes as deep a stack to write again.
bool refuse_depth(int depth, json::parse_event_t, json &)
{
  constexpr int kDeepest = 64;
  if (depth > kDeepest) {
    throw ConfigError("manifest", "nested deeper than " + std::to_string(kDeepest) + " levels");
  }
  return true;
}

/// A value of the manifest and the key that leads to it, for errors.
class Node
{
public:
  Node(const json & value, std::string key) : value_(value), key_(std::move(key)) {}

  [[noreturn]] void fail(const std::string & problem) const { throw ConfigError(key_, problem); }

  bool has(const std::string & name) const
  {
    return value_.is_object() && value_.contains(name) && !value_.at(name).is_null();
  }

  Node at(const std::string & name) const
  {
    if (!value_.is_object()) {
      fail("expected an object");
    }
    const auto found = value_.find(name);
    if (found == value_.end()) {
      Node(value_, key_ + "." + name).fail("missing");
    }
    return Node(*found, key_ + "." + name);
  }

  std::size_t size() const
  {
    if (!value_.is_array()) {
      fail("expected a list");
    }
    return value_.size();
  }

  Node operator[](std::size_t i) const
  {
    return Node(value_.at(i), key_ + "[" + std::to_string(i) + "]");
  }

  std::string text() const
  {
    if (!value_.is_string()) {
      fail("expected a string");
    }
    return value_.get<std::string>();
  }

  bool boolean() const
  {
    if (!value_.is_boolean()) {
      fail("expected true or false");
    }
    return value_.get<bool>();
  }

  double number() const
  {
    if (!value_.is_number()) {
      fail("expected a number");
    }
    const double result = value_.get<double>();
    if (!std::isfinite(result)) {
      fail("expected a finite number");
    }
    return result;
  }

  std::int64_t integer(std::int64_t low, std::int64_t high) const
  {
    const bool fits = value_.is_number_integer() &&
                      !(value_.is_number_unsigned() &&
                        value_.get<std::uint64_t>() >
                          static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));
    if (!fits || value_.get<std::int64_t>() < low || value_.get<std::int64_t>() > high) {
      fail("expected an integer within " + std::to_string(low) + " to " + std::to_string(high));
    }
    return value_.get<std::int64_t>();
  }

  int count(int low = 0) const
  {
    return static_cast<int>(integer(low, std::numeric_limits<int>::max()));
  }

  std::string dump() const { return value_.dump(); }

private:
  const json & value_;
  std::string key_;
};

/// The value of an enumeration that has this name.
template <typename Value, std::size_t N>
Value one_of(const Node & node, const Value (&values)[N])
{
  const std::string text = node.text();
  std::string names;
  for (const Value value : values) {
    if (text == name(value)) {
      return value;
    }
    names += (names.empty() ? "" : ", ") + std::string(name(value));
  }
  node.fail("'" + text + "' is not one of " + names);
}

void check_version(const Node & version)
{
  const std::string text = version.text();
  const auto dot = text.find('.');
  const auto is_number = [](const std::string & part) {
    return !part.empty() && part.size() < 6 &&
           part.find_first_not_of("0123456789") == std::string::npos;
  };
  if (
    dot == std::string::npos || !is_number(text.substr(0, dot)) ||
    !is_number(text.substr(dot + 1))) {
    version.fail("'" + text + "' is not of the form major.minor");
  }
  const int major = std::stoi(text.substr(0, dot));
  if (major < kOldestMajor || major > kMajor) {
    version.fail(
      "'" + text + "' is not known here, expected " + std::to_string(kOldestMajor) + ".x to " +
      std::to_string(kMajor) + ".x");
  }
}

json backbone_to_json(const BackboneConfig & backbone)
{
  return {
    {"architecture", backbone.architecture},
    {"stem_pool", backbone.stem_pool},
    {"upsample", backbone.upsample},
    {"map", name(backbone.map)},
    {"stride_in_1x1", backbone.stride_in_1x1},
    {"stages", backbone.stages},
    {"stem", backbone.stem},
    {"width", backbone.width}};
}

BackboneConfig backbone_from(const Node & node)
{
  BackboneConfig backbone;
  backbone.architecture = node.at("architecture").text();
  backbone.stem_pool = node.at("stem_pool").boolean();
  backbone.upsample = node.at("upsample").count(1);
  if (node.has("map")) {
    backbone.map = one_of(node.at("map"), kMaps);
  }
  backbone.stride_in_1x1 = node.at("stride_in_1x1").boolean();
  const Node stages = node.at("stages");
  for (std::size_t i = 0; i < stages.size(); ++i) {
    backbone.stages.push_back(stages[i].count(1));
  }
  backbone.stem = node.at("stem").text();
  backbone.width = node.at("width").number();
  return backbone;
}

PreprocessingConfig preprocessing_from(const Node & node)
{
  PreprocessingConfig preprocessing;
  preprocessing.size = node.at("size").count(1);
  preprocessing.mode = one_of(node.at("mode"), kModes);
  preprocessing.shorter_side = node.at("shorter_side").count();
  const auto read_rgb = [&](const char * key, std::array<float, 3> & rgb) {
    const Node list = node.at(key);
    if (list.size() != rgb.size()) {
      list.fail("expected 3 numbers");
    }
    for (std::size_t c = 0; c < rgb.size(); ++c) {
      rgb[c] = static_cast<float>(list[c].number());
    }
  };
  read_rgb("mean", preprocessing.mean);
  read_rgb("std", preprocessing.std);
  return preprocessing;
}

std::vector<double> numbers(const Node & list)
{
  std::vector<double> result;
  for (std::size_t i = 0; i < list.size(); ++i) {
    result.push_back(list[i].number());
  }
  return result;
}

/// Of all that log p(x) depends on. The tensors' own hashes are checked against them.
std::string hash_of_model(const json & manifest)
{
  std::string text;
  for (const char * key : {"model", "preprocessing", "class_priors", "tensors_sha256"}) {
    text += manifest.at(key).dump();
  }
  if (manifest.contains(kBackboneFile)) {
    text += manifest.at(kBackboneFile).dump();
  }
  return sha256_hex(text.data(), text.size());
}

json calibration_to_json(const Calibration & calibration)
{
  json result{{"tpr", calibration.tpr}, {kQuestionNames[0], calibration.log_density}};
  if (!calibration.answers.empty()) {
    result["criterion"] = name(calibration.criterion);
    for (std::size_t q = 1; q < kQuestions; ++q) {
      for (const Answers & answers : calibration.answers) {
        result[kQuestionNames[q]].push_back(answers[q]);
      }
    }
  }
  return result;
}

Calibration calibration_from(const Node & node)
{
  Calibration calibration;
  calibration.tpr = node.at("tpr").number();
  if (calibration.tpr <= 0 || calibration.tpr >= 1) {
    node.at("tpr").fail("expected a share within 0 to 1");
  }
  const Node log_density = node.at(kQuestionNames[0]);
  calibration.log_density = numbers(log_density);
  if (std::isnan(threshold_for(calibration))) {
    log_density.fail("expected at least " + std::to_string(images_needed(calibration.tpr)));
  }
  if (!std::is_sorted(calibration.log_density.begin(), calibration.log_density.end())) {
    log_density.fail("expected rising numbers");
  }
  if (node.has("criterion")) {
    calibration.criterion = one_of(node.at("criterion"), kCriteria);
    std::vector<Answers> answers(calibration.log_density.size());
    for (std::size_t q = 0; q < kQuestions; ++q) {
      const std::vector<double> of_images = numbers(node.at(kQuestionNames[q]));
      if (of_images.size() != answers.size()) {
        node.at(kQuestionNames[q]).fail("expected one number for each log_density");
      }
      for (std::size_t i = 0; i < answers.size(); ++i) {
        answers[i][q] = of_images[i];
      }
    }
    set_answers(calibration, std::move(answers));
  }
  return calibration;
}

json box_to_json(const Box & box) { return {box.x, box.y, box.width, box.height}; }

BackboneFile backbone_file_from(const Node & node)
{
  const Node name = node.at("name");
  const std::string text = name.text();
  // Whoever made the file must not choose what else is read.
  const bool is_name = !text.empty() && text != "." && text != ".." &&
                       text.find_first_of(std::string("/\\\0", 3)) == std::string::npos;
  if (!is_name) {
    name.fail("'" + printable(text) + "' is not the name of a file beside the model's");
  }
  return {text, node.at("tensors_sha256").text()};
}

Box box_from(const Node & list)
{
  if (list.size() != 4) {
    list.fail("expected [x, y, width, height]");
  }
  return {list[0].count(), list[1].count(), list[2].count(), list[3].count()};
}

std::vector<TaughtClass> taught_from(const Node & list)
{
  std::vector<TaughtClass> all;
  for (std::size_t i = 0; i < list.size(); ++i) {
    TaughtClass & taught = all.emplace_back();
    taught.name = list[i].at("class").text();
    taught.when = list[i].at("when").text();
    const Node images = list[i].at("images");
    for (std::size_t j = 0; j < images.size(); ++j) {
      ShownImage & shown = taught.images.emplace_back();
      shown.name = images[j].at("name").text();
      shown.width = images[j].at("width").count(1);
      shown.height = images[j].at("height").count(1);
      if (images[j].has("answers")) {
        const std::vector<double> answers = numbers(images[j].at("answers"));
        if (answers.size() != kQuestions) {
          images[j].at("answers").fail("expected " + std::to_string(kQuestions) + " numbers");
        }
        std::copy(answers.begin(), answers.end(), shown.answers.begin());
      }
    }
    if (taught.images.empty()) {
      images.fail("a class is taught by at least one image");
    }
  }
  return all;
}

/// Taught classes are the last ones, and the images that taught them the last that were kept.
void check_taught(const Node & root, const Manifest & manifest)
{
  const std::size_t count = manifest.taught.size();
  const auto taught = static_cast<std::size_t>(manifest.model.head.taught);
  if (count != taught || count >= std::max<std::size_t>(1, manifest.classes.size())) {
    root.at("model").at("head").fail(
      "taught: expected as many as manifest.taught lists, and fewer than there are classes");
  }
  std::size_t shown = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (manifest.taught[i].name != manifest.classes[manifest.classes.size() - count + i]) {
      root.at("taught")[i].at("class").fail(
        "expected the name of one of the last classes, in order");
    }
    shown += manifest.taught[i].images.size();
  }
  if (
    count > 0 && (!root.has("untaught") || root.at("untaught").at("class_priors").size() !=
                                             manifest.classes.size() - count)) {
    root.at("taught").fail("expected manifest.untaught.class_priors for the other classes");
  }
  if (count > 0 && manifest.model.familiarity.class_dim <= static_cast<int>(count)) {
    root.at("taught").fail("expected a familiarity with a direction for each of them");
  }
  if (shown > static_cast<std::size_t>(manifest.model.seen.images)) {
    root.at("taught").fail("lists more images than the model has seen");
  }
}

}  // namespace

const char * name(Stage stage)
{
  switch (stage) {
    case Stage::backbone:
      return "backbone";
    case Stage::trained:
      return "trained";
    case Stage::projected:
      return "projected";
    case Stage::pruned:
      return "pruned";
  }
  return "?";
}

const char * name(BackboneConfig::Map map)
{
  switch (map) {
    case BackboneConfig::Map::last:
      return "last";
    case BackboneConfig::Map::dilated:
      return "dilated";
    case BackboneConfig::Map::penultimate:
      return "penultimate";
    case BackboneConfig::Map::hypercolumn:
      return "hypercolumn";
  }
  return "?";
}

const char * name(HeadConfig::Combine combine)
{
  return combine == HeadConfig::Combine::mixture ? "mixture" : "product";
}

const char * name(Criterion criterion)
{
  return criterion == Criterion::joint ? "joint" : "log_density";
}

std::optional<Criterion> criterion_named(const std::string & text)
{
  for (const Criterion criterion : kCriteria) {
    if (text == name(criterion)) {
      return criterion;
    }
  }
  return std::nullopt;
}

const char * name(PreprocessingConfig::Mode mode)
{
  return mode == PreprocessingConfig::Mode::resize ? "resize" : "resize_crop";
}

std::string to_json(const Manifest & manifest)
{
  json result{
    {"format", "mgproto"},
    {"version", std::to_string(kMajor) + "." + std::to_string(kMinor)},
    {"stage", name(manifest.stage)},
    {"model",
     {{"backbone", backbone_to_json(manifest.model.backbone)},
      {"head",
       {{"kind", manifest.model.head.kind},
        {"feature_dim", manifest.model.head.feature_dim},
        {"concentration", manifest.model.head.concentration},
        {"combine", name(manifest.model.head.combine)},
        {"whole", manifest.model.head.whole},
        {"whole_dim", manifest.model.head.whole_dim}}}}},
    {"preprocessing",
     {{"size", manifest.preprocessing.size},
      {"mode", name(manifest.preprocessing.mode)},
      {"shorter_side", manifest.preprocessing.shorter_side},
      {"mean", manifest.preprocessing.mean},
      {"std", manifest.preprocessing.std}}},
    {"classes", manifest.classes},
    {"class_priors", manifest.class_priors},
    {"calibration", nullptr},
    {"prototypes", json::array()},
    {"training", nullptr},
    {"tensors_sha256", manifest.tensors_sha256}};
  if (manifest.model.familiarity.class_dim > 0) {
    result["model"]["familiarity"] = {
      {"class_dim", manifest.model.familiarity.class_dim},
      {"spread_dim", manifest.model.familiarity.spread_dim}};
  }
  if (manifest.backbone_file) {
    result[kBackboneFile] = {
      {"name", manifest.backbone_file->name},
      {"tensors_sha256", manifest.backbone_file->tensors_sha256}};
  }
  if (manifest.model.head.taught > 0) {
    result["model"]["head"]["taught"] = manifest.model.head.taught;
  }
  if (manifest.model.seen.images > 0) {
    result["model"]["seen"] = {
      {"images", manifest.model.seen.images},
      {"rows", manifest.model.seen.rows},
      {"cols", manifest.model.seen.cols}};
  }
  for (const TaughtClass & taught : manifest.taught) {
    json images = json::array();
    for (const ShownImage & shown : taught.images) {
      json & entry = images.emplace_back(
        json{{"name", shown.name}, {"width", shown.width}, {"height", shown.height}});
      if (std::isfinite(shown.answers.front())) {
        entry["answers"] = shown.answers;
      }
    }
    result["taught"].push_back({{"class", taught.name}, {"when", taught.when}, {"images", images}});
  }
  if (manifest.untaught) {
    result["untaught"]["class_priors"] = manifest.untaught->class_priors;
    if (manifest.untaught->calibration) {
      result["untaught"]["calibration"] = calibration_to_json(*manifest.untaught->calibration);
    }
  }
  if (manifest.calibration) {
    result["calibration"] = calibration_to_json(*manifest.calibration);
    result["calibration"]["model"] = hash_of_model(result);
  }
  for (const auto & source : manifest.prototypes) {
    json entry;
    if (source) {
      entry = {
        {"image", source->image},
        {"row", source->row},
        {"col", source->col},
        {"box", box_to_json(source->box)}};
      if (source->in_patch.width > 0) {
        entry["in_patch"] = box_to_json(source->in_patch);
      }
    }
    result["prototypes"].push_back(entry);
  }
  if (!manifest.training.empty()) {
    result["training"] = json::parse(manifest.training);
  }
  return result.dump();
}

Manifest manifest_from_json(const std::string & text)
{
  json parsed;
  try {
    parsed = json::parse(text, refuse_depth);
  } catch (const json::exception & error) {
    throw ConfigError("manifest", std::string("not JSON: ") + error.what());
  }
  const Node root(parsed, "manifest");
  if (root.at("format").text() != "mgproto") {
    root.at("format").fail("expected 'mgproto'");
  }
  check_version(root.at("version"));

  Manifest manifest;
  manifest.stage = one_of(root.at("stage"), kStages);

  const Node model = root.at("model");
  manifest.model.backbone = backbone_from(model.at("backbone"));
  const Node head = model.at("head");
  manifest.model.head.kind = head.at("kind").text();
  manifest.model.head.feature_dim = head.at("feature_dim").count(1);
  manifest.model.head.concentration = head.at("concentration").number();
  if (head.has("combine")) {
    manifest.model.head.combine = one_of(head.at("combine"), kCombines);
  }
  if (head.has("whole")) {
    manifest.model.head.whole = head.at("whole").number();
    manifest.model.head.whole_dim = head.at("whole_dim").count();
  }
  if (head.has("taught")) {
    manifest.model.head.taught = head.at("taught").count();
  }
  if (model.has("seen")) {
    const Node seen = model.at("seen");
    manifest.model.seen = {
      seen.at("images").count(1), seen.at("rows").count(1), seen.at("cols").count(1)};
  }
  if (model.has("familiarity")) {
    const Node familiarity = model.at("familiarity");
    manifest.model.familiarity.class_dim = familiarity.at("class_dim").count(1);
    manifest.model.familiarity.spread_dim = familiarity.at("spread_dim").count();
  }
  manifest.preprocessing = preprocessing_from(root.at("preprocessing"));

  const Node classes = root.at("classes");
  std::set<std::string> seen;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    manifest.classes.push_back(classes[i].text());
    if (manifest.classes.back().empty()) {
      classes[i].fail("a class needs a name");
    }
    if (!seen.insert(manifest.classes.back()).second) {
      classes[i].fail("'" + manifest.classes.back() + "' names two classes");
    }
  }
  manifest.class_priors = numbers(root.at("class_priors"));
  if (manifest.class_priors.size() != manifest.classes.size()) {
    root.at("class_priors").fail("expected one number for each class");
  }
  if (root.has("taught")) {
    manifest.taught = taught_from(root.at("taught"));
  }
  check_taught(root, manifest);
  const Node prototypes = root.at("prototypes");
  for (std::size_t k = 0; k < prototypes.size(); ++k) {
    if (!prototypes[k].has("image")) {
      manifest.prototypes.push_back(std::nullopt);
      continue;
    }
    Provenance source;
    source.image = prototypes[k].at("image").text();
    source.row = prototypes[k].at("row").count();
    source.col = prototypes[k].at("col").count();
    source.box = box_from(prototypes[k].at("box"));
    if (prototypes[k].has("in_patch")) {
      source.in_patch = box_from(prototypes[k].at("in_patch"));
    }
    manifest.prototypes.push_back(source);
  }
  if (root.has("training")) {
    manifest.training = root.at("training").dump();
  }
  manifest.tensors_sha256 = root.at("tensors_sha256").text();
  if (root.has(kBackboneFile)) {
    manifest.backbone_file = backbone_file_from(root.at(kBackboneFile));
  }
  if (root.has("calibration")) {
    const Node calibration = root.at("calibration");
    if (!calibration.has("model")) {
      manifest.calibration_defect = "its calibration is of an earlier version";
    } else if (calibration.at("model").text() != hash_of_model(parsed)) {
      manifest.calibration_defect =
        "its calibration was made for other weights, concentration, priors or preprocessing";
    } else {
      manifest.calibration = calibration_from(calibration);
    }
  }
  if (root.has("untaught")) {
    Untaught & untaught = manifest.untaught.emplace();
    untaught.class_priors = numbers(root.at("untaught").at("class_priors"));
    if (root.at("untaught").has("calibration")) {
      untaught.calibration = calibration_from(root.at("untaught").at("calibration"));
    }
  }
  return manifest;
}

}  // namespace mgproto
