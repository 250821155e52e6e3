// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/run/lessons.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>

#include "datasets/dataset.hpp"
#include "mgproto_ros/error.hpp"
#include "model/random.hpp"
#include "model/teach.hpp"
#include "training/ground/keep_images.hpp"
#include "training/learn/stopwatch.hpp"
#include "training/measure/decision_rule.hpp"
#include "training/measure/logit_scores.hpp"
#include "training/measure/score_metrics.hpp"

namespace mgproto
{
namespace
{

/// What a model says of images that it saw.
ImageOutputs outputs_of(Network & network, const SeenImages & images)
{
  ImageOutputs outputs;
  outputs.similarity = similarity_of(network, images);
  outputs.logits = network.gaussian_head().class_logits(outputs.similarity);
  outputs.features = images.pooled;
  outputs.labels = images.classes();
  return outputs;
}

double share_right(const ImageOutputs & images)
{
  return images.logits.argmax(1).eq(images.labels).to(torch::kFloat64).mean().item<double>();
}

std::vector<double> scores_of(Checkpoint & model, const SeenImages & images)
{
  const auto rule = decision_rule(*model.network, model.manifest.calibration);
  return numbers(rule->score(outputs_of(*model.network, images)));
}

/// Numbers over draws.
struct Series
{
  std::vector<double> values;

  nlohmann::json json() const
  {
    const auto n = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
    double squares = 0;
    for (const double value : values) {
      squares += (value - mean) * (value - mean);
    }
    return {{"mean", mean}, {"deviation", values.size() > 1 ? std::sqrt(squares / (n - 1)) : 0.0}};
  }
};

std::vector<std::int64_t> shuffled(std::vector<std::int64_t> items, Random & random)
{
  for (std::size_t i = items.size(); i > 1; --i) {
    std::swap(items[i - 1], items[random.index(static_cast<int>(i))]);
  }
  return items;
}

/// The nearest of class means in a space of unit vectors, for comparison.
class NearestMean
{
public:
  using Space = std::function<torch::Tensor(const torch::Tensor & pooled)>;

  NearestMean(
    const std::string & name, Space space, const SeenImages & training, std::int64_t classes)
  : name_(name), space_(std::move(space))
  {
    const torch::Tensor vectors = space_(training.pooled);
    means_ = torch::zeros({classes, vectors.size(1)}).index_add(0, training.classes(), vectors);
    means_ = unit(means_);
  }

  /// With the means of new classes behind the others: of the images [N] shown, of classes [N] in their order.
  void measure(
    std::map<std::string, double> & result, const SeenImages & own, const SeenImages & fresh,
    const torch::Tensor & class_of /*[N]*/, const torch::Tensor & was_shown /*[N]*/) const
  {
    const torch::Tensor vectors = space_(fresh.pooled);
    const std::int64_t count = class_of.max().item<std::int64_t>() + 1;
    const torch::Tensor shown = was_shown.nonzero().flatten();
    const torch::Tensor fresh_means =
      unit(torch::zeros({count, vectors.size(1)})
             .index_add(0, class_of.index_select(0, shown), vectors.index_select(0, shown)));
    const torch::Tensor means = torch::cat({means_, fresh_means});
    const auto nearest = [&](const torch::Tensor & images) {
      return images.matmul(means.t()).argmax(1);
    };
    const torch::Tensor right = nearest(vectors).eq(class_of + means_.size(0));
    for (std::int64_t c = 0; c < count; ++c) {
      const torch::Tensor tested = class_of.eq(c).logical_and(was_shown.logical_not());
      result[name_ + "_new_right"] +=
        right.index({tested}).to(torch::kFloat64).mean().item<double>() /
        static_cast<double>(count);
    }
    result[name_ + "_old_right"] =
      nearest(space_(own.pooled)).eq(own.classes()).to(torch::kFloat64).mean().item<double>();
  }

private:
  static torch::Tensor unit(const torch::Tensor & rows)
  {
    return rows / rows.norm(2, 1, /*keepdim=*/true).clamp_min(1e-12);
  }

  std::string name_;
  Space space_;
  torch::Tensor means_;  // [C, channels]
};

class Lessons
{
public:
  Lessons(Checkpoint model, SeenImages own, SeenImages fresh, std::vector<std::string> names)
  : model_(std::move(model)),
    own_(std::move(own)),
    fresh_(std::move(fresh)),
    names_(std::move(names))
  {
  }

  void compare_with(const SeenImages & training)
  {
    const auto classes = static_cast<std::int64_t>(model_.manifest.classes.size());
    const auto network = model_.network;
    nearest_means_.emplace_back("plain", unit_vectors, training, classes);
    nearest_means_.emplace_back(
      "whitened", [network](const torch::Tensor & pooled) { return network->descriptors(pooled); },
      training, classes);
  }

