// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <optional>

#include "cli/image_files.hpp"
#include "cli/model_options.hpp"
#include "cli/verbs.hpp"
#include "mgproto_ros/error.hpp"
#include "model/file_io.hpp"
#include "model/image_file.hpp"
#include "model/random.hpp"
#include "visual/contact_sheet.hpp"
#include "visual/reasoning_picture.hpp"

namespace mgproto::cli
{
namespace
{

namespace fs = std::filesystem;

/// One cell each; more would make a picture that few viewers open.
constexpr std::size_t kMostOnSheet = 400;

struct ExplainOptions
{
  ModelOptions model;
  visual::ReasoningOptions picture;
  std::vector<std::string> images;
  std::optional<Verdict> only;
  std::size_t random = 0;
  std::uint64_t seed = 1;
  int columns = 4;
  std::string output;
};

/// So many of them, in their order; the same ones for the same seed.
std::vector<std::string> drawn(
  const std::vector<std::string> & files, std::size_t count, std::uint64_t seed)
{
  Random random({seed});
  std::vector<std::string> chosen;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto left = static_cast<double>(files.size() - i);
    if (random.chance(static_cast<double>(count - chosen.size()) / left)) {
      chosen.push_back(files[i]);
    }
  }
  return chosen;
}

/// Those with this verdict.
std::vector<std::string> with_verdict(
  Recognizer & recognizer, const std::vector<std::string> & files, Verdict verdict)
{
  std::vector<std::string> chosen;
  for (const std::string & file : files) {
    if (recognizer.recognize(view_of(read_image(file))).verdict == verdict) {
      chosen.push_back(file);
    }
  }
  return chosen;
}

void explain_one(Recognizer & recognizer, const ExplainOptions & options, const std::string & file)
{
  const cv::Mat image = read_image(file);
  EvidenceRequest request;
  request.top_classes = options.picture.classes;
  const Prediction prediction = recognizer.recognize(view_of(image), request);
  write_image(
    options.output,
    visual::reasoning_picture(image, prediction, recognizer.manifest(), options.picture));
}

void explain_many(
  Recognizer & recognizer, const ExplainOptions & options, const std::vector<std::string> & files)
{
  visual::ContactSheet sheet(recognizer.manifest(), files.size(), options.columns);
  EvidenceRequest request;
  request.top_classes = 1;
  request.prototypes_per_class = visual::kSheetReasons;
  for (const std::string & file : files) {
    const cv::Mat image = read_image(file);
    const fs::path path(file);
    sheet.add(
      image, recognizer.recognize(view_of(image), request),
      (path.parent_path().filename() / path.filename()).string());
  }
  write_image(options.output, sheet.picture());
}

void run(const ExplainOptions & options)
{
  std::vector<std::string> files = image_files(options.images);
  expect_writable(options.output);
  Recognizer recognizer(options.model.model, options.model.recognizer);
  if (options.only) {
    const std::size_t all = files.size();
    files = with_verdict(recognizer, files, *options.only);
    std::cout << files.size() << " of " << all << " images" << std::endl;
  }
  if (options.random > 0) {
    if (options.random > files.size()) {
      throw Error(
        "--random: " + std::to_string(options.random) + " of " + std::to_string(files.size()) +
        " images");
    }
    files = drawn(files, options.random, options.seed);
  }
  if (files.size() > kMostOnSheet) {
    throw Error(
      std::to_string(files.size()) + " images do not fit on one picture, at most " +
      std::to_string(kMostOnSheet) + "; --random N draws some");
  }
  if (files.empty()) {
    throw Error("no image to explain");
  }
  if (files.size() == 1) {
    explain_one(recognizer, options, files.front());
  } else {
    explain_many(recognizer, options, files);
  }
  std::cout << options.output << std::endl;
}

}  // namespace

void add_explain(CLI::App & app)
{
  auto options = std::make_shared<ExplainOptions>();
  CLI::App * verb =
    app.add_subcommand("explain", "One picture of why: this part looks like that training patch");
  options->model.add_to(*verb);
  verb
    ->add_option(
      "images", options->images,
      "image files, or folders of them; several become a contact sheet, with the strongest places "
      "of each")
    ->required()
    ->type_name("IMAGE");
  verb->add_option("-o,--output", options->output, "picture to write (.png or .jpg)")
    ->required()
    ->type_name("FILE");
  verb->add_option("--classes", options->picture.classes, "most probable classes to show")
    ->capture_default_str()
    ->check(CLI::Range(1, 10));
  verb
    ->add_option(
      "--prototypes", options->picture.prototypes_per_class, "strongest places of each class")
    ->capture_default_str()
    ->check(CLI::Range(1, 20));
  verb->add_option("--only", options->only, "those with this verdict: known or unknown")
    ->transform(CLI::CheckedTransformer(
      std::map<std::string, Verdict>{{"known", Verdict::known}, {"unknown", Verdict::unknown}}));
  verb->add_option("--random", options->random, "draw so many of the images; 0 = all")
    ->capture_default_str();
  verb->add_option("--seed", options->seed, "of what is drawn")->capture_default_str();
  verb->add_option("--columns", options->columns, "of a contact sheet")
    ->capture_default_str()
    ->check(CLI::Range(1, 100));
  verb->footer(
    "Examples:\n"
    "  mgproto explain --model model.safetensors bird.jpg -o why.png\n"
    "  mgproto explain --model model.safetensors photos/test --random 24 -o sheet.jpg\n"
    "  mgproto explain --model model.safetensors strangers --only known -o mistakes.jpg");
  verb->callback([options] { run(*options); });
}

}  // namespace mgproto::cli
