// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "bench/report.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <sstream>

#include "bench/svg_plot.hpp"
#include "model/file_io.hpp"
#include "model/number_text.hpp"

namespace mgproto::bench
{
namespace
{

constexpr const char * kMark = "<!-- measured -->\n";

// A logarithmic axis has no 0; less than this is nothing.
constexpr double kLeastMegabytes = 0.1;
constexpr double kLeastMilliseconds = 0.001;

std::string today()
{
  const std::time_t now = std::time(nullptr);
  char text[16];
  std::strftime(text, sizeof(text), "%Y-%m-%d", std::gmtime(&now));
  return text;
}

void write(const std::string & path, const std::string & text)
{
  write_atomically(path, {{text.data(), text.size()}});
}

/// What stands in the page already, down to the mark; nothing without one.
std::string kept_text(const std::string & path)
{
  if (!std::filesystem::exists(path)) {
    return "";
  }
  const std::string text = read_text(path, "a page");
  const auto mark = text.find(kMark);
  return mark != text.npos ? text.substr(0, mark) + kMark + "\n" : "";
}

std::string plot_of(const Growth & growth)
{
  std::vector<double> x;
  Panel time{"time, ms", {}};
  for (const std::string & part : growth.parts) {
    time.curves.push_back({part, {}});
  }
  Panel memory{"memory, MB", {{"peak", {}}}};
  for (const Growth::Row & row : growth.rows) {
    x.push_back(row.size);
    for (std::size_t i = 0; i < row.milliseconds.size(); ++i) {
      time.curves[i].y.push_back(std::max(row.milliseconds[i], kLeastMilliseconds));
    }
    memory.curves.front().y.push_back(std::max(row.megabytes, kLeastMegabytes));
  }
  return svg_plot(growth.size, x, {time, memory});
}

/// Three digits at least, and no powers of ten.
std::string readable(double value) { return value < 100 ? general(value, 3) : fixed(value, 0); }

std::string table_of(const Growth & growth)
{
  std::ostringstream table;
  table << "| " << growth.size;
  for (const std::string & part : growth.parts) {
    table << " | " << part << ", ms";
  }
  table << " | memory, MB |\n|---";
  for (std::size_t i = 0; i < growth.parts.size(); ++i) {
    table << "|---";
  }
  table << "|---|\n";
  for (const Growth::Row & row : growth.rows) {
    table << "| " << row.size;
    for (const double milliseconds : row.milliseconds) {
      table << " | " << readable(milliseconds);
    }
    table << " | " << readable(row.megabytes) << " |\n";
  }
  return table.str();
}

}  // namespace

void write_report(
  const std::string & path, const std::string & command, const Machine & machine,
  const Outcome & outcome, const std::vector<Growth> & growths)
{
  std::ostringstream page;
  page << kept_text(path) << "## Measured\n\n"
       << "`" << command << "` on " << today() << ": " << machine.cpu << ", " << machine.cores
       << " cores, " << machine.threads << " threads; mgproto_ros " << machine.package
       << ", LibTorch " << machine.libtorch << ", oneDNN " << machine.onednn << ", OpenCV "
       << machine.opencv << ", BLAS " << machine.blas
       << ". Medians of repeats that take turns; what is compared is measured in one process, each "
          "comparison in a process of its own. Peak memory of any: "
       << std::lround(outcome.peak_megabytes) << " MB.\n\n"
       << "| name | meaning | measured | target | |\n|---|---|---|---|---|\n";
  for (const Result & result : outcome.results) {
    page << "| " << result.target.name << " | " << result.target.meaning << " | "
         << value_text(result) << " | " << limit_text(result.target) << " | "
         << verdict_text(result) << " |\n";
  }
  page << "\n### Growth\n\nOne frame, all other sizes as above. Memory is the peak above what the "
          "process held before, the network included.\n";
  const std::filesystem::path file(path);
  for (const Growth & growth : growths) {
    const std::string plot = file.stem().string() + "_" + growth.name + ".svg";
    write((file.parent_path() / plot).string(), plot_of(growth));
    page << "\n#### " << growth.title << "\n\n"
         << table_of(growth) << "\n![time and memory against " << growth.size << "](" << plot
         << ")\n";
  }
  write(path, page.str());
}

}  // namespace mgproto::bench
