// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef CHILD_PROCESS_HPP_
#define CHILD_PROCESS_HPP_

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <list>
#include <stdexcept>
#include <string>
#include <vector>

namespace mgproto::test
{

/// A program that runs beside the test and whose standard output is read line by line. It ends
/// with this object.
class ChildProcess
{
public:
  explicit ChildProcess(std::vector<std::string> command)
  {
    std::vector<char *> arguments;
    for (std::string & word : command) {
      arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    int ends[2];
    if (pipe(ends) != 0) {
      throw std::runtime_error("pipe failed");
    }
    pid_ = fork();
    if (pid_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      dup2(ends[1], STDOUT_FILENO);
      close(ends[0]);
      close(ends[1]);
      execv(arguments[0], arguments.data());
      _exit(127);
    }
    close(ends[1]);
    output_ = ends[0];
  }

  ~ChildProcess()
  {
    EXPECT_TRUE(stop()) << "the program crashed when told to end";
    close(output_);
  }

  ChildProcess(const ChildProcess &) = delete;
  ChildProcess & operator=(const ChildProcess &) = delete;

  pid_t id() const { return pid_; }

  /// As `kill -9` does it: without a chance to say goodbye.
  void kill_now() { end(SIGKILL); }

  /// Tells it to end and waits for that. False if it ended in any other way than by itself with 0
  /// or by the signal it was sent.
  bool stop() { return end(SIGTERM); }

  /// The first line that contains the text and was not returned before; empty after the timeout.
  std::string wait_for_line(
    const std::string & text, std::chrono::milliseconds timeout = std::chrono::seconds(30))
  {
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    while (true) {
      for (auto line = lines_.begin(); line != lines_.end(); ++line) {
        if (line->find(text) != line->npos) {
          const std::string found = *line;
          lines_.erase(line);
          return found;
        }
      }
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
      pollfd readable{output_, POLLIN, 0};
      if (left.count() <= 0 || poll(&readable, 1, static_cast<int>(left.count())) <= 0) {
        return {};
      }
      char chunk[4096];
      const ssize_t size = read(output_, chunk, sizeof(chunk));
      if (size <= 0) {
        return {};
      }
      rest_.append(chunk, static_cast<size_t>(size));
      for (size_t end = rest_.find('\n'); end != rest_.npos; end = rest_.find('\n')) {
        lines_.push_back(rest_.substr(0, end));
        rest_.erase(0, end + 1);
      }
    }
  }

private:
  bool end(int signal)
  {
    int status = 0;
    if (pid_ > 0) {
      kill(pid_, signal);
      waitpid(pid_, &status, 0);
      pid_ = -1;
    }
    return WIFSIGNALED(status) ? WTERMSIG(status) == signal : WEXITSTATUS(status) == 0;
  }

  pid_t pid_ = -1;
  int output_ = -1;
  std::list<std::string> lines_;
  std::string rest_;  // of a line that is not complete
};

}  // namespace mgproto::test

#endif  // CHILD_PROCESS_HPP_
