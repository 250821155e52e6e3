// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// Covers the choice of a preset, the configs of the paper's experiments, overrides, and every error
// of read_training_config(). Not covered: single settings (see test_config_settings.cpp), and
// whether settings fit each other, which is up to their users.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "mgproto_ros/error.hpp"
#include "temporary_directory.hpp"
#include "training/config_file.hpp"

namespace mgproto
{
namespace
{

namespace fs = std::filesystem;

using Config = TrainingConfig;

const fs::path kConfigs = fs::path(MGPROTO_SOURCE_DIR) / "config" / "training";

class ConfigFile : public ::testing::Test
{
protected:
  std::string write(const std::string & content) const
  {
    std::ofstream(path_, std::ios::binary) << content;
    return path_;
  }
  Config read(const std::string & content, const std::vector<std::string> & overrides = {}) const
  {
    return read_training_config(write(content), overrides);
  }
  /// What reading says about a bad setting, with the file's name replaced by FILE.
  std::string config_error(
    const std::string & content, const std::vector<std::string> & overrides = {}) const
  {
    return error<ConfigError>(content, overrides);
  }
  std::string file_error(const std::string & content) const
  {
    return error<FileError>(content, {});
  }

private:
  template <typename Expected>
  std::string error(const std::string & content, const std::vector<std::string> & overrides) const
  {
    try {
      read(content, overrides);
    } catch (const Expected & e) {
      std::string what = e.what();
      EXPECT_EQ(what.find('\n'), std::string::npos) << what;
      const auto at = what.find(path_);
      return at == std::string::npos ? what : what.replace(at, path_.size(), "FILE");
    }
    return "no error";
  }

