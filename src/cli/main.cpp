// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>

#include "cli/verbs.hpp"
#include "mgproto_ros/error.hpp"

namespace
{

// Exit codes.
constexpr int kFine = 0;
constexpr int kWorkFailed = 1;
constexpr int kWrongUsage = 2;

/// Of a command that did all else: its output may be on a disk that is full.
int code_for_output()
{
  std::cout.flush();
  if (std::cout && std::fflush(stdout) == 0 && std::ferror(stdout) == 0) {
    return kFine;
  }
  std::fputs("mgproto: cannot write to the standard output\n", stderr);
  return kWorkFailed;
}

}  // namespace

int main(int argc, char ** argv)
{
  CLI::App app(
    "Recognise what is in an image, say why, and say when it is unknown: mixtures of Gaussian "
    "prototypes.\nExit codes: 0 fine, 1 the work failed, 2 wrong usage.",
    "mgproto");
  app.set_version_flag("--version", MGPROTO_VERSION);
  app.require_subcommand(1);
  app.footer("mgproto VERB --help shows the options of a verb, with examples.");
#ifdef MGPROTO_DDS
  mgproto::cli::add_node(app);
  mgproto::cli::add_gate(app);
  mgproto::cli::add_play(app);
  mgproto::cli::add_watch(app);
  mgproto::cli::add_tell(app);
  mgproto::cli::add_dashboard(app);
  mgproto::cli::add_echo(app);
  mgproto::cli::add_record(app);
#endif
  mgproto::cli::add_predict(app);
  mgproto::cli::add_explain(app);
  mgproto::cli::add_info(app);
  mgproto::cli::add_dataset(app);
  mgproto::cli::add_train(app);
  mgproto::cli::add_fit(app);
  mgproto::cli::add_teach(app);
  mgproto::cli::add_forget(app);
  mgproto::cli::add_lessons(app);
  mgproto::cli::add_project(app);
  mgproto::cli::add_prune(app);
  mgproto::cli::add_calibrate(app);
  mgproto::cli::add_evaluate(app);
  mgproto::cli::add_gallery(app);
  mgproto::cli::add_bench(app);
  mgproto::cli::add_import(app);
  mgproto::cli::add_export(app);
  if (argc == 1) {
    std::fputs(app.help().c_str(), stderr);
    return kWrongUsage;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError & error) {
    const int code = app.exit(error);
    return code == 0 ? code_for_output() : kWrongUsage;
  } catch (const mgproto::cli::WorkFailed &) {
    return kWorkFailed;
  } catch (const std::exception & error) {
    // Errors of ours are one line; a library's may go on with a stack trace.
    const std::string what = error.what();
    std::fprintf(stderr, "mgproto: %s\n", what.substr(0, what.find('\n')).c_str());
    return kWorkFailed;
  }
  return code_for_output();
}
