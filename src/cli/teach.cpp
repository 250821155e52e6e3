// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <sstream>

#include "cli/calibration_text.hpp"
#include "cli/image_files.hpp"
#include "cli/verbs.hpp"
#include "mgproto_ros/error.hpp"
#include "model/file_io.hpp"
#include "model/image_file.hpp"
#include "teach/teachable_model.hpp"

namespace mgproto::cli
{
namespace
{

struct TeachOptions
{
  std::string model;
  std::string name;
  std::string output;
  std::vector<std::string> images;
  std::vector<std::string> boxes;
};

Box box_from(const std::string & text)
{
  Box box;
  char behind = 0;
  std::istringstream stream(text);
  char comma[3]{};
  stream >> box.x >> comma[0] >> box.y >> comma[1] >> box.width >> comma[2] >> box.height;
  const bool commas = comma[0] == ',' && comma[1] == ',' && comma[2] == ',';
  if (!stream || !commas || stream >> behind || box.width < 1 || box.height < 1) {
    throw ConfigError("box", "'" + text + "' is not x,y,width,height in pixels");
  }
  return box;
}

cv::Mat cut_out(const cv::Mat & image, const Box & box, const std::string & file)
{
  const cv::Rect inside =
    cv::Rect(box.x, box.y, box.width, box.height) & cv::Rect(0, 0, image.cols, image.rows);
  if (inside.empty()) {
    throw ImageError(
      file + ": the box lies outside of its " + std::to_string(image.cols) + "x" +
      std::to_string(image.rows) + " pixels");
  }
  return image(inside);
}

void run_teach(const TeachOptions & options)
{
  const std::vector<std::string> files = image_files(options.images);
  expect_writable(options.output);
  if (options.boxes.size() > 1 && options.boxes.size() != files.size()) {
    throw ConfigError(
      "box", "given " + std::to_string(options.boxes.size()) + " times for " +
               std::to_string(files.size()) + " images: once for all, or once for each");
  }
  std::vector<LessonImage> images;
  for (std::size_t i = 0; i < files.size(); ++i) {
    cv::Mat pixels = read_image(files[i]);
    if (!options.boxes.empty()) {
      pixels =
        cut_out(pixels, box_from(options.boxes[options.boxes.size() == 1 ? 0 : i]), files[i]);
    }
    images.push_back({std::filesystem::path(files[i]).filename().string(), pixels});
  }
  const TeachableModel model(options.model, {});
  if (const std::string problem = model.problem(); !problem.empty()) {
    throw FileError(options.model, problem);
  }
  const Manifest manifest = model.taught(options.name, images, options.output).manifest();
  const TaughtClass & taught = manifest.taught.back();
  const auto prototypes = std::count(
    manifest.prototype_class.begin(), manifest.prototype_class.end(),
    static_cast<int>(manifest.classes.size()) - 1);
  std::cout << taught.name << ": taught by " << taught.images.size() << " images, " << prototypes
            << " prototypes; " << options.output << " has " << manifest.classes.size()
            << " classes\n";
  if (const std::string caution = caution_for(taught.images.size()); !caution.empty()) {
    std::cout << caution << '\n';
  }
  std::cout << "calibration: " << calibration_text(manifest) << std::endl;
}

}  // namespace

void add_teach(CLI::App & app)
{
  auto options = std::make_shared<TeachOptions>();
  CLI::App * verb =
    app.add_subcommand("teach", "A new class from a few images, in seconds, without training");
  verb->add_option("-m,--model", options->model, "checkpoint (*.safetensors), left as it is")
    ->required()
    ->type_name("FILE");
  verb->add_option("-n,--name", options->name, "of the class; one taught before sees more images")
    ->required()
    ->type_name("NAME");
  verb->add_option("-o,--out", options->output, "checkpoint to write")
    ->required()
    ->type_name("FILE");
  verb
    ->add_option(
      "--box", options->boxes, "what to look at, in pixels: once for all images, or once for each")
    ->type_name("X,Y,W,H");
  verb->add_option("images", options->images, "image files, or folders of them")
    ->required()
    ->type_name("IMAGE");
  verb->footer(
    "Examples:\n"
    "  mgproto teach --model groceries.safetensors --name 'oat milk' --out taught.safetensors "
    "oat*.jpg\n"
    "  mgproto teach --model taught.safetensors --name 'oat milk' --out better.safetensors "
    "more/\n"
    "  mgproto teach --model m.safetensors --name kettle --out n.safetensors --box "
    "120,80,200,240 desk.jpg\n"
    "Nothing else changes but where the new class fits better. Undo: go on with the first file.");
  verb->callback([options] { run_teach(*options); });
}

void add_forget(CLI::App & app)
{
  auto options = std::make_shared<TeachOptions>();
  CLI::App * verb = app.add_subcommand("forget", "The model as if a taught class had never been");
  verb->add_option("-m,--model", options->model, "checkpoint (*.safetensors), left as it is")
    ->required()
    ->type_name("FILE");
  verb->add_option("-n,--name", options->name, "of the class")->required()->type_name("NAME");
  verb->add_option("-o,--out", options->output, "checkpoint to write")
    ->required()
    ->type_name("FILE");
  verb->footer(
    "Example:\n"
    "  mgproto forget --model taught.safetensors --name 'oat milk' --out before.safetensors");
  verb->callback([options] {
    const TeachableModel model(options->model, {});
    const Manifest manifest = model.without(options->name, options->output).manifest();
    std::cout << options->name << ": forgotten; " << options->output << " has "
              << manifest.classes.size() << " classes" << std::endl;
  });
}

}  // namespace mgproto::cli
