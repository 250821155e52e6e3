// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// Covers the trust gate's table of parameters; what it shares with the perception node's is tested
// there.

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "mgproto_ros/error.hpp"
#include "perception/parameter_file.hpp"
#include "perception/parameters.hpp"

namespace mgproto::perception
{
namespace
{

using Strings = std::vector<std::string>;

std::string refusal(const std::string & name, const Value & value)
{
  try {
    check_settings(with_values(GateSettings(), {{name, value}}, false));
  } catch (const ConfigError & error) {
    return error.what();
  }
  return "";
}

TEST(GateParameters, CoverEverySettingWithAMemberOfItsOwn)
{
  const GateSettings changed = with_values(
    GateSettings(),
    {{"flags", Strings{"/front/ood", "/rear/ood"}},
     {"timeout", 0.5},
     {"recover_seconds", 3.5},
     {"speed.trusted", 90.0},
     {"speed.untrusted", 10.0},
     {"rate", 5.0}},
    false);

  EXPECT_EQ(changed.flags, (Strings{"/front/ood", "/rear/ood"}));
  EXPECT_EQ(changed.timeout, 0.5);
  EXPECT_EQ(changed.recover_seconds, 3.5);
  EXPECT_EQ(changed.speed_trusted, 90);
  EXPECT_EQ(changed.speed_untrusted, 10);
  EXPECT_EQ(changed.rate, 5);
  for (const auto & parameter : parameters<GateSettings>()) {
    EXPECT_NE(parameter.get(changed), parameter.get(GateSettings())) << parameter.name;
    EXPECT_EQ(parameter.description.back(), '.') << parameter.name;
  }
  EXPECT_EQ(parameters<GateSettings>().size(), 6u);
}

TEST(GateParameters, AreFineByDefault) { EXPECT_NO_THROW(check_settings(GateSettings())); }

TEST(GateParameters, RefuseALimitThatWouldMeanNone)
{
  EXPECT_EQ(
    refusal("speed.untrusted", 0.0), "speed.untrusted: expected a number, 1 to 100, not 0.0");
  EXPECT_EQ(refusal("speed.trusted", 0.0), "speed.trusted: expected a number, 1 to 100, not 0.0");
}

TEST(GateParameters, RefuseALimitThatRisesWhereTrustFalls)
{
  EXPECT_EQ(
    refusal("speed.trusted", 10.0),
    "speed.untrusted: expected at most speed.trusted, which is 10, not 20");
  EXPECT_EQ(refusal("speed.untrusted", 100.0), "");
}

TEST(GateParameters, TakeDistinctTopicsAndAtLeastOne)
{
  const std::string expected =
    "flags: expected a list of strings, distinct names of topics, at least one, not ";
  EXPECT_EQ(refusal("flags", Strings{}), expected + "[]");
  EXPECT_EQ(refusal("flags", Strings{""}), expected + R"([""])");
  EXPECT_EQ(refusal("flags", Strings{"/a", "/a"}), expected + R"(["/a", "/a"])");
  EXPECT_EQ(refusal("flags", Strings{"/a", "/b"}), "");
}

TEST(GateParameters, OfUnknownNameAreRefusedWithTheNearestOfTheGates)
{
  EXPECT_EQ(
    refusal("speed.untrustd", 1.0),
    "speed.untrustd: unknown parameter, did you mean speed.untrusted?");
  EXPECT_NE(refusal("ood.enter", std::int64_t{1}), "");
}

TEST(GateParameters, OfThePackagesFileAreTheDefaults)
{
  const auto found = read_parameter_file<GateSettings>(
    std::string(MGPROTO_SOURCE_DIR) + "/config/trust_gate.yaml", "/any/node");

  ASSERT_EQ(found.size(), parameters<GateSettings>().size());
  const GateSettings settings = with_values(GateSettings(), found, false);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto & parameter = parameters<GateSettings>()[i];
    EXPECT_EQ(found[i].name, parameter.name);
    EXPECT_EQ(parameter.get(settings), parameter.get(GateSettings())) << parameter.name;
  }
}

TEST(GateParameters, AreInTheDocsAsTheyAre)
{
  std::ifstream file(std::string(MGPROTO_SOURCE_DIR) + "/docs/gate.md");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  // The table is what `mgproto gate --parameters` prints.
  EXPECT_NE(text.find(parameters_markdown<GateSettings>()), std::string::npos);
}

}  // namespace
}  // namespace mgproto::perception
