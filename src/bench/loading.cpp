// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <filesystem>
#include <fstream>

#include "bench/measurements.hpp"
#include "bench/stopwatch.hpp"
#include "bench/subject.hpp"
#include "mgproto_ros/recognizer.hpp"
#include "model/image_file.hpp"

namespace mgproto::bench
{

/// The file is in the kernel's cache for both, so that the disk does not matter.
Values measure_loading(const Plan & plan)
{
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/model.safetensors";
  write_network(path, plan);
  Recognizer::Options options;
  options.device = "cpu";
  options.num_threads = plan.threads;
  Recognizer loaded(path, options);
  const cv::Mat picture = camera_picture();
  std::vector<char> bytes(std::filesystem::file_size(path));

  const std::vector<double> seconds = interleaved_medians(
    plan.slow_repeats, {{[&] { const Recognizer recognizer(path, options); }}, {[&] {
                          std::ifstream(path, std::ios::binary)
                            .read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
                          loaded.recognize(view_of(picture));
                        }}});
  return {{"load_over_read_plus_pass", seconds[0] / seconds[1]}};
}

}  // namespace mgproto::bench
