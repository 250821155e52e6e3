// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// Names as ROS 2 makes them: expansion, validation, remapping, and what they are called in DDS.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "dds/remapping.hpp"
#include "dds/topic_names.hpp"
#include "mgproto_ros/error.hpp"

namespace mgproto::dds
{
namespace
{

const NodeName node{"eyes", "/robot"};

std::vector<Remapping> rules(const std::vector<std::string> & texts)
{
  std::vector<Remapping> result;
  for (const std::string & text : texts) {
    result.push_back(parse_remapping(text));
  }
  return result;
}

std::string refusal_of_topic(const std::string & name)
{
  try {
    expand_topic_name(name, node);
  } catch (const ConfigError & error) {
    return error.what();
  }
  return "accepted";
}

std::string refusal_of_rule(const std::string & text)
{
  try {
    parse_remapping(text);
  } catch (const ConfigError & error) {
    return error.what();
  }
  return "accepted";
}

TEST(TopicNames, NamesAreExpandedAsInRos)
{
  EXPECT_EQ(expand_topic_name("/camera/image", node), "/camera/image");
  EXPECT_EQ(expand_topic_name("image", node), "/robot/image");
  EXPECT_EQ(expand_topic_name("front/image", node), "/robot/front/image");
  EXPECT_EQ(expand_topic_name("~/output/prediction", node), "/robot/eyes/output/prediction");
  EXPECT_EQ(expand_topic_name("~", node), "/robot/eyes");
  EXPECT_EQ(expand_topic_name("_hidden/a__b", node), "/robot/_hidden/a__b");
}

TEST(TopicNames, TheRootNamespaceGivesNoDoubleSlash)
{
  const NodeName at_root{"eyes"};
  EXPECT_EQ(at_root.full(), "/eyes");
  EXPECT_EQ(expand_topic_name("image", at_root), "/image");
  EXPECT_EQ(expand_topic_name("~/image", at_root), "/eyes/image");
}

TEST(TopicNames, ARefusalNamesTheTopicAndTheRule)
{
  EXPECT_EQ(refusal_of_topic("/a//b"), "topic name '/a//b': '/' may not be repeated");
  EXPECT_EQ(refusal_of_topic("/a/"), "topic name '/a/': it may not end with '/'");
  EXPECT_EQ(refusal_of_topic("/"), "topic name '/': it may not end with '/'");
  EXPECT_EQ(refusal_of_topic("/a/2b"), "topic name '/a/2b': no part may begin with a digit");
  EXPECT_EQ(refusal_of_topic("2b"), "topic name '2b': no part may begin with a digit");
  EXPECT_EQ(refusal_of_topic("~b"), "topic name '~b': '~' must be followed by '/'");
  EXPECT_EQ(refusal_of_topic("a/~/b"), "topic name 'a/~/b': '~' is allowed at the beginning only");
  for (const char * name : {"a b", "a-b", "a.b", "/a\n", "\xc3\xa4", "a*", "{node}/x"}) {
    EXPECT_EQ(
      refusal_of_topic(name),
      "topic name '" + std::string(name) + "': only letters, digits, '_' and '/' are allowed");
  }
  EXPECT_EQ(
    refusal_of_topic(""),
    "topic name '': it is empty; expected something like /camera/image or ~/image");
  const std::string long_name = "/" + std::string(246, 'a');
  EXPECT_EQ(expand_topic_name(long_name, node), long_name);
  EXPECT_NE(refusal_of_topic(long_name + "a").find("at most 247 characters"), std::string::npos);
}

TEST(TopicNames, NodeNamesAndNamespacesAreValidated)
{
  EXPECT_EQ(validated({"eyes", ""}).name_space, "/");
  EXPECT_EQ(validated({"eyes", "robot"}).name_space, "/robot");
  EXPECT_EQ(validated({"eyes", "/a/b"}).full(), "/a/b/eyes");
  for (const char * name : {"", "2eyes", "a/b", "a b", "a-b", "~"}) {
    EXPECT_THROW(validated({name, "/"}), ConfigError) << name;
  }
  EXPECT_THROW(validated({std::string(256, 'a'), "/"}), ConfigError);
  for (const char * name_space : {"/a/", "//", "/2a", "/a b", "~"}) {
    EXPECT_THROW(validated({"eyes", name_space}), ConfigError) << name_space;
  }
  EXPECT_THROW(validated({"eyes", "/" + std::string(245, 'a')}), ConfigError);
}

TEST(TopicNames, TopicsHaveTheirDdsNameAndTheWayBack)
{
  EXPECT_EQ(dds_topic_name("/camera/image"), "rt/camera/image");
  EXPECT_EQ(ros_topic_name("rt/camera/image"), "/camera/image");
  EXPECT_FALSE(ros_topic_name("rq/add_two_intsRequest"));
  EXPECT_FALSE(ros_topic_name("ros_discovery_info"));
  EXPECT_FALSE(ros_topic_name("rt/"));
  EXPECT_FALSE(ros_topic_name("rtx"));
  EXPECT_FALSE(ros_topic_name(""));
}

TEST(TopicNames, TypesHaveTheWayBackFromTheirDdsName)
{
  EXPECT_EQ(ros_type_name("sensor_msgs::msg::dds_::Image_"), "sensor_msgs/msg/Image");
  for (const char * name :
       {"", "Image", "sensor_msgs::msg::Image", "sensor_msgs::msg::dds_::Image",
        "sensor_msgs::msg::dds_::_", "::dds_::Image_", "a::dds_::Image_"}) {
    EXPECT_FALSE(ros_type_name(name)) << name;
  }
}

TEST(Remapping, TheFirstRuleThatMatchesTheAbsoluteNameWins)
{
  const auto remappings = rules(
    {"image:=/camera/front", "/robot/image:=/camera/back", "~/input:=/camera/side", "/a:=b",
     "/c:=~/d"});
  EXPECT_EQ(resolve_topic_name("image", node, remappings), "/camera/front");
  EXPECT_EQ(resolve_topic_name("/robot/image", node, remappings), "/camera/front");
  EXPECT_EQ(resolve_topic_name("~/input", node, remappings), "/camera/side");
  EXPECT_EQ(resolve_topic_name("/robot/eyes/input", node, remappings), "/camera/side");
  EXPECT_EQ(resolve_topic_name("/a", node, remappings), "/robot/b");
  EXPECT_EQ(resolve_topic_name("/c", node, remappings), "/robot/eyes/d");
  EXPECT_EQ(resolve_topic_name("other", node, remappings), "/robot/other");
}

TEST(Remapping, ARuleIsNotAppliedToItsOwnResult)
{
  EXPECT_EQ(resolve_topic_name("/a", node, rules({"/a:=/b", "/b:=/c"})), "/b");
}

TEST(Remapping, ARuleForOneNodeLeavesOthersAlone)
{
  const auto remappings = rules({"ears:image:=/heard", "eyes:image:=/seen", "ears:__node:=nose"});
  EXPECT_EQ(resolve_topic_name("image", node, remappings), "/seen");
  EXPECT_EQ(remap_node(node, remappings).name, "eyes");
}

TEST(Remapping, NodeNameAndNamespaceCanBeRemapped)
{
  const NodeName renamed = remap_node(node, rules({"__node:=front_eyes", "__ns:=/other/robot"}));
  EXPECT_EQ(renamed.full(), "/other/robot/front_eyes");
  EXPECT_EQ(remap_node(node, rules({"__name:=a"})).full(), "/robot/a");
  EXPECT_EQ(remap_node(node, rules({"__ns:=/"})).full(), "/eyes");
  EXPECT_EQ(remap_node(node, rules({"__node:=a", "a:__ns:=/b"})).full(), "/b/a");
}

TEST(Remapping, ARefusalNamesTheRuleAndWhatIsWrong)
{
  EXPECT_EQ(
    refusal_of_rule("image=/camera"),
    "remapping 'image=/camera': expected from:=to, for example image:=/camera/image, "
    "__node:=name or __ns:=/robot");
  EXPECT_EQ(
    refusal_of_rule("image:=/a//b"),
    "remapping 'image:=/a//b': topic name '/a//b': '/' may not be repeated");
  for (const char * text :
       {":=", "a:=", ":=a", "a b:=c", ":a:=b", "2n:a:=b", "__node:=a/b", "__ns:=/2", "a*:=b",
        "a:=b:=c", "n:m:a:=b"}) {
    EXPECT_EQ(refusal_of_rule(text).find("remapping '" + std::string(text) + "'"), 0u) << text;
  }
}

}  // namespace
}  // namespace mgproto::dds
