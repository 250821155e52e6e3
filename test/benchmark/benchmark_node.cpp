// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// benchmark_node MGPROTO MODEL [FRAMES A ROUND [THREADS]]
//
// What the node adds to the model: the time from an image published to its prediction received, over
// DDS from `mgproto node` in another process, against the same model called in this one. One after
// the other, on a machine that is otherwise idle. Then a camera ten times as fast as the model,
// and the node's memory before and after it.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <mgproto_ros/msg/prediction.hpp>
#include <string>
#include <thread>
#include <vector>

#include "dds/child_process.hpp"
#include "dds/node.hpp"
#include "messages/image_output.hpp"
#include "mgproto_ros/recognizer.hpp"
#include "model/image_file.hpp"
#include "training/birds/picture.hpp"

namespace
{

using Clock = std::chrono::steady_clock;
using mgproto_ros::msg::Prediction;

constexpr std::chrono::milliseconds kRest(500);
constexpr int kRounds = 10;

double milliseconds_since(Clock::time_point begin)
{
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

double percentile(std::vector<double> values, double share)
{
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

double resident_megabytes(const std::string & status_file)
{
  std::ifstream file(status_file);
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("VmRSS:", 0) == 0) {
      return std::stod(line.substr(6)) / 1024;
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char ** argv)
{
  if (argc < 3) {
    std::fprintf(stderr, "benchmark_node MGPROTO MODEL [FRAMES A ROUND [THREADS]]\n");
    return 2;
  }
  const int frames = argc > 3 ? std::atoi(argv[3]) : 50;
  setenv("ROS_DOMAIN_ID", std::to_string(100 + getpid() % 100).c_str(), 1);
  setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST", 1);

  mgproto::Random random{1};
  const cv::Mat picture =
    mgproto::birds::draw_scene(mgproto::birds::SceneKind::SeenBird, 0, 640, 480, random);
  const std::string threads = argc > 4 ? argv[4] : "0";
  mgproto::Recognizer::Options recognizer_options;
  recognizer_options.num_threads = std::stoi(threads);
  mgproto::Recognizer recognizer(argv[2], recognizer_options);
  mgproto::EvidenceRequest request;
  request.top_classes = 1;
  request.prototypes_per_class = 3;

  mgproto::dds::test::ChildProcess process(
    {argv[1], "node", "-p", std::string("model:=") + argv[2], "-p", "num_threads:=" + threads, "-r",
     "~/input/image:=/camera"});
  mgproto::dds::NodeOptions options;
  options.name = "benchmark";
  mgproto::dds::Node node(options);
  auto camera = node.create_publisher<sensor_msgs::msg::Image>("/camera", {true, false, 1});
  std::atomic<std::int64_t> answered{-1};
  std::vector<double> latencies;
  const auto subscription = node.create_subscription<Prediction>(
    "/mgproto/output/prediction", {}, [&](std::shared_ptr<const Prediction> message) {
      const mgproto::perception::Stamp stamp{
        message->header.stamp.sec, message->header.stamp.nanosec};
      latencies.push_back(
        static_cast<double>(
          mgproto::perception::current_stamp().nanoseconds() - stamp.nanoseconds()) *
        1e-6);
      answered = stamp.nanoseconds();
    });
  const auto publish = [&] {
    const mgproto::perception::Header header{mgproto::perception::current_stamp(), "camera"};
    camera.publish(mgproto::messages::image_message(header, picture));
    return header.stamp.nanoseconds();
  };
  for (int i = 0; answered < 0 && i < 300; ++i) {
    publish();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  std::this_thread::sleep_for(std::chrono::seconds(1));

  // In turns, but not frame by frame: threads that have just worked spin for a while, and would take
  // the cores from the other process.
  std::vector<double> model;
  std::vector<double> over_dds;
  for (int round = 0; round < kRounds; ++round) {
    std::this_thread::sleep_for(kRest);
    for (int i = 0; i < frames; ++i) {
      const auto begin = Clock::now();
      recognizer.recognize(mgproto::view_of(picture), request);
      model.push_back(milliseconds_since(begin));
    }
    std::this_thread::sleep_for(kRest);
    for (int i = 0; i < frames; ++i) {
      const auto begin = Clock::now();
      const std::int64_t stamp = publish();
      while (answered < stamp && milliseconds_since(begin) < 1000) {
        std::this_thread::sleep_for(std::chrono::microseconds(50));
      }
      over_dds.push_back(milliseconds_since(begin));
    }
  }
  std::printf(
    "model alone          p50 %6.2f ms  p95 %6.2f ms\n", percentile(model, 0.5),
    percentile(model, 0.95));
  std::printf(
    "published - received p50 %6.2f ms  p95 %6.2f ms\n", percentile(over_dds, 0.5),
    percentile(over_dds, 0.95));
  std::printf(
    "difference of the medians %.2f ms\n", percentile(over_dds, 0.5) - percentile(model, 0.5));

  const std::string status = "/proc/" + std::to_string(process.id()) + "/status";
  const double before = resident_megabytes(status);
  latencies.clear();
  const auto pause = std::chrono::duration<double, std::milli>(percentile(model, 0.5) / 10);
  const auto end = Clock::now() + std::chrono::seconds(20);
  int published = 0;
  while (Clock::now() < end) {
    publish();
    ++published;
    std::this_thread::sleep_for(pause);
  }
  std::this_thread::sleep_for(std::chrono::seconds(1));
  std::printf(
    "too fast: %d published, %zu answered, p50 %.2f ms, p95 %.2f ms; node's memory %.1f -> %.1f "
    "MB\n",
    published, latencies.size(), percentile(latencies, 0.5), percentile(latencies, 0.95), before,
    resident_megabytes(status));
  return 0;
}
