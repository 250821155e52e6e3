// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__CONFIG_HPP_
#define TRAINING__CONFIG_HPP_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "datasets/augmentation.hpp"
#include "mgproto_ros/model_config.hpp"
#include "mgproto_ros/prediction.hpp"

namespace mgproto
{

/// Where the images come from.
struct DataConfig
{
  std::string path;         ///< image folders, CSV list, CUB-200-2011 or CIFAR-10
  std::string calibration;  ///< held-out images of the same classes; empty: see `held_out`
  double held_out = 0.1;    ///< share of the training images kept for calibration instead
  /// What images of one occasion have in common in their names: what this regular expression finds,
  /// or its first group. They are held out together or not at all. Empty: every image by itself.
  std::string groups;
  std::map<std::string, std::string> ood;  ///< sets to reject, by name
  bool crop_to_boxes = false;              ///< CUB only
  bool balanced = false;                   ///< every class equally often in an epoch
  bool augment = true;
  AugmentationConfig augmentation;
  bool shuffle = true;
  bool strict = false;  ///< a broken image ends the training instead of being skipped
  int workers = 2;
  int cache_megabytes = 2048;  ///< decoded images kept in memory; 0 = none
};

struct NetworkConfig
{
  ModelConfig model;
  PreprocessingConfig preprocessing;
  int prototypes_per_class = 10;       ///< M
  bool estimate_class_priors = false;  ///< p(c) from the training labels instead of 1/C
  std::string init;                    ///< checkpoint to start from: a backbone or a whole model
};

/// What the add-on layers begin with.
struct AddOnConfig
{
  enum class Init
  {
    random,
    whitened
  };

  Init init = Init::random;
  double shrinkage = 0.3;  ///< of the within-class covariance
  int views = 1;           ///< changed views of every training image beside the image itself
  bool refit = false;  ///< whitened, also after the last epoch: learning moves the backbone alone
};

/// L = L_ce + mining_weight L_mn + aux_weight L_aux
struct LossConfig
{
  double mining_weight = 0.2;
  int mining_levels = 20;    ///< T
  double mining_start = 40;  ///< epoch
  double aux_weight = 0.5;
  int aux_embedding = 0;  ///< width of a linear layer in front of the proxies; 0 = none (paper)
  bool aux_freeze_embedding = false;
  double aux_margin = 0.1;  ///< delta
  double aux_alpha = 32;
};

struct EmConfig
{
  enum class Optimizer
  {
    adam,
    sgd,
    closed_form
  };
  enum class Init
  {
    random,
    kmeans
  };

  int memory = 800;           ///< N, features a class
  double start = 35;          ///< epoch
  bool wait_for_all = false;  ///< no update before every class's memory is full
  int loops = 3;              ///< L_em
  Optimizer optimizer = Optimizer::adam;
  double learning_rate = 3e-3;
  double smoothing = 0.1;  ///< alpha, added to each responsibility
  double ema = 0.99;       ///< tau, of the priors
  double diversity_weight = 1;
  double sharpness = 1;      ///< kappa of the E-step alone, beside the head's concentration
  Init init = Init::random;  ///< kmeans: k-means++ at a class's first update
};

struct ScheduleConfig
{
  enum class Decay
  {
    step,
    cosine
  };

  int epochs = 120;
  int batch = 80;
  double backbone_rate = 1e-4;
  double add_on_rate = 3e-3;
  double proxy_rate = 1e-2;
  double weight_decay = 1e-4;
  Decay decay = Decay::step;
  double decay_factor = 0.4;
  int decay_every = 15;               ///< epochs
  std::vector<int> decay_at;          ///< epochs, instead of decay_every
  int frozen_backbone_epochs = 0;     ///< warm-up with only add-on and proxies learning
  int frozen_stages = 0;              ///< ResNets: parts that keep their weights, the stem first
  int frozen_cache_megabytes = 4096;  ///< for what they make of views that come again
  bool frozen_statistics = false;     ///< batch norms keep theirs
  double clip_gradient = 0;           ///< largest norm; 0 = no limit
  int project_every = 0;              ///< epochs between projections while training; 0 = none
  int test_every = 1;  ///< epochs between looks at the test images; also the last one
};

struct FinishConfig
{
  bool distinct_images = true;            ///< projection: one training image for one prototype
  std::vector<int> prune{8, 6, 4, 2, 1};  ///< prototypes a class in the pruning table
  double concentration = 0;               ///< kappa of the finished model; 0 = as trained
  bool fit_concentration = false;         ///< kappa that suits p(c|x) of the calibration images
  int keep = 0;                           ///< prune the final model to so many; 0 = not at all
  bool compare_pruning = false;           ///< also by purity and by merging
  bool renormalize = false;               ///< priors of a pruned class back to a sum of 1
  double tpr = 0.95;                      ///< calibration
  Criterion criterion = Criterion::log_density;  ///< what decides whether an image is known
  bool baseline = true;  ///< beside a training from given weights: what fit() makes of them
};

struct TrainingConfig
{
  std::uint64_t seed = 1;
  int threads = 0;  ///< of the network, 0 = all cores
  DataConfig data;
  NetworkConfig network;
  AddOnConfig add_on;
  LossConfig loss;
  EmConfig em;
  ScheduleConfig schedule;
  FinishConfig finish;
  double checkpoint_every = 1;  ///< epochs between snapshots
};

}  // namespace mgproto

#endif  // TRAINING__CONFIG_HPP_
