// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// show_demo_dashboard [port]
//
// A dashboard of two imaginary cameras that see drawn shapes: `front`, whose shapes are a circle, a
// square, a class with a nasty name and one that it does not know, and `arm/left`, which has a
// detector. Prints the address; then obeys the lines of its standard input until that ends:
//   silence   the node says nothing more
//   speak     it goes on
//   swap      it changes its model
//   gate      a trust gate joins them, which trusts all but crosses
//   stop gate it ends

#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <string>
#include <thread>
#include <vector>

#include "dashboard/server.hpp"

namespace
{

using namespace mgproto;
using namespace mgproto::dashboard;

constexpr int kWidth = 640;
constexpr int kHeight = 480;
constexpr int kShape = 110;     // pixels
constexpr int kPrototypes = 3;  // of each class
constexpr double kThreshold = -2.4;

enum Shape
{
  circle,
  square,
  star,
  cross
};

const std::array<std::string, 3> kClasses{
  "001.Circle", "002.Square", "<img src=x onerror=document.title='broken'>"};

void draw(cv::Mat & image, Shape shape, cv::Point centre)
{
  const int r = kShape / 2;
  const cv::Scalar ink(60, 60, 200);
  const cv::Rect box(centre.x - r, centre.y - r, kShape, kShape);
  switch (shape) {
    case circle:
      cv::circle(image, centre, r, ink, cv::FILLED, cv::LINE_AA);
      break;
    case square:
      cv::rectangle(image, box, {180, 120, 40}, cv::FILLED);
      break;
    case star:
      cv::drawMarker(image, centre, {60, 160, 60}, cv::MARKER_STAR, kShape, 14);
      break;
    case cross:
      cv::drawMarker(image, centre, {40, 40, 40}, cv::MARKER_TILTED_CROSS, kShape, 20);
      break;
  }
}

cv::Mat background() { return cv::Mat(kHeight, kWidth, CV_8UC3, cv::Scalar(225, 225, 215)); }

std::vector<std::uint8_t> jpeg(const cv::Mat & image)
{
  std::vector<std::uint8_t> bytes;
  cv::imencode(".jpg", image, bytes);
  return bytes;
}

/// Each prototype looks at another part of its shape.
cv::Rect part_of(cv::Point centre, int part)
{
  return {centre.x - kShape / 2 + part * kShape / 4, centre.y - kShape / 2, kShape / 2, kShape};
}

std::vector<PrototypePatch> gallery()
{
  std::vector<PrototypePatch> patches;
  for (int class_id = 0; class_id < static_cast<int>(kClasses.size()); ++class_id) {
    for (int part = 0; part < kPrototypes; ++part) {
      cv::Mat image = background();
      const cv::Point centre(kWidth / 2, kHeight / 2);
      draw(image, static_cast<Shape>(class_id), centre);
      patches.push_back(
        {class_id * kPrototypes + part, class_id, kClasses[class_id], 1.0 / kPrototypes,
         jpeg(image(part_of(centre, part))),
         "images/" + kClasses[class_id] + "/" + std::to_string(part) + ".png"});
    }
  }
  return patches;
}

dashboard::Prediction prediction_of(
  Shape shape, cv::Point centre, int frame, const std::string & model)
{
  dashboard::Prediction prediction;
  prediction.stamp = {1700000000 + frame / 10, static_cast<std::uint32_t>(frame % 10) * 100000000u};
  prediction.frame_id = "camera_optical_frame";
  prediction.model_id = model;
  prediction.region = {0, 0, kWidth, kHeight};
  prediction.threshold = kThreshold;
  prediction.log_density = (shape == cross ? -3.1 : -1.9) + 0.15 * std::sin(0.9 * frame);
  prediction.typicality = shape == cross ? 0.0 : 0.61;
  prediction.status = shape == cross ? Verdict::unknown : Verdict::known;
  if (shape == cross) {
    prediction.reason = "log p(x) is below the threshold";
  }
  prediction.class_id = shape == cross ? circle : shape;
  prediction.class_name = kClasses[prediction.class_id];
  prediction.posterior = 0.9;
  for (int other = 0; other < static_cast<int>(kClasses.size()); ++other) {
    const bool best = other == prediction.class_id;
    prediction.scores.insert(
      best ? prediction.scores.begin() : prediction.scores.end(),
      Score{other, kClasses[other], best ? 0.9 : 0.05, best ? -0.5 : -3.4});
  }
  for (int part = 0; part < kPrototypes; ++part) {
    const cv::Rect box = part_of(centre, part);
    Evidence evidence;
    evidence.prototype = prediction.class_id * kPrototypes + part;
    evidence.class_id = prediction.class_id;
    evidence.prior = 1.0 / kPrototypes;
    evidence.likelihood = 0.9 / (1 + part);
    evidence.log_likelihood = std::log(evidence.likelihood);
    evidence.contribution = evidence.likelihood / (0.9 * (1 + 1 / 2.0 + 1 / 3.0));
    evidence.box = {box.x, box.y, box.width, box.height};
    prediction.evidence.push_back(evidence);
  }
  return prediction;
}

void show_front(Server & server, int frame, const std::string & model)
{
  const auto shape = static_cast<Shape>(frame / 20 % 4);
  const cv::Point centre(120 + frame * 7 % 400, 240 + 60 * std::sin(0.1 * frame));
  dashboard::Prediction prediction = prediction_of(shape, centre, frame, model);
  prediction.camera = "front";
  server.show(prediction);

  cv::Mat image = background();
  draw(image, shape, centre);
  for (const Evidence & evidence : prediction.evidence) {
    const Box & box = evidence.box;
    cv::rectangle(image, {box.x, box.y, box.width, box.height}, {235, 99, 37}, 2);
  }
  // Half as large as the source, as an overlay may be.
  cv::resize(image, image, {}, 0.5, 0.5, cv::INTER_AREA);
  server.show_overlay("front", prediction.stamp, jpeg(image), kWidth, kHeight);
}

void show_left(Server & server, int frame, const std::string & model)
{
  const std::string camera = "arm/left";
  const std::array<cv::Point, 2> centres{cv::Point(180, 200), cv::Point(460, 280)};
  const std::array<Shape, 2> shapes{circle, cross};
  cv::Mat image = background();
  Stamp stamp;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    dashboard::Prediction prediction = prediction_of(shapes[i], centres[i], frame, model);
    prediction.camera = camera;
    prediction.detection_id = "detection " + std::to_string(i);
    prediction.region = {centres[i].x - 80, centres[i].y - 80, 160, 160};
    server.show(prediction);
    stamp = prediction.stamp;
    draw(image, shapes[i], centres[i]);
  }
  server.show_overlay(camera, stamp, jpeg(image));
}

