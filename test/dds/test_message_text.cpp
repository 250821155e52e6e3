// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// Covers messages as text. The YAML is what ROS 2's own tools print for the same message.

#include <gtest/gtest.h>

#include <algorithm>
#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <limits>
#include <sensor_msgs/msg/image.hpp>
#include <std_msgs/msg/string.hpp>

#include "dds/message_text.hpp"
#include "dds/yaml_scalar.hpp"
#include "test/dds/own_messages.hpp"
#include "test/dds/rare_fields.hpp"

namespace mgproto::dds
{
namespace
{

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class Message>
std::string yaml_of(const Message & message, const TextOptions & options = {})
{
  return to_yaml(message_type<Message>(), &message, options);
}

sensor_msgs::msg::Image image_of(std::size_t bytes)
{
  sensor_msgs::msg::Image image;
  image.header.stamp.sec = 5;
  image.header.frame_id = "cam";
  image.width = 3;
  image.encoding = "bgr8";
  image.data.assign(bytes, 9);
  return image;
}

TEST(MessageYaml, ShowsAnImage)
{
  EXPECT_EQ(
    yaml_of(image_of(2)),
    "header:\n"
    "  stamp:\n"
    "    sec: 5\n"
    "    nanosec: 0\n"
    "  frame_id: cam\n"
    "height: 0\n"
    "width: 3\n"
    "encoding: bgr8\n"
    "is_bigendian: 0\n"
    "step: 0\n"
    "data:\n"
    "- 9\n"
    "- 9\n");
}

TEST(MessageYaml, ShowsMessagesInsideArrays)
{
  diagnostic_msgs::msg::DiagnosticArray array;
  array.status.resize(2);
  array.status[0].level = diagnostic_msgs::msg::DiagnosticStatus::WARN;
  array.status[0].name = "perception";
  array.status[0].values.resize(1);
  array.status[0].values[0].key = "rate";
  array.status[0].values[0].value = "14.9";

  EXPECT_EQ(
    yaml_of(array),
    "header:\n"
    "  stamp:\n"
    "    sec: 0\n"
    "    nanosec: 0\n"
    "  frame_id: ''\n"
    "status:\n"
    "- level: \"\\x01\"\n"
    "  name: perception\n"
    "  message: ''\n"
    "  hardware_id: ''\n"
    "  values:\n"
    "  - key: rate\n"
    "    value: '14.9'\n"
    "- level: \"\\0\"\n"
    "  name: ''\n"
    "  message: ''\n"
    "  hardware_id: ''\n"
    "  values: []\n");
}

TEST(MessageYaml, ShowsFieldsOfRareKinds)
{
  const test::RareFields message = test::some_rare_fields();
  EXPECT_EQ(
    to_yaml(test::rare_fields_type(), &message),
    "flags:\n- true\n- false\n- true\n"
    "pair:\n- false\n- true\n"
    "few:\n- -300\n- 7\n"
    "words:\n- ''\n- two words\n"
    "big: -5000000000\n"
    "raw:\n- \"\\0\"\n- \"\\xFF\"\n");
}

std::size_t lines_of(const std::string & text)
{
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(MessageYaml, CutsLongArraysUnlessAskedNotTo)
{
  const std::size_t other_lines = lines_of(yaml_of(image_of(1))) - 1;
  const std::string exact = yaml_of(image_of(128));
  const std::string cut = yaml_of(image_of(129));
  const std::string all = yaml_of(image_of(1000), {0, false});

  EXPECT_EQ(exact.find("..."), std::string::npos);
  EXPECT_EQ(cut, exact + "- '...'\n");
  EXPECT_EQ(lines_of(all), other_lines + 1000);
}

TEST(MessageYaml, ShowsOnlyTheLengthOfArraysIfAsked)
{
  TextOptions options;
  options.no_arrays = true;
  const std::string yaml = yaml_of(image_of(1000), options);
  EXPECT_NE(yaml.find("\ndata: '<sequence type: uint8, length: 1000>'\n"), std::string::npos);

  const test::RareFields message = test::some_rare_fields();
  const std::string rare = to_yaml(test::rare_fields_type(), &message, options);
  EXPECT_NE(rare.find("pair: '<array type: boolean[2]>'\n"), std::string::npos) << rare;
  EXPECT_NE(rare.find("few: '<sequence type: int16[3], length: 2>'\n"), std::string::npos) << rare;
}

TEST(MessageYaml, CutsLongTextBetweenCharacters)
{
  std_msgs::msg::String text;
  for (int i = 0; i < 129; ++i) {
    text.data += "\xC3\xBC";
  }
  EXPECT_EQ(yaml_of(text), "data: " + text.data.substr(0, 256) + "...\n");
  EXPECT_EQ(yaml_of(text, {0, false}), "data: " + text.data + "\n");
}

TEST(YamlText, IsPlainOnlyWhereThatReadsBackAsTheSameText)
{
  EXPECT_EQ(yaml_text("camera_link"), "camera_link");
  EXPECT_EQ(yaml_text("bgr8; jpeg compressed bgr8"), "bgr8; jpeg compressed bgr8");
  EXPECT_EQ(yaml_text("a:b"), "a:b");
  EXPECT_EQ(yaml_text("Zaunk\xC3\xB6nig"), "Zaunk\xC3\xB6nig");
  EXPECT_EQ(yaml_text("~/labels"), "~/labels");

  EXPECT_EQ(yaml_text(""), "''");
  EXPECT_EQ(yaml_text("a: b"), "'a: b'");
  EXPECT_EQ(yaml_text("it's: so"), "'it''s: so'");
  EXPECT_EQ(yaml_text("- a"), "'- a'");
  EXPECT_EQ(yaml_text("[a]"), "'[a]'");
  EXPECT_EQ(yaml_text(" a"), "' a'");
  for (const std::string other :
       {"7", "-1.5", "0x1F", "1:30", "-.inf", ".NaN", "2026-01-02", "true", "off", "null", "~"}) {
    EXPECT_EQ(yaml_text(other), "'" + other + "'");
  }
  for (const std::string text : {"0123456789abcdef", "+", "a7", "1st", ".hidden", "truest"}) {
    EXPECT_EQ(yaml_text(text), text);
  }
}

TEST(YamlText, EscapesWhatATerminalWouldObey)
{
  EXPECT_EQ(yaml_text("a\nb"), "\"a\\nb\"");
  EXPECT_EQ(yaml_text("\x1B[31mred\"\\"), "\"\\e[31mred\\\"\\\\\"");
  EXPECT_EQ(yaml_text("\xC2\x9B"), "\"\\x9B\"");                // CSI as one character
  EXPECT_EQ(yaml_text("\xFF\xC3"), "\"\\xFF\\xC3\"");           // not UTF-8
  EXPECT_EQ(yaml_text("\xE2\x80\xA8"), "\"\\u2028\"");          // a line break to some
  EXPECT_EQ(yaml_text("\xED\xA0\x80"), "\"\\xED\\xA0\\x80\"");  // half a character
}

TEST(YamlNumber, IsWrittenAsPythonWritesIt)
{
  EXPECT_EQ(yaml_number(0), "0.0");
  EXPECT_EQ(yaml_number(-0.0), "-0.0");
  EXPECT_EQ(yaml_number(0.1), "0.1");
  EXPECT_EQ(yaml_number(static_cast<double>(0.1f)), "0.10000000149011612");
  EXPECT_EQ(yaml_number(0.0001), "0.0001");
  EXPECT_EQ(yaml_number(0.00001), "1.0e-05");
  EXPECT_EQ(yaml_number(1.5e-7), "1.5e-07");
  EXPECT_EQ(yaml_number(1e15), "1000000000000000.0");
  EXPECT_EQ(yaml_number(1e16), "1.0e+16");
  EXPECT_EQ(yaml_number(-1e300), "-1.0e+300");
  EXPECT_EQ(yaml_number(kNan), ".nan");
  EXPECT_EQ(yaml_number(kInfinity), ".inf");
  EXPECT_EQ(yaml_number(-kInfinity), "-.inf");
}

TEST(MessageJson, HasAllFieldsOfAPredictionInTheirOrder)
{
  const auto json = to_json(test::some_prediction());

  EXPECT_EQ(json.size(), message_type<mgproto_ros::msg::Prediction>().members().member_count_);
  EXPECT_EQ(json.begin().key(), "header");
  EXPECT_EQ(json.at("header").at("stamp").at("sec"), -7);
  EXPECT_EQ(json.at("class_name"), "Zaunk\xC3\xB6nig");
  EXPECT_EQ(json.at("region").at("do_rectify"), true);
  EXPECT_EQ(json.at("scores").size(), 3u);
  EXPECT_EQ(json.at("scores").at(1).at("posterior"), 0.1);
  EXPECT_EQ(json.at("evidence").at(0).at("box").at("width"), 4294967295u);
}

TEST(MessageJson, HasNullForNumbersThatAreNotFinite)
{
  const auto json = to_json(test::some_prediction());
  EXPECT_TRUE(json.at("posterior").is_null());
  EXPECT_TRUE(json.at("log_likelihood").is_null());
  EXPECT_TRUE(json.at("log_density").is_null());
  EXPECT_EQ(json.at("threshold"), 0);
  EXPECT_TRUE(
    to_json(test::some_evidence_maps()).at("maps").at(0).at("likelihood").at(1).is_null());
}

TEST(MessageJson, HasOnlyTheLengthOfImages)
{
  EXPECT_EQ(to_json(image_of(64)).at("data").size(), 64u);
  EXPECT_EQ(to_json(image_of(65)).at("data"), "<sequence type: uint8, length: 65>");
}

TEST(MessageJson, CanBeWrittenWhateverTheTextHolds)
{
  std_msgs::msg::String text;
  text.data = std::string("a\0\n\xFF", 4);
  EXPECT_EQ(to_json(text).dump(), "{\"data\":\"a\\u0000\\n\xEF\xBF\xBD\"}");
}

}  // namespace
}  // namespace mgproto::dds
