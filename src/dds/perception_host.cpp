// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "dds/perception_host.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mgproto_ros/msg/evidence_maps.hpp>
#include <mgproto_ros/msg/ood_flag.hpp>
#include <mgproto_ros/msg/prediction.hpp>
#include <mgproto_ros/msg/prototype_gallery.hpp>
#include <mutex>
#include <optional>
#include <sensor_msgs/msg/camera_info.hpp>
#include <sensor_msgs/msg/compressed_image.hpp>
#include <sensor_msgs/msg/image.hpp>
#include <thread>
#include <vision_msgs/msg/classification.hpp>
#include <vision_msgs/msg/detection2_d_array.hpp>
#include <vision_msgs/msg/detection3_d_array.hpp>
#include <vision_msgs/msg/label_info.hpp>
#include <vision_msgs/msg/vision_info.hpp>
#include <visualization_msgs/msg/marker_array.hpp>

#include "messages/depth_input.hpp"
#include "messages/detections_input.hpp"
#include "messages/diagnostics_messages.hpp"
#include "messages/header.hpp"
#include "messages/image_input.hpp"
#include "messages/image_output.hpp"
#include "messages/publish.hpp"
#include "messages/teach_messages.hpp"
#include "mgproto_ros/error.hpp"
#include "perception/command_thread.hpp"
#include "perception/topics.hpp"

namespace mgproto::dds
{
namespace
{

namespace topics = perception::topics;
using perception::camera_topic;

constexpr Qos kNewestImage{false, false, 1};
constexpr Qos kDepthImages{false, false, 5};
constexpr Qos kResults{true, false, 10};
constexpr Qos kPictures{true, false, 1};
constexpr std::chrono::milliseconds kAlbumPeriod{500};

/// Messages whose memory is used again as soon as nobody else holds them, so that not every image
/// needs a new megabyte. Not for several threads at once.
template <class Message>
class ReusedMessages
{
public:
  std::shared_ptr<Message> next()
  {
    for (std::shared_ptr<Message> & message : messages_) {
      if (!message) {
        message = std::make_shared<Message>();
      }
      if (message.use_count() == 1) {
        std::atomic_thread_fence(std::memory_order_acquire);  // its last reader has finished
        return message;
      }
    }
    return std::make_shared<Message>();
  }

private:
  std::array<std::shared_ptr<Message>, 3> messages_;  // read, waiting, arriving
};

/// Where things are that one camera sees.
struct PositionOutputs
{
  PositionOutputs(Node & node, const std::string & camera)
  : detections_3d(node.create_publisher<vision_msgs::msg::Detection3DArray>(
      camera_topic(camera, topics::kDetections3d), kResults)),
    markers(node.create_publisher<visualization_msgs::msg::MarkerArray>(
      camera_topic(camera, topics::kMarkers), kResults)),
    ns(camera.empty() ? node.name().name : camera)
  {
  }

  TypedPublisher<vision_msgs::msg::Detection3DArray> detections_3d;
  TypedPublisher<visualization_msgs::msg::MarkerArray> markers;
  std::string ns;  // of the markers
};

/// What is published of one camera.
struct CameraOutputs
{
  CameraOutputs(Node & node, const std::string & camera, bool use_depth)
  : prediction(node.create_publisher<mgproto_ros::msg::Prediction>(
      camera_topic(camera, topics::kPrediction), kResults)),
    ood(node.create_publisher<mgproto_ros::msg::OodFlag>(
      camera_topic(camera, topics::kOod), kResults)),
    classification(node.create_publisher<vision_msgs::msg::Classification>(
      camera_topic(camera, topics::kClassification), kResults)),
    detections(node.create_publisher<vision_msgs::msg::Detection2DArray>(
      camera_topic(camera, topics::kDetectionsOut), kResults)),
    evidence(node.create_publisher<mgproto_ros::msg::EvidenceMaps>(
      camera_topic(camera, topics::kEvidence), kResults)),
    overlay(node.create_publisher<sensor_msgs::msg::Image>(
      camera_topic(camera, topics::kOverlay), kPictures)),
    overlay_compressed(node.create_publisher<sensor_msgs::msg::CompressedImage>(
      overlay.topic() + topics::kCompressed, kPictures))
  {
    if (use_depth) {
      positions.emplace(node, camera);
    }
  }

