// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DASHBOARD__BOARD_HPP_
#define DASHBOARD__BOARD_HPP_

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "dashboard/camera.hpp"
#include "dashboard/content.hpp"
#include "dashboard/gate.hpp"

namespace mgproto::dashboard
{

/// The newest of everything, of bounded size. Whoever reads it only keeps the version it has seen, so
/// that a slow reader misses news instead of piling them up. For use by many threads.
class Board
{
public:
  /// `cameras` are there from the start; others are added when they are first heard of.
  Board(const std::string & title, const std::vector<std::string> & cameras);

  void show(const Prediction & prediction);
  void show_overlay(const std::string & camera, const Picture & picture);
  void show_gallery(const std::string & model_id, std::vector<PrototypePatch> gallery);
  void show_health(const std::vector<Health> & health);

  void show_trust(const Trust & trust);

  void show_album(Album album);
  void show_answer(const TeachAnswer & answer);

  struct News
  {
    std::string json;
    Version version = 0;
  };
  /// What changed after `seen`; everything for 0.
  News news_since(Version seen) const;
  /// Waits for something newer than `seen`. False if nothing came or the board was closed.
  bool wait_for_news(Version seen, Clock::duration at_most) const;
  /// Ends all waiting, now and later.
  void close();
  /// Waits for the board to be closed. True if it was.
  bool wait_for_close(Clock::duration at_most) const;

  /// Null if it is not there (any more), as below.
  std::shared_ptr<const Bytes> picture(const std::string & camera, Version seq) const;
  std::shared_ptr<const Bytes> patch(const std::string & model_id, int prototype) const;
  std::shared_ptr<const Bytes> album_image(const std::string & node, std::uint32_t id) const;
  /// As JSON.
  std::shared_ptr<const std::string> gallery(const std::string & model_id) const;

private:
  struct Gallery
  {
    std::string model_id;
    std::shared_ptr<const std::string> json;
    std::map<int, std::shared_ptr<const Bytes>> patches;
    Version version = 0;
  };
  struct Status
  {
    std::string json;
    Clock::time_point arrived;
    Version version = 0;
  };

  struct ShownAlbum
  {
    std::string json;
    std::map<std::uint32_t, std::shared_ptr<const Bytes>> images;
    Version version = 0;
  };
  struct Answer
  {
    std::string json;
    Version version = 0;
  };

  /// Null if there are too many cameras already.
  Camera * find_or_add(const std::string & name);
  const Gallery * find_gallery(const std::string & model_id) const;

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  Version version_ = 1;
  bool closed_ = false;
  std::string title_;
  std::deque<Camera> cameras_;
  std::deque<Gallery> galleries_;
  std::map<std::string, Status> health_;      ///< by name
  std::map<std::string, Gate> gates_;         ///< by name
  std::map<std::string, ShownAlbum> albums_;  ///< by node
  std::deque<Answer> answers_;
};

}  // namespace mgproto::dashboard

#endif  // DASHBOARD__BOARD_HPP_
