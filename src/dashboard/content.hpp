// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DASHBOARD__CONTENT_HPP_
#define DASHBOARD__CONTENT_HPP_

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "mgproto_ros/prediction.hpp"

// What the page shows, as the messages of msg/ say it: fields have their meaning and their units.
// Nothing in here is trusted; a number that is not known is NaN.

namespace mgproto::dashboard
{

inline constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

/// Of the source image. A prediction and an overlay with the same stamp belong together.
struct Stamp
{
  std::int32_t sec = 0;
  std::uint32_t nanosec = 0;

  bool operator==(const Stamp & other) const
  {
    return sec == other.sec && nanosec == other.nanosec;
  }
};

struct Score
{
  int class_id = -1;
  std::string class_name;
  double posterior = kNotKnown;       ///< p(c|x)
  double log_likelihood = kNotKnown;  ///< log p(x|c)
};

struct Evidence
{
  int prototype = 0;  ///< index over all classes, as in PrototypePatch
  int class_id = -1;
  double prior = kNotKnown;           ///< pi
  double likelihood = kNotKnown;      ///< h
  double log_likelihood = kNotKnown;  ///< log h
  double contribution = kNotKnown;    ///< share of what speaks for the class
  double x = kNotKnown;               ///< centre of the best position, in the source image
  double y = kNotKnown;
  Box box;  ///< where it fires, in the source image
};

struct Prediction
{
  std::string camera;
  Stamp stamp;
  std::string frame_id;
  Verdict status = Verdict::unknown;
  std::string reason;  ///< why it is not known
  int class_id = -1;
  std::string class_name;
  double posterior = kNotKnown;
  double log_likelihood = kNotKnown;
  double log_density = kNotKnown;  ///< log p(x)
  double score = kNotKnown;        ///< log p(x), or the joint score of all questions
  double threshold = kNotKnown;    ///< a score below it means unknown
  double typicality = kNotKnown;   ///< conformal p-value of the score
  std::vector<std::pair<std::string, double>> questions;  ///< with the p-values of their answers
  std::vector<int> missing;        ///< prototypes of the class that were not found
  Box region;                      ///< what was looked at, in the source image
  std::string detection_id;        ///< empty: the whole image
  std::vector<Score> scores;       ///< by falling posterior
  std::vector<Evidence> evidence;  ///< by falling contribution
  std::string model_id;
};

/// A prototype and the training patch that it stands for.
struct PrototypePatch
{
  int prototype = 0;
  int class_id = -1;
  std::string class_name;
  double prior = kNotKnown;
  std::vector<std::uint8_t> jpeg;  ///< may be empty
  std::string source;              ///< training image that it was cut from; may be empty
};

/// One status of /diagnostics.
struct Health
{
  int level = 0;  ///< 0 OK, 1 WARN, 2 ERROR, 3 STALE
  std::string name;
  std::string message;
  std::vector<std::pair<std::string, std::string>> values;
};

/// What a trust gate tells the autonomy stack.
struct Trust
{
  std::string gate;  ///< full name of the node
  bool trusted = false;
  double speed_limit = kNotKnown;  ///< percent of the robot's maximum
  std::string reason;              ///< why it is not trusted
  double period = kNotKnown;       ///< seconds until it says so again
};

/// Something that a node did not know.
struct AlbumImage
{
  std::uint32_t id = 0;
  std::uint32_t group = 0;  ///< of images that look alike
  std::string camera;
  std::string nearest_class;
  std::string reason;
  std::vector<std::uint8_t> jpeg;
};

/// All of it, and what the node was taught.
struct Album
{
  std::string node;  ///< full name
  std::vector<AlbumImage> images;
  std::string problem;  ///< why nothing can be taught now; empty if it can
  std::vector<std::string> taught;
  bool can_undo = false;
};

/// What somebody asks of a node on the page.
struct TeachRequest
{
  enum class Action
  {
    teach,
    forget,
    undo
  };
  std::string node;
  std::string id;  ///< of the request; comes back with the answer
  Action action = Action::teach;
  std::string name;
  std::vector<std::uint32_t> images;  ///< of the album; none: what the camera sees now
  std::string camera;
};

struct TeachAnswer
{
  std::string node;
  std::string id;
  bool success = false;
  std::string message;
};

}  // namespace mgproto::dashboard

#endif  // DASHBOARD__CONTENT_HPP_