void show_trust(Server & server, int frame)
{
  const bool trusted = frame / 20 % 4 != cross;
  server.show_trust(
    {"/trust_gate", trusted, trusted ? 100.0 : 20.0,
     trusted ? "" : "/mgproto/front/output/ood: unknown: log p(x) is below the threshold", 0.5});
}

void show_health(Server & server, int frame)
{
  server.show_health(
    {{0,
      "mgproto: perception",
      "recognising",
      {{"frames", std::to_string(frame)}, {"rate [Hz]", "10.0"}, {"device", "cpu"}}},
     {1, "mgproto: camera arm/left", "12 % of the answers are unknown", {}}});
}

}  // namespace

int main(int count, char ** arguments)
try {
  Server::Options options;
  options.port = count > 1 ? std::atoi(arguments[1]) : 0;
  options.title = "mgproto: drawn shapes";
  options.cameras = {"front", "arm/left"};
  Server server(options);
  std::cout << server.url() << std::endl;

  std::atomic<bool> speaks{true};
  std::atomic<bool> has_gate{false};
  std::atomic<bool> ends{false};
  std::atomic<int> swaps{0};
  std::thread node([&] {
    int shown_model = -1;
    for (int frame = 0; !ends; ++frame) {
      const std::string model = "shapes_" + std::to_string(swaps);
      if (speaks && swaps != shown_model) {
        shown_model = swaps;
        server.show_gallery(model, gallery());
      }
      if (speaks) {
        show_front(server, frame, model);
        show_left(server, frame, model);
        show_health(server, frame);
      }
      if (has_gate) {
        show_trust(server, frame);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  });
  for (std::string line; std::getline(std::cin, line);) {
    if (line == "swap") {
      ++swaps;
    } else if (line == "gate" || line == "stop gate") {
      has_gate = line == "gate";
    } else {
      speaks = line == "speak";
    }
  }
  ends = true;
  node.join();
  return 0;
} catch (const std::exception & error) {
  std::cerr << error.what() << "\n";
  return 1;
}
