// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/model_options.hpp"
#include "cli/verbs.hpp"
#include "mgproto_ros/error.hpp"
#include "model/image_file.hpp"
#include "model/manifest_json.hpp"
#include "model/number_text.hpp"
#include "model/reason_text.hpp"
#include "model/utf8.hpp"

namespace mgproto::cli
{
namespace
{

using nlohmann::ordered_json;

struct PredictOptions
{
  ModelOptions model;
  int top_k = 5;
  int prototypes = 0;
  bool json = false;
  std::vector<std::string> images;
};

ordered_json box_json(const Box & box) { return {box.x, box.y, box.width, box.height}; }

ordered_json evidence_json(const PrototypeEvidence & evidence, const Manifest & manifest)
{
  ordered_json source;  // null before projection
  if (!manifest.prototypes.empty() && manifest.prototypes[evidence.prototype]) {
    const Provenance & patch = *manifest.prototypes[evidence.prototype];
    source = {
      {"image", patch.image}, {"row", patch.row}, {"col", patch.col}, {"box", box_json(patch.box)}};
  }
  ordered_json result{
    {"prototype", evidence.prototype},
    {"class_id", evidence.class_id},
    {"prior", evidence.prior},
    {"likelihood", std::exp(evidence.log_likelihood)},
    {"contribution", evidence.contribution},
    {"row", evidence.row},
    {"col", evidence.col},
    {"box", box_json(evidence.box)},
    {"source", source}};
  if (!evidence.merged.empty()) {
    result["merged"] = evidence.merged;
  }
  return result;
}

double p_value(const Prediction & prediction, Question question)
{
  return prediction.p_values[static_cast<std::size_t>(question)];
}

ordered_json prediction_json(
  const std::string & image, const Prediction & prediction, const Manifest & manifest, int top_k)
{
  ordered_json result{
    {"image", image},
    {"known", nullptr},
    {"class_id", prediction.class_id},
    {"class_name", nullptr},
    {"posterior", nullptr},
    {"log_density", prediction.log_density},
    {"criterion", name(prediction.criterion)},
    {"score", prediction.score},
    {"threshold", nullptr},
    {"typicality", nullptr},
    {"reason", reason_text(prediction, manifest)},
    {"scores", ordered_json::array()},
    {"evidence", ordered_json::array()}};
  if (prediction.verdict != Verdict::uncalibrated) {
    result["known"] = prediction.verdict == Verdict::known;
  }
  if (prediction.class_id >= 0) {
    result["class_name"] = manifest.classes[prediction.class_id];
    result["posterior"] = prediction.posterior[prediction.class_id];
  }
  if (manifest.calibration) {
    result["threshold"] = prediction.threshold;
  }
  if (prediction.typicality) {
    result["typicality"] = *prediction.typicality;
  }
  if (prediction.criterion == Criterion::joint) {
    result["p_values"] = {
      {"density", p_value(prediction, Question::density)},
      {"parts", p_value(prediction, Question::parts)},
      {"place", p_value(prediction, Question::place)},
      {"distance", p_value(prediction, Question::distance)}};
    result["missing"] = prediction.missing;
  }
  for (const int c : prediction.most_probable(top_k)) {
    result["scores"].push_back(
      {{"class_id", c},
       {"class_name", manifest.classes[c]},
       {"log_likelihood", prediction.log_likelihood[c]},
       {"posterior", prediction.posterior[c]}});
  }
  for (const auto & evidence : prediction.evidence) {
    result["evidence"].push_back(evidence_json(evidence, manifest));
  }
  for (const auto & whole : prediction.wholes) {
    result["wholes"].push_back(
      {{"class_id", whole.class_id},
       {"weight", whole.weight},
       {"likelihood", std::exp(whole.log_likelihood)},
       {"contribution", whole.contribution}});
  }
  return result;
}

void print_json(const ordered_json & line)
{
  // File names need not be UTF-8; whatever is not is shown as U+FFFD.
  std::cout << line.dump(-1, ' ', false, ordered_json::error_handler_t::replace) << std::endl;
}

void print_text(const std::string & image, const Prediction & prediction, const Manifest & manifest)
{
  const char * verdict = prediction.verdict == Verdict::known     ? "known"
                         : prediction.verdict == Verdict::unknown ? "UNKNOWN"
                                                                  : "uncalibrated";
  std::string text = terminal_safe(image) + ": " + verdict;
  if (prediction.class_id >= 0) {
    text += (prediction.verdict == Verdict::unknown ? ", nearest " : ", ") +
            terminal_safe(manifest.classes[prediction.class_id]) + "  p(c|x) " +
            fixed(prediction.posterior[prediction.class_id], 3) + "  log p(x) " +
            fixed(prediction.log_density, 3);
  }
  if (prediction.typicality) {
    text += "  typicality " + fixed(*prediction.typicality, 2);
  }
  if (prediction.verdict == Verdict::unknown) {
    text += "\n  " + terminal_safe(reason_text(prediction, manifest));
  }
  std::cout << text << std::endl;
}

void run(const PredictOptions & options)
{
  Recognizer recognizer(options.model.model, options.model.recognizer);
  const bool json = options.json || isatty(STDOUT_FILENO) == 0;
  bool failed = false;
  for (const std::string & path : options.images) {
    try {
      const cv::Mat image = read_image(path);
      EvidenceRequest request;
      request.top_classes = json ? 1 : 0;
      request.prototypes_per_class = options.prototypes;
      const Prediction prediction = recognizer.recognize(view_of(image), request);
      if (json) {
        print_json(prediction_json(path, prediction, recognizer.manifest(), options.top_k));
      } else {
        print_text(path, prediction, recognizer.manifest());
      }
    } catch (const Error & error) {
      failed = true;
      if (json) {
        print_json({{"image", path}, {"error", error.what()}});
      } else {
        std::cerr << "mgproto: " << error.what() << std::endl;
      }
    }
  }
  if (failed) {
    throw WorkFailed();
  }
}

}  // namespace

void add_predict(CLI::App & app)
{
  auto options = std::make_shared<PredictOptions>();
  CLI::App * verb =
    app.add_subcommand("predict", "Class, density and evidence for images, as JSON lines");
  options->model.add_to(*verb);
  verb->add_option("-k,--top-k", options->top_k, "classes listed under \"scores\", 0 = all")
    ->capture_default_str()
    ->check(CLI::NonNegativeNumber);
  verb
    ->add_option(
      "--prototypes", options->prototypes,
      "strongest places listed under \"evidence\", 0 = all prototypes")
    ->capture_default_str()
    ->check(CLI::NonNegativeNumber);
  verb->add_flag("--json", options->json, "JSON also in a terminal (elsewhere it always is)");
  verb->add_option("images", options->images, "image files")->required()->type_name("IMAGE");
  verb->footer(
    "Examples:\n"
    "  mgproto predict --model model.safetensors bird.jpg\n"
    "  mgproto predict --model model.safetensors --json --top-k 0 *.png | jq .class_name\n"
    "An image that cannot be read gives a line with \"error\", the others still come; exit code "
    "1.");
  verb->callback([options] { run(*options); });
}

}  // namespace mgproto::cli
