// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/config_settings.hpp"

#include "training/config_section.hpp"

namespace mgproto
{
namespace
{

const ListRule kAnyList{"", [](const std::vector<double> &) { return true; }};
const ListRule kRising{"rising", [](const std::vector<double> & list) {
                         return std::is_sorted(list.begin(), list.end());
                       }};
const ListRule kNoneOrFour{"none or 4 of them", [](const std::vector<double> & list) {
                             return list.empty() || list.size() == 4;
                           }};

/// Texts that are called what they are.
std::vector<std::pair<std::string, std::string>> choices(const std::vector<std::string> & names)
{
  std::vector<std::pair<std::string, std::string>> result;
  for (const auto & name : names) {
    result.emplace_back(name, name);
  }
  return result;
}

// The sections stand in the order in which the data goes through them. Ranges of the model and of
// the images are those that the code they are for checks itself.

void add_data(std::vector<Setting> & table)
{
  Section data(
    table, "data", [](auto & c) -> auto & { return c.data; });
  using Data = DataConfig;
  data.add("path", &Data::path, "training data: image folders, CSV list, CUB-200-2011 or CIFAR-10");
  data.add(
    "calibration", &Data::calibration,
    "held-out images of the same classes for the threshold of p(x); empty: see held_out");
  data.add(
    "held_out", &Data::held_out, within_below(0, 1),
    "share of the training images kept for calibration if there is no data.calibration");
  data.add(
    "groups", &Data::groups,
    "regular expression: images of a class in whose names it, or its first group, finds the same "
    "are of one occasion, and held out together");
  data.add("ood", &Data::ood, "sets to reject, each evaluated under its name");
  data.add("crop_to_boxes", &Data::crop_to_boxes, "only the objects' bounding boxes (CUB)");
  data.add("balanced", &Data::balanced, "every class equally often in an epoch");
  data.add("augment", &Data::augment, "change training images at random, see augmentation");
  data.add("shuffle", &Data::shuffle, "a new order in every epoch");
  data.add("strict", &Data::strict, "a broken image ends the training instead of being skipped");
  data.add("workers", &Data::workers, within(1, 256), "threads that read and augment images");
  data.add(
    "cache_megabytes", &Data::cache_megabytes, within(0, 1 << 20),
    "decoded images kept in memory; 0 = none");
}

void add_images(std::vector<Setting> & table)
{
  Section augmentation(
    table, "augmentation", [](auto & c) -> auto & { return c.data.augmentation; });
  using Augmentation = AugmentationConfig;
  augmentation.add(
    "views", &Augmentation::views, within(0, 1000000),
    "ways in which an image is changed, in turns, so that frozen stages need not be computed again;"
    " 0 = a new one in every epoch");
  augmentation.add(
    "perspective", &Augmentation::perspective, within_below(0, 1),
    "a corner moves inwards by up to half of this share of a side");
  augmentation.add(
    "perspective_probability", &Augmentation::perspective_probability, within(0, 1),
    "share of the images with a changed perspective");
  augmentation.add(
    "brightness", &Augmentation::brightness, within(0, 1), "factor within 1 -+ this");
  augmentation.add("contrast", &Augmentation::contrast, within(0, 1), "factor within 1 -+ this");
  augmentation.add(
    "saturation", &Augmentation::saturation, within(0, 1), "factor within 1 -+ this");
  augmentation.add("hue", &Augmentation::hue, within(0, 0.5), "-+ this share of the colour circle");
  augmentation.add(
    "flip_probability", &Augmentation::flip_probability, within(0, 1),
    "share of the images that are mirrored");
  augmentation.add("rotation", &Augmentation::rotation, within(0, 180), "-+ degrees");
  augmentation.add("shear", &Augmentation::shear, within(0, 80), "-+ degrees, along x");
  augmentation.add(
    "translation", &Augmentation::translation, within(0, 1), "-+ this share of a side");
  augmentation.add("crop", &Augmentation::crop, "a random part of the image");
  augmentation.add(
    "crop_scale", &Augmentation::crop_scale, above(0, 1), kRising,
    "smallest and largest share of the image's area");
  augmentation.add(
    "crop_ratio", &Augmentation::crop_ratio, {0, 1000, true, true}, kRising,
    "smallest and largest width / height");

  Section preprocessing(
    table, "preprocessing", [](auto & c) -> auto & { return c.network.preprocessing; });
  using Preprocessing = PreprocessingConfig;
  preprocessing.add(
    "size", &Preprocessing::size, within(1, 4096), "pixels a side of the network's input");
  preprocessing.add(
    "mode", &Preprocessing::mode,
    {{"resize", Preprocessing::Mode::resize}, {"resize_crop", Preprocessing::Mode::resize_crop}},
    "both sides to size, or the shorter side to shorter_side and then the centre");
  preprocessing.add(
    "shorter_side", &Preprocessing::shorter_side, within(0, 8192),
    "pixels, at least size, for resize_crop; 0 = size * 8 / 7");
  preprocessing.add("mean", &Preprocessing::mean, any(), kAnyList, "of red, green, blue in 0 to 1");
  preprocessing.add("std", &Preprocessing::std, above(0), kAnyList, "of red, green, blue");
}

void add_network(std::vector<Setting> & table)
{
  Section backbone(
    table, "backbone", [](auto & c) -> auto & { return c.network.model.backbone; });
  using Backbone = BackboneConfig;
  backbone.add(
    "architecture", &Backbone::architecture, choices(architectures()), "as torchvision names them");
  backbone.add(
    "stem_pool", &Backbone::stem_pool,
    "keep the max-pool behind the stem (VGG: the last one), for stride 32 instead of 16");
  backbone.add(
    "upsample", &Backbone::upsample, within(1, 8), "factor on the sides of the feature map");
  backbone.add(
    "map", &Backbone::map,
    {{"last", Backbone::Map::last},
     {"dilated", Backbone::Map::dilated},
     {"penultimate", Backbone::Map::penultimate},
     {"hypercolumn", Backbone::Map::hypercolumn}},
    "of the last stage as published, of the last stage at the resolution of the one before "
    "(usually with stem_pool), of the stage before the last, or both of these stacked");
  backbone.add(
    "stride_in_1x1", &Backbone::stride_in_1x1,
    "bottleneck ResNets: stride on the first 1x1 convolution (v1) instead of the 3x3 (v1.5)");
  backbone.add(
    "stages", &Backbone::stages, within(1, 64), kNoneOrFour,
    "ResNets: blocks per stage; none = the architecture's own");
  backbone.add(
    "stem", &Backbone::stem, choices({"imagenet", "cifar"}),
    "ResNets: 7x7 with stride 2, or 3x3 with stride 1 and no pool");
  backbone.add(
    "width", &Backbone::width, within(1.0 / 64, 4), "ResNets: factor on the channel counts");

  Section head(
    table, "head", [](auto & c) -> auto & { return c.network.model.head; });
  using Head = HeadConfig;
  head.add(
    "kind", &Head::kind, choices({"mgproto", "softmax", "protopnet"}),
    "mixtures of Gaussians, or one of two baselines, which have no p(x)");
  head.add("feature_dim", &Head::feature_dim, within(1, 4096), "D, length of a feature vector");
  head.add(
    "concentration", &Head::concentration, above(0, 10000),
    "kappa of every prototype's covariance I / (2 pi kappa)");
  head.add(
    "combine", &Head::combine,
    {{"mixture", Head::Combine::mixture}, {"product", Head::Combine::product}},
    "density of a class: the sum of pi h, where one fitting prototype is enough, or the product of "
    "h to the power of pi, where every one counts");
  head.add(
    "whole", &Head::whole, within_below(0, 1),
    "weight of the image as a whole beside the prototypes; 0 = none");
  head.add(
    "whole_dim", &Head::whole_dim, within(0, 4096),
    "features, the first ones, in which the whole is compared; 0 = classes - 1, at most half of "
    "all");

  Section add_on(
    table, "add_on", [](auto & c) -> auto & { return c.add_on; });
  using AddOn = AddOnConfig;
  add_on.add(
    "init", &AddOn::init, {{"random", AddOn::Init::random}, {"whitened", AddOn::Init::whitened}},
    "first weights: random, or in closed form the directions that tell the training images' "
    "classes "
    "apart and those in which their places differ");
  add_on.add(
    "shrinkage", &AddOn::shrinkage, within(0, 1),
    "whitened: how far the covariance within classes is drawn to a multiple of the identity");
  add_on.add(
    "views", &AddOn::views, within(0, 1000),
    "whitened: changed views of every training image, see augmentation, beside the image itself");
  add_on.add(
    "refit", &AddOn::refit,
    "whitened: anew after the last epoch, prototypes, too, so that learning moves the backbone "
    "alone");

  Section network(
    table, "network", [](auto & c) -> auto & { return c.network; });
  using Network = NetworkConfig;
  network.add(
    "prototypes_per_class", &Network::prototypes_per_class, within(1, 1000), "M, before pruning");
  network.add(
    "estimate_class_priors", &Network::estimate_class_priors,
    "p(c) from the training labels instead of 1/C");
  network.add(
    "init", &Network::init,
    "checkpoint to start from; only its backbone if it is one, or has another kind of head; "
    "classes "
    "that it does not know start anew; empty: random weights");
}

void add_learning(std::vector<Setting> & table)
{
  const auto loss = [](auto & c) -> auto & { return c.loss; };
  using Loss = LossConfig;
  Section mining(table, "mining", loss);
  mining.add("weight", &Loss::mining_weight, at_least(0), "of the mining loss");
  mining.add(
    "levels", &Loss::mining_levels, within(2, 1000000),
    "T, positions of an image that a prototype of its class is to find");
  mining.add("start", &Loss::mining_start, at_least(0), "epochs before it begins");

  Section aux(table, "aux", loss);
  aux.add("weight", &Loss::aux_weight, at_least(0), "of the Proxy-Anchor loss");
  aux.add(
    "embedding", &Loss::aux_embedding, within(0, 4096),
    "width of a linear layer in front of the proxies; 0 = no such layer");
  aux.add("freeze_embedding", &Loss::aux_freeze_embedding, "leave that layer at random weights");
  aux.add("margin", &Loss::aux_margin, within(0, 1), "delta, of the cosine similarity");
  aux.add("alpha", &Loss::aux_alpha, above(0), "scale of the cosine similarity");

  Section em(
    table, "em", [](auto & c) -> auto & { return c.em; });
  using Em = EmConfig;
  em.add("memory", &Em::memory, within(1, 1000000), "N, features kept of each class");
  em.add("start", &Em::start, at_least(0), "epochs before it begins");
  em.add("wait_for_all", &Em::wait_for_all, "no update before every class's memory is full");
  em.add("loops", &Em::loops, within(1, 1000), "E- and M-steps after each step of the network");
  em.add(
    "optimizer", &Em::optimizer,
    {{"adam", Em::Optimizer::adam},
     {"sgd", Em::Optimizer::sgd},
     {"closed_form", Em::Optimizer::closed_form}},
    "how the means move: a gradient step, or to the weighted mean");
  em.add("learning_rate", &Em::learning_rate, at_least(0), "of the means, for adam and sgd");
  em.add("smoothing", &Em::smoothing, at_least(0), "alpha, added to each responsibility");
  em.add("ema", &Em::ema, within(0, 1), "tau, share of a prior that one loop keeps");
  em.add("diversity_weight", &Em::diversity_weight, at_least(0), "of the push between the means");
  em.add(
    "sharpness", &Em::sharpness, above(0, 10000),
    "kappa of the E-step alone, beside head.concentration");
  em.add(
    "init", &Em::init, {{"random", Em::Init::random}, {"kmeans++", Em::Init::kmeans}},
    "first means: random, or drawn from a class's memory at its first update");
}

void add_schedule(std::vector<Setting> & table)
{
  Section schedule(
    table, "schedule", [](auto & c) -> auto & { return c.schedule; });
  using Schedule = ScheduleConfig;
  schedule.add("epochs", &Schedule::epochs, within(1, 1000000), "passes over the training images");
  schedule.add("batch", &Schedule::batch, within(1, 100000), "images a step");
  schedule.add(
    "backbone_rate", &Schedule::backbone_rate, at_least(0), "learning rate of the backbone");
  schedule.add(
    "add_on_rate", &Schedule::add_on_rate, at_least(0), "learning rate of the add-on layers");
  schedule.add("proxy_rate", &Schedule::proxy_rate, at_least(0), "learning rate of the proxies");
  schedule.add("weight_decay", &Schedule::weight_decay, at_least(0), "of the network and proxies");
  schedule.add(
    "decay", &Schedule::decay,
    {{"step", Schedule::Decay::step}, {"cosine", Schedule::Decay::cosine}},
    "of all learning rates, in steps or along a cosine to 0");
  schedule.add("decay_factor", &Schedule::decay_factor, above(0, 1), "of one step");
  schedule.add("decay_every", &Schedule::decay_every, within(1, 1000000), "epochs between steps");
  schedule.add(
    "decay_at", &Schedule::decay_at, within(0, 1000000), kRising,
    "epochs of the steps, instead of decay_every");
  schedule.add(
    "frozen_backbone_epochs", &Schedule::frozen_backbone_epochs, within(0, 1000000),
    "epochs at the start in which only add-on layers and proxies learn");
  schedule.add(
    "frozen_stages", &Schedule::frozen_stages, within(0, 5),
    "ResNets: keep the weights and statistics of the stem (1), and of so many stages less one");
  schedule.add(
    "frozen_cache_megabytes", &Schedule::frozen_cache_megabytes, within(0, 1 << 20),
    "memory for what frozen stages make of augmentation.views; 0 = none");
  schedule.add(
    "frozen_statistics", &Schedule::frozen_statistics,
    "the backbone's batch norms keep their statistics, and only scale and shift learn");
  schedule.add(
    "clip_gradient", &Schedule::clip_gradient, at_least(0), "largest norm; 0 = no limit");
  schedule.add(
    "project_every", &Schedule::project_every, within(0, 1000000),
    "epochs between projections onto training patches; 0 = only at the end");
  schedule.add(
    "test_every", &Schedule::test_every, within(1, 1000000),
    "epochs between looks at the test images; the last epoch's is always taken");
}

void add_finish(std::vector<Setting> & table)
{
  Section finish(
    table, "finish", [](auto & c) -> auto & { return c.finish; });
  using Finish = FinishConfig;
  finish.add(
    "distinct_images", &Finish::distinct_images,
    "project no two prototypes onto the same training image");
  finish.add(
    "concentration", &Finish::concentration, within(0, 1000),
    "kappa of the finished model's densities; 0 = as in training");
  finish.add(
    "fit_concentration", &Finish::fit_concentration,
    "instead, the kappa with the best posteriors on the calibration images");
  finish.add(
    "prune", &Finish::prune, within(1, 1000), kAnyList,
    "prototypes a class, one line of the pruning table each");
  finish.add(
    "keep", &Finish::keep, within(0, 1000),
    "prototypes a class that the final model is pruned to; 0 = all");
  finish.add(
    "compare_pruning", &Finish::compare_pruning,
    "lines of the pruning table for the older ways, too: by purity and by merging");
  finish.add("renormalize", &Finish::renormalize, "priors of a pruned class back to a sum of 1");
  finish.add(
    "tpr", &Finish::tpr, above(0, 1),
    "share of known images that the threshold lets pass, at least");
  finish.add(
    "criterion", &Finish::criterion,
    {{"joint", Criterion::joint}, {"log_density", Criterion::log_density}},
    "what decides whether an image is known: all questions, or log p(x) as in the paper");
  finish.add(
    "baseline", &Finish::baseline,
    "a training from network.init is compared with what mgproto fit makes of those weights");
}

std::vector<Setting> make_table()
{
  std::vector<Setting> table;
  Section top(
    table, "", [](auto & c) -> auto & { return c; });
  top.add("seed", &TrainingConfig::seed, at_least(0), "of everything random");
  top.add("threads", &TrainingConfig::threads, within(0, 1024), "of the network; 0 = all cores");
  add_data(table);
  add_images(table);
  add_network(table);
  add_learning(table);
  add_schedule(table);
  add_finish(table);
  Section checkpoint(
    table, "checkpoint", [](auto & c) -> auto & { return c; });
  checkpoint.add(
    "every", &TrainingConfig::checkpoint_every, above(0),
    "epochs between snapshots to resume from");
  return table;
}

}  // namespace

const std::vector<Setting> & settings()
{
  static const std::vector<Setting> kSettings = make_table();
  return kSettings;
}

}  // namespace mgproto
