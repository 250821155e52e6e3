// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// Covers which entries of a ROS 2 parameter file a node takes, every error of reading one, and the
// file that comes with the package. How single values are typed: see test_ros_arguments.cpp.

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "mgproto_ros/error.hpp"
#include "perception/parameter_file.hpp"
#include "temporary_directory.hpp"

namespace mgproto::perception
{
namespace
{

class ParameterFile : public ::testing::Test
{
protected:
  std::vector<Assignment> read(
    const std::string & content, const std::string & node = "/robot/perception") const
  {
    std::ofstream(path_, std::ios::binary) << content;
    return read_parameter_file(path_, node);
  }
  Settings settings(
    const std::string & content, const std::string & node = "/robot/perception") const
  {
    return with_values(Settings(), read(content, node), false);
  }
  /// What reading says, with the file's name replaced by FILE.
  std::string error(const std::string & content) const
  {
    try {
      read(content);
    } catch (const FileError & error) {
      std::string what = error.what();
      EXPECT_EQ(what.find('\n'), std::string::npos) << what;
      EXPECT_EQ(error.path(), path_);
      return what.replace(0, path_.size(), "FILE");
    }
    return "no error";
  }
  std::string parameter_error(const std::string & parameters) const
  {
    return error("/**:\n  ros__parameters:\n    " + parameters);
  }

private:
  mgproto::test::TemporaryDirectory directory_;
  std::string path_ = directory_ / "parameters.yaml";
};

TEST_F(ParameterFile, GivesParametersByDottedNamesAndByNestedMaps)
{
  const Settings read = settings(R"(
/**:
  ros__parameters:
    model: /path/model.safetensors
    cameras: [front, rear]
    num_threads: 2
    max_age: 3       # an integer where a double is declared
    ood: {enter: 4, tpr: 0.9}
    ood.leave: 5
    diagnostics:
      period: 0.5
    "overlay.opacity": 0.25
)");

  EXPECT_EQ(read.model, "/path/model.safetensors");
  EXPECT_EQ(read.cameras, (std::vector<std::string>{"front", "rear"}));
  EXPECT_EQ(read.num_threads, 2);
  EXPECT_EQ(read.max_age, 3);
  EXPECT_EQ(read.ood_enter, 4);
  EXPECT_EQ(read.ood_tpr, 0.9);
  EXPECT_EQ(read.ood_leave, 5);
  EXPECT_EQ(read.diagnostics_period, 0.5);
  EXPECT_EQ(read.overlay_opacity, 0.25);
}

TEST_F(ParameterFile, GivesOnlyWhatIsMeantForTheNode)
{
  const auto is_meant = [this](const std::string & key, const std::string & node) {
    return !read(key + ":\n  ros__parameters: {top_k: 1}\n", node).empty();
  };
  const char * matching[][2] = {
    {"/**", "/perception"},
    {"/**", "/robot/arm/perception"},
    {"'**'", "/robot/perception"},
    {"/*", "/perception"},
    {"/*/perception", "/robot/perception"},
    {"/*/*", "/robot/perception"},
    {"/**/perception", "/perception"},
    {"/**/perception", "/a/b/perception"},
    {"/robot/**", "/robot/a/perception"},
    {"/robot/**", "/robot"},
    {"perception", "/perception"},
    {"/perception", "/perception"},
    {"/robot/perception", "/robot/perception"},
    {"robot/perception", "/robot/perception"},
    {"robot/perception", "robot/perception"},
  };
  for (const auto & [key, node] : matching) {
    EXPECT_TRUE(is_meant(key, node)) << key << " for " << node;
  }
  const char * others[][2] = {
    {"/*", "/robot/perception"},
    {"/*/*", "/perception"},
    {"perception", "/robot/perception"},
    {"/perception", "/robot/perception"},
    {"/robot", "/robot/perception"},
    {"/robot/perception", "/perception"},
    {"/**/detection", "/robot/perception"},
    {"/other/**", "/robot/perception"},
    {"/rob*/perception", "/robot/perception"},
    {"/Robot/perception", "/robot/perception"},
  };
  for (const auto & [key, node] : others) {
    EXPECT_FALSE(is_meant(key, node)) << key << " for " << node;
  }
}

TEST_F(ParameterFile, MayNestNamespacesAboveANode)
{
  const Settings read = settings(R"(
/robot:
  perception:
    ros__parameters:
      top_k: 2
  other:
    ros__parameters: {top_k: 3, unheard_of: [1, {}]}
)");

  EXPECT_EQ(read.top_k, 2);
}

TEST_F(ParameterFile, GivesTheLastOfSeveralValues)
{
  EXPECT_EQ(
    settings("/robot/perception: {ros__parameters: {top_k: 2, max_age: 1}}\n"
             "/**: {ros__parameters: {top_k: 3}}\n")
      .top_k,
    3);
  EXPECT_EQ(
    settings("/**: {ros__parameters: {top_k: 2}}\n/**: {ros__parameters: {top_k: 3}}\n").top_k, 3);
  EXPECT_EQ(settings("/**: {ros__parameters: {top_k: 2, top_k: 3}}").top_k, 3);
  EXPECT_EQ(settings("/**: {ros__parameters: {ood.enter: 2, ood: {enter: 3}}}").ood_enter, 3);
}

TEST_F(ParameterFile, MayBeEmpty)
{
  for (const char * content :
       {"", "\n", "# nothing\n", "---\n", "/**: {}", "{}", "/**: {ros__parameters: {}}",
        "/**: {ros__parameters: {ood: {}}}"}) {
    EXPECT_TRUE(read(content).empty()) << content;
  }
}

TEST_F(ParameterFile, MayHaveParametersOfRosItself)
{
  const std::vector<Assignment> found = read(R"(
/**:
  ros__parameters:
    use_sim_time: true
    start_type_description_service: false
    qos_overrides:
      /camera/image:
        subscription: {depth: 5, reliability: best_effort}
    qos_overrides./clock.subscription.depth: 1
    diagnostic_updater: {period: 1.0, use_fqn: true}
    robot.perception.debug.overlay:
      enable_pub_plugins: [image_transport/raw]
      compressed: {format: jpeg, jpeg_quality: 80}
    debug.overlay.theora.quality: 3
    top_k: 1
)");

  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].name, "top_k");
  for (const char * ours :
       {"image_transport", "qos_override.a", "compressed", "theora", "sim_time",
        "overlay.jpeg_quality", "overlay.compressed_format"}) {
    EXPECT_FALSE(belongs_to_ros(ours)) << ours;
  }
  for (const Parameter & parameter : parameters()) {
    EXPECT_FALSE(belongs_to_ros(parameter.name)) << parameter.name;
  }
}

TEST_F(ParameterFile, WithAnUnknownParameterIsRefusedWithTheNearestKnownOne)
{
  EXPECT_EQ(
    parameter_error("ood:\n      tpr: 0.9\n      entre: 1\n"),
    "FILE: line 5: ood.entre: unknown parameter, did you mean ood.enter?");
  EXPECT_EQ(
    parameter_error("model: {path: a}"),
    "FILE: line 3: model.path: unknown parameter, did you mean model?");
  EXPECT_EQ(
    parameter_error("\"a\\nb\": 1"), "FILE: line 3: a?b: unknown parameter, did you mean half?");
}

TEST_F(ParameterFile, WithAWrongValueIsRefused)
{
  const std::pair<const char *, const char *> cases[] = {
    {"ood.tpr: 1.5", "ood.tpr: expected a number, 0 to 1, not 1.5"},
    {"ood: {tpr: '0.9'}", "ood.tpr: expected a number, 0 to 1, not \"0.9\""},
    {"top_k: 5.0", "top_k: expected an integer, 0 to 100000, not 5.0"},
    {"half: 1", "half: expected true or false, not 1"},
    {"model: 5", "model: expected a string, not 5"},
    {"model: on", "model: expected a string, not true"},
    {"model: [a]", "model: expected a string, not [\"a\"]"},
    {"model:", "model: no value is given"},
    {"model: ~", "model: no value is given"},
    {"ood:", "ood: unknown parameter, did you mean ood.tpr?"},
    {"max_age: .nan", "max_age: expected a number, 0 to 3600, not nan"},
    {"device: gpu", "device: expected a string, auto, cpu, cuda or cuda:N, not \"gpu\""},
    {"cameras: front",
     "cameras: expected a list of strings, distinct names of letters, digits and single "
     "underscores, no digit first, up to 64 long, not \"front\""},
    {"cameras: [1]", "cameras: expected a list of strings, but '1' is none; use quotes"},
    {"cameras: [a, [b]]", "cameras: expected a list of strings, but another is none; use quotes"},
    {"model: !!binary aGVsbG8=",
     "model: tag 'tag:yaml.org,2002:binary', expected none other than !!str"},
  };
  for (const auto & [content, expected] : cases) {
    EXPECT_EQ(parameter_error(content), std::string("FILE: line 3: ") + expected);
  }
  EXPECT_EQ(
    parameter_error("cameras:\n      - front\n      - 5\n"),
    "FILE: line 5: cameras: expected a list of strings, but '5' is none; use quotes");
}

TEST_F(ParameterFile, ThatIsBuiltDifferentlyIsRefused)
{
  const std::pair<const char *, const char *> cases[] = {
    {"model: a\n", "line 1: model: expected ros__parameters above it"},
    {"/**:\n  model: a\n", "line 2: model: expected ros__parameters above it"},
    {"/**:\n", "line 1: /**: expected ros__parameters above it"},
    {"ros__parameters: {model: a}\n",
     "line 1: ros__parameters without the name of a node above it, such as /**"},
    {"/**:\n  ros__parameters: 5\n", "line 2: expected parameters, each as name: value"},
    {"/**:\n  ros__parameters:\n\n\n", "line 2: expected parameters, each as name: value"},
    {"/**:\n  ros__parameters: [a]\n", "line 2: expected parameters, each as name: value"},
    {"- a\n", "line 1: expected names of nodes, then ros__parameters"},
    {"text", "line 1: expected names of nodes, then ros__parameters"},
    {"? [a]\n: {}\n", "line 1: expected a name as key"},
    {"/**: {ros__parameters: {? {a: b} : c}}\n", "line 1: expected a name as key"},
    {"/**: {ros__parameters: {'': c}}\n", "line 1: expected a name as key"},
    {"/**: &a {ros__parameters: {model: x}}\n/*: *a\n",
     "line 2: an alias, which is not taken here"},
    {"{}\n---\n{}\n", "line 2: expected nothing behind the first YAML document"},
    {"/**:\n\x02", "line 2: not valid YAML: not UTF-8 text"},
  };
  for (const auto & [content, expected] : cases) {
    EXPECT_EQ(error(content), std::string("FILE: ") + expected) << content;
  }
}

TEST_F(ParameterFile, ThatIsNotYamlIsRefused)
{
  for (const char * content :
       {",", "]", "/**: }", "[:", "{a:", "/**: {}\n--- [\n", "/**:\n\tros__parameters:\n", "'a",
        "/**: {ros__parameters: {model: \"a}}"}) {
    EXPECT_EQ(error(content).rfind("FILE: line ", 0), 0u) << content << " " << error(content);
  }
  EXPECT_EQ(error(std::string(100000, '[')).rfind("FILE: line ", 0), 0u);
  EXPECT_EQ(error(std::string(2 << 20, '#')), "FILE: larger than 1 MiB, so not a parameter file");
}

TEST_F(ParameterFile, ThatCannotBeReadIsAnError)
{
  for (const char * path : {"/nowhere/parameters.yaml", "/tmp", ""}) {
    try {
      read_parameter_file(path, "/perception");
      FAIL() << path;
    } catch (const FileError & error) {
      EXPECT_EQ(error.what(), std::string(path) + ": cannot be read");
    }
  }
}

TEST_F(ParameterFile, OfThePackageListsEveryParameterOnceWithItsDefault)
{
  const auto found =
    read_parameter_file(std::string(MGPROTO_SOURCE_DIR) + "/config/perception.yaml", "/any/node");

  std::vector<std::string> names;
  std::vector<std::string> expected;
  for (const Assignment & assignment : found) {
    names.push_back(assignment.name);
  }
  for (const Parameter & parameter : parameters()) {
    expected.push_back(parameter.name);
  }
  EXPECT_EQ(names, expected);
  const Settings settings = with_values(Settings(), found, false);
  for (const Parameter & parameter : parameters()) {
    EXPECT_EQ(parameter.get(settings), parameter.get(Settings())) << parameter.name;
  }
}

TEST_F(ParameterFile, OfThePackageIsTypedAsRosDemands)
{
  // ROS refuses an integer where a double is declared, and cannot read an empty list.
  std::ifstream file(std::string(MGPROTO_SOURCE_DIR) + "/config/perception.yaml");
  std::set<std::string> doubles;
  for (const Parameter & parameter : parameters()) {
    if (std::holds_alternative<double>(parameter.get(Settings()))) {
      doubles.insert(parameter.name.substr(parameter.name.rfind('.') + 1));
    }
  }
  for (std::string line; std::getline(file, line);) {
    const auto begin = line.find_first_not_of(' ');
    const auto colon = line.find(": ");
    if (begin == std::string::npos || line[begin] == '#' || colon == std::string::npos) {
      continue;
    }
    const std::string value = line.substr(colon + 2);
    EXPECT_NE(value, "[]") << line;
    if (doubles.count(line.substr(begin, colon - begin)) > 0) {
      EXPECT_NE(value.find('.'), std::string::npos) << line;
    }
  }
}

}  // namespace
}  // namespace mgproto::perception
