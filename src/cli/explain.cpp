// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "cli/model_options.hpp"
#include "cli/verbs.hpp"
#include "model/image_file.hpp"
#include "visual/reasoning_picture.hpp"

namespace mgproto::cli
{
namespace
{

struct ExplainOptions
{
  ModelOptions model;
  visual::ReasoningOptions picture;
  std::string image;
  std::string output;
};

void run(const ExplainOptions & options)
{
  Recognizer recognizer(options.model.model, options.model.recognizer);
  const cv::Mat image = read_image(options.image);
  EvidenceRequest request;
  request.top_classes = options.picture.classes;
  const Prediction prediction = recognizer.recognize(view_of(image), request);
  write_image(
    options.output,
    visual::reasoning_picture(image, prediction, recognizer.manifest(), options.picture));
  std::cout << options.output << std::endl;
}

}  // namespace

void add_explain(CLI::App & app)
{
  auto options = std::make_shared<ExplainOptions>();
  CLI::App * verb =
    app.add_subcommand("explain", "One picture of why: this part looks like that training patch");
  options->model.add_to(*verb);
  verb->add_option("image", options->image, "image file")->required()->type_name("IMAGE");
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
  verb->footer("Example:\n  mgproto explain --model model.safetensors bird.jpg -o why.png");
  verb->callback([options] { run(*options); });
}

}  // namespace mgproto::cli
