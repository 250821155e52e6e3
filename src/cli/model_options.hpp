// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef CLI__MODEL_OPTIONS_HPP_
#define CLI__MODEL_OPTIONS_HPP_

#include <CLI/CLI.hpp>
#include <string>

#include "mgproto_ros/recognizer.hpp"

namespace mgproto::cli
{

/// The options of every verb that runs a model.
struct ModelOptions
{
  std::string model;
  Recognizer::Options recognizer;

  void add_to(CLI::App & verb)
  {
    verb.add_option("-m,--model", model, "checkpoint (*.safetensors)")
      ->required()
      ->type_name("FILE");
    verb.add_option("--device", recognizer.device, "auto, cpu, cuda or cuda:N")
      ->capture_default_str()
      ->type_name("NAME");
    verb
      .add_option(
        "--threads", recognizer.num_threads,
        "CPU threads, 0 = one for a small model, else all cores")
      ->capture_default_str()
      ->check(CLI::Range(0, 1024));
  }
};

}  // namespace mgproto::cli

#endif  // CLI__MODEL_OPTIONS_HPP_
