// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// The node as it runs on a robot, from message to message: a camera publishes an image over DDS,
// the real host (dds/perception_host.hpp) parses, answers and publishes, a listener gets the
// prediction. All three are in this process but talk over the same transport as processes of their
// own, since delivery inside a process is switched off. So serialising, the transport, checking,
// decoding, preprocessing, the network, the decision and the answer's messages are all in it.

#include "bench/measurements.hpp"

#ifdef MGPROTO_DDS

#include <torch/torch.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <mgproto_ros/msg/evidence_maps.hpp>
#include <mgproto_ros/msg/prediction.hpp>
#include <mutex>
#include <thread>

#include "bench/stopwatch.hpp"
#include "bench/subject.hpp"
#include "dds/perception_host.hpp"
#include "messages/image_output.hpp"
#include "model/checkpoint.hpp"
#include "model/device.hpp"
#include "perception/topics.hpp"

namespace mgproto::bench
{
namespace
{

using mgproto_ros::msg::EvidenceMaps;
using mgproto_ros::msg::Prediction;
using sensor_msgs::msg::Image;

constexpr dds::Qos kCamera{true, false, 1};
constexpr std::chrono::seconds kDiscovery(1);
constexpr int kAttempts = 30;  // first images may be lost

/// OpenMP's threads spin for a while after their work, and would take a core from who is next.
void rest() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

dds::NodeOptions in_this_process(const std::string & name)
{
  dds::NodeOptions options;
  options.name = name;
  options.discovery_range = dds::DiscoveryRange::off;
  return options;
}

perception::Settings node_settings(const std::string & model, int threads)
{
  perception::Settings settings;
  settings.model = model;
  settings.device = "cpu";
  settings.num_threads = threads;
  settings.cameras = {"plain", "full"};
  return settings;
}

/// A node with two cameras. Of one only predictions are listened to, of the other also evidence and
/// overlay.
class Conversation
{
public:
  Conversation(const std::string & model, int threads)
  : host_(node_, node_settings(model, threads), [](perception::LogLevel, const std::string &) {}),
    listening_{
      listen<Prediction>("plain", perception::topics::kPrediction, plain_),
      listen<Prediction>("full", perception::topics::kPrediction, full_),
      listen<EvidenceMaps>("full", perception::topics::kEvidence, evidence_),
      listen<Image>("full", perception::topics::kOverlay, overlay_)}
  {
    for (Camera * camera : {&plain_camera_, &full_camera_}) {
      for (int i = 0; !ask(*camera, kDiscovery); ++i) {
        if (i == kAttempts) {
          throw Error("the node did not answer its camera");
        }
      }
    }
  }

  void plain() { require(ask(plain_camera_, kTimeout)); }
  void full() { require(ask(full_camera_, kTimeout)); }

  /// Of predictions: median of the last minute, in seconds, as the node measures it.
  double plain_latency() const
  {
    return host_.perception().statistics().front().latency_p50.value();
  }

private:
  static constexpr std::chrono::seconds kTimeout{60};
  using Answered = std::int64_t;  // newest stamp of which there is an answer

  struct Camera
  {
    dds::TypedPublisher<Image> publisher;
    std::vector<const Answered *> answers;
  };

  template <class Message>
  dds::Subscription listen(const char * camera, const char * topic, Answered & answered)
  {
    return outside_.create_subscription<Message>(
      name_of(camera, topic), {}, [this, &answered](std::shared_ptr<const Message> message) {
        const auto & stamp = message->header.stamp;
        {
          const std::lock_guard lock(mutex_);
          answered = perception::Stamp{stamp.sec, stamp.nanosec}.nanoseconds();
        }
        received_.notify_all();
      });
  }

  static std::string name_of(const std::string & camera, const char * topic)
  {
    return "/mgproto/" + camera + "/" + topic;
  }

  Camera camera(const char * name, std::vector<const Answered *> answers)
  {
    return {
      outside_.create_publisher<Image>(name_of(name, perception::topics::kImage), kCamera),
      std::move(answers)};
  }

  /// One image; false if not all its answers come in time.
  bool ask(Camera & camera, std::chrono::seconds timeout)
  {
    const perception::Stamp stamp = perception::current_stamp();
    picture_.header.stamp.sec = stamp.sec;
    picture_.header.stamp.nanosec = stamp.nanosec;
    camera.publisher.publish(picture_);
    std::unique_lock lock(mutex_);
    return received_.wait_for(lock, timeout, [&] {
      return std::all_of(
        camera.answers.begin(), camera.answers.end(),
        [&](const Answered * newest) { return *newest >= stamp.nanoseconds(); });
    });
  }

  static void require(bool answered)
  {
    if (!answered) {
      throw Error("the node left an image without an answer");
    }
  }

  Image picture_ = messages::image_message({}, camera_picture());
  std::mutex mutex_;
  std::condition_variable received_;
  Answered plain_ = -1, full_ = -1, evidence_ = -1, overlay_ = -1;  // under mutex_

  dds::Node node_{in_this_process("mgproto")};
  dds::PerceptionHost host_;
  dds::Node outside_{in_this_process("bench")};
  std::array<dds::Subscription, 4> listening_;
  Camera plain_camera_ = camera("plain", {&plain_});
  Camera full_camera_ = camera("full", {&full_, &evidence_, &overlay_});
};

}  // namespace

Values measure_node(const Plan & plan)
{
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/model.safetensors";
  write_network(path, plan);
  Conversation conversation(path, plan.threads);
  use_threads(plan.threads);
  const auto network = inference_network(plan);
  const c10::InferenceMode inference;
  const torch::Tensor image = random_images(1, plan.image_size);

  const std::vector<double> seconds = interleaved_medians(
    plan.repeats, {{[&] { network->backbone_map(image); }, rest},
                   {[&] { conversation.plain(); }, rest},
                   {[&] { conversation.full(); }, rest}});
  return {
    {"node_over_backbone", seconds[1] / seconds[0]},
    {"node_full_over_backbone", seconds[2] / seconds[0]}};
}

/// At the node: from the arrival of an image to its prediction being handed over, the latency that
/// it also shows in its diagnostics. One thread for both, as the node chooses for a model as small
/// as this one.
Values measure_demo_node(const Plan & plan)
{
  if (plan.demo_model.empty()) {
    throw Error("the demo's model was not found");
  }
  constexpr int kAsTheNodeChooses = 0;
  Conversation conversation(plan.demo_model, kAsTheNodeChooses);
  use_threads(1);
  const Checkpoint demo = load_checkpoint(plan.demo_model);
  demo.network->prepare_for_inference();
  demo.network->pack_for_cpu();
  const c10::InferenceMode inference;
  const torch::Tensor image = random_images(1, demo.manifest.preprocessing.size);

  const std::vector<double> seconds = interleaved_medians(
    plan.demo_repeats,
    {{[&] { demo.network->backbone_map(image); }, rest}, {[&] { conversation.plain(); }, rest}});
  return {{"demo_node_overhead_ms", 1000 * (conversation.plain_latency() - seconds[0])}};
}

}  // namespace mgproto::bench

#else

#include "mgproto_ros/error.hpp"

namespace mgproto::bench
{

Values measure_node(const Plan &) { throw Error("this build has no DDS host to measure"); }
Values measure_demo_node(const Plan &) { throw Error("this build has no DDS host to measure"); }

}  // namespace mgproto::bench

#endif
