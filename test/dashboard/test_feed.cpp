// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// What the dashboard hears of other nodes, over real DDS.

#include <gtest/gtest.h>

#include <algorithm>
#include <mgproto_ros/msg/prediction.hpp>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "contains.hpp"
#include "dashboard/server.hpp"
#include "dashboard/viewers.hpp"
#include "dds/conversation.hpp"
#include "dds/dashboard_feed.hpp"

namespace mgproto::dds
{
namespace
{

using mgproto_ros::msg::Prediction;

TEST(DashboardFeed, ShowsTheOthersIfATopicHasATypeThatItAlreadyUsesOtherwise)
{
  Node node(test::named("dashboard"));
  dashboard::Server::Options any_port;
  any_port.port = 0;
  dashboard::Server server(any_port);
  std::mutex mutex;
  std::vector<std::string> log;
  const DashboardFeed feed(node, server, [&](perception::LogLevel, const std::string & line) {
    const std::lock_guard lock(mutex);
    log.push_back(line);
  });
  const auto lines_of = [&](const std::string & topic) {
    const std::lock_guard lock(mutex);
    return std::count_if(log.begin(), log.end(), [&](const std::string & line) {
      return contains(line, "not shown: " + topic + ": ");
    });
  };

  Node peer(test::named("peer"));
  const auto wrong = peer.create_publisher<Prediction>("/diagnostics", test::reliable);
  auto right = peer.create_publisher<Prediction>("/front/output/prediction", test::reliable);
  ASSERT_TRUE(test::eventually([&] { return lines_of("/diagnostics") == 1; }));
  const dashboard::Viewer viewer(server.port());
  ASSERT_TRUE(test::eventually([&] {
    right.publish(Prediction());
    const auto all = viewer.news();
    return std::any_of(all.begin(), all.end(), [](const nlohmann::json & news) {
      return !news["cameras"].empty() && news["cameras"][0].contains("prediction");
    });
  }));
  EXPECT_EQ(lines_of("/diagnostics"), 1);  // though it was tried again
}

}  // namespace
}  // namespace mgproto::dds
