// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// Covers messages to and from bytes: against bytes that real ROS 2 Jazzy made, and what must be
// refused. Random damage is in test_cdr_mutations.cpp.

#include <gtest/gtest.h>

#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <rmw_dds_common/msg/participant_entities_info.hpp>
#include <sensor_msgs/msg/image.hpp>
#include <std_msgs/msg/bool.hpp>
#include <std_msgs/msg/string.hpp>
#include <vision_msgs/msg/detection2_d_array.hpp>
#include <vision_msgs/msg/label_info.hpp>

#include "dds/cdr.hpp"
#include "dds/message_text.hpp"
#include "test/dds/own_messages.hpp"
#include "test/dds/rare_fields.hpp"
#include "test/dds/wire_cases.hpp"

namespace mgproto::dds
{
namespace
{

using test::bytes_of_hex;
using Bytes = std::vector<std::uint8_t>;

template <class Message>
Bytes bytes_of(const Message & message)
{
  Bytes bytes;
  serialize(message, bytes);
  return bytes;
}

template <class Message>
Message message_of(const Bytes & bytes)
{
  Message message;
  deserialize(bytes.data(), bytes.size(), message);
  return message;
}

template <class Message>
std::string error_of(const Bytes & bytes)
{
  try {
    message_of<Message>(bytes);
  } catch (const WireError & error) {
    return error.what();
  }
  return "no error";
}

/// Whether all that `expected` names is in `actual`.
bool contains(const nlohmann::json & actual, const nlohmann::json & expected)
{
  if (expected.is_object()) {
    for (const auto & [key, value] : expected.items()) {
      if (!actual.contains(key) || !contains(actual.at(key), value)) {
        return false;
      }
    }
    return true;
  }
  if (expected.is_array()) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (i >= actual.size() || !contains(actual.at(i), expected.at(i))) {
        return false;
      }
    }
    return actual.size() == expected.size();
  }
  return actual == expected;
}

TEST(Cdr, WritesTheBytesThatRos2Writes)
{
  ASSERT_EQ(test::wire_cases().size(), 17u);
  for (const auto & wire_case : test::wire_cases()) {
    AnyMessage message(*wire_case.type);
    test::fill(wire_case.type->members(), wire_case.value, message.data());
    Bytes bytes;
    serialize(*wire_case.type, message.data(), bytes);
    EXPECT_EQ(bytes, wire_case.bytes) << wire_case.type->name();
  }
}

TEST(Cdr, ReadsTheBytesThatRos2Writes)
{
  for (const auto & wire_case : test::wire_cases()) {
    AnyMessage message(*wire_case.type);
    deserialize(*wire_case.type, wire_case.bytes.data(), wire_case.bytes.size(), message.data());
    const nlohmann::json read = to_json(*wire_case.type, message.data());
    EXPECT_TRUE(contains(read, wire_case.value)) << wire_case.type->name() << " " << read;

    Bytes again;
    serialize(*wire_case.type, message.data(), again);
    EXPECT_EQ(again, wire_case.bytes) << wire_case.type->name();
  }
}

TEST(Cdr, KeepsEveryFieldOfAPrediction)
{
  const auto sent = test::some_prediction();
  const auto received = message_of<mgproto_ros::msg::Prediction>(bytes_of(sent));

  EXPECT_EQ(received.header, sent.header);
  EXPECT_EQ(received.status, sent.status);
  EXPECT_EQ(received.reason, sent.reason);
  EXPECT_EQ(received.class_id, sent.class_id);
  EXPECT_EQ(received.class_name, sent.class_name);
  EXPECT_TRUE(std::isnan(received.posterior));
  EXPECT_EQ(received.log_likelihood, sent.log_likelihood);
  EXPECT_EQ(received.log_density, sent.log_density);
  EXPECT_EQ(received.threshold, 0);
  EXPECT_TRUE(std::signbit(received.threshold));
  EXPECT_EQ(received.typicality, sent.typicality);
  EXPECT_EQ(received.region, sent.region);
  EXPECT_EQ(received.detection_id, sent.detection_id);
  EXPECT_EQ(received.scores, sent.scores);
  EXPECT_EQ(received.evidence, sent.evidence);
  EXPECT_EQ(received.model_id, sent.model_id);
}

TEST(Cdr, KeepsTheOtherMessagesOfThisPackage)
{
  const auto maps =
    message_of<mgproto_ros::msg::EvidenceMaps>(bytes_of(test::some_evidence_maps()));
  EXPECT_EQ(bytes_of(maps), bytes_of(test::some_evidence_maps()));
  EXPECT_EQ(maps.maps.at(1).likelihood.at(2), 1e-30f);

  const auto gallery =
    message_of<mgproto_ros::msg::PrototypeGallery>(bytes_of(test::some_gallery()));
  EXPECT_EQ(gallery, test::some_gallery());

  const auto flag = message_of<mgproto_ros::msg::OodFlag>(bytes_of(test::some_flag()));
  EXPECT_EQ(bytes_of(flag), bytes_of(test::some_flag()));
  EXPECT_TRUE(flag.unknown);
  EXPECT_TRUE(std::isnan(flag.threshold));
}