  test::TemporaryDirectory directory_;
  std::string path_ = directory_ / "config.yaml";
};

TEST_F(ConfigFile, ThatIsEmptyGivesTheDefaultPreset)
{
  for (const char * content : {"", "\n# nothing\n", "---\n", "em:\n", "preset: default\n"}) {
    EXPECT_EQ(to_yaml(read(content)), to_yaml(default_preset())) << content;
  }
}

TEST_F(ConfigFile, StartsFromItsPresetWhereverItNamesIt)
{
  const Config config = read("em: {memory: 5}\npreset: paper\n");
  EXPECT_EQ(config.em.memory, 5);
  EXPECT_EQ(config.em.sharpness, paper_preset().em.sharpness);
  EXPECT_NE(to_yaml(paper_preset()), to_yaml(default_preset()));
}

TEST_F(ConfigFile, OfEachExperimentInThePaperIsRead)
{
  int count = 0;
  for (const auto & entry : fs::directory_iterator(kConfigs)) {
    if (entry.path().extension() == ".yaml") {
      EXPECT_NO_THROW(read_training_config(entry.path().string(), {})) << entry.path();
      ++count;
    }
  }
  EXPECT_GE(count, 11);

  const auto experiment = [](const std::string & name) {
    return read_training_config((kConfigs / (name + ".yaml")).string(), {});
  };
  for (const char * backbone :
       {"vgg16", "vgg19", "resnet34", "resnet50", "resnet152", "densenet121", "densenet161"}) {
    const Config config = experiment(std::string("cub_") + backbone);
    EXPECT_EQ(config.network.model.backbone.architecture, backbone);
    EXPECT_EQ(config.em.memory, 800);
    EXPECT_EQ(config.em.smoothing, 0.1);
  }
  const Config inaturalist = experiment("cub_resnet50");
  EXPECT_EQ(inaturalist.network.model.backbone.stages, (std::vector{3, 4, 6, 4}));
  EXPECT_EQ(inaturalist.em.start, 10);
  EXPECT_EQ(inaturalist.loss.mining_start, 10);
  EXPECT_EQ(inaturalist.schedule.decay_at, (std::vector{10, 15, 20, 25, 30}));
  EXPECT_EQ(experiment("cars_resnet50").em.memory, 1000);
  EXPECT_EQ(experiment("pets_resnet50").em.memory, 2000);
  const Config dogs = experiment("dogs_resnet34");
  EXPECT_EQ(dogs.em.memory, 2000);
  EXPECT_EQ(dogs.em.learning_rate, 3e-4);
  EXPECT_EQ(dogs.schedule.backbone_rate, 1e-5);
  EXPECT_DOUBLE_EQ(dogs.schedule.proxy_rate, 100 * dogs.schedule.backbone_rate);
  const Config cifar = experiment("cifar10_resnet18");
  EXPECT_EQ(cifar.network.preprocessing.size, 32);
  EXPECT_EQ(cifar.network.model.backbone.stem, "cifar");
}

TEST_F(ConfigFile, IsOverriddenInOrder)
{
  const Config config = read(
    "data: {path: a, calibration: b, ood: {cars: x, pets: y}}\nem: {memory: 1}",
    {"em.memory=2", "em.memory=3", "preset=paper", "data.calibration=", "data.ood.cars=z",
     "data.ood.v1.0=w", "backbone={width: 0.5, stages: [1, 1, 1, 1]}"});

  EXPECT_EQ(config.em.memory, 3);
  EXPECT_EQ(config.em.sharpness, paper_preset().em.sharpness);
  EXPECT_EQ(config.data.path, "a");
  EXPECT_EQ(config.data.calibration, "");
  EXPECT_EQ(
    config.data.ood,
    (std::map<std::string, std::string>{{"cars", "z"}, {"pets", "y"}, {"v1.0", "w"}}));
  EXPECT_EQ(config.network.model.backbone.width, 0.5);
  EXPECT_EQ(config.network.model.backbone.stages.size(), 4u);
  EXPECT_TRUE(read("data: {ood: {cars: x}}", {"data.ood={}"}).data.ood.empty());
}

TEST_F(ConfigFile, WithAnUnknownKeyIsRefusedWithTheNearestKnownOne)
{
  EXPECT_EQ(
    config_error("seed: 2\nem:\n  memry: 5\n"),
    "em.memry: unknown key, did you mean em.memory? (FILE, line 3)");
  const std::pair<const char *, const char *> guesses[] = {
    {"learning_rate", "em.learning_rate"},
    {"em.batch", "schedule.batch"},
    {"em.optimiser", "em.optimizer"},
    {"backbone.arch", "backbone.architecture"},
    {"presets", "preset"},
    {"data.ood_sets", "data.ood"}};
  for (const auto & [wrong, right] : guesses) {
    EXPECT_EQ(
      config_error(std::string(wrong) + ": 1"),
      std::string(wrong) + ": unknown key, did you mean " + right + "? (FILE, line 1)");
  }
  EXPECT_NE(config_error("\"a\\nb\": 1").find("a?b: unknown key"), std::string::npos);
  EXPECT_NE(config_error("<<: {seed: 1}").find("<<: unknown key"), std::string::npos);
}

TEST_F(ConfigFile, WithAWrongTypeOrValueIsRefused)
{
  const std::pair<const char *, const char *> cases[] = {
    {"em: {memory: abc}", "em.memory: expected an integer, 1 to 1000000, not 'abc'"},
    {"em: {memory: 0}", "em.memory: expected an integer, 1 to 1000000, not '0'"},
    {"em: {memory: 1000001}", "em.memory: expected an integer, 1 to 1000000, not '1000001'"},
    {"em: {memory: 99999999999}",
     "em.memory: expected an integer, 1 to 1000000, not '99999999999'"},
    {"em: {memory: 80.0}", "em.memory: expected an integer, 1 to 1000000, not '80.0'"},
    {"em: {memory: '80'}", "em.memory: expected an integer, 1 to 1000000, not '80'"},
    {"em: {memory: }", "em.memory: expected an integer, 1 to 1000000, not an empty value"},
    {"em: {memory: [1]}", "em.memory: expected an integer, 1 to 1000000, not the list '[1]'"},
    {"em: {memory: {a: 1}}", "em.memory: expected an integer, 1 to 1000000, not a map"},
    {"seed: -1", "seed: expected an integer, at least 0, not '-1'"},
    {"em: {smoothing: -0.1}", "em.smoothing: expected a number, at least 0, not '-0.1'"},
    {"em: {smoothing: nan}", "em.smoothing: expected a number, at least 0, not 'nan'"},
    {"em: {smoothing: .inf}", "em.smoothing: expected a number, at least 0, not '.inf'"},
    {"em: {smoothing: 1e999}", "em.smoothing: expected a number, at least 0, not '1e999'"},
    {"em: {smoothing: '0,1'}", "em.smoothing: expected a number, at least 0, not '0,1'"},
    {"head: {concentration: 0}",
     "head.concentration: expected a number, above 0 to 10000, not '0'"},
    {"data: {held_out: 1}", "data.held_out: expected a number, 0 to below 1, not '1'"},
    {"data: {augment: yes}", "data.augment: expected true or false, not 'yes'"},
    {"data: {path: [a]}", "data.path: expected a path, not the list '[a]'"},
    {"data: {ood: [a, b]}", "data.ood: expected a map of names to paths, not the list '[a, b]'"},
    {"data: {ood: {a: {b: c}}}", "data.ood: expected a map of names to paths, not a map"},
    {"data: {ood: {a: }}", "data.ood: expected a map of names to paths, not a map"},
    {"data: {ood: {a: x, a: y}}", "data.ood: expected a map of names to paths, not a map"},
    {"em: {optimizer: Adam}", "em.optimizer: expected one of adam, sgd, closed_form, not 'Adam'"},
    {"em: {init: [random]}", "em.init: expected one of random, kmeans++, not the list '[random]'"},
    {"backbone: {stem: vit}", "backbone.stem: expected one of imagenet, cifar, not 'vit'"},
    {"backbone: {stages: [3, 4]}",
     "backbone.stages: expected a list of integers, 1 to 64, none or 4 of them, not the list '[3, "
     "4]'"},
    {"schedule: {decay_at: [3, x]}",
     "schedule.decay_at: expected a list of integers, 0 to 1000000, rising, not the list '[3, x]'"},
    {"schedule: {decay_at: 30}",
     "schedule.decay_at: expected a list of integers, 0 to 1000000, rising, not '30'"},
    {"augmentation: {crop_scale: [1, 0.5]}",
     "augmentation.crop_scale: expected a list of 2 numbers, above 0 to 1, rising, not the list "
     "'[1, 0.5]'"},
    {"preprocessing: {std: [1, 1]}",
     "preprocessing.std: expected a list of 3 numbers, above 0, not the list '[1, 1]'"},
    {"preset: papers", "preset: expected one of paper, default, closed_form, not 'papers'"},
    {"preset: {a: 1}", "preset: expected one of paper, default, closed_form, not a map"},
    {"em: 5", "em: expected a map of settings, not '5'"},
    {"em: [memory]", "em: expected a map of settings, not the list '[memory]'"},
    {"? [a]\n: 1", "?: expected a name as key"},
  };
  for (const auto & [content, expected] : cases) {
    EXPECT_EQ(config_error(content), std::string(expected) + " (FILE, line 1)");
  }
  EXPECT_NE(
    config_error("em: {memory: " + std::string(5000, 'x') + "}").find("xxx...' (FILE"),
    std::string::npos);
}

TEST_F(ConfigFile, WithAKeyTwiceIsRefused)
{
  EXPECT_EQ(
    config_error("em:\n  memory: 5\n  loops: 2\n  memory: 6\n"),
    "em.memory: given twice, first in line 2 (FILE, line 4)");
  EXPECT_EQ(
    config_error("em:\n  memory: 5\nem:\n  loops: 6\n"),
    "em: given twice, first in line 1 (FILE, line 3)");
  EXPECT_EQ(
    config_error("preset: paper\npreset: paper\n"),
    "preset: given twice, first in line 1 (FILE, line 2)");
}

TEST_F(ConfigFile, ThatIsNotYamlIsRefused)
{
  EXPECT_EQ(file_error("seed: 1\nem: [1, 2\n").rfind("FILE: line ", 0), 0u);
  EXPECT_EQ(
    file_error("seed: 1\nem:\n\tloops: 1\n").rfind("FILE: line 3: not valid YAML: ", 0), 0u);
  EXPECT_EQ(
    file_error("seed: 1\ndata: {path: \xC3(}\n"), "FILE: line 2: not valid YAML: not UTF-8 text");
  EXPECT_EQ(file_error(std::string("a\0b", 3)), "FILE: line 1: not valid YAML: not UTF-8 text");
  EXPECT_EQ(
    file_error("seed: 1\n---\nseed: 2\n"),
    "FILE: line 2: expected nothing behind the first YAML document");
  EXPECT_EQ(
    file_error("- seed\n"),
    "FILE: not a config: expected a map of settings, not the list '[seed]'");
  EXPECT_EQ(file_error("seed"), "FILE: not a config: expected a map of settings, not 'seed'");
  for (const char * content : {",", "]", "seed: 1\n}", "[:", "{seed:", "seed: 1\n--- [\n"}) {
    EXPECT_EQ(file_error(content).rfind("FILE: line ", 0), 0u) << content;
  }
  EXPECT_NE(file_error(std::string(100000, '[')).find("not valid YAML"), std::string::npos);
  EXPECT_EQ(file_error(std::string(2 << 20, '#')), "FILE: larger than 1 MiB, so not a config");
}

TEST_F(ConfigFile, ThatCannotBeReadIsAnError)
{
  for (const char * path : {"/nowhere/config.yaml", "/tmp", ""}) {
    try {
      read_training_config(path, {});
      FAIL() << path;
    } catch (const FileError & error) {
      EXPECT_EQ(error.what(), std::string(path) + ": cannot be read");
    }
  }
}

TEST_F(ConfigFile, WithABadOverrideNamesTheOverride)
{
  const std::pair<const char *, const char *> cases[] = {
    {"em.memory", "em.memory: expected key=value"},
    {"=5", ": expected key=value"},
    {"em.memory=x", "em.memory: expected an integer, 1 to 1000000, not 'x'"},
    {"em.memry=5", "em.memry: unknown key, did you mean em.memory?"},
    {"em={memory: 1, memory: 2}", "em.memory: given twice"},
    {"em.memory=[1", "em.memory: not valid YAML: end of sequence flow not found"},
    {"em.memory=\xFF", "em.memory: not valid YAML: not UTF-8 text"},
    {"data.ood.\xFF=a", "data.ood.\xFF: not UTF-8 text"},
    {"data.ood.a=[b]", "data.ood.a: expected a path, not the list '[b]'"},
    {"data.ood.a=", "data.ood.a: expected a path, not an empty value"},
    {"data.ood.=x", "data.ood.: unknown key, did you mean data.ood?"},
    {"preset=mine", "preset: expected one of paper, default, closed_form, not 'mine'"},
  };
  for (const auto & [text, expected] : cases) {
    EXPECT_EQ(
      config_error("seed: 1", {"seed=2", text}),
      std::string(expected) + " (override '" + text + "')");
  }
}

TEST_F(ConfigFile, ErrorsCarryTheKey)
{
  try {
    read("em: {memory: 0}");
    FAIL();
  } catch (const ConfigError & error) {
    EXPECT_EQ(error.key(), "em.memory");
  }
}

}  // namespace
}  // namespace mgproto
