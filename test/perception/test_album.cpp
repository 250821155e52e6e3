// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "mgproto_ros/error.hpp"
#include "perception/album.hpp"
#include "perception/album_files.hpp"
#include "temporary_directory.hpp"

namespace mgproto::perception
{
namespace
{

namespace fs = std::filesystem;

/// Of a kind of thing, `angle` away from it in radians.
AlbumImage image_of(int kind, double angle = 0, int sec = 0)
{
  AlbumImage image;
  image.header.stamp.sec = sec;
  image.descriptor.assign(8, 0);
  image.descriptor[kind] = static_cast<float>(std::cos(angle));
  image.descriptor[7] = static_cast<float>(std::sin(angle));
  image.jpeg = {1, 2, 3};
  return image;
}

std::vector<std::uint32_t> ids_of(const Album & album)
{
  std::vector<std::uint32_t> ids;
  for (const Album::Image & image : album.images()) {
    ids.push_back(image->id);
  }
  return ids;
}

TEST(Album, KeepsTheNewestAndNeverGivesAnIdTwice)
{
  Album album;
  for (int i = 0; i < 5; ++i) {
    album.add(image_of(i), 3);
  }
  EXPECT_EQ(ids_of(album), (std::vector<std::uint32_t>{3, 4, 5}));

  album.remove({4, 99});
  EXPECT_EQ(ids_of(album), (std::vector<std::uint32_t>{3, 5}));
  album.clear();
  EXPECT_EQ(album.add(image_of(0), 3)->id, 6u);
}

TEST(Album, AThingThatStandsBeforeACameraIsNotNewTwice)
{
  Album album;
  EXPECT_TRUE(album.is_new(image_of(0).descriptor));
  album.add(image_of(0), 10);

  EXPECT_FALSE(album.is_new(image_of(0, 0.1).descriptor));
  EXPECT_TRUE(album.is_new(image_of(0, 1.0).descriptor));
  EXPECT_TRUE(album.is_new(image_of(1).descriptor));
}

TEST(Album, WhatLooksAlikeIsOneGroup)
{
  Album album;
  const auto a = album.add(image_of(0), 10);
  const auto b = album.add(image_of(1), 10);
  const auto again = album.add(image_of(0, 0.8), 10);

  EXPECT_EQ(a->group, again->group);
  EXPECT_NE(a->group, b->group);
  album.clear();
  EXPECT_GT(album.add(image_of(0), 10)->group, b->group) << "the group of something forgotten";
}

TEST(Album, DescriptorsOfAnotherModelAreLikeNothing)
{
  Album album;
  const auto a = album.add(image_of(0), 10);
  AlbumImage other = image_of(0);
  other.descriptor.push_back(0);

  EXPECT_TRUE(album.is_new(other.descriptor));
  EXPECT_NE(album.add(other, 10)->group, a->group);
}

TEST(Album, FindsWhatIsThereAndRefusesWhatIsNot)
{
  Album album;
  album.add(image_of(0), 10);
  album.add(image_of(1), 10);

  EXPECT_EQ(album.find({2, 1}).front()->id, 2u);
  EXPECT_THROW(album.find({1, 3}), ConfigError);
  EXPECT_THROW(album.find({1, 1}), ConfigError);
}

TEST(Album, EveryChangeIsANewVersion)
{
  Album album;
  std::set<std::uint64_t> versions{album.version()};
  album.add(image_of(0), 10);
  versions.insert(album.version());
  album.remove({1});
  versions.insert(album.version());
  album.clear();
  versions.insert(album.version());

  EXPECT_EQ(versions.size(), 4u);
}

TEST(AlbumFiles, KeepTheNewestWithWhatIsKnownOfThem)
{
  const mgproto::test::TemporaryDirectory directory;
  const std::string below = directory / "a/b";
  AlbumFiles files(below);
  std::ofstream(below + "/mine.jpg") << "not the album's";
  for (int i = 1; i <= 5; ++i) {
    AlbumImage image = image_of(0, 0, i);
    image.id = i;
    image.camera = "front";
    image.nearest_class = "jay\xff";  // not UTF-8
    files.keep(image, 2);
  }

  std::set<std::string> names;
  for (const auto & entry : fs::directory_iterator(below)) {
    names.insert(entry.path().filename());
  }
  EXPECT_EQ(
    names,
    (std::set<std::string>{
      "mine.jpg", "unknown_0000000004_000000000_front_4.jpg",
      "unknown_0000000004_000000000_front_4.json", "unknown_0000000005_000000000_front_5.jpg",
      "unknown_0000000005_000000000_front_5.json"}));
  std::ifstream file(below + "/unknown_0000000005_000000000_front_5.json");
  const nlohmann::json json = nlohmann::json::parse(file);
  EXPECT_EQ(json["stamp"]["sec"], 5);
  EXPECT_EQ(json["camera"], "front");
}

TEST(AlbumFiles, ADirectoryThatCannotBeMadeIsRefused)
{
  const mgproto::test::TemporaryDirectory directory;
  std::ofstream(directory / "file") << "x";

  EXPECT_THROW(AlbumFiles(directory / "file/below"), FileError);
}

}  // namespace
}  // namespace mgproto::perception