TEST(Cdr, KeepsFieldsOfRareKinds)
{
  const MessageType & type = test::rare_fields_type();
  const test::RareFields sent = test::some_rare_fields();
  Bytes bytes;
  serialize(type, &sent, bytes);
  test::RareFields received;
  deserialize(type, bytes.data(), bytes.size(), &received);

  EXPECT_EQ(received.flags, sent.flags);
  EXPECT_EQ(received.pair, sent.pair);
  EXPECT_EQ(received.few, sent.few);
  EXPECT_EQ(received.words, sent.words);
  EXPECT_EQ(received.big, sent.big);
  EXPECT_EQ(received.raw, sent.raw);
}

TEST(Cdr, ReadsBigEndianBytes)
{
  const auto info = message_of<vision_msgs::msg::LabelInfo>(
    bytes_of_hex("00000000 00000001 00000002 00000004 63616d00 "  // encoding; 1 s and 2 ns, "cam"
                 "00000001 0102 0000 00000003 686900 00"          // one class: 258, "hi"
                 "3f000000"));                                    // 0.5

  EXPECT_EQ(info.header.stamp.sec, 1);
  EXPECT_EQ(info.header.stamp.nanosec, 2u);
  EXPECT_EQ(info.header.frame_id, "cam");
  ASSERT_EQ(info.class_map.size(), 1u);
  EXPECT_EQ(info.class_map[0].class_id, 258);
  EXPECT_EQ(info.class_map[0].class_name, "hi");
  EXPECT_EQ(info.threshold, 0.5f);
}

TEST(Cdr, SwapsTheElementsOfBigEndianArrays)
{
  const Bytes bytes = bytes_of_hex(
    "00000000 00000000 0001 0000 "                   // encoding; no flags, pair, padding
    "00000002 fed4 0007 "                            // few: -300, 7
    "00000000 00000000 fffffffffffffffe 00000000");  // no words, padding, -2, no bytes
  test::RareFields message;
  deserialize(test::rare_fields_type(), bytes.data(), bytes.size(), &message);

  ASSERT_EQ(message.few.size(), 2u);
  EXPECT_EQ(message.few[0], -300);
  EXPECT_EQ(message.few[1], 7);
  EXPECT_EQ(message.big, -2);
}

TEST(Cdr, ReplacesWhatTheBufferAndTheMessageHeld)
{
  Bytes buffer(1000, 0xAB);
  const auto capacity = buffer.capacity();
  std_msgs::msg::String text;
  text.data = "long enough not to fit into the string itself";

  serialize(std_msgs::msg::String(), buffer);
  deserialize(buffer.data(), buffer.size(), text);

  EXPECT_EQ(buffer, bytes_of_hex("000100000100000000"));
  EXPECT_EQ(buffer.capacity(), capacity);
  EXPECT_EQ(text.data, "");
}

TEST(Cdr, ReadsATextOfLengthZeroAsEmpty)
{
  EXPECT_EQ(message_of<std_msgs::msg::String>(bytes_of_hex("0001000000000000")).data, "");
}

TEST(Cdr, RefusesATextWithoutNul)
{
  EXPECT_EQ(
    error_of<std_msgs::msg::String>(bytes_of_hex("00010000 02000000 6161")),
    "std_msgs/msg/String: data: text of 2 bytes that does not end with a NUL");
}

TEST(Cdr, RefusesATextLongerThanItsType)
{
  rmw_dds_common::msg::ParticipantEntitiesInfo info;
  info.node_entities_info_seq.resize(1);
  auto & name = info.node_entities_info_seq[0].node_name;
  name = std::string(256, 'n');
  Bytes bytes = bytes_of(info);
  EXPECT_EQ(message_of<rmw_dds_common::msg::ParticipantEntitiesInfo>(bytes), info);

  // The same with one character more: the length, a character, and its padding.
  const std::size_t name_at = 4 + 16 + 4 + 8;
  ASSERT_EQ(bytes.at(name_at), 1);  // 257 = 0x0101 with the NUL
  bytes[name_at] = 2;
  bytes.insert(bytes.begin() + name_at + 4, 'n');
  EXPECT_EQ(
    error_of<rmw_dds_common::msg::ParticipantEntitiesInfo>(bytes),
    "rmw_dds_common/msg/ParticipantEntitiesInfo: node_name: text of 257 bytes, but the type "
    "allows only 256");
  name += 'n';
  EXPECT_THROW(serialize(info, bytes), WireError);
}

