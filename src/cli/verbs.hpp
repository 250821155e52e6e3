// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef CLI__VERBS_HPP_
#define CLI__VERBS_HPP_

namespace CLI
{
class App;
}

namespace mgproto::cli
{

/// A verb that did what it could, although something failed: the process ends with 1. The verb has
/// said already what failed.
struct WorkFailed
{
};

// Each adds one verb to the command.
void add_import(CLI::App & app);
void add_export(CLI::App & app);
void add_info(CLI::App & app);
void add_predict(CLI::App & app);
void add_explain(CLI::App & app);
void add_dataset(CLI::App & app);
void add_train(CLI::App & app);
void add_fit(CLI::App & app);
void add_project(CLI::App & app);
void add_prune(CLI::App & app);
void add_calibrate(CLI::App & app);
void add_teach(CLI::App & app);
void add_forget(CLI::App & app);
void add_lessons(CLI::App & app);
void add_bench(CLI::App & app);
void add_evaluate(CLI::App & app);
void add_gallery(CLI::App & app);
void add_node(CLI::App & app);
void add_gate(CLI::App & app);
void add_play(CLI::App & app);
void add_echo(CLI::App & app);
void add_record(CLI::App & app);
void add_tell(CLI::App & app);
void add_watch(CLI::App & app);
void add_dashboard(CLI::App & app);

}  // namespace mgproto::cli

#endif  // CLI__VERBS_HPP_
