// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "mgproto_ros/recognizer.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "mgproto_ros/error.hpp"
#include "model/checkpoint.hpp"
#include "model/decision.hpp"
#include "model/device.hpp"
#include "model/evidence.hpp"
#include "model/preprocessing.hpp"

namespace mgproto
{
namespace
{

/// What the mixtures say about one image, in the CPU's memory.
struct DensityRow
{
  float log_density;
  const float * log_class_density;  // [C]
  const float * log_posterior;      // [C]
  const float * log_likelihood;     // [K]
  const float * contribution;       // [K]
  const float * position;           // [K]
  const float * asked;              // what ask() gives
};

/// The same of a batch: one copy back, and so one wait for the device, for all of it.
class DensityRows
{
public:
  DensityRows(
    const Densities & densities, const torch::Tensor & contributions /*[B, K]*/,
    const torch::Tensor & asked)
  : classes_(densities.log_class_density.size(1)),
    prototypes_(contributions.size(1)),
    positions_(densities.position.size(1))
  {
    // Positions are exact in float32.
    rows_ =
      torch::cat(
        {densities.log_density.unsqueeze(1), densities.log_class_density, densities.log_posterior,
         densities.log_likelihood, contributions, densities.position.to(torch::kFloat32), asked},
        1)
        .to(torch::kCPU)
        .contiguous();
  }

  DensityRow operator[](std::size_t image) const
  {
    const float * row = rows_.data_ptr<float>() + static_cast<std::int64_t>(image) * rows_.size(1);
    const float * classes = row + 1;
    const float * prototypes = classes + 2 * classes_;
    return {
      *row,
      classes,
      classes + classes_,
      prototypes,
      prototypes + prototypes_,
      prototypes + 2 * prototypes_,
      prototypes + 2 * prototypes_ + positions_};
  }

private:
  std::int64_t classes_;
  std::int64_t prototypes_;  // with a whole, K + C
  std::int64_t positions_;   // K
  torch::Tensor rows_;
};

}  // namespace

class Recognizer::Implementation
{
public:
  /// Throws what is wrong with the checkpoint as a FileError of that path.
  Implementation(Checkpoint & checkpoint, const std::string & path, const Options & options)
  : device_(choose_device(options.device)),
    device_name_(device_.str()),
    num_threads_(options.num_threads)
  {
    if (num_threads_ < 0) {
      throw ConfigError("num_threads", "must not be negative; 0 chooses by the network's size");
    }
    if (options.half && !device_.is_cuda()) {
      throw ConfigError("half", "half precision needs a CUDA device, this is " + device_name_);
    }
    use_threads(num_threads_);
    manifest_ = checkpoint.manifest;
    network_ = checkpoint.network;
    network_->prepare_for_inference();
    network_->to(device_);
    if (device_.is_cpu()) {
      network_->pack_for_cpu();
    }
    if (options.half) {
      backbone_type_ = torch::kHalf;
      network_->backbone().to(torch::kHalf);
    }
    preprocessor_.emplace(manifest_.preprocessing);
    warm_up(path);
  }

  std::vector<Prediction> recognize(
    const std::vector<ImageView> & images, const EvidenceRequest & request,
    const DecisionRequest & decision)
  {
    if (images.empty()) {
      return {};
    }
    check(request);
    const c10::InferenceMode inference;
    use_threads(threads_for(images.size()));
    try {
      const std::vector<InputGeometry> geometry = preprocess(images);
      return predict(geometry, request, decision);
    } catch (const c10::Error & error) {
      // LibTorch's errors run over many lines, the first one says what happened.
      throw DeviceError(device_name_ + ": " + error.what_without_backtrace());
    }
  }

