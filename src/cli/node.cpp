// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// The verb `node`: the perception node on plain DDS.

#include <CLI/CLI.hpp>
#include <chrono>
#include <iostream>
#include <memory>

#include "cli/node_options.hpp"
#include "cli/parameter_options.hpp"
#include "cli/stop_signal.hpp"
#include "cli/verbs.hpp"
#include "dds/perception_host.hpp"

namespace mgproto::cli
{
namespace
{

struct NodeVerbOptions
{
  NodeCommandOptions node;
  ParameterOptions parameters;
};

void run(const NodeVerbOptions & options)
{
  const std::atomic<bool> & stop = stop_on_signal();
  dds::Node node = options.node.join("mgproto");
  const std::string name = node.name().full();
  const auto log = [&name](perception::LogLevel level, const std::string & text) {
    write_log(name.substr(1), level, text);
  };
  const dds::PerceptionHost host(
    node, options.parameters.settings<perception::Settings>(name), log);
  const auto model = host.perception().model();
  log(
    perception::LogLevel::info, "ready: " + model->id + " with " +
                                  std::to_string(model->manifest.classes.size()) + " classes on " +
                                  model->device);
  while (!stop) {
    stopped_within(std::chrono::hours(1));
  }
  for (const perception::CameraStatistics & camera : host.perception().statistics()) {
    log(
      perception::LogLevel::info, (camera.camera.empty() ? "" : camera.camera + ": ") +
                                    std::to_string(camera.received) + " images, " +
                                    std::to_string(camera.answered) + " answered, " +
                                    std::to_string(camera.invalid) + " invalid");
  }
}

}  // namespace

void add_node(CLI::App & app)
{
  auto options = std::make_shared<NodeVerbOptions>();
  CLI::App * verb = app.add_subcommand(
    "node",
    "Answer a camera's images: the perception node on DDS, with ROS 2's topics and parameters but\n"
    "without a ROS 2 installation (and without parameter services)");
  options->parameters.add_to(*verb);
  options->node.add_to(*verb);
  verb->footer(
    "Examples:\n"
    "  mgproto node -p model:=config/models/birds_demo.safetensors \\\n"
    "    -r '~/input/image:=/camera/image_raw'\n"
    "  mgproto node --params config/perception.yaml -p model:=m.safetensors -p ood.enter:=3\n"
    "  mgproto node -p model:=m.safetensors -p 'cameras:=[front, rear]' -r __ns:=/robot1\n"
    "ROS_DOMAIN_ID and ROS_AUTOMATIC_DISCOVERY_RANGE are honoured.");
  verb->callback([options] {
    if (options->parameters.print) {
      std::cout << perception::parameters_markdown();
      return;
    }
    run(*options);
  });
}

}  // namespace mgproto::cli
