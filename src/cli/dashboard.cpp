// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// The verb `dashboard`: a page that shows what perception nodes say.

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "cli/node_options.hpp"
#include "cli/parameter_options.hpp"
#include "cli/stop_signal.hpp"
#include "cli/verbs.hpp"
#include "dashboard/server.hpp"
#include "dds/dashboard_feed.hpp"

namespace mgproto::cli
{
namespace
{

struct DashboardOptions
{
  NodeCommandOptions node;
  dashboard::Server::Options server;
};

void run(const DashboardOptions & options)
{
  const std::atomic<bool> & stop = stop_on_signal();
  dds::Node node = options.node.join("mgproto_dashboard");
  dashboard::Server server(options.server);
  const dds::DashboardFeed feed(
    node, server, [](perception::LogLevel level, const std::string & text) {
      write_log("mgproto_dashboard", level, text);
    });
  std::cout << server.url() << std::endl;
  while (!stop) {
    stopped_within(std::chrono::hours(1));
  }
}

}  // namespace

void add_dashboard(CLI::App & app)
{
  auto options = std::make_shared<DashboardOptions>();
  CLI::App * verb =
    app.add_subcommand("dashboard", "Serve a page that shows live what perception nodes say");
  verb->add_option("--port", options->server.port, "0 = any that is free")
    ->capture_default_str()
    ->check(CLI::Range(0, 65535));
  verb
    ->add_option(
      "--address", options->server.address,
      "to listen on; 0.0.0.0 lets everybody in the network see the cameras")
    ->capture_default_str();
  verb->add_flag(
    "--read-only{false}", options->server.may_teach, "nodes cannot be taught from the page");
  verb->add_flag(
    "--teach-from-afar", options->server.may_teach_from_afar,
    "they can from browsers on other machines, too: from everybody who can reach the page");
  options->node.add_to(*verb);
  verb->footer(
    "Examples:\n"
    "  mgproto dashboard\n"
    "  mgproto dashboard --port 9000 --address 0.0.0.0");
  verb->callback([options] { run(*options); });
}

}  // namespace mgproto::cli
