// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef CLI__CONSOLE_OBSERVER_HPP_
#define CLI__CONSOLE_OBSERVER_HPP_

#include <iostream>
#include <string>

#include "cli/progress_bar.hpp"
#include "training/run/train.hpp"

namespace mgproto::cli
{

/// Progress as `bars`, which must live as long, and lines on standard output.
inline TrainingObserver observer_on_console(ProgressBars & bars)
{
  TrainingObserver observer;
  observer.progress = [&bars](
                        const std::string & what, std::int64_t done, std::int64_t total,
                        const std::string & details) { bars.update(what, done, total, details); };
  observer.say = [&bars](const std::string & line) {
    bars.finish();
    std::cout << line << std::endl;
  };
  return observer;
}

}  // namespace mgproto::cli

#endif  // CLI__CONSOLE_OBSERVER_HPP_
