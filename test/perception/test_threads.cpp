// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// What several threads of a node share, under ThreadSanitizer.

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "mgproto_ros/error.hpp"
#include "perception/album.hpp"
#include "perception/command_thread.hpp"
#include "perception/depth_images.hpp"
#include "perception/depth_store.hpp"

namespace mgproto::perception
{
namespace
{

TEST(Threads, AnAlbumIsFilledReadTaughtByAndClearedAtOnce)
{
  Album album;
  std::atomic<bool> stop{false};
  std::thread worker([&] {
    for (int i = 0; !stop; ++i) {
      AlbumImage image;
      image.descriptor.assign(16, 0);
      image.descriptor[i % 16] = 1;
      album.is_new(image.descriptor);
      album.add(std::move(image), 50);
    }
  });
  std::thread publisher([&] {
    std::uint64_t told = 0;
    while (!stop) {
      if (album.version() != told) {
        told = album.version();
        for (const Album::Image & image : album.images()) {
          EXPECT_GT(image->group, 0u);
        }
      }
    }
  });

  int removed = 0;
  for (int i = 0; removed < 200; ++i) {
    const std::vector<Album::Image> images = album.images();
    if (images.size() > 2) {
      const std::vector<std::uint32_t> ids{images[0]->id, images[1]->id};
      try {
        EXPECT_EQ(album.find(ids).size(), 2u);
        album.remove(ids);
        ++removed;
      } catch (const ConfigError &) {  // have left it meanwhile
      }
    }
    if (i % 100 == 0) {
      album.clear();
    }
  }
  stop = true;
  worker.join();
  publisher.join();
  EXPECT_LE(album.images().size(), 50u);
}

TEST(Threads, CommandsAreDoneOneAfterTheOtherOrRefused)
{
  std::atomic<int> asked{0}, done{0};
  int at_once = 0;  // only the command thread touches it
  {
    CommandThread commands;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 500; ++i) {
          asked += commands.run([&] {
            EXPECT_EQ(++at_once, 1);
            --at_once;
            ++done;
          });
        }
      });
    }
    for (std::thread & thread : threads) {
      thread.join();
    }
    EXPECT_GT(asked, 0);
  }
  EXPECT_LE(done, asked);
  EXPECT_GE(done + static_cast<int>(CommandThread::kMostWaiting), asked);
}

TEST(Threads, DepthImagesComeWhileTheyAreLookedFor)
{
  DepthStore store(1);
  std::thread writer([&] {
    for (int i = 0; i < 2000; ++i) {
      store.add(0, {{{i, 0}, ""}, test::wall(4, 4, 1)});
      store.set_intrinsics(0, test::some_camera());
    }
  });
  for (int i = 0; i < 2000; ++i) {
    if (const auto depth = store.nearest(0, {i, 0}, 10)) {
      ASSERT_TRUE(depth->image.owner);
    }
    store.intrinsics(0);
  }
  writer.join();
}

}  // namespace
}  // namespace mgproto::perception
