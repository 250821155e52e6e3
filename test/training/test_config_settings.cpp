// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// Covers every setting: that it reaches its member, changes the written config and survives being
// read back, that no member is without a setting, and the values of the preset `paper`.

#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "temporary_directory.hpp"
#include "training/config_file.hpp"
#include "training/config_settings.hpp"

namespace mgproto
{
namespace
{

using Config = TrainingConfig;

Config read(const std::string & content, const std::vector<std::string> & overrides = {})
{
  const test::TemporaryDirectory directory;
  const std::string path = directory / "config.yaml";
  std::ofstream(path, std::ios::binary) << content;
  return read_training_config(path, overrides);
}

struct Change
{
  const char * key;
  const char * value;  // not the default preset's
  bool (*arrived)(const Config & config);
};

#define CHANGE(key, value, member, expected)                                              \
  Change                                                                                  \
  {                                                                                       \
    key, value, [](const Config & c) { return c.member == decltype(c.member)(expected); } \
  }

const Change kChanges[] = {
  CHANGE("seed", "18446744073709551615", seed, 18446744073709551615u),
  CHANGE("threads", "3", threads, 3),
  CHANGE("data.path", "'/data/a b: #1'", data.path, "/data/a b: #1"),
  CHANGE("data.calibration", "calibration", data.calibration, "calibration"),
  CHANGE("data.held_out", "0.25", data.held_out, 0.25),
  CHANGE("data.groups", "'shop[0-9]+'", data.groups, "shop[0-9]+"),
  CHANGE("data.crop_to_boxes", "true", data.crop_to_boxes, true),
  CHANGE("data.balanced", "true", data.balanced, true),
  CHANGE("data.augment", "false", data.augment, false),
  CHANGE("data.shuffle", "false", data.shuffle, false),
  CHANGE("data.strict", "true", data.strict, true),
  CHANGE("data.workers", "7", data.workers, 7),
  CHANGE("data.cache_megabytes", "0", data.cache_megabytes, 0),
  CHANGE("augmentation.views", "8", data.augmentation.views, 8),
  CHANGE("augmentation.perspective", "0.31", data.augmentation.perspective, 0.31),
  CHANGE(
    "augmentation.perspective_probability", "0.32", data.augmentation.perspective_probability,
    0.32),
  CHANGE("augmentation.brightness", "0.33", data.augmentation.brightness, 0.33),
  CHANGE("augmentation.contrast", "0.34", data.augmentation.contrast, 0.34),
  CHANGE("augmentation.saturation", "0.35", data.augmentation.saturation, 0.35),
  CHANGE("augmentation.hue", "0.36", data.augmentation.hue, 0.36),
  CHANGE("augmentation.flip_probability", "0.37", data.augmentation.flip_probability, 0.37),
  CHANGE("augmentation.rotation", "38", data.augmentation.rotation, 38),
  CHANGE("augmentation.shear", "39", data.augmentation.shear, 39),
  CHANGE("augmentation.translation", "0.4", data.augmentation.translation, 0.4),
  CHANGE("augmentation.crop", "false", data.augmentation.crop, false),
  CHANGE("preprocessing.size", "96", network.preprocessing.size, 96),
  CHANGE(
    "preprocessing.mode", "resize_crop", network.preprocessing.mode,
    PreprocessingConfig::Mode::resize_crop),
  CHANGE("preprocessing.shorter_side", "100", network.preprocessing.shorter_side, 100),
  CHANGE(
    "backbone.architecture", "densenet161", network.model.backbone.architecture, "densenet161"),
  CHANGE("backbone.stem_pool", "true", network.model.backbone.stem_pool, true),
  CHANGE("backbone.upsample", "2", network.model.backbone.upsample, 2),
  CHANGE("backbone.map", "dilated", network.model.backbone.map, BackboneConfig::Map::dilated),
  CHANGE("backbone.stride_in_1x1", "true", network.model.backbone.stride_in_1x1, true),
  CHANGE(
    "backbone.stages", "[3, 4, 6, 4]", network.model.backbone.stages, (std::vector{3, 4, 6, 4})),
  CHANGE("backbone.stem", "cifar", network.model.backbone.stem, "cifar"),
  CHANGE("backbone.width", "0.1", network.model.backbone.width, 0.1),
  CHANGE("head.kind", "softmax", network.model.head.kind, "softmax"),
  CHANGE("head.feature_dim", "128", network.model.head.feature_dim, 128),
  CHANGE("head.concentration", "16", network.model.head.concentration, 16),
  CHANGE("head.combine", "product", network.model.head.combine, HeadConfig::Combine::product),
  CHANGE("head.whole", "0.25", network.model.head.whole, 0.25),
  CHANGE("head.whole_dim", "7", network.model.head.whole_dim, 7),
  CHANGE("add_on.init", "whitened", add_on.init, AddOnConfig::Init::whitened),
  CHANGE("add_on.shrinkage", "0.6", add_on.shrinkage, 0.6),
  CHANGE("add_on.views", "4", add_on.views, 4),
  CHANGE("add_on.refit", "true", add_on.refit, true),
  CHANGE("network.prototypes_per_class", "5", network.prototypes_per_class, 5),
  CHANGE("network.estimate_class_priors", "true", network.estimate_class_priors, true),
  CHANGE("network.init", "\"\\tquote\\\" é\\\\\"", network.init, "\tquote\" é\\"),
  CHANGE("mining.weight", "0.11", loss.mining_weight, 0.11),
  CHANGE("mining.levels", "4", loss.mining_levels, 4),
  CHANGE("mining.start", "0.5", loss.mining_start, 0.5),
  CHANGE("aux.weight", "0.12", loss.aux_weight, 0.12),
  CHANGE("aux.embedding", "32", loss.aux_embedding, 32),
  CHANGE("aux.freeze_embedding", "true", loss.aux_freeze_embedding, true),
  CHANGE("aux.margin", "0.13", loss.aux_margin, 0.13),
  CHANGE("aux.alpha", "14", loss.aux_alpha, 14),
  CHANGE("em.memory", "400", em.memory, 400),
  CHANGE("em.start", "1.5", em.start, 1.5),
  CHANGE("em.wait_for_all", "true", em.wait_for_all, true),
  CHANGE("em.loops", "2", em.loops, 2),
  CHANGE("em.optimizer", "closed_form", em.optimizer, EmConfig::Optimizer::closed_form),
  CHANGE("em.learning_rate", "2e-5", em.learning_rate, 2e-5),
  CHANGE("em.smoothing", "0", em.smoothing, 0),
  CHANGE("em.ema", "0.9", em.ema, 0.9),
  CHANGE("em.diversity_weight", "10", em.diversity_weight, 10),
  CHANGE("em.sharpness", "8", em.sharpness, 8),
  CHANGE("schedule.epochs", "11", schedule.epochs, 11),
  CHANGE("schedule.batch", "24", schedule.batch, 24),
  CHANGE("schedule.backbone_rate", "+1.5e-3", schedule.backbone_rate, 1.5e-3),
  CHANGE("schedule.add_on_rate", "1e-300", schedule.add_on_rate, 1e-300),
  CHANGE("schedule.proxy_rate", "0.3", schedule.proxy_rate, 0.3),
  CHANGE("schedule.weight_decay", "5e-4", schedule.weight_decay, 5e-4),
  CHANGE("schedule.decay", "cosine", schedule.decay, ScheduleConfig::Decay::cosine),
  CHANGE("schedule.decay_factor", "0.1", schedule.decay_factor, 0.1),
  CHANGE("schedule.decay_every", "5", schedule.decay_every, 5),
  CHANGE("schedule.decay_at", "[10, 15]", schedule.decay_at, (std::vector{10, 15})),
  CHANGE("schedule.frozen_backbone_epochs", "6", schedule.frozen_backbone_epochs, 6),
  CHANGE("schedule.frozen_statistics", "true", schedule.frozen_statistics, true),
  CHANGE("schedule.clip_gradient", "1e7", schedule.clip_gradient, 1e7),
  CHANGE("schedule.frozen_stages", "3", schedule.frozen_stages, 3),
  CHANGE("schedule.frozen_cache_megabytes", "100", schedule.frozen_cache_megabytes, 100),
  CHANGE("schedule.project_every", "3", schedule.project_every, 3),
  CHANGE("schedule.test_every", "4", schedule.test_every, 4),
  CHANGE("finish.distinct_images", "false", finish.distinct_images, false),
  CHANGE("finish.prune", "[]", finish.prune, std::vector<int>()),
  CHANGE("finish.keep", "3", finish.keep, 3),
  CHANGE("finish.concentration", "2", finish.concentration, 2),
  CHANGE("finish.fit_concentration", "true", finish.fit_concentration, true),
  CHANGE("finish.compare_pruning", "true", finish.compare_pruning, true),
  CHANGE("finish.renormalize", "true", finish.renormalize, true),
  CHANGE("finish.tpr", "0.99", finish.tpr, 0.99),
  CHANGE("finish.criterion", "log_density", finish.criterion, Criterion::log_density),
  CHANGE("finish.baseline", "false", finish.baseline, false),
  CHANGE("checkpoint.every", "0.25", checkpoint_every, 0.25),
  {"data.ood", "{cars: /data/cars, \"a: b\": c}",
   [](const Config & c) {
     return c.data.ood == std::map<std::string, std::string>{{"cars", "/data/cars"}, {"a: b", "c"}};
   }},
  {"augmentation.crop_scale", "[0.1, 0.2]",
   [](const Config & c) {
     return c.data.augmentation.crop_scale == std::array<double, 2>{0.1, 0.2};
   }},
  {"augmentation.crop_ratio", "[1, 1]",
   [](const Config & c) {
     return c.data.augmentation.crop_ratio == std::array<double, 2>{1, 1};
   }},
  {"preprocessing.mean", "[-0.1, 0.2, 0.3]",
   [](const Config & c) {
     return c.network.preprocessing.mean == std::array<float, 3>{-0.1f, 0.2f, 0.3f};
   }},
  {"preprocessing.std", "[0.1, 0.2, 0.3]",
   [](const Config & c) {
     return c.network.preprocessing.std == std::array<float, 3>{0.1f, 0.2f, 0.3f};
   }},
  {"em.init", "random", [](const Config & c) { return c.em.init == EmConfig::Init::random; }},
};

std::vector<std::string> all_overrides()
{
  std::vector<std::string> overrides;
  for (const Change & change : kChanges) {
    overrides.push_back(std::string(change.key) + "=" + change.value);
  }
  return overrides;
}

TEST(ConfigSettings, HaveAChangeEachInThisTest)
{
  std::set<std::string> changed;
  for (const Change & change : kChanges) {
    EXPECT_TRUE(changed.insert(change.key).second) << change.key;
  }
  std::set<std::string> known;
  for (const Setting & setting : settings()) {
    EXPECT_TRUE(known.insert(setting.key).second) << setting.key;
    EXPECT_FALSE(setting.meaning.empty()) << setting.key;
  }
  EXPECT_EQ(changed, known);
}

TEST(ConfigSettings, CoverEveryMember)
{
  // A new member does not compile here until it is named; give it a setting, too.
  const Config c;
  [[maybe_unused]] const auto & [seed, threads, data, network, add_on, loss, em, schedule, finish, every] =
    c;
  [[maybe_unused]] const auto & [d1, d2, d3, d4, d5, d6, d7, d8, augmentation, d10, d11, d12, d13] =
    data;
  [[maybe_unused]] const auto & [a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14] =
    augmentation;
  [[maybe_unused]] const auto & [model, preprocessing, n3, n4, n5] = network;
  [[maybe_unused]] const auto & [p1, p2, p3, p4, p5] = preprocessing;
  [[maybe_unused]] const auto & [backbone, head, fitted, seen] =
    model;  // the last two are no settings
  [[maybe_unused]] const auto & [b1, b2, b3, b4, b5, b6, b7, b8] = backbone;
  [[maybe_unused]] const auto & [h1, h2, h3, h4, h5, h6, taught] = head;  // the last is no setting
  [[maybe_unused]] const auto & [w1, w2, w3, w4] = add_on;
  [[maybe_unused]] const auto & [l1, l2, l3, l4, l5, l6, l7, l8] = loss;
  [[maybe_unused]] const auto & [e1, e2, e3, e4, e5, e6, e7, e8, e9, e10, e11] = em;
  [[maybe_unused]] const auto & [s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15, s16, s17] =
    schedule;
  [[maybe_unused]] const auto & [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10] = finish;
  const std::size_t members = 3 + 12 + 14 + 3 + 5 + 8 + 6 + 4 + 8 + 11 + 17 + 10;
  EXPECT_EQ(settings().size(), members);
}

TEST(ConfigSettings, ChangeTheirMemberAndTheWrittenConfig)
{
  const std::string unchanged = to_yaml(read(""));
  std::set<std::string> texts{unchanged};
  for (const Change & change : kChanges) {
    const Config config = read("", {std::string(change.key) + "=" + change.value});
    EXPECT_FALSE(change.arrived(read(""))) << change.key;
    EXPECT_TRUE(change.arrived(config)) << change.key;
    EXPECT_TRUE(texts.insert(to_yaml(config)).second) << change.key;
  }
}

TEST(ConfigSettings, SurviveBeingWrittenAndRead)
{
  for (const Config & config : {default_preset(), paper_preset()}) {
    EXPECT_EQ(to_yaml(read(to_yaml(config))), to_yaml(config));
  }

  const Config changed = read("", all_overrides());
  const std::string text = to_yaml(changed);
  const Config again = read(text);

  EXPECT_EQ(to_yaml(again), text);
  for (const Change & change : kChanges) {
    EXPECT_TRUE(change.arrived(changed)) << change.key;
    EXPECT_TRUE(change.arrived(again)) << change.key;
  }
}

TEST(ConfigSettings, AreWrittenWithTheirMeaning)
{
  const std::string text = to_yaml(default_preset());
  EXPECT_NE(
    text.find("\nem:\n  memory: 800  # N, features kept of each class\n"), std::string::npos);
  for (const Setting & setting : settings()) {
    EXPECT_NE(text.find("  # " + setting.meaning + "\n"), std::string::npos) << setting.key;
  }
}

TEST(ConfigSettings, AreARowEachOfTheMarkdownTable)
{
  const std::string text = settings_markdown();
  for (const Setting & setting : settings()) {
    EXPECT_NE(text.find("\n| `" + setting.key + "` | "), std::string::npos) << setting.key;
    EXPECT_EQ(setting.meaning.find('|'), std::string::npos) << setting.key;
    EXPECT_EQ(setting.range.find('|'), std::string::npos) << setting.key;
  }
  EXPECT_NE(
    text.find("| `em.smoothing` | number | `0.01` (paper: `0.1`) | at least 0 |"),
    std::string::npos);
  EXPECT_NE(
    text.find("| `head.concentration` | number | `1` | above 0 to 10000 |"), std::string::npos);
}

TEST(ConfigSettings, AreInTheDocsAsTheyAre)
{
  std::ifstream file(std::string(MGPROTO_SOURCE_DIR) + "/docs/training_config.md");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  // Made anew by: mgproto train --settings > docs/training_config.md
  EXPECT_TRUE(text == settings_markdown());
}

TEST(ConfigSettings, OfThePaperAreThePublishedConstants)
{
  const Config c = read("preset: paper");

  // Input, network and head
  EXPECT_EQ(c.network.preprocessing.size, 224);
  EXPECT_EQ(c.network.preprocessing.mode, PreprocessingConfig::Mode::resize);
  EXPECT_EQ(c.network.preprocessing.mean, (std::array<float, 3>{0.485f, 0.456f, 0.406f}));
  EXPECT_EQ(c.network.preprocessing.std, (std::array<float, 3>{0.229f, 0.224f, 0.225f}));
  EXPECT_FALSE(c.network.model.backbone.stem_pool);
  EXPECT_EQ(c.network.model.backbone.upsample, 1);
  EXPECT_EQ(c.network.model.backbone.map, BackboneConfig::Map::last);
  EXPECT_FALSE(c.network.model.backbone.stride_in_1x1);
  EXPECT_TRUE(c.network.model.backbone.stages.empty());
  EXPECT_EQ(c.network.model.backbone.stem, "imagenet");
  EXPECT_EQ(c.network.model.backbone.width, 1);
  EXPECT_EQ(c.network.model.head.feature_dim, 64);
  EXPECT_EQ(c.network.model.head.concentration, 1);
  EXPECT_EQ(c.network.model.head.combine, HeadConfig::Combine::mixture);
  EXPECT_EQ(c.network.model.head.whole, 0);
  EXPECT_EQ(c.add_on.init, AddOnConfig::Init::random);
  EXPECT_EQ(c.network.prototypes_per_class, 10);
  EXPECT_FALSE(c.network.estimate_class_priors);
  // Losses
  EXPECT_EQ(c.loss.mining_weight, 0.2);
  EXPECT_EQ(c.loss.mining_levels, 20);
  EXPECT_EQ(c.loss.aux_weight, 0.5);
  EXPECT_EQ(c.loss.aux_embedding, 0);
  EXPECT_EQ(c.loss.aux_margin, 0.1);
  EXPECT_EQ(c.loss.aux_alpha, 32);
  // Memory and EM
  EXPECT_EQ(c.em.memory, 800);
  EXPECT_FALSE(c.em.wait_for_all);
  EXPECT_EQ(c.em.loops, 3);
  EXPECT_EQ(c.em.smoothing, 0.1);
  EXPECT_EQ(c.em.optimizer, EmConfig::Optimizer::adam);
  EXPECT_EQ(c.em.learning_rate, 3e-3);
  EXPECT_EQ(c.em.ema, 0.99);
  EXPECT_EQ(c.em.diversity_weight, 1);
  EXPECT_EQ(c.em.sharpness, 1);
  EXPECT_EQ(c.em.init, EmConfig::Init::random);
  // Schedule
  EXPECT_EQ(c.schedule.epochs, 120);
  EXPECT_EQ(c.schedule.batch, 80);
  EXPECT_EQ(c.schedule.weight_decay, 1e-4);
  EXPECT_EQ(c.schedule.backbone_rate, 1e-4);
  EXPECT_EQ(c.schedule.add_on_rate, 3e-3);
  EXPECT_EQ(c.schedule.proxy_rate, 100 * 1e-4);
  EXPECT_EQ(c.schedule.decay, ScheduleConfig::Decay::step);
  EXPECT_EQ(c.schedule.decay_factor, 0.4);
  EXPECT_EQ(c.schedule.decay_every, 15);
  EXPECT_TRUE(c.schedule.decay_at.empty());
  EXPECT_EQ(c.schedule.frozen_backbone_epochs, 0);
  EXPECT_EQ(c.schedule.clip_gradient, 0);
  EXPECT_EQ(c.em.start, 35);
  EXPECT_EQ(c.loss.mining_start, 40);
  // Augmentation
  EXPECT_TRUE(c.data.augment);
  EXPECT_EQ(c.data.augmentation.perspective, 0.2);
  EXPECT_EQ(c.data.augmentation.perspective_probability, 0.5);
  EXPECT_EQ(c.data.augmentation.brightness, 0.4);
  EXPECT_EQ(c.data.augmentation.contrast, 0.4);
  EXPECT_EQ(c.data.augmentation.saturation, 0.4);
  EXPECT_EQ(c.data.augmentation.hue, 0.02);
  EXPECT_EQ(c.data.augmentation.flip_probability, 0.5);
  EXPECT_EQ(c.data.augmentation.rotation, 25);
  EXPECT_EQ(c.data.augmentation.shear, 15);
  EXPECT_EQ(c.data.augmentation.translation, 0.05);
  EXPECT_EQ(c.data.augmentation.crop_scale, (std::array<double, 2>{0.6, 1.0}));
  // Projection, pruning, calibration
  EXPECT_TRUE(c.finish.distinct_images);
  EXPECT_EQ(c.finish.keep, 0);
  EXPECT_FALSE(c.finish.renormalize);
  EXPECT_EQ(c.finish.tpr, 0.95);
}

}  // namespace
}  // namespace mgproto