  TypedPublisher<mgproto_ros::msg::Prediction> prediction;
  TypedPublisher<mgproto_ros::msg::OodFlag> ood;
  TypedPublisher<vision_msgs::msg::Classification> classification;
  TypedPublisher<vision_msgs::msg::Detection2DArray> detections;
  TypedPublisher<mgproto_ros::msg::EvidenceMaps> evidence;
  TypedPublisher<sensor_msgs::msg::Image> overlay;
  TypedPublisher<sensor_msgs::msg::CompressedImage> overlay_compressed;
  std::optional<PositionOutputs> positions;
};

std::vector<CameraOutputs> outputs_of(Node & node, const perception::Settings & settings)
{
  std::vector<CameraOutputs> outputs;
  for (const std::string & camera : perception::camera_names(settings)) {
    outputs.emplace_back(node, camera, settings.use_depth);
  }
  return outputs;
}

/// What is published of the model, for whoever comes later, too.
struct ModelOutputs
{
  explicit ModelOutputs(Node & node)
  : prototypes(
      node.create_publisher<mgproto_ros::msg::PrototypeGallery>(topics::kPrototypes, latched_qos)),
    vision_info(
      node.create_publisher<vision_msgs::msg::VisionInfo>(topics::kVisionInfo, latched_qos)),
    label_info(node.create_publisher<vision_msgs::msg::LabelInfo>(topics::kLabelInfo, latched_qos)),
    album(node.create_publisher<mgproto_ros::msg::Album>(topics::kAlbum, latched_qos)),
    taught(node.create_publisher<mgproto_ros::msg::TeachAnswer>(topics::kTaught, kResults))
  {
  }

  TypedPublisher<mgproto_ros::msg::PrototypeGallery> prototypes;
  TypedPublisher<vision_msgs::msg::VisionInfo> vision_info;
  TypedPublisher<vision_msgs::msg::LabelInfo> label_info;
  TypedPublisher<mgproto_ros::msg::Album> album;
  TypedPublisher<mgproto_ros::msg::TeachAnswer> taught;
};

constexpr auto send = [](auto & publisher, const auto & message) { publisher.publish(message); };

}  // namespace

class PerceptionHost::Implementation : public perception::Outputs
{
public:
  Implementation(Node & node, const perception::Settings & settings, Log log)
  : log_(std::move(log)),
    name_(node.name().full()),
    rules_{settings.allow_depth},
    model_outputs_(node),
    camera_outputs_(outputs_of(node, settings)),
    diagnostics_(
      node.create_publisher<diagnostic_msgs::msg::DiagnosticArray>(topics::kDiagnostics, kResults)),
    perception_(settings, *this)
  {
    const std::vector<std::string> & cameras = perception_.cameras();
    for (int camera = 0; camera < static_cast<int>(cameras.size()); ++camera) {
      listen(node, settings, camera, cameras[camera]);
    }
    listen_to_teachers(node);
    reporting_ = std::thread([this] { report_regularly(); });
  }

  ~Implementation() override
  {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    stopping_.notify_all();
    reporting_.join();
  }

  const perception::Perception & perception() const { return perception_; }

  void model_changed(const perception::ModelInfo & model) override
  {
    messages::publish_model(model, perception::current_stamp(), model_outputs_, send);
  }

  void publish(const perception::FramePrediction & prediction) override
  {
    CameraOutputs & outputs = camera_outputs_[prediction.camera];
    messages::publish_prediction(prediction, outputs, send);
    if (outputs.positions) {
      PositionOutputs & positions = *outputs.positions;
      messages::publish_positions(
        prediction, positions.ns, positions.markers.subscription_count() > 0, positions, send);
    }
  }

  bool wants_evidence(int camera) const override
  {
    return camera_outputs_[camera].evidence.subscription_count() > 0;
  }

  bool wants_overlay(int camera) const override
  {
    return camera_outputs_[camera].overlay.subscription_count() > 0 ||
           camera_outputs_[camera].overlay_compressed.subscription_count() > 0;
  }

  void publish_evidence(const perception::FramePrediction & prediction) override
  {
    messages::publish_evidence(prediction, camera_outputs_[prediction.camera], send);
  }

  void publish_overlay(int camera, const perception::Header & header, const cv::Mat & bgr) override
  {
    CameraOutputs & outputs = camera_outputs_[camera];
    if (outputs.overlay.subscription_count() > 0) {
      outputs.overlay.publish(messages::image_message(header, bgr));
    }
    if (outputs.overlay_compressed.subscription_count() > 0) {
      outputs.overlay_compressed.publish(messages::compressed_image_message(header, bgr));
    }
  }

