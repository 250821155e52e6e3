// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// Covers how ROS types a value, and `-p name:=value`.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "mgproto_ros/error.hpp"
#include "perception/ros_arguments.hpp"

namespace mgproto::perception
{
namespace
{

using namespace std::string_literals;

using Strings = std::vector<std::string>;

TEST(RosValue, HasTheTypeThatRosGivesIt)
{
  const std::pair<const char *, Value> cases[] = {
    {"5", std::int64_t{5}},
    {"-5", std::int64_t{-5}},
    {"+5", std::int64_t{5}},
    {"0x1F", std::int64_t{31}},
    {"010", std::int64_t{8}},
    {"9223372036854775807", std::int64_t{9223372036854775807}},
    {"9223372036854775808", 9223372036854775808.0},
    {"5.0", 5.0},
    {"5.", 5.0},
    {".5", 0.5},
    {"-.5", -0.5},
    {"+5.5", 5.5},
    {"1e3", 1000.0},
    {".inf", HUGE_VAL},
    {"-.Inf", -HUGE_VAL},
    {"inf", HUGE_VAL},
    {"true", true},
    {"Yes", true},
    {"on", true},
    {"y", true},
    {"FALSE", false},
    {"no", false},
    {"Off", false},
    {"\"5\"", "5"s},
    {"'5.0'", "5.0"s},
    {"'true'", "true"s},
    {"!!str 5", "5"s},
    {"''", ""s},
    {"raw", "raw"s},
    {"tRUE", "tRUE"s},
    {"1e999", "1e999"s},
    {"5 m", "5 m"s},
    {"5,0", "5,0"s},
    {"0x", "0x"s},
    {"--5", "--5"s},
    {"/path/to a/model.safetensors", "/path/to a/model.safetensors"s},
    {"~/model", "~/model"s},
    {"cuda:1", "cuda:1"s},
    {"[]", Strings{}},
    {"['']", Strings{""}},
    {"[front, \"2\", 'on']", Strings{"front", "2", "on"}},
  };
  for (const auto & [yaml, expected] : cases) {
    EXPECT_EQ(parse_value(yaml), expected) << yaml;
  }
  EXPECT_TRUE(std::isnan(std::get<double>(parse_value(".nan"))));
}

TEST(RosValue, ThatIsNoneIsRefused)
{
  const std::pair<const char *, const char *> cases[] = {
    {"", "no value is given"},
    {"~", "no value is given"},
    {"# comment", "no value is given"},
    {"{a: 1}", "expected a value, not a map"},
    {"a: b", "expected a value, not a map"},
    {"[1, 2]", "expected a list of strings, but '1' is none; use quotes"},
    {"[a, on]", "expected a list of strings, but 'on' is none; use quotes"},
    {"[[a]]", "expected a list of strings, but another is none; use quotes"},
    {"!!int '5'", "tag 'tag:yaml.org,2002:int', expected none other than !!str"},
    {"[&a b, *a]", "an alias, which is not taken here"},
    {"a\n---\nb", "expected nothing behind the first YAML document"},
    {"a\x01", "not valid YAML: not UTF-8 text"},
  };
  for (const auto & [yaml, expected] : cases) {
    try {
      parse_value(yaml);
      FAIL() << yaml;
    } catch (const Error & error) {
      EXPECT_STREQ(error.what(), expected) << yaml;
    }
  }
  for (const char * yaml : {"[a", "]", ",", "{", "'a", "@a", "*a", "a: b: c", "- a\nb"}) {
    EXPECT_THROW(parse_value(yaml), Error) << yaml;
  }
}

TEST(RosArgument, IsANameAndAValue)
{
  const Assignment assignment = parse_assignment("ood.tpr:=0.9");

  EXPECT_EQ(assignment.name, "ood.tpr");
  EXPECT_EQ(assignment.value, Value(0.9));
  EXPECT_EQ(parse_assignment("model:=a:=b").value, Value("a:=b"s));
  EXPECT_EQ(parse_assignment("cameras:=[a, b]").value, Value(Strings{"a", "b"}));
}

TEST(RosArgument, ThatIsNoneIsRefused)
{
  const std::pair<const char *, const char *> cases[] = {
    {"", ": expected name:=value"},
    {"top_k", "top_k: expected name:=value"},
    {"top_k=5", "top_k=5: expected name:=value"},
    {":=5", ":=5: expected name:=value"},
    {"node:top_k:=5", "node:top_k:=5: expected name:=value, without the name of a node"},
    {"top_k:=", "top_k: no value is given"},
    {"cameras:=[1]", "cameras: expected a list of strings, but '1' is none; use quotes"},
  };
  for (const auto & [text, expected] : cases) {
    try {
      parse_assignment(text);
      FAIL() << text;
    } catch (const ConfigError & error) {
      EXPECT_STREQ(error.what(), expected);
    }
  }
}

}  // namespace
}  // namespace mgproto::perception
