// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <fstream>

#include "datasets/image.hpp"
#include "datasets/layouts.hpp"
#include "datasets/text_file.hpp"

namespace mgproto::layout
{
namespace
{

namespace fs = std::filesystem;

std::vector<fs::path> batch_files(const fs::path & dir, const std::string & split)
{
  std::vector<fs::path> files;
  for (const fs::directory_entry & entry : fs::directory_iterator(dir)) {
    const std::string name = entry.path().filename().string();
    const bool train =
      name.compare(0, 11, "data_batch_") == 0 && entry.path().extension() == ".bin";
    const bool test = name == "test_batch.bin";
    if ((train && split != "test") || (test && split != "train")) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

void add_batch(const fs::path & file, Dataset & dataset)
{
  const std::uintmax_t bytes = fs::file_size(file);
  if (bytes == 0 || bytes % kCifarRecordBytes != 0) {
    throw FileError(
      file.string(), std::to_string(bytes) + " bytes are not whole records of " +
                       std::to_string(kCifarRecordBytes) + " bytes");
  }
  std::ifstream stream(file, std::ios::binary);
  std::vector<char> record(kCifarRecordBytes);
  for (std::int64_t i = 0; stream.read(record.data(), kCifarRecordBytes); ++i) {
    Sample sample;
    sample.name = file.filename().string() + ":" + std::to_string(i);
    sample.file = file.string();
    sample.record = i;
    sample.label = static_cast<unsigned char>(record.front());
    if (sample.label >= static_cast<std::int64_t>(dataset.classes.size())) {
      throw FileError(
        file.string(), "record " + std::to_string(i) + ": label " + std::to_string(sample.label) +
                         " is out of range; batches.meta.txt names " +
                         std::to_string(dataset.classes.size()) + " classes");
    }
    dataset.samples.push_back(std::move(sample));
  }
  if (stream.bad() || !stream.eof()) {
    throw FileError(file.string(), "cannot be read");
  }
}

}  // namespace

bool is_cifar(const fs::path & dir) { return !batch_files(dir, "all").empty(); }

Dataset open_cifar(const fs::path & dir, const std::string & split)
{
  if (split != "train" && split != "test" && split != "all") {
    throw FileError(dir.string(), "CIFAR-10 has no split '" + split + "', only train and test");
  }
  Dataset dataset;
  dataset.layout = "cifar10";
  dataset.split = split;
  for (const TextLine & line : read_lines(dir / "batches.meta.txt")) {
    dataset.classes.push_back(line.text);
  }
  const std::vector<fs::path> files = batch_files(dir, split);
  if (files.empty()) {
    throw FileError(
      dir.string(), split == "test" ? "has no test_batch.bin" : "has no data_batch_*.bin");
  }
  for (const fs::path & file : files) {
    add_batch(file, dataset);
  }
  return dataset;
}

}  // namespace mgproto::layout
