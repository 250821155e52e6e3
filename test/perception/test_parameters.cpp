// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// Covers the table of parameters as a whole, every parameter out of range and of each wrong type,
// setting several at once, and the documentation made of the table.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "mgproto_ros/error.hpp"
#include "perception/parameters.hpp"

namespace mgproto::perception
{
namespace
{

using namespace std::string_literals;

using Strings = std::vector<std::string>;

Settings usable_settings()
{
  Settings settings;
  settings.model = "model.safetensors";
  return settings;
}

/// What setting one parameter says; "" if it may be set.
std::string refusal(const std::string & name, const Value & value, bool running = false)
{
  try {
    with_values(Settings(), {{name, value}}, running);
  } catch (const ConfigError & error) {
    EXPECT_EQ(error.key(), name);
    return error.what();
  }
  return "";
}

bool is_number(const Parameter & parameter)
{
  const Value value = parameter.get(Settings());
  return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

/// A number of the parameter's own type.
Value number_for(const Parameter & parameter, double number)
{
  if (std::holds_alternative<double>(parameter.get(Settings()))) {
    return number;
  }
  return static_cast<std::int64_t>(number);
}

TEST(Parameters, HaveDistinctRosNamesAndADescription)
{
  std::set<std::string> names;
  for (const Parameter & parameter : parameters()) {
    EXPECT_TRUE(names.insert(parameter.name).second) << parameter.name;
    EXPECT_EQ(parameter.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_."), std::string::npos)
      << parameter.name;
    EXPECT_EQ(find_parameter(parameter.name), &parameter);
    ASSERT_FALSE(parameter.description.empty()) << parameter.name;
    EXPECT_EQ(parameter.description.back(), '.') << parameter.name;
    EXPECT_EQ(parameter.description.find('|'), std::string::npos) << parameter.name;
  }
  EXPECT_EQ(find_parameter("ood"), nullptr);
}

TEST(Parameters, CoverEverySettingWithAMemberOfItsOwn)
{
  const Settings changed = with_values(
    Settings(),
    {{"model", "m"s},
     {"device", "cuda:1"s},
     {"num_threads", std::int64_t{2}},
     {"half", true},
     {"cameras", Strings{"front", "rear"}},
     {"image_transport", "compressed"s},
     {"allow_depth", true},
     {"use_detections", true},
     {"max_age", 1.5},
     {"max_rate", 2.5},
     {"top_k", std::int64_t{7}},
     {"detections.max_wait", 3.5},
     {"use_depth", true},
     {"depth.tolerance", 0.5},
     {"depth.max", 7.5},
     {"ood.tpr", 0.9},
     {"ood.score", "log_density"s},
     {"ood.enter", std::int64_t{8}},
     {"ood.leave", std::int64_t{9}},
     {"ood.enter_seconds", 9.25},
     {"ood.leave_seconds", 9.5},
     {"album.size", std::int64_t{12}},
     {"album.directory", "album"s},
     {"teach.directory", "taught"s},
     {"evidence.prototypes", std::int64_t{10}},
     {"overlay.prototypes", std::int64_t{11}},
     {"overlay.opacity", 0.25},
     {"diagnostics.period", 4.5},
     {"diagnostics.stale_after", 5.5},
     {"diagnostics.max_unknown_share", 0.75},
     {"diagnostics.max_latency", 6.5},
     {"diagnostics.max_drift", 0.125}},
    false);

  EXPECT_EQ(changed.model, "m");
  EXPECT_EQ(changed.device, "cuda:1");
  EXPECT_EQ(changed.num_threads, 2);
  EXPECT_TRUE(changed.half);
  EXPECT_EQ(changed.cameras, (Strings{"front", "rear"}));
  EXPECT_EQ(changed.image_transport, "compressed");
  EXPECT_TRUE(changed.allow_depth);
  EXPECT_TRUE(changed.use_detections);
  EXPECT_EQ(changed.max_age, 1.5);
  EXPECT_EQ(changed.max_rate, 2.5);
  EXPECT_EQ(changed.top_k, 7);
  EXPECT_EQ(changed.detections_max_wait, 3.5);
  EXPECT_TRUE(changed.use_depth);
  EXPECT_EQ(changed.depth_tolerance, 0.5);
  EXPECT_EQ(changed.depth_max, 7.5);
  EXPECT_EQ(changed.ood_tpr, 0.9);
  EXPECT_EQ(changed.ood_score, "log_density");
  EXPECT_EQ(changed.ood_enter, 8);
  EXPECT_EQ(changed.ood_leave, 9);
  EXPECT_EQ(changed.ood_enter_seconds, 9.25);
  EXPECT_EQ(changed.ood_leave_seconds, 9.5);
  EXPECT_EQ(changed.album_size, 12);
  EXPECT_EQ(changed.album_directory, "album");
  EXPECT_EQ(changed.teach_directory, "taught");
  EXPECT_EQ(changed.evidence_prototypes, 10);
  EXPECT_EQ(changed.overlay_prototypes, 11);
  EXPECT_EQ(changed.overlay_opacity, 0.25);
  EXPECT_EQ(changed.diagnostics_period, 4.5);
  EXPECT_EQ(changed.diagnostics_stale_after, 5.5);
  EXPECT_EQ(changed.diagnostics_max_unknown_share, 0.75);
  EXPECT_EQ(changed.diagnostics_max_latency, 6.5);
  EXPECT_EQ(changed.diagnostics_max_drift, 0.125);
  for (const Parameter & parameter : parameters()) {
    EXPECT_NE(parameter.get(changed), parameter.get(Settings())) << parameter.name;
  }
  EXPECT_EQ(parameters().size(), 32u);
}

TEST(Parameters, PassTheirOwnCheckByDefault)
{
  for (const Parameter & parameter : parameters()) {
    const Value value = parameter.get(Settings());
    EXPECT_EQ(checked(parameter, value), value) << parameter.name;
  }
}

TEST(Parameters, AreTakenUpToBothEndsOfTheirRangeAndRefusedBeyond)
{
  for (const Parameter & parameter : parameters()) {
    if (!is_number(parameter)) {
      continue;
    }
    ASSERT_TRUE(parameter.minimum && parameter.maximum) << parameter.name;
    const double low = *parameter.minimum;
    const double high = *parameter.maximum;
    EXPECT_EQ(refusal(parameter.name, number_for(parameter, low)), "");
    EXPECT_EQ(refusal(parameter.name, number_for(parameter, high)), "");
    EXPECT_NE(refusal(parameter.name, number_for(parameter, low - 1)), "") << parameter.name;
    EXPECT_NE(refusal(parameter.name, number_for(parameter, high + 1)), "") << parameter.name;
    for (const std::int64_t extreme :
         {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
      EXPECT_NE(refusal(parameter.name, extreme), "") << parameter.name;
    }
  }
  EXPECT_EQ(refusal("ood.tpr", 1.5), "ood.tpr: expected a number, 0 to 1, not 1.5");
  EXPECT_EQ(
    refusal("ood.score", "msp"s),
    "ood.score: expected a string, joint, log_density or empty, not \"msp\"");
  EXPECT_EQ(
    refusal("ood.enter", std::int64_t{0}), "ood.enter: expected an integer, 1 to 1000, not 0");
  EXPECT_EQ(
    refusal("diagnostics.period", 0.0),
    "diagnostics.period: expected a number, 0.1 to 60, not 0.0");
}

TEST(Parameters, AreRefusedIfNotFinite)
{
  for (const Parameter & parameter : parameters()) {
    for (const double value : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
      EXPECT_NE(refusal(parameter.name, value), "") << parameter.name;
    }
  }
  EXPECT_EQ(refusal("max_age", HUGE_VAL), "max_age: expected a number, 0 to 3600, not inf");
}

TEST(Parameters, AreRefusedInEveryOtherType)
{
  const std::vector<Value> values = {true, std::int64_t{1}, 1.0, "1"s, Strings{"a"}};
  for (const Parameter & parameter : parameters()) {
    const Value example = parameter.get(Settings());
    for (const Value & value : values) {
      const bool integer_for_double =
        std::holds_alternative<double>(example) && std::holds_alternative<std::int64_t>(value);
      if (value.index() != example.index() && !integer_for_double) {
        EXPECT_NE(refusal(parameter.name, value), "")
          << parameter.name << " as " << type_name(value);
      }
    }
  }
  EXPECT_EQ(refusal("half", "yes"s), "half: expected true or false, not \"yes\"");
  EXPECT_EQ(refusal("top_k", 5.0), "top_k: expected an integer, 0 to 100000, not 5.0");
  EXPECT_EQ(refusal("model", std::int64_t{5}), "model: expected a string, not 5");
  EXPECT_EQ(
    refusal("max_rate", Strings{"a", "b"}),
    "max_rate: expected a number, 0 to 1000, not [\"a\", \"b\"]");
}

TEST(Parameters, TakeAnIntegerForADouble)
{
  const Value value = checked(*find_parameter("max_age"), std::int64_t{3});

  EXPECT_EQ(value, Value(3.0));
}

TEST(Parameters, KnowWhatADeviceIsCalled)
{
  for (const char * name : {"auto", "cpu", "cuda", "cuda:0", "cuda:12"}) {
    EXPECT_EQ(refusal("device", name), "") << name;
  }
  for (const char * name :
       {"", "gpu", "CPU", "cuda:", "cuda:x", "cuda:-1", "cuda:1 ", "cuda:1000"}) {
    EXPECT_EQ(
      refusal("device", name),
      "device: expected a string, auto, cpu, cuda or cuda:N, not \""s + name + "\"");
  }
}

TEST(Parameters, TakeOnlyDistinctCameraNamesThatFitIntoATopic)
{
  for (const Strings & names :
       {Strings{}, Strings{"front"}, Strings{"front", "rear_2", "_Left"},
        Strings{std::string(64, 'a')}}) {
    EXPECT_EQ(refusal("cameras", names), "");
  }
  for (const Strings & names :
       {Strings{"front", "front"}, Strings{"front", ""}, Strings{"2nd"}, Strings{"front/left"},
        Strings{"front left"}, Strings{"front-left"}, Strings{"front__left"}, Strings{"~"},
        Strings{"fr\xC3\xB6nt"}, Strings{"front\n"}, Strings{std::string(65, 'a')}}) {
    EXPECT_NE(refusal("cameras", names), "") << names.back();
  }
  EXPECT_EQ(
    refusal("cameras", Strings{"a b"}),
    "cameras: expected a list of strings, distinct names of letters, digits and single "
    "underscores, no digit first, up to 64 long, not [\"a b\"]");
}

TEST(Parameters, TakeOneEmptyCameraNameForNone)
{
  const Settings settings = with_values(Settings(), {{"cameras", Strings{""}}}, false);

  EXPECT_TRUE(settings.cameras.empty());
}

TEST(Parameters, OfUnknownNameAreRefusedWithTheNearestKnownOne)
{
  const std::pair<const char *, const char *> guesses[] = {
    {"modell", "model"},
    {"ood.trp", "ood.tpr"},
    {"tpr", "ood.tpr"},
    {"ood", "ood.tpr"},
    {"ood_enter", "ood.enter"},
    {"diagnostics.max_latncy", "diagnostics.max_latency"},
    {"overlay.opaqueness", "overlay.opacity"},
    {"camera", "cameras"},
    {"Model", "model"}};
  for (const auto & [wrong, right] : guesses) {
    EXPECT_EQ(
      refusal(wrong, true),
      std::string(wrong) + ": unknown parameter, did you mean " + right + "?");
  }
  EXPECT_THROW(with_values({}, {{"", true}}, false), ConfigError);
  EXPECT_THROW(with_values({}, {{std::string(100000, 'x'), true}}, false), ConfigError);
}

TEST(Parameters, AreSetAllOrNothing)
{
  const Settings before = usable_settings();

  EXPECT_THROW(
    with_values(before, {{"top_k", std::int64_t{9}}, {"ood.tpr", 2.0}}, false), ConfigError);
  EXPECT_THROW(
    with_values(before, {{"top_k", std::int64_t{9}}, {"no_such", true}}, false), ConfigError);
  EXPECT_EQ(before.top_k, Settings().top_k);
}

TEST(Parameters, GivenTwiceHaveTheLastValue)
{
  const Settings settings = with_values({}, {{"max_age", 1.0}, {"max_age", 2.0}}, false);

  EXPECT_EQ(settings.max_age, 2);
}

TEST(Parameters, ThatAreFixedAreRefusedWhileTheNodeRuns)
{
  for (const Parameter & parameter : parameters()) {
    const std::string expected =
      parameter.dynamic ? "" : parameter.name + ": cannot change while the node runs";
    EXPECT_EQ(refusal(parameter.name, parameter.get(Settings()), true), expected);
  }
  EXPECT_FALSE(find_parameter("use_detections")->dynamic);
  EXPECT_TRUE(find_parameter("max_age")->dynamic);
}

TEST(Parameters, AreCheckedAsAWholeBeforeANodeStarts)
{
  EXPECT_NO_THROW(check_settings(usable_settings()));
  try {
    check_settings(Settings());
    FAIL();
  } catch (const ConfigError & error) {
    EXPECT_EQ(error.what(), "model: name a checkpoint, as in model:=/path/to/model.safetensors"s);
  }
  Settings settings = usable_settings();
  settings.cameras = {"front", "front"};
  EXPECT_THROW(check_settings(settings), ConfigError);
  settings = usable_settings();
  settings.ood_enter = 0;
  EXPECT_THROW(check_settings(settings), ConfigError);
}

TEST(Parameters, ShowForeignTextOnOneShortLine)
{
  const std::string what = refusal("device", "a\nb\x1b[31m" + std::string(10000, 'x'));

  EXPECT_EQ(what.find_first_of("\n\x1b"), std::string::npos);
  EXPECT_LT(what.size(), 300u);
}

TEST(Parameters, MakeATableWithOneRowEach)
{
  const std::string text = parameters_markdown();

  EXPECT_EQ(
    static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')), parameters().size() + 2);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_EQ(std::count(line.begin(), line.end(), '|'), 7) << line;
  }
  EXPECT_NE(text.find("| `ood.enter` | integer | `1` | 1 to 1000 | dynamic | "), std::string::npos);
  EXPECT_NE(text.find("| `max_age` | double | `0.0` | 0 to 3600 | dynamic | "), std::string::npos);
  EXPECT_NE(
    text.find("| `device` | string | `\"auto\"` | auto, cpu, cuda or cuda:N | fixed | "),
    std::string::npos);
  EXPECT_NE(text.find("| `cameras` | string_array | `[\"\"]` | distinct names"), std::string::npos);
}

TEST(Parameters, AreInTheDocsAsTheyAre)
{
  std::ifstream file(std::string(MGPROTO_SOURCE_DIR) + "/docs/parameters.md");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  // The table is what `mgproto node --parameters` prints.
  EXPECT_NE(text.find(parameters_markdown()), std::string::npos);
}

}  // namespace
}  // namespace mgproto::perception