  Manifest manifest_;
  c10::Device device_;
  std::string device_name_;

private:
  /// Backbone, features, densities, decision, evidence.
  std::vector<Prediction> predict(
    const std::vector<InputGeometry> & geometry, const EvidenceRequest & request,
    const DecisionRequest & decision)
  {
    const torch::Tensor images = input_.to(device_, backbone_type_, /*non_blocking=*/true);
    const torch::Tensor z = network_->backbone_map(images).to(torch::kFloat32);
    const torch::Tensor features = network_->features(z);  // [B, D, h, w]
    const GaussianHead & head = network_->gaussian_head();
    const Densities densities = head.forward(features, network_->whole(z));
    const DensityRows rows(
      densities, head.contributions(densities.log_likelihood), ask(z, densities));

    torch::Tensor descriptors;
    if (request.descriptor) {
      descriptors = network_->descriptors(z.mean({2, 3})).to(torch::kCPU).contiguous();
    }

    std::vector<Prediction> predictions;
    for (std::size_t b = 0; b < geometry.size(); ++b) {
      Prediction & prediction = predictions.emplace_back(read(rows[b]));
      decide(prediction, manifest_.calibration, decision);
      prediction.missing = missing_parts(prediction.class_id, rows[b]);
      prediction.map_rows = static_cast<int>(features.size(2));
      prediction.map_cols = static_cast<int>(features.size(3));
      prediction.seen = geometry[b].seen();
      choose_evidence(prediction, rows[b], request);
      locate_evidence(prediction, features[static_cast<std::int64_t>(b)], geometry[b]);
      explain_wholes(prediction, rows[b], z[static_cast<std::int64_t>(b)], request);
      if (request.descriptor) {
        const std::int64_t dim = descriptors.size(1);
        const float * row = descriptors.data_ptr<float>() + static_cast<std::int64_t>(b) * dim;
        prediction.descriptor.assign(row, row + dim);
      }
    }
    return predictions;
  }

  /// What a model with familiarity asks beside log p(x), the prototypes' shortfalls behind it; nothing
  /// of another model.  [B, 3 + K]
  torch::Tensor ask(const torch::Tensor & z, const Densities & densities) const
  {
    if (network_->familiarity() == nullptr) {
      return torch::empty({z.size(0), 0}, densities.log_density.options());
    }
    const torch::Tensor shortfall = network_->shortfall(densities.log_likelihood);
    return torch::cat(
      {network_->answers(densities.log_posterior.argmax(1), shortfall, z.mean({2, 3})), shortfall},
      1);
  }

  std::vector<int> missing_parts(int class_id, const DensityRow & row) const
  {
    std::vector<int> missing;
    if (class_id >= 0 && network_->familiarity() != nullptr) {
      const auto [begin, end] = network_->gaussian_head().range_of(class_id);
      for (std::int64_t k = begin; k < end; ++k) {
        if (row.asked[kQuestions - 1 + k] > kMissing) {
          missing.push_back(static_cast<int>(k));
        }
      }
    }
    return missing;
  }

  Prediction read(const DensityRow & row) const
  {
    const std::size_t classes = manifest_.classes.size();
    Prediction prediction;
    prediction.log_density = row.log_density;
    prediction.log_likelihood.assign(row.log_class_density, row.log_class_density + classes);
    prediction.posterior.assign(row.log_posterior, row.log_posterior + classes);
    for (float & posterior : prediction.posterior) {
      posterior = std::exp(posterior);
    }
    if (network_->familiarity() != nullptr) {
      std::copy_n(row.asked, kQuestions - 1, prediction.answers.begin() + 1);
    }
    return prediction;
  }

  /// The classes asked for, each once, the most probable first.
  static std::vector<int> classes_to_explain(
    const std::vector<int> & ranking, const EvidenceRequest & request)
  {
    const auto count = std::clamp<std::ptrdiff_t>(request.top_classes, 0, ranking.size());
    std::vector<int> classes(ranking.begin(), ranking.begin() + count);
    for (const int class_id : request.classes) {
      if (std::find(classes.begin(), classes.end(), class_id) == classes.end()) {
        classes.push_back(class_id);
      }
    }
    return classes;
  }