  std::map<std::string, double> draw(int shown, std::uint64_t seed, std::uint64_t draw)
  {
    Random random{seed, static_cast<std::uint64_t>(shown), draw};
    std::vector<std::int64_t> order(names_.size());
    std::iota(order.begin(), order.end(), 0);
    order = shuffled(order, random);
    torch::Tensor was_shown = torch::zeros({fresh_.size()}, torch::kBool);
    Checkpoint model = model_;
    std::map<std::string, double> result;
    double seconds = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i == order.size() / 2) {
        add_strangers(result, model, order, i);
      }
      const torch::Tensor of_class = fresh_.classes().eq(order[i]).nonzero().flatten().contiguous();
      std::vector<std::int64_t> images(
        of_class.data_ptr<std::int64_t>(), of_class.data_ptr<std::int64_t>() + of_class.numel());
      images = shuffled(images, random);
      images.resize(shown);
      const torch::Tensor index = torch::tensor(images, torch::kInt64);
      was_shown.index_fill_(0, index, true);
      TaughtClass lesson{names_[order[i]], "", {}};
      lesson.images.resize(shown, {"", 1, 1});
      const SeenImages chosen(
        fresh_.pooled.index_select(0, index), fresh_.features.index_select(0, index),
        fresh_.labels.index_select(0, index));
      const Stopwatch watch;
      model = with_class(model, lesson, chosen).model;
      seconds += watch.seconds();
    }
    result["seconds"] = seconds / static_cast<double>(order.size());
    result["old_right"] = share_right(outputs_of(*model.network, own_));
    add_new(result, model, order, was_shown);
    for (const NearestMean & means : nearest_means_) {
      means.measure(result, own_, fresh_, fresh_.classes(), was_shown);
    }
    return result;
  }

  double old_right_before() { return share_right(outputs_of(*model_.network, own_)); }

private:
  void add_strangers(
    std::map<std::string, double> & result, Checkpoint & model,
    const std::vector<std::int64_t> & order, std::size_t taught)
  {
    torch::Tensor is_stranger = torch::zeros({fresh_.size()}, torch::kBool);
    for (std::size_t i = taught; i < order.size(); ++i) {
      is_stranger = is_stranger.logical_or(fresh_.classes().eq(order[i]));
    }
    const auto strangers = fresh_.where(is_stranger);
    result["strangers_auroc"] = auroc(scores_of(model, own_), scores_of(model, *strangers));
    result["strangers_auroc_before"] =
      auroc(scores_of(model_, own_), scores_of(model_, *strangers));
  }

  void add_new(
    std::map<std::string, double> & result, Checkpoint & model,
    const std::vector<std::int64_t> & order, const torch::Tensor & was_shown)
  {
    const auto rule = decision_rule(*model.network, model.manifest.calibration);
    const auto first = static_cast<std::int64_t>(model.manifest.classes.size() - order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto images =
        fresh_.where(fresh_.classes().eq(order[i]).logical_and(was_shown.logical_not()));
      const ImageOutputs outputs = outputs_of(*model.network, *images);
      const torch::Tensor right = outputs.logits.argmax(1).eq(first + static_cast<std::int64_t>(i));
      const torch::Tensor known = rule->score(outputs).ge(rule->threshold);
      const auto classes = static_cast<double>(order.size());
      const auto count = [](const torch::Tensor & mask) {
        return mask.to(torch::kFloat64).sum().item<double>();
      };
      result["new_right"] += count(right) / static_cast<double>(images->size()) / classes;
      result["new_known"] +=
        count(right.logical_and(known)) / std::max(1.0, count(right)) / classes;
    }
  }

  Checkpoint model_;
  SeenImages own_;
  SeenImages fresh_;  // labels by names_
  std::vector<std::string> names_;
  std::vector<NearestMean> nearest_means_;
};

}  // namespace

std::string measure_lessons(
  const std::string & model, const LessonsOptions & options, const StepProgress & progress)
{
  const torch::NoGradGuard no_grad;
  Checkpoint checkpoint = load_mixtures(model);
  if (const std::string problem = teaching_problem(*checkpoint.network); !problem.empty()) {
    throw FileError(model, problem);
  }
  if (!checkpoint.manifest.calibration) {
    throw FileError(model, "is not calibrated, so that what is known cannot be told");
  }
  checkpoint.network->eval();
  DatasetOptions labelled;
  labelled.evaluation = true;
  const Dataset fresh = open_dataset(options.fresh, "all", labelled);
  const std::vector<std::int64_t> counts = class_counts(fresh);
  const auto most = *std::max_element(options.shown.begin(), options.shown.end());
  for (std::size_t c = 0; c < counts.size(); ++c) {
    if (counts[c] <= most) {
      throw ConfigError(
        "shown", "'" + fresh.classes[c] + "' has " + std::to_string(counts[c]) +
                   " images, too few to show " + std::to_string(most) + " and test on others");
    }
  }
  const Dataset own = open_for_model(checkpoint.manifest, options.images);
  Network & network = *checkpoint.network;
  const LoaderConfig loader = loader_for_model(checkpoint.manifest);
  Lessons lessons(
    checkpoint, see_images(network, own, loader, shown_as(progress, "known images")),
    see_images(network, fresh, loader, shown_as(progress, "new images")), fresh.classes);

  if (!options.means_split.empty()) {
    const Dataset training =
      open_for_model(checkpoint.manifest, {options.images.path, options.means_split});
    lessons.compare_with(
      see_images(network, training, loader, shown_as(progress, "for class means")));
  }

  nlohmann::json result{
    {"model", model},
    {"classes", checkpoint.manifest.classes.size()},
    {"new_classes", fresh.classes.size()},
    {"draws", options.draws},
    {"seed", options.seed},
    {"old_right_before", lessons.old_right_before()},
    {"shown", nlohmann::json::object()}};
  const auto total = static_cast<std::int64_t>(options.shown.size()) * options.draws;
  std::int64_t done = 0;
  for (const int shown : options.shown) {
    std::map<std::string, Series> series;
    for (int draw = 0; draw < options.draws; ++draw) {
      for (const auto & [name, value] :
           lessons.draw(shown, options.seed, static_cast<std::uint64_t>(draw))) {
        series[name].values.push_back(value);
      }
      progress("teaching", ++done, total);
    }
    for (const auto & [name, values] : series) {
      result["shown"][std::to_string(shown)][name] = values.json();
    }
  }
  return result.dump(2);
}

}  // namespace mgproto
