// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <map>
#include <set>

#include "datasets/layouts.hpp"
#include "datasets/text_file.hpp"

namespace mgproto::layout
{
namespace
{

namespace fs = std::filesystem;

/// The fields of a line, as RFC 4180 writes them: "a, b" and "" inside quotes. No line breaks.
std::vector<std::string> split_fields(const fs::path & file, const TextLine & line)
{
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.text.size(); ++i) {
    const char letter = line.text[i];
    if (quoted && letter == '"' && line.text.compare(i, 2, "\"\"") == 0) {
      fields.back() += '"';
      ++i;
    } else if (letter == '"' && (quoted || fields.back().empty())) {
      quoted = !quoted;
    } else if (letter == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += letter;
    }
  }
  if (quoted) {
    throw bad_line(file, line, "a quote is not closed");
  }
  return fields;
}

struct Columns
{
  int path = -1;
  int label = -1;
  int split = -1;
  std::size_t count = 0;
};

Columns columns_of(const std::vector<std::string> & header)
{
  const auto find = [&header](const char * name) {
    const auto found = std::find(header.begin(), header.end(), name);
    return found == header.end() ? -1 : static_cast<int>(found - header.begin());
  };
  return {find("path"), find("label"), find("split"), header.size()};
}

struct Row
{
  TextLine line;
  std::string path;
  std::string label;
  std::string split;
};

std::vector<Row> read_rows(const fs::path & file, bool labelled)
{
  const std::vector<TextLine> lines = read_lines(file);
  const Columns columns = lines.empty() ? Columns{} : columns_of(split_fields(file, lines.front()));
  if (columns.path < 0 || (labelled && columns.label < 0)) {
    throw FileError(file.string(), "line 1: expected a header with the columns path,label[,split]");
  }
  std::vector<Row> rows;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    std::vector<std::string> fields = split_fields(file, lines[i]);
    if (fields.size() != columns.count) {
      throw bad_line(
        file, lines[i],
        std::to_string(fields.size()) + " fields, the header has " + std::to_string(columns.count));
    }
    Row row{lines[i], fields[columns.path], "", "all"};
    if (row.path.empty()) {
      throw bad_line(file, lines[i], "the path is empty");
    }
    if (labelled) {
      row.label = fields[columns.label];
      if (row.label.empty()) {
        throw bad_line(file, lines[i], "the label is empty");
      }
    }
    if (columns.split >= 0) {
      row.split = fields[columns.split];
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

/// The labels of a CSV as text and what they stand for.
struct Labels
{
  std::vector<std::string> classes;
  std::map<std::string, std::int64_t> index;
};

/// Names in alphabetic order; numbers are indices, of `known` classes if those are given.
Labels read_labels(
  const fs::path & file, const std::vector<Row> & rows, const std::vector<std::string> & known)
{
  std::set<std::string> names;
  for (const Row & row : rows) {
    names.insert(row.label);
  }
  std::int64_t number = 0;
  const bool numbers = std::all_of(names.begin(), names.end(), [&number](const std::string & name) {
    return parse_number(name, number);
  });
  const bool known_names = std::any_of(
    known.begin(), known.end(), [&names](const auto & name) { return names.count(name) > 0; });

  Labels labels;
  if (!numbers || known_names) {
    labels.classes.assign(names.begin(), names.end());
    for (const std::string & name : labels.classes) {
      labels.index.emplace(name, static_cast<std::int64_t>(labels.index.size()));
    }
    return labels;
  }
  labels.classes = known;
  for (std::size_t c = 0; known.empty() && c < names.size(); ++c) {
    labels.classes.push_back(std::to_string(c));
  }
  const auto count = static_cast<std::int64_t>(labels.classes.size());
  for (const Row & row : rows) {
    parse_number(row.label, number);
    if (number < 0 || number >= count) {
      throw bad_line(
        file, row.line,
        "label " + row.label + " is out of range; " + std::to_string(count) +
          " classes are numbered from 0 without a gap");
    }
    labels.index[row.label] = number;
  }
  return labels;
}

}  // namespace

std::optional<fs::path> find_csv(const fs::path & dir)
{
  std::vector<fs::path> found;
  for (const fs::directory_entry & entry : fs::directory_iterator(dir)) {
    if (entry.is_regular_file() && entry.path().extension() == ".csv") {
      const std::vector<TextLine> lines = read_lines(entry.path());
      const Columns columns =
        lines.empty() ? Columns{} : columns_of(split_fields(entry.path(), lines.front()));
      if (columns.path >= 0 && columns.label >= 0) {
        found.push_back(entry.path());
      }
    }
  }
  if (found.size() > 1) {
    throw FileError(dir.string(), "has several CSV lists of images; name one of them");
  }
  return found.empty() ? std::nullopt : std::make_optional(found.front());
}

Dataset open_csv(const fs::path & file, const std::string & split, const DatasetOptions & options)
{
  const std::vector<Row> rows = read_rows(file, options.labelled);
  const Labels labels =
    options.labelled ? read_labels(file, rows, options.classes) : Labels{{}, {{"", -1}}};
  const bool has_splits =
    std::any_of(rows.begin(), rows.end(), [](const Row & row) { return row.split != "all"; });

  Dataset dataset;
  dataset.layout = "csv";
  dataset.split = has_splits ? split : "all";
  dataset.classes = labels.classes;
  for (const Row & row : rows) {
    if (has_splits && split != "all" && row.split != split) {
      continue;
    }
    Sample sample;
    sample.name = row.path;
    sample.file = (file.parent_path() / row.path).string();
    sample.label = labels.index.at(row.label);
    if (!fs::is_regular_file(sample.file)) {
      throw bad_line(file, row.line, "no such file: " + sample.file);
    }
    dataset.samples.push_back(std::move(sample));
  }
  return dataset;
}

}  // namespace mgproto::layout