  /// The prototypes asked for, still without map and box.
  void choose_evidence(
    Prediction & prediction, const DensityRow & row, const EvidenceRequest & request) const
  {
    for (const int class_id : classes_to_explain(prediction.ranking, request)) {
      std::vector<PrototypeEvidence> of_class;
      const auto [begin, end] = network_->gaussian_head().range_of(class_id);
      for (std::int64_t k = begin; k < end; ++k) {
        PrototypeEvidence & evidence = of_class.emplace_back();
        evidence.prototype = static_cast<int>(k);
        evidence.class_id = class_id;
        evidence.prior = manifest_.prototype_prior[k];
        evidence.log_likelihood = row.log_likelihood[k];
        evidence.contribution = row.contribution[k];
        evidence.row = static_cast<int>(row.position[k]) / prediction.map_cols;
        evidence.col = static_cast<int>(row.position[k]) % prediction.map_cols;
      }
      std::stable_sort(of_class.begin(), of_class.end(), contributes_more);
      if (request.prototypes_per_class > 0) {
        of_class = merge_places(of_class);
        of_class.resize(std::min<std::size_t>(of_class.size(), request.prototypes_per_class));
      }
      std::move(of_class.begin(), of_class.end(), std::back_inserter(prediction.evidence));
    }
  }

  void locate_evidence(
    Prediction & prediction, const torch::Tensor & features /*[D, h, w]*/,
    const InputGeometry & geometry) const
  {
    if (prediction.evidence.empty()) {
      return;
    }
    std::vector<std::int64_t> chosen;
    for (const PrototypeEvidence & evidence : prediction.evidence) {
      chosen.push_back(evidence.prototype);
    }
    const torch::Tensor maps =
      network_->gaussian_head()
        .log_likelihood_maps(
          features.unsqueeze(0), torch::tensor(chosen, torch::kInt64).to(device_))
        .exp()
        .to(torch::kCPU)
        .contiguous();  // [1, chosen, P]
    const float * map = maps.data_ptr<float>();
    for (PrototypeEvidence & evidence : prediction.evidence) {
      evidence.map.assign(map, map + maps.size(2));
      evidence.box =
        activation_box(evidence.map, prediction.map_rows, prediction.map_cols, geometry);
      map += maps.size(2);
    }
  }

  void explain_wholes(
    Prediction & prediction, const DensityRow & row, const torch::Tensor & z /*[channels, h, w]*/,
    const EvidenceRequest & request) const
  {
    const std::vector<int> classes = classes_to_explain(prediction.ranking, request);
    const double weight = manifest_.model.head.whole;
    if (weight <= 0 || classes.empty()) {
      return;
    }
    const torch::Tensor chosen = torch::tensor(classes, torch::kInt64).to(device_);
    const torch::Tensor maps =
      network_->whole_maps(z.unsqueeze(0), chosen)[0].to(torch::kCPU).contiguous();  // [n, P]
    const std::int64_t behind = network_->gaussian_head().prototypes();
    const float * map = maps.data_ptr<float>();
    for (const int class_id : classes) {
      WholeEvidence & whole = prediction.wholes.emplace_back();
      whole.class_id = class_id;
      whole.weight = static_cast<float>(weight);
      whole.log_likelihood = row.log_likelihood[behind + class_id];
      whole.contribution = row.contribution[behind + class_id];
      whole.map.assign(map, map + maps.size(1));
      map += maps.size(1);
    }
  }

