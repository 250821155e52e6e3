// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MGPROTO_ROS__PREDICTION_HPP_
#define MGPROTO_ROS__PREDICTION_HPP_

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace mgproto
{

/// Pixels [x, x + width) x [y, y + height) of the original image.
struct Box
{
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;

  bool operator==(const Box & other) const
  {
    return x == other.x && y == other.y && width == other.width && height == other.height;
  }
};

/// The part of the original image that the network saw, in pixels of the original. The whole image,
/// unless the preprocessing crops.
struct SeenRegion
{
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};

/// What one prototype says about one image.
struct PrototypeEvidence
{
  int prototype = 0;  ///< index over all classes
  int class_id = 0;
  float prior = 0;           ///< pi
  float log_likelihood = 0;  ///< log h, the maximum over all positions
  /// Share of what speaks for the class: of a mixture pi h / p(x|c); of a product of what is added to
  /// log p(x|c) above a feature that has nothing to do with the prototype, pi (log h + 2 pi kappa).
  float contribution = 0;
  int row = 0;  ///< of the maximum in the feature map
  int col = 0;
  Box box;                  ///< where the prototype fires, in the original image
  std::vector<float> map;   ///< likelihoods [rows * cols], row by row
  std::vector<int> merged;  ///< prototypes that fire at the same place; their contributions are in
                            ///< `contribution`
};

/// What the image as a whole says for one class, in a model that looks at it (HeadConfig::whole).
struct WholeEvidence
{
  int class_id = 0;
  float weight = 0;
  float log_likelihood = 0;
  float contribution = 0;  ///< share of the class, beside its prototypes'
  /// What each place adds to the cosine of the whole and its class [rows * cols], row by row: it is
  /// exactly their sum. Below 0 where a place speaks against the class.
  std::vector<float> map;
};

/// Whether the image is of a known class at all.
enum class Verdict
{
  known,
  unknown,
  uncalibrated
};

/// Why the verdict is not `known`.
enum class Reason
{
  none,
  not_finite,
  uncalibrated,
  below_threshold
};

/// What is asked of an image before it counts as known.
enum class Question
{
  density,  ///< log p(x): does it fit any class?
  parts,    ///< are the parts of the predicted class there, each as well as usual?
  place,    ///< is it rather of that class than of any?
  distance  ///< is it anywhere near that class, in all that the backbone sees?
};
constexpr std::size_t kQuestions = 4;

/// By question, higher for what is known.
using Answers = std::array<double, kQuestions>;
constexpr Answers kNoAnswers{
  std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN(),
  std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};

/// What decides whether an image is known.
enum class Criterion
{
  log_density,  ///< log p(x) alone, as published
  joint         ///< the answers to all questions in one score
};

/// Everything the model says about one image.
struct Prediction
{
  std::vector<float> log_likelihood;  ///< log p(x|c), [C]
  std::vector<float> posterior;       ///< p(c|x), [C]
  float log_density = 0;              ///< log p(x)

  /// All classes by falling posterior, equal ones by index; none if any number is not finite.
  std::vector<int> ranking;
  int class_id = 0;  ///< the first of the ranking, -1 if there is none
  Verdict verdict = Verdict::uncalibrated;
  Reason reason = Reason::uncalibrated;
  Criterion criterion = Criterion::log_density;
  /// What the verdict was made by: log p(x), or the joint score of all questions.
  double score = 0;
  /// On that score; NaN without calibration.
  double threshold = std::numeric_limits<double>::quiet_NaN();
  /// Share of the calibration images and this one whose score is not higher, a conformal p-value;
  /// empty without calibration.
  std::optional<float> typicality;

  /// NaN for what the model does not ask; p-values and limits without calibration, too.
  Answers answers = kNoAnswers;
  Answers p_values = kNoAnswers;  ///< the typicality of each answer
  Answers limits = kNoAnswers;    ///< what each answer would have to reach if it decided alone
  Question weakest = Question::density;  ///< the one that speaks most against the image
  /// Prototypes of the predicted class that were not found: their likelihood is more than two standard
  /// deviations lower than is usual in its training images.
  std::vector<int> missing;

  int map_rows = 0;
  int map_cols = 0;
  SeenRegion seen;
  /// Of the classes asked for, classes in the order asked, each by falling contribution.
  std::vector<PrototypeEvidence> evidence;
  /// Of the same classes, if the model looks at images as a whole.
  std::vector<WholeEvidence> wholes;
  /// If asked for: the image in all that the backbone sees, as a unit vector. The inner product of two
  /// is the higher the more their images look alike; of models with the same familiarity alone.
  std::vector<float> descriptor;

  /// The first `count` classes of the ranking; all for 0.
  std::vector<int> most_probable(int count) const
  {
    const bool all = count <= 0 || static_cast<std::size_t>(count) > ranking.size();
    return {ranking.begin(), all ? ranking.end() : ranking.begin() + count};
  }
};

}  // namespace mgproto

#endif  // MGPROTO_ROS__PREDICTION_HPP_
