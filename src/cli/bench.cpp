// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// The verb `bench`: what everything costs on this machine, against the targets.

#include "bench/bench.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "bench/growth.hpp"
#include "bench/report.hpp"
#include "cli/shipped_file.hpp"
#include "cli/verbs.hpp"
#include "mgproto_ros/error.hpp"

namespace mgproto::cli
{
namespace
{

struct BenchOptions
{
  bool json = false;
  bool quick = false;
  std::string report;
  int threads = 2;
  std::vector<std::string> only;
  std::string demo_model;
};

std::vector<std::string> target_names()
{
  std::vector<std::string> names;
  for (const bench::Target & target : bench::targets()) {
    names.push_back(target.name);
  }
  return names;
}

std::string command_of(const BenchOptions & options)
{
  std::string command = "mgproto bench --report " + options.report;
  command += options.quick ? " --quick" : "";
  for (const std::string & name : options.only) {
    command += " --only " + name;
  }
  return command + " --threads " + std::to_string(options.threads);
}

std::string in_quotes(const std::string & text)
{
  std::string quoted = "'";
  for (const char c : text) {
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return quoted + "'";
}

/// What a command prints. Throws Error if it cannot be run or fails.
std::string output_of(const std::string & command)
{
  FILE * pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) {
    throw Error("no process could be started");
  }
  std::string output;
  char part[4096];
  for (std::size_t read = 0; (read = std::fread(part, 1, sizeof(part), pipe)) > 0;) {
    output.append(part, read);
  }
  if (pclose(pipe) != 0) {
    throw Error("its process failed");
  }
  return output;
}

/// In a process of its own, so that it does not find the memory and the threads that others left
/// behind: that changed ratios by a factor of up to four.
bench::Measured measure_apart(const bench::Plan & plan, bool quick, const bench::Measurement & one)
{
  std::string command = in_quotes(std::filesystem::read_symlink("/proc/self/exe")) +
                        " bench --json --threads " + std::to_string(plan.threads) +
                        (quick ? " --quick" : "");
  if (!plan.demo_model.empty()) {
    command += " --demo-model " + in_quotes(plan.demo_model);
  }
  for (const std::string & name : one.names) {
    command += " --only " + name;
  }
  const auto output = nlohmann::json::parse(output_of(command));
  bench::Measured measured;
  for (const auto & result : output["results"]) {
    if (!result["value"].is_null()) {
      measured.values[result["name"]] = result["value"];
    }
  }
  measured.peak_megabytes = output["machine"]["peak_memory_mb"];
  return measured;
}

void print_table(const bench::Outcome & outcome)
{
  for (const bench::Result & result : outcome.results) {
    std::printf(
      "%-32s %10s %-5s  %-8s  %s\n", result.target.name.c_str(), value_text(result).c_str(),
      result.target.unit.c_str(), limit_text(result.target).c_str(), verdict_text(result).c_str());
  }
  std::printf("peak memory %.0f MB\n", outcome.peak_megabytes);
}

void run(const BenchOptions & options)
{
  bench::Plan plan = options.quick ? bench::quick_plan() : bench::Plan();
  plan.threads = options.threads;
  plan.demo_model = options.demo_model.empty()
                      ? shipped_file("config/models/birds_demo.safetensors")
                      : options.demo_model;
  const auto say = [](const std::string & line) { std::cerr << line << std::endl; };
  const bench::Machine machine = bench::this_machine(plan.threads, MGPROTO_VERSION);
  const std::vector<bench::Measurement> wanted = bench::measurements_of(options.only);
  const bench::Outcome outcome = bench::run(
    wanted,
    [&](const bench::Measurement & one) {
      return wanted.size() == 1 ? bench::measure(plan, one, say)
                                : measure_apart(plan, options.quick, one);
    },
    say);
  if (options.json) {
    std::cout << bench::to_json(outcome, machine).dump() << std::endl;
  } else {
    print_table(outcome);
  }
  if (!options.report.empty()) {
    bench::write_report(
      options.report, command_of(options), machine, outcome, bench::measure_growth(plan, say));
  }
}

}  // namespace

void add_bench(CLI::App & app)
{
  auto options = std::make_shared<BenchOptions>();
  CLI::App * verb = app.add_subcommand(
    "bench", "Measure what everything costs on this machine, and compare it with the targets");
  verb->add_flag("--json", options->json, "one JSON object on standard output instead of a table");
  verb->add_flag("--quick", options->quick, "fewer repeats, frames and images: rough numbers soon");
  verb
    ->add_option(
      "--report", options->report, "also measure growth, and write a page with tables and plots")
    ->type_name("FILE.md");
  verb->add_option("--threads", options->threads, "CPU threads of the network")
    ->capture_default_str()
    ->check(CLI::Range(1, 1024));
  verb->add_option("--only", options->only, "one of the numbers, and no others; often")
    ->type_name("NAME")
    ->allow_extra_args(false)
    ->check(CLI::IsMember(target_names()));
  verb
    ->add_option(
      "--demo-model", options->demo_model, "birds_demo.safetensors, if it is not found by itself")
    ->type_name("FILE");
  verb->footer(
    "Examples:\n"
    "  mgproto bench --quick\n"
    "  mgproto bench --json --only backbone_over_best --only node_over_backbone\n"
    "  mgproto bench --report measured.md\n"
    "The machine must be idle otherwise. What cannot be measured here has no value (null), and the "
    "reason is on standard error.");
  verb->callback([options] { run(*options); });
}

}  // namespace mgproto::cli
