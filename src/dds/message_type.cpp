// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "dds/message_type.hpp"

#include <algorithm>
#include <builtin_interfaces/msg/duration.hpp>
#include <builtin_interfaces/msg/time.hpp>
#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <mgproto_ros/msg/album.hpp>
#include <mgproto_ros/msg/evidence_maps.hpp>
#include <mgproto_ros/msg/ood_flag.hpp>
#include <mgproto_ros/msg/prediction.hpp>
#include <mgproto_ros/msg/prototype_gallery.hpp>
#include <mgproto_ros/msg/teach_answer.hpp>
#include <mgproto_ros/msg/teach_request.hpp>
#ifdef MGPROTO_NAV2_MSGS
#include <nav2_msgs/msg/speed_limit.hpp>
#endif
#include <new>
#include <rmw_dds_common/msg/participant_entities_info.hpp>
#include <sensor_msgs/msg/camera_info.hpp>
#include <sensor_msgs/msg/compressed_image.hpp>
#include <sensor_msgs/msg/image.hpp>
#include <sensor_msgs/msg/region_of_interest.hpp>
#include <std_msgs/msg/bool.hpp>
#include <std_msgs/msg/header.hpp>
#include <std_msgs/msg/string.hpp>
#include <vision_msgs/msg/classification.hpp>
#include <vision_msgs/msg/detection2_d_array.hpp>
#include <vision_msgs/msg/detection3_d_array.hpp>
#include <vision_msgs/msg/label_info.hpp>
#include <vision_msgs/msg/vision_info.hpp>
#include <visualization_msgs/msg/marker_array.hpp>

#include "dds/message_field.hpp"
#include "dds/type_hash.hpp"

namespace mgproto::dds
{
namespace
{

/// sensor_msgs::msg and Image give sensor_msgs::msg::dds_::Image_
std::string dds_name_of(const MessageMembers & members)
{
  return std::string(members.message_namespace_) + "::dds_::" + members.message_name_ + "_";
}

template <class... Messages>
std::vector<const MessageType *> types_of()
{
  std::vector<const MessageType *> types{&message_type<Messages>()...};
  std::sort(types.begin(), types.end(), [](const MessageType * a, const MessageType * b) {
    return a->name() < b->name();
  });
  return types;
}

}  // namespace

MessageType::MessageType(const rosidl_message_type_support_t & support)
: members_(*static_cast<const MessageMembers *>(support.data)),
  name_(message_name(members_)),
  dds_name_(dds_name_of(members_)),
  hash_(type_hash(members_))
{
}

const std::vector<const MessageType *> & message_types()
{
  static const auto types = types_of<
    builtin_interfaces::msg::Duration, builtin_interfaces::msg::Time,
    diagnostic_msgs::msg::DiagnosticArray, diagnostic_msgs::msg::DiagnosticStatus,
    mgproto_ros::msg::EvidenceMaps, mgproto_ros::msg::OodFlag, mgproto_ros::msg::Prediction,
    mgproto_ros::msg::PrototypeGallery, mgproto_ros::msg::Album, mgproto_ros::msg::TeachRequest,
    mgproto_ros::msg::TeachAnswer,
#ifdef MGPROTO_NAV2_MSGS
    nav2_msgs::msg::SpeedLimit,
#endif
    rmw_dds_common::msg::ParticipantEntitiesInfo, sensor_msgs::msg::CameraInfo,
    sensor_msgs::msg::CompressedImage, sensor_msgs::msg::Image, sensor_msgs::msg::RegionOfInterest,
    std_msgs::msg::Bool, std_msgs::msg::Header, std_msgs::msg::String,
    vision_msgs::msg::Classification, vision_msgs::msg::Detection2D,
    vision_msgs::msg::Detection2DArray, vision_msgs::msg::Detection3D,
    vision_msgs::msg::Detection3DArray, vision_msgs::msg::LabelInfo, vision_msgs::msg::VisionInfo,
    visualization_msgs::msg::Marker, visualization_msgs::msg::MarkerArray>();
  return types;
}

const MessageType * find_message_type(const std::string & ros_or_dds_name)
{
  for (const MessageType * type : message_types()) {
    if (type->name() == ros_or_dds_name || type->dds_name() == ros_or_dds_name) {
      return type;
    }
  }
  return nullptr;
}

AnyMessage::AnyMessage(const MessageType & type) : type_(&type), data_(nullptr, Destroy{&type})
{
  const MessageMembers & members = type.members();
  void * const memory = ::operator new(members.size_of_);
  try {
    members.init_function(memory, rosidl_runtime_cpp::MessageInitialization::ALL);
  } catch (...) {
    ::operator delete(memory);
    throw;
  }
  data_.reset(memory);
}

void AnyMessage::Destroy::operator()(void * message) const
{
  type->members().fini_function(message);
  ::operator delete(message);
}

}  // namespace mgproto::dds
