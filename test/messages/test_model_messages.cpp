// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// What a node says about its model and about itself.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "messages/diagnostics_messages.hpp"
#include "messages/model_messages.hpp"

namespace mgproto::messages
{
namespace
{

using perception::Diagnosis;
using perception::Level;
using perception::ModelInfo;
using perception::Stamp;

constexpr Stamp kNow{100, 7};

ModelInfo two_birds()
{
  ModelInfo model;
  model.id = "birds@12ab";
  model.path = "/models/birds.safetensors";
  model.version = 3;
  model.manifest.classes = {"finch", "wren"};
  model.manifest.prototype_class = {0, 1, 1};
  model.manifest.prototype_prior = {1.0f, 0.25f, 0.75f};
  return model;
}

TEST(ModelMessages, TheGalleryShowsWhatEachPrototypeStandsFor)
{
  ModelInfo model = two_birds();
  Provenance provenance;
  provenance.image = "train/wren/3.jpg";
  provenance.box = {5, 6, 70, 80};
  provenance.patch = {0xFF, 0xD8, 0xFF};
  model.manifest.prototypes = {std::nullopt, provenance, std::nullopt};

  const auto message = gallery_message(model, kNow);

  EXPECT_EQ(message.header.stamp.sec, 100);
  EXPECT_EQ(message.header.stamp.nanosec, 7u);
  EXPECT_EQ(message.model_id, "birds@12ab");
  ASSERT_EQ(message.prototypes.size(), 3u);
  const auto & wren = message.prototypes[1];
  EXPECT_EQ(wren.prototype, 1);
  EXPECT_EQ(wren.class_id, 1);
  EXPECT_EQ(wren.class_name, "wren");
  EXPECT_EQ(wren.prior, 0.25);
  EXPECT_EQ(wren.source, "train/wren/3.jpg");
  EXPECT_EQ(wren.jpeg, provenance.patch);
  EXPECT_EQ(wren.source_box.x_offset, 5u);
  EXPECT_EQ(wren.source_box.height, 80u);
  EXPECT_EQ(message.prototypes[0].class_name, "finch");
  EXPECT_EQ(message.prototypes[0].source, "");
  EXPECT_TRUE(message.prototypes[2].jpeg.empty());
}

TEST(ModelMessages, AModelBeforeProjectionHasPrototypesWithoutPictures)
{
  const auto message = gallery_message(two_birds(), kNow);
  ASSERT_EQ(message.prototypes.size(), 3u);
  EXPECT_EQ(message.prototypes[2].prior, 0.75);
  EXPECT_EQ(message.prototypes[2].source, "");
}

TEST(ModelMessages, VisionInfoTellsMethodPlaceAndVersion)
{
  const auto message = vision_info_message(two_birds(), kNow);
  EXPECT_EQ(message.header.stamp.sec, 100);
  EXPECT_EQ(message.method, "MGProto");
  EXPECT_EQ(message.database_location, "/models/birds.safetensors");
  EXPECT_EQ(message.database_version, 3);
}

TEST(ModelMessages, LabelInfoNamesEveryClassThatItCanNumber)
{
  ModelInfo model = two_birds();

  const auto message = label_info_message(model, kNow);

  EXPECT_EQ(message.header.stamp.nanosec, 7u);
  EXPECT_EQ(message.threshold, 0);
  ASSERT_EQ(message.class_map.size(), 2u);
  EXPECT_EQ(message.class_map[1].class_id, 1);
  EXPECT_EQ(message.class_map[1].class_name, "wren");
  model.manifest.classes.resize(70000);
  const auto large = label_info_message(model, kNow);
  EXPECT_EQ(large.class_map.size(), 65536u);
  EXPECT_EQ(large.class_map.back().class_id, 65535);
}

TEST(DiagnosticsMessages, EachDiagnosisKeepsItsLevelNameAndNumbers)
{
  const std::vector<Diagnosis> diagnosis{
    {Level::ok, "node", "active", {{"device", "cpu"}, {"memory (MB)", "312.5"}}},
    {Level::warn, "left: recognition", "waiting for the first image", {}},
    {Level::error, "right: recognition", "no image for 30 s", {}},
    {Level::stale, "rear: recognition", "", {}}};

  const auto message = diagnostics_message(diagnosis, "mgproto", kNow);

  EXPECT_EQ(message.header.stamp.sec, 100);
  ASSERT_EQ(message.status.size(), 4u);
  EXPECT_EQ(message.status[0].name, "mgproto: node");
  EXPECT_EQ(message.status[0].message, "active");
  EXPECT_EQ(message.status[0].hardware_id, "mgproto");
  ASSERT_EQ(message.status[0].values.size(), 2u);
  EXPECT_EQ(message.status[0].values[1].key, "memory (MB)");
  EXPECT_EQ(message.status[0].values[1].value, "312.5");
  using diagnostic_msgs::msg::DiagnosticStatus;
  EXPECT_EQ(message.status[0].level, DiagnosticStatus::OK);
  EXPECT_EQ(message.status[1].level, DiagnosticStatus::WARN);
  EXPECT_EQ(message.status[2].level, DiagnosticStatus::ERROR);
  EXPECT_EQ(message.status[3].level, DiagnosticStatus::STALE);
  EXPECT_EQ(message.status[3].name, "mgproto: rear: recognition");
}

}  // namespace
}  // namespace mgproto::messages
