// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DDS__DASHBOARD_FEED_HPP_
#define DDS__DASHBOARD_FEED_HPP_

#include <condition_variable>
#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <functional>
#include <map>
#include <mgproto_ros/msg/teach_request.hpp>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "dashboard/server.hpp"
#include "dds/log.hpp"
#include "dds/node.hpp"

namespace mgproto::dds
{

/// Shows on a dashboard whatever perception nodes of the domain say, of this host's kind or ROS 2's.
/// Finds them by the types of their topics, whenever they come.
class DashboardFeed
{
public:
  /// Both must outlive it.
  DashboardFeed(Node & node, dashboard::Server & server, Log log);
  ~DashboardFeed();

private:
  /// What is heard of one camera.
  struct Camera
  {
    std::string name;           ///< its predictions' topic without /output/prediction
    std::string overlay_topic;  ///< what image_transport would call the raw picture
    Subscription prediction;
    std::optional<Subscription> overlay;
  };

  /// A node that can be taught.
  struct Pupil
  {
    Subscription album;
    Subscription answers;
    TypedPublisher<mgproto_ros::msg::TeachRequest> requests;
  };

  void look_regularly();
  void look();
  void attempt(const std::string & what, const std::function<void()> & work);
  void show_topic(const std::string & topic, const std::string & type);
  void show_camera(const std::string & prediction_topic);
  void show_overlay(Camera & camera, const std::map<std::string, std::string> & type_of);
  void show_album(const std::string & album_topic);
  void show_trust(const diagnostic_msgs::msg::DiagnosticArray & message);
  /// What somebody asks on the page.
  void pass_on(const dashboard::TeachRequest & request);

  Node & node_;
  dashboard::Server & server_;
  const Log log_;
  std::set<std::string> failed_;                   ///< what the log has been told of
  std::map<std::string, Camera> cameras_;          ///< by topic of the predictions
  std::map<std::string, Subscription> galleries_;  ///< by topic
  std::mutex pupils_mutex_;
  std::map<std::string, Pupil> pupils_;  ///< by name of the node
  Subscription diagnostics_;

  std::mutex mutex_;
  std::condition_variable stopping_;
  bool stop_ = false;
  std::thread looking_;
};

}  // namespace mgproto::dds

#endif  // DDS__DASHBOARD_FEED_HPP_
