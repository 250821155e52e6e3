// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/model_messages.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "messages/header.hpp"
#include "messages/region_of_interest.hpp"

namespace mgproto::messages
{

mgproto_ros::msg::PrototypeGallery gallery_message(
  const perception::ModelInfo & model, const perception::Stamp & now)
{
  const Manifest & manifest = model.manifest;
  mgproto_ros::msg::PrototypeGallery message;
  message.header.stamp = time_message(now);
  message.model_id = model.id;
  for (std::size_t k = 0; k < manifest.prototype_class.size(); ++k) {
    mgproto_ros::msg::GalleryPrototype prototype;
    prototype.prototype = static_cast<std::int32_t>(k);
    prototype.class_id = manifest.prototype_class[k];
    prototype.class_name = manifest.classes.at(manifest.prototype_class[k]);
    prototype.prior = manifest.prototype_prior.at(k);
    if (k < manifest.prototypes.size() && manifest.prototypes[k]) {
      const Provenance & provenance = *manifest.prototypes[k];
      prototype.jpeg = provenance.patch;
      prototype.source = provenance.image;
      prototype.source_box = region_message(provenance.box);
    }
    message.prototypes.push_back(std::move(prototype));
  }
  return message;
}

vision_msgs::msg::VisionInfo vision_info_message(
  const perception::ModelInfo & model, const perception::Stamp & now)
{
  vision_msgs::msg::VisionInfo message;
  message.header.stamp = time_message(now);
  message.method = "MGProto";
  message.database_location = model.path;
  message.database_version = model.version;
  return message;
}

vision_msgs::msg::LabelInfo label_info_message(
  const perception::ModelInfo & model, const perception::Stamp & now)
{
  constexpr std::size_t kMaxClasses = std::numeric_limits<std::uint16_t>::max() + 1;
  vision_msgs::msg::LabelInfo message;
  message.header.stamp = time_message(now);
  message.threshold = 0;
  const std::size_t count = std::min(model.manifest.classes.size(), kMaxClasses);
  for (std::size_t c = 0; c < count; ++c) {
    vision_msgs::msg::VisionClass entry;
    entry.class_id = static_cast<std::uint16_t>(c);
    entry.class_name = model.manifest.classes[c];
    message.class_map.push_back(std::move(entry));
  }
  return message;
}

}  // namespace mgproto::messages
