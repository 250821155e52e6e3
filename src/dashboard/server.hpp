// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DASHBOARD__SERVER_HPP_
#define DASHBOARD__SERVER_HPP_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dashboard/content.hpp"

namespace mgproto::dashboard
{

/// A web page that shows, live, what a perception node says. It is handed what came and knows nothing
/// of where from.
///
/// All show functions may be called from any thread, at any rate and before anybody looks. They
/// return at once: what the page has no time for is replaced by what is newer. They never throw for
/// what they are shown; a picture or camera too many is not shown.
class Server
{
public:
  /// Passes on what somebody asks of a node; called by any thread, and must return at once.
  using Teacher = std::function<void(const TeachRequest &)>;

  struct Options
  {
    /// An address of this machine; 0.0.0.0 for all of them. Whoever can reach it sees the cameras.
    std::string address = "127.0.0.1";
    int port = 8080;  ///< 0: any that is free
    std::string title = "mgproto";
    /// To be shown, as waited for, before they are heard of. Others are added when they come.
    std::vector<std::string> cameras;
    /// From this page nodes can be taught, by browsers on this machine.
    bool may_teach = true;
    /// And by others.
    bool may_teach_from_afar = false;
  };

  /// Serves from now on. Throws Error if the address and port cannot be had.
  explicit Server(const Options & options);
  ~Server();
  Server(const Server &) = delete;
  Server & operator=(const Server &) = delete;

  int port() const;
  /// What to open in a browser on this machine.
  std::string url() const;

  void show(const Prediction & prediction);
  /// The image with boxes drawn on it. `source_width` and `source_height` are the size of the image
  /// that boxes are given in; 0 if it is the overlay's own.
  void show_overlay(
    const std::string & camera, Stamp stamp, std::vector<std::uint8_t> jpeg, int source_width = 0,
    int source_height = 0);
  /// All prototypes of a model, in the place of those it had.
  void show_gallery(const std::string & model_id, std::vector<PrototypePatch> gallery);
  /// Each status in the place of the one of the same name.
  void show_health(const std::vector<Health> & health);

  void show_trust(const Trust & trust);

  /// What its node did not know, in the place of what it did not before.
  void show_album(Album album);
  void show_answer(const TeachAnswer & answer);
  /// Without one, an empty one too, nothing can be taught. Returns when no call of the one before runs.
  void set_teacher(Teacher teacher);

  /// Ends all connections; open pages wait for the next server. Takes well below a second.
  void stop();

private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace mgproto::dashboard

#endif  // DASHBOARD__SERVER_HPP_