  /// Fills input_ [B, 3, size, size], which is reused while the batch size stays the same.
  std::vector<InputGeometry> preprocess(const std::vector<ImageView> & images)
  {
    const std::int64_t size = manifest_.preprocessing.size;
    const auto count = static_cast<std::int64_t>(images.size());
    if (!input_.defined() || input_.size(0) != count) {
      input_ = torch::empty(
        {count, 3, size, size},
        torch::TensorOptions().dtype(torch::kFloat32).pinned_memory(device_.is_cuda()));
    }
    std::vector<InputGeometry> geometry;
    for (std::int64_t b = 0; b < count; ++b) {
      geometry.push_back(
        (*preprocessor_)(images[b], input_.data_ptr<float>() + b * 3 * size * size));
    }
    return geometry;
  }

  void check(const EvidenceRequest & request) const
  {
    for (const int class_id : request.classes) {
      if (class_id < 0 || class_id >= static_cast<int>(manifest_.classes.size())) {
        throw ConfigError(
          "evidence.classes", std::to_string(class_id) + " is not a class of this model, it has " +
                                std::to_string(manifest_.classes.size()));
      }
    }
  }

  /// A prototype so many standard deviations below its usual likelihood was not found.
  static constexpr float kMissing = 2;

  static constexpr int kAllCores = 0;
  /// About 15 ms of one core. Threads of a shorter pass wait for each other, and for whatever else
  /// runs on their cores, longer than they work.
  static constexpr double kFewMultiplyAdds = 4e8;

  /// Chosen by what a pass computes, never by how long it took: oneDNN rounds differently on another
  /// number of threads, and the same images must give the same numbers in every run.
  int threads_for(std::size_t images) const
  {
    if (num_threads_ > 0) {
      return num_threads_;
    }
    return static_cast<double>(images) * multiply_adds_ < kFewMultiplyAdds ? 1 : kAllCores;
  }

  /// The first pass sets things up and tells what one computes; if that is little, the next one sets
  /// things up for one thread.
  void warm_up(const std::string & path)
  {
    const std::vector<std::uint8_t> grey(3 * 64 * 64, 128);
    const ImageView image{grey.data(), 64, 64, 3 * 64, PixelFormat::bgr};
    const EvidenceRequest request{1, {}, 1};
    try {
      recognize({image}, request, {});
      multiply_adds_ = static_cast<double>(network_->multiply_adds());
      if (num_threads_ == 0 && threads_for(1) != kAllCores) {
        recognize({image}, request, {});
      }
    } catch (const ImageError & error) {
      throw FileError(path, std::string("manifest.preprocessing.size: ") + error.what());
    }
  }

  int num_threads_;
  double multiply_adds_ = std::numeric_limits<double>::infinity();  // for each image
  c10::ScalarType backbone_type_ = torch::kFloat32;
  std::shared_ptr<Network> network_;
  std::optional<Preprocessor> preprocessor_;
  torch::Tensor input_;
};

Recognizer::Recognizer(const std::string & path, const Options & options)
{
  Checkpoint checkpoint = load_mixtures(path);
  implementation_ = std::make_unique<Implementation>(checkpoint, path, options);
}

Recognizer::Recognizer(std::unique_ptr<Implementation> implementation)
: implementation_(std::move(implementation))
{
}

Recognizer recognizer_of(Checkpoint & checkpoint, const Recognizer::Options & options)
{
  return Recognizer(std::make_unique<Recognizer::Implementation>(checkpoint, "the model", options));
}

Recognizer::~Recognizer() = default;
Recognizer::Recognizer(Recognizer &&) noexcept = default;
Recognizer & Recognizer::operator=(Recognizer &&) noexcept = default;

const Manifest & Recognizer::manifest() const { return implementation_->manifest_; }
const std::string & Recognizer::device() const { return implementation_->device_name_; }

std::vector<Prediction> Recognizer::recognize(
  const std::vector<ImageView> & images, const EvidenceRequest & request,
  const DecisionRequest & decision)
{
  return implementation_->recognize(images, request, decision);
}

Prediction Recognizer::recognize(
  const ImageView & image, const EvidenceRequest & request, const DecisionRequest & decision)
{
  return implementation_->recognize({image}, request, decision).front();
}

}  // namespace mgproto
