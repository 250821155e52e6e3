// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

#include "cli/model_options.hpp"
#include "cli/verbs.hpp"
#include "mgproto_ros/error.hpp"
#include "model/image_file.hpp"

namespace mgproto::cli
{
namespace
{

using nlohmann::ordered_json;

struct PredictOptions
{
  ModelOptions model;
  int top_k = 5;
  bool json = false;
  std::vector<std::string> images;
};

std::vector<int> top_classes(const Recognition & answer, int top_k)
{
  std::vector<int> order(answer.posterior.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return answer.posterior[a] > answer.posterior[b];
  });
  if (top_k > 0 && static_cast<std::size_t>(top_k) < order.size()) {
    order.resize(top_k);
  }
  return order;
}

ordered_json box_json(const Box & box) { return {box.x, box.y, box.width, box.height}; }

ordered_json evidence_json(const PrototypeEvidence & evidence, const Manifest & manifest)
{
  ordered_json source;  // null before projection
  if (!manifest.prototypes.empty() && manifest.prototypes[evidence.prototype]) {
    const Provenance & patch = *manifest.prototypes[evidence.prototype];
    source = {
      {"image", patch.image}, {"row", patch.row}, {"col", patch.col}, {"box", box_json(patch.box)}};
  }
  return {
    {"prototype", evidence.prototype},
    {"class_id", evidence.class_id},
    {"prior", evidence.prior},
    {"likelihood", std::exp(evidence.log_likelihood)},
    {"contribution", evidence.contribution},
    {"row", evidence.row},
    {"col", evidence.col},
    {"box", box_json(evidence.box)},
    {"source", source}};
}

ordered_json answer_json(
  const std::string & image, const Recognition & answer, const Manifest & manifest, int top_k)
{
  const bool has_class = answer.class_id >= 0;
  ordered_json result{
    {"image", image},
    {"known", nullptr},
    {"class_id", answer.class_id},
    {"class_name", nullptr},
    {"posterior", nullptr},
    {"log_density", answer.log_density},
    {"threshold", nullptr},
    {"typicality", nullptr},
    {"scores", ordered_json::array()},
    {"evidence", ordered_json::array()}};
  if (answer.verdict != Verdict::uncalibrated) {
    result["known"] = answer.verdict == Verdict::known;
  }
  if (has_class) {
    result["class_name"] = manifest.classes[answer.class_id];
    result["posterior"] = answer.posterior[answer.class_id];
  }
  if (manifest.calibration) {
    result["threshold"] = manifest.calibration->threshold;
  }
  if (answer.typicality) {
    result["typicality"] = *answer.typicality;
  }
  for (const int c : top_classes(answer, top_k)) {
    result["scores"].push_back(
      {{"class_id", c},
       {"class_name", manifest.classes[c]},
       {"log_likelihood", answer.log_likelihood[c]},
       {"posterior", answer.posterior[c]}});
  }
  for (const auto & evidence : answer.evidence) {
    result["evidence"].push_back(evidence_json(evidence, manifest));
  }
  return result;
}

void print_json(const ordered_json & line)
{
  // File names need not be UTF-8; whatever is not is shown as U+FFFD.
  std::cout << line.dump(-1, ' ', false, ordered_json::error_handler_t::replace) << std::endl;
}

void print_text(const std::string & image, const Recognition & answer, const Manifest & manifest)
{
  const char * verdict = answer.verdict == Verdict::known     ? "known"
                         : answer.verdict == Verdict::unknown ? "UNKNOWN"
                                                              : "uncalibrated";
  std::string text = image + ": " + verdict;
  char numbers[160];
  if (answer.class_id >= 0) {
    std::snprintf(
      numbers, sizeof(numbers), "  p(c|x) %.3f  log p(x) %.3f", answer.posterior[answer.class_id],
      answer.log_density);
    text += (answer.verdict == Verdict::unknown ? ", nearest " : ", ") +
            manifest.classes[answer.class_id] + numbers;
  } else {
    text += ", the densities are not finite";
  }
  if (answer.typicality) {
    std::snprintf(
      numbers, sizeof(numbers), "  (threshold %.3f, typicality %.2f)",
      manifest.calibration->threshold, *answer.typicality);
    text += numbers;
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
      const Recognition answer = recognizer.recognize(view_of(image), request);
      if (json) {
        print_json(answer_json(path, answer, recognizer.manifest(), options.top_k));
      } else {
        print_text(path, answer, recognizer.manifest());
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
