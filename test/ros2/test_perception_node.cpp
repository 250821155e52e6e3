// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// Images in, answers out, through the topics of the component.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <image_transport/image_transport.hpp>
#include <mgproto_ros/msg/evidence_maps.hpp>
#include <mgproto_ros/msg/prototype_gallery.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <rosgraph_msgs/msg/clock.hpp>
#include <sensor_msgs/msg/compressed_image.hpp>
#include <set>
#include <vision_msgs/msg/classification.hpp>
#include <vision_msgs/msg/detection2_d_array.hpp>
#include <vision_msgs/msg/label_info.hpp>
#include <vision_msgs/msg/vision_info.hpp>

#include "ros2/node_test.hpp"
#include "ros2/readable_image.hpp"

namespace mgproto_ros::test
{
namespace
{

using diagnostic_msgs::msg::DiagnosticArray;
using vision_msgs::msg::Detection2DArray;

const rclcpp::QoS kLatched = rclcpp::QoS(1).reliable().transient_local();

TEST_F(NodeTest, EveryOutputOfAnImageNamesTheBirdAndCarriesTheImagesStampAndFrame)
{
  start();
  const auto predictions = listen<Prediction>("/mgproto/output/prediction");
  const auto flags = listen<OodFlag>("/mgproto/output/ood");
  const auto evidence = listen<mgproto_ros::msg::EvidenceMaps>("/mgproto/output/evidence");
  const auto classes = listen<vision_msgs::msg::Classification>("/mgproto/output/classification");
  const auto detections = listen<Detection2DArray>("/mgproto/output/detections");
  const auto overlays = listen<Image>("/mgproto/debug/overlay");
  const auto camera = advertise<Image>("/mgproto/input/image");

  camera->publish(image_of(scene(SceneKind::SeenBird, 1), 41));

  ASSERT_TRUE(predictions->wait_for_stamp(41));
  ASSERT_TRUE(flags->wait_for_stamp(41));
  ASSERT_TRUE(evidence->wait_for_stamp(41));
  ASSERT_TRUE(classes->wait_for_stamp(41));
  ASSERT_TRUE(detections->wait_for_stamp(41));
  ASSERT_TRUE(overlays->wait_for_stamp(41));
  const Prediction prediction = predictions->all().at(0);
  EXPECT_EQ(prediction.class_id, 1);
  EXPECT_EQ(prediction.status, Prediction::KNOWN);
  EXPECT_EQ(prediction.model_id, kDemoModelId);
  EXPECT_FALSE(flags->all().at(0).unknown);
  EXPECT_EQ(classes->all().at(0).results.at(0).class_id, "1");
  EXPECT_FALSE(evidence->all().at(0).maps.empty());
  EXPECT_LE(evidence->all().at(0).maps.size(), 3u);
  EXPECT_EQ(overlays->all().at(0).encoding, "bgr8");
  const std_msgs::msg::Header expected = image_of(cv::Mat(1, 1, CV_8UC3), 41).header;
  EXPECT_EQ(prediction.header, expected);
  EXPECT_EQ(flags->all().at(0).header, expected);
  EXPECT_EQ(evidence->all().at(0).header, expected);
  EXPECT_EQ(classes->all().at(0).header, expected);
  EXPECT_EQ(detections->all().at(0).header, expected);
  EXPECT_EQ(overlays->all().at(0).header, expected);
}

TEST_F(NodeTest, TheFirstAnswerIsAsFastAsTheTenth)
{
  using Clock = std::chrono::steady_clock;
  const auto seconds_to_answer = [](auto & images, auto & predictions, int sec) {
    const Image image = image_of(scene(SceneKind::SeenBird, 1), sec);
    const auto begin = Clock::now();
    images.publish(image);
    EXPECT_TRUE(predictions.wait_for_stamp(sec));
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  double first = 1e9;
  std::vector<double> later;
  for (int life = 0; life < 3; ++life) {  // the best of three, lest a busy machine decide
    start();
    const auto predictions = listen<Prediction>("/mgproto/output/prediction");
    const auto images = advertise<Image>("/mgproto/input/image");
    first = std::min(first, seconds_to_answer(*images, *predictions, 1));
    for (int sec = 2; sec <= 10; ++sec) {
      later.push_back(seconds_to_answer(*images, *predictions, sec));
    }
    stop();
    entities.clear();
  }
  std::nth_element(later.begin(), later.begin() + later.size() / 2, later.end());
  EXPECT_LT(first, 2 * later[later.size() / 2]);
}

TEST_F(NodeTest, ATextureIsUnknown)
{
  start();
  const auto flags = listen<OodFlag>("/mgproto/output/ood");
  const auto camera = advertise<Image>("/mgproto/input/image");
  camera->publish(image_of(scene(SceneKind::Texture, 0), 1));
  ASSERT_TRUE(flags->wait_for_stamp(1));
  EXPECT_TRUE(flags->all().at(0).unknown);
  EXPECT_NE(flags->all().at(0).reason, "");
}

TEST_F(NodeTest, AModelThatIsNotThereEndsTheConstructorWithItsPath)
{
  parameters["model"] = rclcpp::ParameterValue("/nowhere/no.safetensors");
  try {
    start();
    FAIL() << "it has started";
  } catch (const std::exception & error) {
    EXPECT_NE(std::string(error.what()).find("/nowhere/no.safetensors"), std::string::npos)
      << error.what();
  }
}

TEST_F(NodeTest, AnImageTransportThatIsNotThereEndsTheConstructorWithItsName)
{
  parameters["image_transport"] = rclcpp::ParameterValue("pigeon");
  try {
    start();
    FAIL() << "it has started";
  } catch (const std::exception & error) {
    EXPECT_NE(std::string(error.what()).find("pigeon"), std::string::npos) << error.what();
  }
}

TEST_F(NodeTest, WhoJoinsLateGetsModelLabelsAndGalleryAlsoWithIntraProcessCommunication)
{
  for (const bool use : {false, true}) {
    intra_process = use;
    start();
    std::this_thread::sleep_for(200ms);  // it was published long ago
    const auto galleries =
      listen<mgproto_ros::msg::PrototypeGallery>("/mgproto/output/prototypes", kLatched);
    const auto models =
      listen<vision_msgs::msg::VisionInfo>("/mgproto/output/vision_info", kLatched);
    const auto labels = listen<vision_msgs::msg::LabelInfo>("/mgproto/output/label_info", kLatched);
    ASSERT_TRUE(galleries->wait_for_one());
    ASSERT_TRUE(models->wait_for_one());
    ASSERT_TRUE(labels->wait_for_one());
    EXPECT_EQ(galleries->all().at(0).model_id, kDemoModelId);
    EXPECT_EQ(labels->all().at(0).class_map.size(), 12u);
    stop();
    entities.clear();
  }
}

TEST_F(NodeTest, AnImageInTheSameProcessIsAnsweredWithIntraProcessCommunication)
{
  intra_process = true;
  start();
  auto camera_node =
    std::make_shared<rclcpp::Node>("camera", rclcpp::NodeOptions().use_intra_process_comms(true));
  executor->add_node(camera_node);
  const auto predictions = listen<Prediction>("/mgproto/output/prediction");
  auto camera = camera_node->create_publisher<Image>("/mgproto/input/image", rclcpp::QoS(1));
  ASSERT_TRUE(wait_until([&] { return camera->get_intra_process_subscription_count() > 0; }));
  camera->publish(std::make_unique<Image>(image_of(scene(SceneKind::SeenBird, 1), 5)));
  ASSERT_TRUE(predictions->wait_for_stamp(5));
  EXPECT_EQ(predictions->all().at(0).class_id, 1);
}

TEST_F(NodeTest, OfTwoCamerasTheOneThatIsSilentDoesNotHoldUpTheOther)
{
  parameters["cameras"] = rclcpp::ParameterValue(std::vector<std::string>{"front", "rear"});
  parameters["diagnostics.period"] = rclcpp::ParameterValue(0.1);
  start();
  const auto front = listen<Prediction>("/mgproto/front/output/prediction");
  const auto rear = listen<Prediction>("/mgproto/rear/output/prediction");
  const auto diagnostics = listen<DiagnosticArray>("/diagnostics");
  const auto camera = advertise<Image>("/mgproto/front/input/image");
  camera->publish(image_of(scene(SceneKind::SeenBird, 2), 1));
  ASSERT_TRUE(front->wait_for_stamp(1));
  EXPECT_TRUE(rear->all().empty());
  EXPECT_TRUE(diagnostics->wait_for([](const DiagnosticArray & array) {
    std::set<std::string> seen;
    for (const auto & status : array.status) {
      seen.insert(status.name + " " + status.message);
    }
    return seen.count("/mgproto: front: recognition active") > 0 &&
           seen.count("/mgproto: rear: recognition waiting for the first image") > 0;
  }));
}

TEST_F(NodeTest, TheDiagnosticsGoOnWhenTheImagesStop)
{
  parameters["diagnostics.period"] = rclcpp::ParameterValue(0.1);
  parameters["diagnostics.stale_after"] = rclcpp::ParameterValue(0.3);
  start();
  const auto diagnostics = listen<DiagnosticArray>("/diagnostics");
  const auto camera = advertise<Image>("/mgproto/input/image");
  camera->publish(image_of(scene(SceneKind::SeenBird, 2), 1));
  EXPECT_TRUE(diagnostics->wait_for([](const DiagnosticArray & array) {
    return array.status.at(1).message.rfind("no image for", 0) == 0 && array.status.at(1).level > 0;
  }));
}

TEST_F(NodeTest, EachRegionOfADetectorIsAnswered)
{
  parameters["use_detections"] = rclcpp::ParameterValue(true);
  parameters["detections.max_wait"] = rclcpp::ParameterValue(10.0);
  start();
  const auto predictions = listen<Prediction>("/mgproto/output/prediction");
  const auto answers = listen<Detection2DArray>("/mgproto/output/detections");
  const auto camera = advertise<Image>("/mgproto/input/image");
  const auto detector = advertise<Detection2DArray>("/mgproto/input/detections");
  cv::Mat picture(240, 320, CV_8UC3, cv::Scalar::all(90));
  scene(SceneKind::SeenBird, 5).copyTo(picture(cv::Rect(200, 100, 96, 96)));
  const Image image = image_of(picture, 3);
  Detection2DArray detections;
  detections.header = image.header;
  for (const char * id : {"bird", "nothing"}) {
    auto & detection = detections.detections.emplace_back();
    detection.id = id;
    detection.bbox.center.position.x = detection.id == "bird" ? 248 : 50;
    detection.bbox.center.position.y = detection.id == "bird" ? 148 : 50;
    detection.bbox.size_x = detection.bbox.size_y = 96;
  }
  auto & broken = detections.detections.emplace_back();
  broken.id = "broken";
  broken.bbox.size_x = NAN;
  broken.results.emplace_back();
  broken.results.back().hypothesis.class_id = "cup";
  broken.results.back().hypothesis.score = 0.75;

  camera->publish(image);
  detector->publish(detections);

  ASSERT_TRUE(answers->wait_for_stamp(3));
  ASSERT_TRUE(
    predictions->wait_for([](const Prediction & p) { return p.detection_id == "broken"; }));
  const Detection2DArray answer = answers->with_stamp(3);
  ASSERT_EQ(answer.detections.size(), detections.detections.size());
  EXPECT_EQ(answer.detections[0].id, "bird");
  EXPECT_EQ(answer.detections[0].bbox.center.position.x, 248);
  const Prediction bird = predictions->all().at(0);
  EXPECT_EQ(bird.detection_id, "bird");
  EXPECT_EQ(bird.class_id, 5);
  EXPECT_EQ(bird.region.x_offset, 200u);
  const Prediction without = predictions->all().at(2);
  EXPECT_EQ(without.status, Prediction::UNKNOWN);
  EXPECT_NE(without.reason.find("no size"), std::string::npos) << without.reason;
  EXPECT_EQ(without.detection_class, "cup");
  EXPECT_EQ(without.detection_score, 0.75);
}

TEST_F(NodeTest, BadImagesAreCountedAndTheNextGoodOneIsAnswered)
{
  parameters["diagnostics.period"] = rclcpp::ParameterValue(0.1);
  start();
  const auto predictions = listen<Prediction>("/mgproto/output/prediction");
  const auto diagnostics = listen<DiagnosticArray>("/diagnostics");
  const auto camera = advertise<Image>("/mgproto/input/image");
  const Image good = image_of(scene(SceneKind::SeenBird, 1), 100);
  std::vector<Image> bad(7, good);
  bad[0].data.clear();
  bad[1].data.resize(10);
  bad[2].step = 5;
  bad[3].width = bad[3].height = 0;
  bad[4].encoding = "klingon8";
  bad[5].encoding = "16UC1";
  // 2^32 bytes that a multiplication in 32 bits takes for none.
  bad[6].encoding = "bgra16";
  bad[6].width = bad[6].height = 65536;
  bad[6].step = 65536 * 8;
  bad[6].data.clear();
  for (std::size_t i = 0; i < bad.size(); ++i) {
    bad[i].header.stamp.sec = static_cast<int>(i);
    camera->publish(bad[i]);
    const std::string count = std::to_string(i + 1);
    ASSERT_TRUE(diagnostics->wait_for([&count](const DiagnosticArray & array) {
      for (const auto & value : array.status.at(1).values) {
        if (value.key.find("invalid") != std::string::npos && value.value == count) {
          return true;
        }
      }
      return false;
    }))
      << i;
  }
  camera->publish(good);
  ASSERT_TRUE(predictions->wait_for_stamp(100));
  EXPECT_EQ(predictions->all().size(), 1u);
}

TEST(ReadableImage, EncodingsThatEveryHostReadsAreReadWithoutACopy)
{
  for (const std::string name :
       {"rgb8",        "bgr8",   "8UC3",   "rgba8",       "bgra8",       "8UC4",
        "mono8",       "8UC1",   "mono16", "bayer_rggb8", "bayer_bggr8", "bayer_gbrg8",
        "bayer_grbg8", "yuv422", "uyvy",   "yuv422_yuy2", "yuyv",        "nv12",
        "nv21",        "yuv420", "16UC1",  "32FC1"}) {
    auto image = std::make_shared<Image>();
    image->encoding = name;
    image->width = image->height = 8;
    image->step = 32;
    image->data.resize(2 * 8 * 32);
    const mgproto::messages::ImageRules rules{true};
    const auto seen = readable_image(image, rules);
    EXPECT_EQ(seen.data, image->data.data()) << name;
  }
}

TEST_F(NodeTest, AnEncodingThatOnlyCvBridgeKnowsIsConverted)
{
  start();
  const auto predictions = listen<Prediction>("/mgproto/output/prediction");
  const auto camera = advertise<Image>("/mgproto/input/image");
  cv::Mat deep, with_alpha;
  scene(SceneKind::SeenBird, 1).convertTo(deep, CV_16UC3, 257);
  cv::cvtColor(deep, with_alpha, cv::COLOR_BGR2BGRA);
  Image image = image_of(with_alpha, 1);
  image.encoding = "bgra16";
  camera->publish(image);
  ASSERT_TRUE(predictions->wait_for_stamp(1));
  EXPECT_EQ(predictions->all().at(0).class_id, 1);
}

TEST_F(NodeTest, CompressedImagesArriveThroughTheirTransportAlsoWhenTheTopicIsRemapped)
{
  parameters["image_transport"] = rclcpp::ParameterValue("compressed");
  arguments = {"--ros-args", "-r", "~/input/image:=/camera/image_raw"};
  start();
  const auto predictions = listen<Prediction>("/mgproto/output/prediction");
  auto camera = image_transport::create_publisher(robot.get(), "/camera/image_raw");
  ASSERT_TRUE(wait_until([&] { return camera.getNumSubscribers() > 0; }));
  EXPECT_EQ(robot->count_subscribers("/camera/image_raw/compressed"), 1u);
  camera.publish(image_of(scene(SceneKind::SeenBird, 1), 9));
  ASSERT_TRUE(predictions->wait_for_stamp(9));
  EXPECT_EQ(predictions->all().at(0).class_id, 1);
}

TEST_F(NodeTest, OfACompressedImageThatIsCutShortNothingIsSaid)
{
  parameters["image_transport"] = rclcpp::ParameterValue("compressed");
  parameters["diagnostics.period"] = rclcpp::ParameterValue(0.1);
  start();
  const auto predictions = listen<Prediction>("/mgproto/output/prediction");
  const auto diagnostics = listen<DiagnosticArray>("/diagnostics");
  const auto camera =
    advertise<sensor_msgs::msg::CompressedImage>("/mgproto/input/image/compressed");
  sensor_msgs::msg::CompressedImage image;
  image.format = "bgr8; jpeg compressed bgr8";
  image.header.stamp.sec = 1;
  ASSERT_TRUE(cv::imencode(".jpg", scene(SceneKind::SeenBird, 1), image.data));
  const std::vector<std::uint8_t> whole = image.data;
  image.data.resize(whole.size() * 6 / 10);
  camera->publish(image);
  ASSERT_TRUE(diagnostics->wait_for([](const DiagnosticArray & array) {
    const auto & values = array.status.at(1).values;
    return std::any_of(values.begin(), values.end(), [](const auto & value) {
      return value.key == "messages invalid" && value.value == "1";
    });
  }));
  image.data = whole;
  image.header.stamp.sec = 2;
  camera->publish(image);
  ASSERT_TRUE(predictions->wait_for_stamp(2));
  EXPECT_EQ(predictions->all().size(), 1u);
}

TEST_F(NodeTest, TheAgeOfAnImageIsByTheClockOfASimulation)
{
  parameters["use_sim_time"] = rclcpp::ParameterValue(true);
  parameters["max_age"] = rclcpp::ParameterValue(5.0);
  start();
  const auto predictions = listen<Prediction>("/mgproto/output/prediction");
  const auto images = advertise<Image>("/mgproto/input/image");
  auto clock = robot->create_publisher<rosgraph_msgs::msg::Clock>("/clock", rclcpp::ClockQoS());
  const auto clock_is = [&](int sec) {
    rosgraph_msgs::msg::Clock time;
    time.clock.sec = sec;
    return wait_until([&] {
      clock->publish(time);
      return node->now().seconds() == sec;
    });
  };
  const Image image = image_of(scene(SceneKind::SeenBird, 1), 0);
  const auto show = [&](int sec) {
    Image next = image;
    next.header.stamp.sec = sec;
    images->publish(next);
  };
  ASSERT_TRUE(clock_is(8000));
  show(3990);  // more than an hour ago
  show(7000);
  show(7996);
  ASSERT_TRUE(predictions->wait_for_stamp(7996));
  ASSERT_TRUE(clock_is(100));  // it starts again
  show(97);
  ASSERT_TRUE(predictions->wait_for_stamp(97));
  EXPECT_EQ(predictions->all().size(), 2u);
}

TEST_F(NodeTest, TheQualityOfServiceIsTheUsualOneUnlessItIsOverridden)
{
  using rclcpp::ReliabilityPolicy;
  const std::string image = "/mgproto/input/image";
  const std::string prediction = "/mgproto/output/prediction";
  // The graph learns of a node some time after it is there, and of its end.
  const auto become = [&](ReliabilityPolicy of_image, ReliabilityPolicy of_prediction) {
    return wait_until([&] {
      const auto in = node->get_subscriptions_info_by_topic(image);
      const auto out = node->get_publishers_info_by_topic(prediction);
      return in.size() == 1 && in[0].qos_profile().reliability() == of_image && out.size() == 1 &&
             out[0].qos_profile().reliability() == of_prediction;
    });
  };
  start();
  EXPECT_TRUE(become(ReliabilityPolicy::BestEffort, ReliabilityPolicy::Reliable));
  stop();

  parameters["qos_overrides." + image + ".subscription.reliability"] =
    rclcpp::ParameterValue("reliable");
  parameters["qos_overrides." + prediction + ".publisher.reliability"] =
    rclcpp::ParameterValue("best_effort");
  start();
  EXPECT_TRUE(become(ReliabilityPolicy::Reliable, ReliabilityPolicy::BestEffort));
}

TEST_F(NodeTest, OfACameraThatIsFarTooFastTheNewestImageIsAnswered)
{
  start();
  const auto predictions = listen<Prediction>("/mgproto/output/prediction");
  const auto camera = advertise<Image>("/mgproto/input/image");
  const Image image = image_of(scene(SceneKind::SeenBird, 1, 640, 480), 0);
  constexpr int kImages = 300;
  for (int i = 1; i <= kImages; ++i) {
    Image next = image;
    next.header.stamp.sec = i;
    camera->publish(next);
    std::this_thread::sleep_for(1ms);
  }
  // Best effort may lose the very last one.
  EXPECT_TRUE(predictions->wait_for(
    [](const Prediction & prediction) { return prediction.header.stamp.sec > kImages - 30; }));
  int last = 0;
  for (const Prediction & prediction : predictions->all()) {
    EXPECT_GT(prediction.header.stamp.sec, last);
    last = prediction.header.stamp.sec;
  }
}

}  // namespace
}  // namespace mgproto_ros::test
