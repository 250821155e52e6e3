// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/report/curves.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/number_text.hpp"

namespace mgproto
{
namespace
{

using nlohmann::json;

using Names = std::vector<std::string>;
using Row = std::vector<double>;  // one value per name

const Names kIterationNames{
  "ce",
  "mine",
  "aux",
  "total",
  "accuracy",
  "memory_fill",
  "seconds/data",
  "seconds/em",
  "images_per_second",
  "seconds/forward",
  "seconds/backward"};

const Names kEpochNames{"train_accuracy",         "test_accuracy",
                        "mean_pairwise_distance", "distinct_features",
                        "largest_responsibility", "learning_rates/backbone",
                        "learning_rates/add_on",  "learning_rates/proxies",
                        "learning_rates/em",      "seconds"};

double number_or_nan(const json & line, const std::string & name)
{
  const json::json_pointer pointer("/" + name);
  if (line.contains(pointer) && line.at(pointer).is_number()) {
    return line.at(pointer).get<double>();
  }
  return std::numeric_limits<double>::quiet_NaN();
}

Row row_of(const json & line, const Names & names)
{
  Row row;
  for (const std::string & name : names) {
    row.push_back(number_or_nan(line, name));
  }
  return row;
}

/// What a run has recorded, in the order of training.
struct History
{
  std::map<std::pair<int, int>, Row> iterations;  // by epoch and iteration
  std::map<int, Row> epochs;

  /// A line from before the latest one is from a run that was resumed: what it did the second time
  /// replaces everything from there on.
  void add(const json & line)
  {
    const double epoch_number = number_or_nan(line, "epoch");
    const auto type = line.find("type");
    if (!(std::abs(epoch_number) < 1e9) || type == line.end()) {
      return;
    }
    const int epoch = static_cast<int>(epoch_number);
    if (*type == "iteration") {
      const double iteration = number_or_nan(line, "iteration");
      if (std::abs(iteration) < 1e9) {
        const auto key = std::make_pair(epoch, static_cast<int>(iteration));
        iterations.erase(iterations.lower_bound(key), iterations.end());
        epochs.erase(epochs.lower_bound(epoch), epochs.end());
        iterations[key] = row_of(line, kIterationNames);
      }
    } else if (*type == "epoch") {
      epochs.erase(epochs.lower_bound(epoch), epochs.end());
      epochs[epoch] = row_of(line, kEpochNames);
    }
  }
};

/// Five digits are more than a screen shows, and a third of the page's size.
json rounded(double value)
{
  if (!std::isfinite(value)) {
    return nullptr;
  }
  return std::strtod(general(value, 5).c_str(), nullptr);
}

/// Mean of the finite ones among rows[begin, end) of a column.
double mean(const std::vector<Row> & rows, std::size_t begin, std::size_t end, std::size_t column)
{
  double sum = 0;
  int count = 0;
  for (std::size_t i = begin; i < end; ++i) {
    if (std::isfinite(rows[i][column])) {
      sum += rows[i][column];
      ++count;
    }
  }
  return count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN();
}

/// Rows have their place behind the named values.
json thinned_columns(const std::vector<Row> & rows, Names names, std::size_t most_points)
{
  names.emplace_back("at");
  const std::size_t points = std::min(rows.size(), most_points);
  json columns = json::object();
  for (std::size_t column = 0; column < names.size(); ++column) {
    json & values = columns[names[column]] = json::array();
    for (std::size_t i = 0; i < points; ++i) {
      const std::size_t begin = i * rows.size() / points;
      const std::size_t end = (i + 1) * rows.size() / points;
      values.push_back(rounded(mean(rows, begin, end, column)));
    }
  }
  return columns;
}

/// The trainer need not say how long an epoch is: a finished one has as many iterations as it has
/// lines, the running one is taken to get as long as the longest.
std::vector<Row> iterations_with_place(const History & history)
{
  std::map<int, int> length;
  int longest = 0;
  for (const auto & [key, row] : history.iterations) {
    longest = std::max(longest, ++length[key.first]);
  }
  if (!length.empty() && history.epochs.count(length.rbegin()->first) == 0) {
    length.rbegin()->second = longest;
  }
  std::vector<Row> rows;
  std::map<int, int> seen;
  for (const auto & [key, row] : history.iterations) {
    const int epoch = key.first;
    rows.push_back(row);
    rows.back().push_back(epoch + (seen[epoch]++ + 0.5) / length[epoch]);
  }
  return rows;
}

std::vector<Row> epochs_with_place(const History & history)
{
  std::vector<Row> rows;
  for (const auto & [epoch, row] : history.epochs) {
    rows.push_back(row);
    rows.back().push_back(epoch + 1);
  }
  return rows;
}

}  // namespace

json read_curves(std::istream & metrics, std::size_t most_points)
{
  History history;
  std::string text;
  while (std::getline(metrics, text)) {
    // A run that is killed leaves half a line, and a resumed one may go on behind it.
    const json line = json::parse(text, nullptr, false);
    if (line.is_object()) {
      history.add(line);
    }
  }
  return {
    {"iterations", thinned_columns(iterations_with_place(history), kIterationNames, most_points)},
    {"epochs", thinned_columns(epochs_with_place(history), kEpochNames, most_points)}};
}

}  // namespace mgproto
