// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/teach.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "mgproto_ros/error.hpp"
#include "model/calibrate.hpp"
#include "model/mixture/class_prototypes.hpp"
#include "model/shared_network.hpp"

namespace mgproto
{
namespace
{

constexpr double kTwoPi = 6.28318530717958647693;
constexpr std::int64_t kFewImages = 5;  // below, there is not enough for so many prototypes:
constexpr std::int64_t kPrototypesOfFew = 5;
constexpr std::uint64_t kSeed = 1;
constexpr std::int64_t kImagesAtATime = 64;
/// What is usual of a part counts as much as so many images of the class.
constexpr double kUsualImages = 2;
/// Of the squared distance along the class's own direction, what is taken for the class's at least.
constexpr double kLeastSignal = 0.02;

std::int64_t taught_count(Network & network) { return network.gaussian_head().taught(); }

/// Class directions that are no taught class's own.
std::int64_t first_directions(Network & network)
{
  return network.config().familiarity.class_dim - taught_count(network);
}

/// Held-out images of the classes that the model was trained on.
std::shared_ptr<SeenImages> held_out(Network & network)
{
  const std::int64_t trained = network.head().classes() - taught_count(network);
  return network.seen()->where(network.seen()->classes() < trained);
}

std::vector<Answers> answers_of(Network & network, const SeenImages & images)
{
  const torch::Tensor similarity = similarity_of(network, images);
  return answers_of(
    network, network.gaussian_head().class_logits(similarity), similarity, images.pooled);
}

/// All that a network needs to know one class more.
struct LearntClass
{
  torch::Tensor means;       // [M, D]
  torch::Tensor priors;      // [M]
  torch::Tensor whole;       // [whole_dim + 1]
  torch::Tensor along;       // the direction of its own that the whole is compared along [channels]
  double offset = 0;         // of what lies along it
  torch::Tensor direction;   // familiarity's [channels]
  torch::Tensor class_mean;  // in familiarity's directions and along its own [class_dim + 1]
  torch::Tensor part_mean;   // [M]
  torch::Tensor part_deviation;  // [M]
};

/// What is usual of a part in held-out images of its class, log h at kappa = 1.
struct UsualPart
{
  double mean = 0;
  double variance = 0;
};

UsualPart usual_part(Network & network, const SeenImages & images)
{
  const GaussianHead & head = network.gaussian_head();
  const torch::Tensor class_of = torch::tensor(head.prototype_class(), torch::kInt64);
  const torch::Tensor own = images.classes().unsqueeze(1).eq(class_of.unsqueeze(0));  // [N, K]
  const torch::Tensor log_h =
    (similarity_of(network, images).slice(1, 0, head.prototypes()) / head.concentration())
      .index({own})
      .to(torch::kFloat64);
  return {log_h.mean().item<double>(), log_h.var(/*unbiased=*/false).item<double>()};
}

class Lesson
{
public:
  Lesson(Network & network, const SeenImages & shown)
  : network_(network),
    head_(network.gaussian_head()),
    shown_(shown),
    others_(held_out(network)),
    usual_(usual_part(network, *others_)),
    unexplained_(network.familiarity()->outside(others_->pooled).mean().item<double>())
  {
    if (head_.whole_dim() > 0) {
      const torch::Tensor in_first_directions =
        network.familiarity()
          ->locate(others_->pooled, torch::zeros({others_->size()}, torch::kInt64))
          .in_class_directions.slice(1, 0, first_directions(network));
      scale_ = std::sqrt(
        network.whole_numbers(others_->pooled).square().sum().item<double>() /
        std::max(in_first_directions.square().sum().item<double>(), 1e-30));
    }
  }

  const SeenImages & others() const { return *others_; }

