// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// The verb `gate`: the trust gate on plain DDS.

#include <CLI/CLI.hpp>
#include <chrono>
#include <iostream>
#include <memory>

#include "cli/node_options.hpp"
#include "cli/parameter_options.hpp"
#include "cli/stop_signal.hpp"
#include "cli/verbs.hpp"
#include "dds/trust_gate_host.hpp"

namespace mgproto::cli
{
namespace
{

struct GateOptions
{
  NodeCommandOptions node;
  ParameterOptions parameters;
};

void run(const GateOptions & options)
{
  const std::atomic<bool> & stop = stop_on_signal();
  dds::Node node = options.node.join("trust_gate");
  const std::string name = node.name().full();
  const dds::TrustGateHost host(
    node, options.parameters.settings<perception::GateSettings>(name),
    [&name](perception::LogLevel level, const std::string & text) {
      write_log(name.substr(1), level, text);
    });
  while (!stop) {
    stopped_within(std::chrono::hours(1));
  }
}

}  // namespace

void add_gate(CLI::App & app)
{
  auto options = std::make_shared<GateOptions>();
  CLI::App * verb = app.add_subcommand(
    "gate",
    "Tell an autonomy stack whether to trust what perception nodes see, and how fast to drive:\n"
    "~/output/trusted (std_msgs/Bool) and ~/output/speed_limit (nav2_msgs/SpeedLimit) fall at "
    "once\n"
    "for an unknown image, silence or an old image, and recover after recover_seconds");
  options->parameters.add_to(*verb);
  options->node.add_to(*verb);
  verb->footer(
    "Examples:\n"
    "  mgproto gate -r '~/input/ood:=/mgproto/output/ood' -r '~/output/speed_limit:=/speed_limit'\n"
    "  mgproto gate -p 'flags:=[/mgproto/front/output/ood, /mgproto/rear/output/ood]' \\\n"
    "    -p timeout:=0.5 -p speed.untrusted:=10\n"
    "  mgproto gate --params config/trust_gate.yaml -r __ns:=/robot1\n"
    "ROS_DOMAIN_ID and ROS_AUTOMATIC_DISCOVERY_RANGE are honoured.");
  verb->callback([options] {
    if (options->parameters.print) {
      std::cout << perception::parameters_markdown<perception::GateSettings>();
      return;
    }
    run(*options);
  });
}

}  // namespace mgproto::cli
