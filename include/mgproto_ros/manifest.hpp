// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MGPROTO_ROS__MANIFEST_HPP_
#define MGPROTO_ROS__MANIFEST_HPP_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mgproto_ros/model_config.hpp"
#include "mgproto_ros/prediction.hpp"

namespace mgproto
{

/// How far a checkpoint has come. A `backbone` holds weights to start training from and nothing
/// that could recognise an image.
enum class Stage
{
  backbone,
  trained,
  projected,
  pruned
};

/// What makes a score a decision: measured on images held out of training.
struct Calibration
{
  double tpr = 0.95;                ///< share of known images that is to be accepted
  std::vector<double> log_density;  ///< log p(x) of each calibration image, ascending
  /// What decides unless something else is asked for.
  Criterion criterion = Criterion::log_density;
  std::vector<Answers> answers = {};  ///< of the same images; empty if the model asks nothing else
  // What follows from the answers: see set_answers().
  std::array<std::vector<double>, kQuestions> by_question = {};  ///< ascending
  std::vector<double> joint = {};                                ///< joint scores, ascending
};

/// The training patch that a prototype stands for.
struct Provenance
{
  std::string image;  ///< path of the training image, relative to its data set
  int row = 0;        ///< in the feature map
  int col = 0;
  Box box;  ///< in the training image
  /// The box and a little around it as a small JPEG; may be empty.
  std::vector<std::uint8_t> patch;
  Box in_patch;  ///< the box in the JPEG; empty if that has nothing around it
};

/// A checkpoint that holds the tensors of another one's backbone.
struct BackboneFile
{
  std::string name;            ///< of a file in the directory of the model that refers to it
  std::string tensors_sha256;  ///< what that file's must be
};

/// An image that taught a class, or the part of one that was shown.
struct ShownImage
{
  std::string name;
  int width = 0;  ///< pixels
  int height = 0;
  /// What a model that had not been shown this one would have said of it; NaN where there is no other.
  Answers answers = kNoAnswers;
  std::vector<std::uint8_t> picture = {};  ///< a small JPEG of it
};

/// A class that was taught to a finished model.
struct TaughtClass
{
  std::string name;
  std::string when;  ///< last taught, UTC, as 2026-01-31T23:59:59Z
  std::vector<ShownImage> images;
};

/// What held before anything was taught.
struct Untaught
{
  std::vector<double> class_priors;
  std::optional<Calibration> calibration;
};

/// Everything a checkpoint says about itself beside its weights.
struct Manifest
{
  ModelConfig model;
  PreprocessingConfig preprocessing;
  std::vector<std::string> classes;
  std::vector<double> class_priors;    ///< p(c), sums to 1
  std::vector<int> prototype_class;    ///< [K], ascending
  std::vector<float> prototype_prior;  ///< pi, [K]
  Stage stage = Stage::trained;
  std::optional<Calibration> calibration;
  std::string calibration_defect;  ///< why the file's calibration does not count; empty if it does
  std::vector<std::optional<Provenance>> prototypes;  ///< [K]; empty before projection
  std::vector<TaughtClass> taught;                    ///< the last classes, in their order
  std::optional<Untaught> untaught;                   ///< none of a model that was taught nothing
  std::string training;  ///< JSON text: the training's config and metrics
  std::string tensors_sha256;
  std::optional<BackboneFile> backbone_file;  ///< none: the backbone is in the same file
};

}  // namespace mgproto

#endif  // MGPROTO_ROS__MANIFEST_HPP_