  ClassPrototypes find_prototypes() const
  {
    const torch::Tensor features = torch::cat({shown_.features, others_->features}).flatten(2);
    const torch::Tensor is_own = torch::arange(features.size(0)) < shown_.size();
    torch::Tensor class_means;
    std::int64_t class_id = 0;
    if (head_.whole_dim() > 0) {
      const std::int64_t trained = head_.classes() - head_.taught();
      class_means = torch::cat(
        {head_.wholes.slice(0, 0, trained).slice(1, 0, head_.whole_dim()),
         unit_vectors(network_.whole_numbers(shown_.pooled).mean(0, /*keepdim=*/true))});
      class_id = trained;
    }
    const std::int64_t usual = head_.range_of(0).second - head_.range_of(0).first;
    const std::int64_t M = shown_.size() < kFewImages ? std::min(usual, kPrototypesOfFew) : usual;
    return find_class_prototypes(
      features, is_own, shown_.features.size(3), class_means, class_id, M, kSeed);
  }

  /// Of all images that were shown, or of all but one.
  LearntClass learn(const ClassPrototypes & found, std::optional<std::int64_t> left_out = {}) const
  {
    LearntClass learnt;
    std::vector<std::int64_t> images(shown_.size());
    std::iota(images.begin(), images.end(), 0);
    torch::Tensor kept = torch::arange(found.means.size(0));
    if (left_out) {
      images.erase(images.begin() + *left_out);
      kept = found.image.ne(*left_out).nonzero().flatten();
    }
    const torch::Tensor index = torch::tensor(images, torch::kInt64);
    learnt.means = found.means.index_select(0, kept);
    learnt.priors = found.priors.index_select(0, kept);
    learnt.priors = learnt.priors / learnt.priors.sum();
    learn_parts(learnt, found.image.index_select(0, kept), index);
    learn_place(learnt, shown_.pooled.index_select(0, index));
    return learnt;
  }

private:
  /// Of each prototype in the images but for its own, held against what is usual.
  void learn_parts(
    LearntClass & learnt, const torch::Tensor & source, const torch::Tensor & images) const
  {
    const torch::Tensor cosine =
      torch::matmul(learnt.means, shown_.features.index_select(0, images).flatten(2)).amax(2);
    const torch::Tensor log_h = (cosine - 1) * kTwoPi;  // [n, M]
    const torch::Tensor counts = images.unsqueeze(1).ne(source.unsqueeze(0)).to(torch::kFloat32);
    const torch::Tensor weight = counts.sum(0) + kUsualImages;
    learnt.part_mean = ((log_h * counts).sum(0) + kUsualImages * usual_.mean) / weight;
    const torch::Tensor squares = ((log_h - learnt.part_mean).square() * counts).sum(0);
    learnt.part_deviation = ((squares + kUsualImages * usual_.variance) / weight).sqrt();
  }

  void learn_place(LearntClass & learnt, const torch::Tensor & pooled) const
  {
    const Familiarity & familiarity = *network_.familiarity();
    const auto k = static_cast<double>(pooled.size(0));

    // Familiarity: outside of all other classes' directions. A mean of k images is as far out as the
    // class's, and by the images' own variance, divided by k, farther.
    const auto own = familiarity.own_direction(pooled, network_.config().familiarity.class_dim);
    const double squared = own.distance * own.distance;
    const double noise = unexplained_ / k;
    const double signal = std::max(squared - noise, kLeastSignal * squared);
    learnt.direction = own.direction;
    learnt.class_mean =
      torch::cat({own.along, torch::full({1}, signal / own.distance, own.along.options())});

    if (head_.whole_dim() == 0) {
      return;
    }
    // The whole: outside of the first classes' directions alone, so that what was taught before plays no
    // part, and in the scale that the whole has in those.
    const std::int64_t first = first_directions(network_);
    const auto alone = familiarity.own_direction(pooled, first);
    learnt.along = alone.direction * scale_;
    learnt.offset = -scale_ * familiarity.offset(alone.direction);
    const torch::Tensor u = network_.whole_numbers(pooled).mean(0);
    learnt.whole = torch::cat({u, torch::full({1}, alone.distance * scale_, u.options())});
    learnt.whole = learnt.whole / learnt.whole.norm().clamp_min(1e-12);
  }

