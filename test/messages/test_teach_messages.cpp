// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <mgproto_ros/msg/teach_request.hpp>

#include "messages/teach_messages.hpp"

namespace mgproto::messages
{
namespace
{

TEST(TeachMessages, AnAlbumSaysWhatWasNotKnownAndWhatWasTaught)
{
  perception::AlbumImage image;
  image.id = 7;
  image.group = 2;
  image.camera = "front";
  image.header = {{12, 500}, "front_optical"};
  image.region = {1, 2, 30, 40};
  image.detection_id = "d";
  image.nearest_class = "wren";
  image.reason = "unlike anything";
  image.jpeg = {1, 2, 3};
  image.thumbnail = {4, 5};
  perception::AlbumState album;
  album.images = {std::make_shared<const perception::AlbumImage>(image)};
  album.problem = "the model keeps no images";
  album.taught = {"cup"};
  album.can_undo = true;

  const auto message = album_message(album, "birds@12ab", {100, 7});

  EXPECT_EQ(message.header.stamp.sec, 100);
  EXPECT_EQ(message.model_id, "birds@12ab");
  EXPECT_EQ(message.problem, "the model keeps no images");
  EXPECT_EQ(message.taught, std::vector<std::string>{"cup"});
  EXPECT_TRUE(message.can_undo);
  ASSERT_EQ(message.images.size(), 1u);
  const auto & one = message.images[0];
  EXPECT_EQ(one.id, 7u);
  EXPECT_EQ(one.group, 2u);
  EXPECT_EQ(one.camera, "front");
  EXPECT_EQ(one.header.stamp.nanosec, 500u);
  EXPECT_EQ(one.header.frame_id, "front_optical");
  EXPECT_EQ(one.region.width, 30u);
  EXPECT_EQ(one.detection_id, "d");
  EXPECT_EQ(one.nearest_class, "wren");
  EXPECT_EQ(one.reason, "unlike anything");
  EXPECT_EQ(one.jpeg, image.thumbnail) << "small enough to be sent often";
}

TEST(TeachMessages, ARequestIsReadWithinWhatCanBe)
{
  mgproto_ros::msg::TeachRequest message;
  message.name = "cup";
  message.camera = "front";
  message.region.x_offset = std::numeric_limits<std::uint32_t>::max();
  message.region.width = std::numeric_limits<std::uint32_t>::max();
  message.region.height = 5;

  const perception::TeachRequest request = read_teach_request(message);

  EXPECT_EQ(request.name, "cup");
  EXPECT_EQ(request.camera, "front");
  EXPECT_TRUE(request.album_ids.empty());
  EXPECT_EQ(request.images, 1u) << "0 is one";
  EXPECT_EQ(request.box, (Box{perception::kMaxSide, 0, perception::kMaxSide, 5}));
  message.images = 9;
  message.album_ids = {3, 4};
  EXPECT_EQ(read_teach_request(message).images, 9u);
  EXPECT_EQ(read_teach_request(message).album_ids, (std::vector<std::uint32_t>{3, 4}));
}

}  // namespace
}  // namespace mgproto::messages