TEST(Cdr, RefusesASequenceLongerThanItsType)
{
  const MessageType & type = test::rare_fields_type();
  test::RareFields message;
  Bytes bytes;
  serialize(type, &message, bytes);
  const std::size_t few_at = 4 + 4 + 2 + 2;
  bytes.at(few_at) = 4;

  EXPECT_THROW(deserialize(type, bytes.data(), bytes.size(), &message), WireError);
}

TEST(Cdr, RefusesCountsBeyondItsBytesBeforeAllocating)
{
  sensor_msgs::msg::Image image;
  image.data = {1, 2, 3};
  Bytes bytes = bytes_of(image);
  std::fill(bytes.end() - 7, bytes.end() - 3, 0xFF);
  EXPECT_EQ(
    error_of<sensor_msgs::msg::Image>(bytes),
    "sensor_msgs/msg/Image: data: 4294967295 elements do not fit into the 3 bytes that are left");

  vision_msgs::msg::Detection2DArray detections;
  bytes = bytes_of(detections);
  std::fill(bytes.end() - 4, bytes.end(), 0x7F);
  EXPECT_EQ(
    error_of<vision_msgs::msg::Detection2DArray>(bytes),
    "vision_msgs/msg/Detection2DArray: detections: 2139062143 elements do not fit into the 0 bytes "
    "that are left");

  EXPECT_EQ(
    error_of<std_msgs::msg::String>(bytes_of_hex("00010000ffffffff00")),
    "std_msgs/msg/String: data: ends at byte 9, where 4294967295 values of 1 bytes were expected "
    "from byte 8");
}

TEST(Cdr, RefusesTruthValuesOtherThanZeroAndOne)
{
  EXPECT_EQ(
    error_of<std_msgs::msg::Bool>(bytes_of_hex("0001000002")),
    "std_msgs/msg/Bool: data: byte 2 is neither false (0) nor true (1)");
}

TEST(Cdr, RefusesOtherEncodings)
{
  for (const char * const header : {"00030000", "00070000", "01000000", "ff010000"}) {
    EXPECT_THROW(
      message_of<std_msgs::msg::Bool>(bytes_of_hex(std::string(header) + "01")), WireError);
  }
  EXPECT_EQ(
    error_of<std_msgs::msg::Bool>(bytes_of_hex("0007000001")),
    "std_msgs/msg/Bool: encoding 7 is not supported, only plain CDR (0 and 1)");
  EXPECT_EQ(
    error_of<std_msgs::msg::Bool>(bytes_of_hex("0001")),
    "std_msgs/msg/Bool: 2 bytes, too few for any message");
}

TEST(Cdr, AllowsThreeBytesOfPaddingAndNoMore)
{
  EXPECT_TRUE(message_of<std_msgs::msg::Bool>(bytes_of_hex("0001000001000000")).data);
  EXPECT_EQ(
    error_of<std_msgs::msg::Bool>(bytes_of_hex("000100000100000000")),
    "std_msgs/msg/Bool: 4 bytes follow the message: the sender's type seems to be another");
}

TEST(Cdr, LeavesAMessageThatCanBeUsedAgainAfterAnError)
{
  auto gallery = test::some_gallery();
  Bytes bytes = bytes_of(gallery);
  ASSERT_THROW(deserialize(bytes.data(), bytes.size() - 4, gallery), WireError);

  deserialize(bytes.data(), bytes.size(), gallery);

  EXPECT_EQ(gallery, test::some_gallery());
}

TEST(MessageType, IsFoundByEitherName)
{
  const MessageType * const type = find_message_type("sensor_msgs/msg/Image");
  ASSERT_NE(type, nullptr);
  EXPECT_EQ(type, &message_type<sensor_msgs::msg::Image>());
  EXPECT_EQ(type->name(), "sensor_msgs/msg/Image");
  EXPECT_EQ(type->dds_name(), "sensor_msgs::msg::dds_::Image_");
  EXPECT_EQ(find_message_type("sensor_msgs::msg::dds_::Image_"), type);
  EXPECT_EQ(find_message_type("sensor_msgs/Image"), nullptr);
  EXPECT_EQ(find_message_type(""), nullptr);
}

TEST(AnyMessage, BeginsWithTheDefaultValues)
{
  const AnyMessage message(message_type<vision_msgs::msg::ObjectHypothesisWithPose>());
  const auto & hypothesis =
    *static_cast<const vision_msgs::msg::ObjectHypothesisWithPose *>(message.data());
  EXPECT_EQ(hypothesis.pose.pose.orientation.w, 1);
  EXPECT_EQ(hypothesis.pose.pose.orientation.x, 0);
}

}  // namespace
}  // namespace mgproto::dds
