// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__MEASURE__RESULTS_HPP_
#define TRAINING__MEASURE__RESULTS_HPP_

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mgproto_ros/manifest.hpp"
#include "training/measure/score_metrics.hpp"

namespace mgproto
{

// What is measured of models, for the report, for JSON and for tables. Shares, not per cent; none
// where something cannot be measured.

/// How well a score tells in-distribution images, the positive ones, from OoD images.
struct Separation
{
  double fpr95 = 0, auroc = 0, aupr_in = 0, aupr_out = 0;
};

/// One set of OoD images.
struct OodResult
{
  std::string error;  ///< why the set cannot be used; then it has no numbers
  std::int64_t count = 0;
  std::optional<double> passed;  ///< share at or above the model's threshold
  /// In the order of the tables; none where there was nothing to fit a score on.
  std::vector<std::pair<std::string, std::optional<Separation>>> scores = {};
};

struct Calibrated
{
  double threshold = 0;
  double tpr = 0;                     ///< share of the in-distribution images at or above it
  std::optional<double> wrong_known;  ///< share of wrong answers at or above it
  std::vector<std::optional<double>> tpr_of_class;
  std::size_t worst_class = 0;  ///< the one with the lowest
};

/// What is measured of every model: that of a checkpoint, a stage of a training, a pruned one.
struct ModelResult
{
  std::string name;
  std::optional<int> keep;  ///< prototypes a class, of a pruned one
  std::string score;        ///< that OoD images are told by: log_density or energy
  double accuracy = 0;
  std::optional<std::int64_t> prototypes;
  std::optional<double> diversity;         ///< mean pairwise distance of a class's prototypes
  std::optional<double> distinct_patches;  ///< of the training set, that projection found
  std::optional<Calibrated> calibrated;
  std::map<std::string, OodResult> ood;
};

/// Over prototypes.
struct PurityScore
{
  double mean = 0;
  double deviation = 0;  ///< of the whole population
};

/// How far the prototypes that explain an image are from being one.
struct ApartScore
{
  double iou = 0;    ///< of their boxes, mean over pairs
  double share = 0;  ///< of images in which no two of them look at the same or neighbouring cells
};

/// How well prototypes explain.
struct Interpretability
{
  std::optional<double> consistency;  ///< needs labels and parts
  std::optional<double> stability;    ///< needs labels and parts
  std::optional<PurityScore> purity;  ///< needs parts
  std::optional<double> oirr;         ///< needs masks; lower is better
  std::optional<double> dauc;         ///< lower is better
  std::optional<double> diversity;    ///< needs a class with two prototypes
  // Of the three prototypes that add most to the predicted class.
  std::optional<double> on_object;         ///< needs masks or boxes
  std::optional<double> centre_on_object;  ///< the same of the middle of the image
  std::optional<double> sufficient, necessary;
  std::optional<double> alike;  ///< needs the prototypes' patches, labels, a ResNet; chance is 0.5
  std::optional<ApartScore> apart;  ///< needs a class with two prototypes
};

struct PartScore
{
  std::optional<double> consistency;
  std::optional<PurityScore> purity;
};

/// Consistency and purity that are to be had without prototypes, to judge those of prototypes by.
/// Unlike a prototype's, the ten strongest patches are all of the own class.
struct PartReferences
{
  /// Something that looks at the middle of every image; its ten patches are the first ones.
  PartScore centre;
  /// Prototypes put on the templates, which are told the parts that others have to find for
  /// themselves: what they cannot locate is hardly in the features.
  PartScore features;
  PartScore backbone;
};

using Confusion = std::vector<std::vector<std::int64_t>>;  ///< [C][C] counts, rows are true classes

struct ClassResult
{
  std::string name;
  std::int64_t count = 0;
  std::optional<double> accuracy;
};

/// A model that answers only where a score is high enough.
struct Selective
{
  double aurc = 0;
  std::vector<RiskPoint> curve;
};

/// What calibrations on some of the images accept of the others.
struct Coverage
{
  double asked = 0;
  std::int64_t calibrated_on = 0;  ///< images each time
  double mean = 0;
  std::vector<double> accepted;  ///< share of the other images, a number for each split, ascending
};

/// All that is measured of one checkpoint.
struct Evaluation
{
  ModelResult model;
  std::string classifier;  ///< what stands in for the head of a backbone alone
  std::int64_t count = 0;
  std::int64_t broken = 0;                       ///< images that could not be read
  std::map<std::string, std::int64_t> left_out;  ///< images of classes that the model does not have
  double top5 = 0;
  std::optional<double> ece, cross_entropy;
  std::vector<ClassResult> classes;
  Confusion confusion;
  std::optional<Selective> by_decision, by_log_density, by_msp;
  std::optional<Coverage> coverage;
  std::map<std::string, double> garbage;  ///< share of each kind that is taken for known
  Interpretability interpretability;
  std::optional<PurityScore> purity_train;
  PartReferences part_references;
  // None if not asked for.
  std::optional<std::vector<ModelResult>> pruning;  ///< empty for a head without p(x)
  /// Accuracy and distinct patches alone; no such patches for a head without prototypes.
  std::optional<ModelResult> projected;
};

/// A score of every image, by set: log densities (of a head without p(x) energies) or joint scores.
struct SetScores
{
  std::vector<double> test;
  std::vector<double> calibration;
  std::map<std::string, std::vector<double>> ood;
};

struct PrototypeResult
{
  int class_id = 0;
  std::optional<double> prior;
  std::optional<Provenance> source;
  std::vector<std::uint8_t> heat;  ///< JPEG of the source's image under its heat map
};

/// What a training leaves. Behind the stages everything is of the final model.
struct TrainingResults
{
  std::vector<std::string> classes;
  std::vector<ModelResult> stages;
  std::string final_stage;          ///< name of the one that final.safetensors is
  std::optional<double> threshold;  ///< of what decides
  Confusion confusion;
  SetScores log_density;
  std::optional<SetScores> joint;  ///< the joint scores instead, where they decide
  std::vector<PrototypeResult> prototypes;
  std::int64_t images_train = 0;
  std::int64_t images_test = 0;
  double seconds = 0;
};

}  // namespace mgproto

#endif  // TRAINING__MEASURE__RESULTS_HPP_