  Network & network_;
  const GaussianHead & head_;
  const SeenImages & shown_;
  std::shared_ptr<SeenImages> others_;
  UsualPart usual_;
  double unexplained_;  // squared distance of held-out images that no class explains, in the mean
  double scale_ = 1;    // of the whole's numbers in familiarity's
};

torch::Tensor with_row(const torch::Tensor & rows, const torch::Tensor & row)
{
  return rows.defined() ? torch::cat({rows, row.unsqueeze(0)}) : row.unsqueeze(0);
}

torch::Tensor with_zero_column(const torch::Tensor & rows)
{
  return torch::cat({rows, torch::zeros({rows.size(0), 1}, rows.options())}, 1);
}

std::vector<double> numbers_of(const torch::Tensor & tensor)
{
  const torch::Tensor values = tensor.to(torch::kFloat64).contiguous();
  return {values.data_ptr<double>(), values.data_ptr<double>() + values.numel()};
}

/// p(c): equally many images of the new class as of the others in the mean.
torch::Tensor priors_with_one_more(const torch::Tensor & priors)
{
  const auto count = static_cast<double>(priors.size(0));
  return torch::cat(
    {priors * (count / (count + 1)), torch::full({1}, 1 / (count + 1), priors.options())});
}

std::shared_ptr<Network> with_learnt(Network & network, const LearntClass & learnt)
{
  const GaussianHead & before = network.gaussian_head();
  const Familiarity & was = *network.familiarity();
  ModelConfig config = network.config();
  config.head.taught += 1;
  config.familiarity.class_dim += 1;

  std::vector<int> prototype_class = before.prototype_class();
  prototype_class.insert(prototype_class.end(), learnt.means.size(0), before.classes());
  auto head = std::make_shared<GaussianHead>(
    torch::cat({before.means, learnt.means}), torch::cat({before.priors, learnt.priors}),
    prototype_class, config.head);
  head->class_priors.copy_(priors_with_one_more(before.class_priors));
  if (before.wholes.defined()) {
    const bool is_first = before.taught() == 0;
    head->wholes.copy_(
      with_row(is_first ? with_zero_column(before.wholes) : before.wholes, learnt.whole));
  }

  auto result = with_shared_tensors(network, config, head);
  if (result->taught_directions.defined()) {
    result->taught_directions.set_data(with_row(network.taught_directions, learnt.along));
    const torch::Tensor offset = torch::full({1}, learnt.offset);
    result->taught_offsets.set_data(
      network.taught_offsets.defined() ? torch::cat({network.taught_offsets, offset}) : offset);
  }
  Familiarity & familiarity = *result->familiarity();
  familiarity.part_mean.set_data(torch::cat({was.part_mean, learnt.part_mean}));
  familiarity.part_deviation.set_data(torch::cat({was.part_deviation, learnt.part_deviation}));
  familiarity.class_directions.set_data(with_row(was.class_directions, learnt.direction));
  familiarity.class_means.set_data(with_row(with_zero_column(was.class_means), learnt.class_mean));
  familiarity.total_variance.set_data(
    torch::cat({was.total_variance, torch::ones({1}, was.total_variance.options())}));
  return result;
}

/// On the held-out images, and on those that taught classes as if they had not been shown.
Calibration calibrated_again(Network & network, const Manifest & manifest, const Calibration & as)
{
  std::vector<Answers> answers = answers_of(network, *held_out(network));
  for (const TaughtClass & taught : manifest.taught) {
    for (const ShownImage & shown : taught.images) {
      if (std::isfinite(shown.answers.front())) {
        answers.push_back(shown.answers);
      }
    }
  }
  return calibrate(network, std::move(answers), as.tpr, as.criterion);
}

/// What each image says to a model that was shown the others.
void answer_unseen(
  Network & network, const Lesson & lesson, const ClassPrototypes & found, const SeenImages & shown,
  std::vector<ShownImage> & images)
{
  for (std::int64_t i = 0; i < shown.size(); ++i) {
    if (shown.size() < 2 || found.image.ne(i).sum().item<std::int64_t>() == 0) {
      images[i].answers = kNoAnswers;
      continue;
    }
    const auto without = with_learnt(network, lesson.learn(found, i));
    images[i].answers =
      answers_of(*without, *shown.where(torch::arange(shown.size()).eq(i))).front();
  }
}

std::vector<std::int64_t> integers(const torch::Tensor & tensor)
{
  const torch::Tensor values = tensor.to(torch::kInt64).contiguous();
  return {values.data_ptr<std::int64_t>(), values.data_ptr<std::int64_t>() + values.numel()};
}

int class_named(const Manifest & manifest, const std::string & name)
{
  const auto found = std::find(manifest.classes.begin(), manifest.classes.end(), name);
  if (found == manifest.classes.end()) {
    throw Error("no class '" + name + "' in this model");
  }
  return static_cast<int>(found - manifest.classes.begin());
}

/// The first `count` of the rows.
torch::Tensor first_rows(const torch::Tensor & rows, std::int64_t count)
{
  return rows.slice(0, 0, count).clone();
}

/// The model as it was before the last class was taught.
Checkpoint without_last(Checkpoint & model)
{
  Network & network = *model.network;
  const GaussianHead & head = network.gaussian_head();
  const int last = head.classes() - 1;
  const std::int64_t prototypes = head.range_of(last).first;
  const bool is_only = head.taught() == 1;
  ModelConfig config = network.config();
  config.head.taught -= 1;
  config.familiarity.class_dim -= 1;

  std::vector<int> prototype_class = head.prototype_class();
  prototype_class.resize(prototypes);
  auto fewer = std::make_shared<GaussianHead>(
    first_rows(head.means, prototypes), first_rows(head.priors, prototypes), prototype_class,
    config.head);
  Checkpoint result;
  result.manifest = model.manifest;
  Manifest & manifest = result.manifest;
  torch::Tensor class_priors = torch::tensor(manifest.untaught->class_priors).to(torch::kFloat32);
  for (int t = 0; t < config.head.taught; ++t) {
    class_priors = priors_with_one_more(class_priors);
  }
  fewer->class_priors.copy_(class_priors);
  if (head.wholes.defined()) {
    fewer->wholes.copy_(head.wholes.slice(0, 0, last).slice(1, 0, fewer->wholes.size(1)));
  }
  result.network = with_shared_tensors(network, config, fewer);
  if (result.network->taught_directions.defined()) {
    result.network->taught_directions.set_data(
      first_rows(network.taught_directions, config.head.taught));
    result.network->taught_offsets.set_data(first_rows(network.taught_offsets, config.head.taught));
  }
  const Familiarity & was = *network.familiarity();
  Familiarity & familiarity = *result.network->familiarity();
  const std::int64_t directions = config.familiarity.class_dim;
  familiarity.part_mean.set_data(first_rows(was.part_mean, prototypes));
  familiarity.part_deviation.set_data(first_rows(was.part_deviation, prototypes));
  familiarity.class_directions.set_data(first_rows(was.class_directions, directions));
  familiarity.class_means.set_data(
    was.class_means.slice(0, 0, last).slice(1, 0, directions).contiguous().clone());
  familiarity.total_variance.set_data(first_rows(was.total_variance, directions));
  result.network->keep(network.seen()->where(network.seen()->classes() < last));

  manifest.classes.pop_back();
  manifest.class_priors = numbers_of(fewer->class_priors);
  manifest.taught.pop_back();
  if (!manifest.prototypes.empty()) {
    manifest.prototypes.resize(prototypes);
  }
  if (is_only) {
    manifest.calibration = manifest.untaught->calibration;
    manifest.untaught.reset();
  } else if (manifest.untaught->calibration) {
    manifest.calibration =
      calibrated_again(*result.network, manifest, *manifest.untaught->calibration);
  }
  return result;
}

}  // namespace

torch::Tensor similarity_of(Network & network, const SeenImages & images)
{
  const GaussianHead & head = network.gaussian_head();
  std::vector<torch::Tensor> of_batches;
  for (std::int64_t i = 0; i < images.size(); i += kImagesAtATime) {
    const torch::Tensor pooled = images.pooled.slice(0, i, i + kImagesAtATime);
    of_batches.push_back(head.similarity(
      head.similarity_maps(images.features.slice(0, i, i + kImagesAtATime), head.means),
      network.whole(pooled.unsqueeze(2).unsqueeze(3))));
  }
  return torch::cat(of_batches);
}

std::string teaching_problem(Network & network)
{
  if (!network.has_density() || network.familiarity() == nullptr) {
    return "cannot tell what is familiar, without which nothing can be taught: mgproto calibrate "
           "with --familiar";
  }
  if (network.seen() == nullptr) {
    return "keeps no held-out images to teach against: calibrate it again (mgproto calibrate)";
  }
  return "";
}

Taught with_class(Checkpoint & model, const TaughtClass & lesson, const SeenImages & shown)
{
  const torch::NoGradGuard no_grad;
  Network & network = *model.network;
  if (const std::string problem = teaching_problem(network); !problem.empty()) {
    throw Error("the model " + problem);
  }
  const auto & classes = model.manifest.classes;
  if (std::find(classes.begin(), classes.end(), lesson.name) != classes.end()) {
    throw Error("'" + lesson.name + "' is a class of this model already");
  }
  if (
    shown.config().rows != network.seen()->config().rows ||
    shown.config().cols != network.seen()->config().cols) {
    throw Error("the images shown are of another size than those that the model keeps");
  }

  const Lesson of_class(network, shown);
  const ClassPrototypes found = of_class.find_prototypes();
  Taught taught;
  taught.image = integers(found.image);
  taught.position = integers(found.position);
  taught.model.manifest = model.manifest;
  Manifest & manifest = taught.model.manifest;
  if (!manifest.untaught) {
    manifest.untaught =
      Untaught{numbers_of(network.gaussian_head().class_priors), manifest.calibration};
  }
  manifest.classes.push_back(lesson.name);
  manifest.taught.push_back(lesson);
  answer_unseen(network, of_class, found, shown, manifest.taught.back().images);
  if (!manifest.prototypes.empty()) {
    manifest.prototypes.resize(manifest.prototypes.size() + taught.image.size());
  }

  taught.model.network = with_learnt(network, of_class.learn(found));
  manifest.class_priors = numbers_of(taught.model.network->gaussian_head().class_priors);
  const torch::Tensor labels =
    torch::full({shown.size()}, static_cast<double>(classes.size()), torch::kFloat32);
  taught.model.network->keep(
    network.seen()->with(SeenImages(shown.pooled, shown.features, labels)));
  if (manifest.untaught->calibration) {
    manifest.calibration =
      calibrated_again(*taught.model.network, manifest, *manifest.untaught->calibration);
  }
  return taught;
}

std::shared_ptr<SeenImages> images_of(Checkpoint & model, const std::string & name)
{
  const int class_id = class_named(model.manifest, name);
  return model.network->seen()->where(model.network->seen()->classes().eq(class_id));
}

Checkpoint without_class(Checkpoint & model, const std::string & name)
{
  const torch::NoGradGuard no_grad;
  const int class_id = class_named(model.manifest, name);
  const int trained =
    static_cast<int>(model.manifest.classes.size() - model.manifest.taught.size());
  if (class_id < trained) {
    throw Error(
      "'" + name + "' is a class that the model was trained on, only taught ones can be forgotten");
  }
  struct Later
  {
    TaughtClass lesson;
    std::shared_ptr<SeenImages> images;
    std::vector<std::optional<Provenance>> prototypes;
  };
  std::vector<Later> later;  // the last one first
  Checkpoint result = model;
  for (int last = static_cast<int>(model.manifest.classes.size()) - 1; last > class_id; --last) {
    const auto [begin, end] = result.network->gaussian_head().range_of(last);
    Later & one = later.emplace_back();
    one.lesson = result.manifest.taught.back();
    one.images = images_of(result, one.lesson.name);
    if (!result.manifest.prototypes.empty()) {
      one.prototypes.assign(
        result.manifest.prototypes.begin() + begin, result.manifest.prototypes.begin() + end);
    }
    result = without_last(result);
  }
  result = without_last(result);
  for (auto one = later.rbegin(); one != later.rend(); ++one) {
    result = with_class(result, one->lesson, *one->images).model;
    // Its prototypes are the same patches: they depend on nothing that was taught.
    std::copy(
      one->prototypes.rbegin(), one->prototypes.rend(), result.manifest.prototypes.rbegin());
  }
  return result;
}

}  // namespace mgproto