  void log(perception::LogLevel level, const std::string & text) override { log_(level, text); }

private:
  void listen(
    Node & node, const perception::Settings & settings, int camera, const std::string & name)
  {
    const auto take_image = [this, camera](const auto & image, auto received) {
      perception_.add_frame(
        {camera,
         messages::read_header(image->header),
         messages::view(image, rules_),
         received,
         {}});
    };
    const std::string image = node.resolve(camera_topic(name, topics::kImage));
    if (settings.image_transport == "raw") {
      listen_to<sensor_msgs::msg::Image>(node, camera, image, kNewestImage, take_image);
    } else if (settings.image_transport == "compressed") {
      listen_to<sensor_msgs::msg::CompressedImage>(
        node, camera, image + topics::kCompressed, kNewestImage, take_image);
    } else {
      throw ConfigError(
        "image_transport",
        "'" + settings.image_transport + "' is not known here: raw or compressed");
    }
    if (settings.use_detections) {
      listen_to<vision_msgs::msg::Detection2DArray>(
        node, camera, node.resolve(camera_topic(name, topics::kDetectionsIn)), kNewestImage,
        [this, camera](const auto & detections, auto) {
          messages::add_detections(perception_, camera, *detections);
        });
    }
    if (settings.use_depth) {
      listen_to<sensor_msgs::msg::Image>(
        node, camera, node.resolve(camera_topic(name, topics::kDepth)), kDepthImages,
        [this, camera](const auto & depth, auto) {
          messages::add_depth(perception_, camera, depth);
        });
      listen_to<sensor_msgs::msg::CameraInfo>(
        node, camera, node.resolve(camera_topic(name, topics::kCameraInfo)), kNewestImage,
        [this, camera](const auto & info, auto) {
          perception_.set_intrinsics(camera, messages::read_intrinsics(*info));
        });
    }
  }

  /// `take` gets the message and when it came. Everything that is wrong with it ends here, counted
  /// and explained.
  template <class Message, class Take>
  void listen_to(
    Node & node, int camera, const std::string & topic, const Qos & qos, const Take & take)
  {
    log(perception::LogLevel::info, "listening to " + topic);
    const auto messages = std::make_shared<ReusedMessages<Message>>();
    subscriptions_.push_back(node.create_subscription(
      topic, message_type<Message>(), qos, [this, camera, messages, take](const Payload & payload) {
        const auto received = perception::Clock::now();
        try {
          auto message = messages->next();
          deserialize(payload.data, payload.size, *message);
          take(std::shared_ptr<const Message>(std::move(message)), received);
        } catch (const messages::InvalidMessage & error) {
          perception_.reject(camera, error.kind(), error.what());
        } catch (const WireError & error) {
          perception_.reject(camera, "bytes", error.what());
        }
      }));
  }

  void listen_to_teachers(Node & node)
  {
    subscriptions_.push_back(node.create_subscription<mgproto_ros::msg::TeachRequest>(
      topics::kTeach, kResults,
      [this](const std::shared_ptr<const mgproto_ros::msg::TeachRequest> & request) {
        const bool accepted = teaching_.run([this, request] {
          mgproto_ros::msg::TeachAnswer answer = messages::teach(perception_, *request);
          answer.header.stamp = messages::time_message(perception::current_stamp());
          model_outputs_.taught.publish(answer);
        });
        if (!accepted) {
          log(perception::LogLevel::warn, "too many requests to teach at once: one is ignored");
        }
      }));
  }

  void report_regularly()
  {
    using Clock = std::chrono::steady_clock;
    Clock::time_point diagnosed = Clock::now();
    std::optional<std::uint64_t> told;  // version of the album
    std::unique_lock lock(mutex_);
    while (!stop_) {
      const std::chrono::duration<double> period(perception_.settings()->diagnostics_period);
      const auto due = diagnosed + std::chrono::duration_cast<Clock::duration>(period);
      stopping_.wait_until(
        lock, std::min(due, Clock::now() + Clock::duration(kAlbumPeriod)),
        [this] { return stop_; });
      if (stop_) {
        return;
      }
      if (Clock::now() >= due) {
        diagnosed = Clock::now();
        diagnostics_.publish(messages::diagnostics_message(
          perception_.diagnosis(), name_, perception::current_stamp()));
      }
      if (told != perception_.album_version()) {
        const perception::AlbumState album = perception_.album();
        told = album.version;
        const auto model = perception_.model();
        model_outputs_.album.publish(
          messages::album_message(album, model ? model->id : "", perception::current_stamp()));
      }
    }
  }

  // What comes later uses what comes earlier, and ends before it.
  const Log log_;
  const std::string name_;
  const messages::ImageRules rules_;
  ModelOutputs model_outputs_;
  std::vector<CameraOutputs> camera_outputs_;
  TypedPublisher<diagnostic_msgs::msg::DiagnosticArray> diagnostics_;
  perception::Perception perception_;
  perception::CommandThread teaching_;
  std::vector<Subscription> subscriptions_;

  std::mutex mutex_;
  std::condition_variable stopping_;
  bool stop_ = false;
  std::thread reporting_;
};

PerceptionHost::PerceptionHost(Node & node, const perception::Settings & settings, Log log)
: implementation_(std::make_unique<Implementation>(node, settings, std::move(log)))
{
}

PerceptionHost::~PerceptionHost() = default;

const perception::Perception & PerceptionHost::perception() const
{
  return implementation_->perception();
}

}  // namespace mgproto::dds
