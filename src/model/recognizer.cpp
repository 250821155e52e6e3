// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "mgproto_ros/recognizer.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

#include "mgproto_ros/error.hpp"
#include "model/checkpoint.hpp"
#include "model/decision.hpp"
#include "model/device.hpp"
#include "model/evidence.hpp"
#include "model/preprocessing.hpp"

namespace mgproto
{

class Recognizer::Implementation
{
public:
  Implementation(const std::string & path, const Options & options)
  : device_(choose_device(options.device)),
    device_name_(device_.str()),
    num_threads_(options.num_threads)
  {
    if (num_threads_ < 0) {
      throw ConfigError("num_threads", "must not be negative; 0 chooses by the length of a pass");
    }
    if (options.half && !device_.is_cuda()) {
      throw ConfigError("half", "half precision needs a CUDA device, this is " + device_name_);
    }
    use_threads(num_threads_);
    Checkpoint checkpoint = load_mixtures(path);
    manifest_ = std::move(checkpoint.manifest);
    network_ = std::move(checkpoint.network);
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

  std::vector<Recognition> recognize(
    const std::vector<ImageView> & images, const EvidenceRequest & request)
  {
    if (images.empty()) {
      return {};
    }
    check(request);
    const c10::InferenceMode inference;
    use_threads(threads_for(images.size()));
    try {
      const std::vector<InputGeometry> geometry = preprocess(images);
      return answer(geometry, request);
    } catch (const c10::Error & error) {
      // LibTorch's errors run over many lines, the first one says what happened.
      throw DeviceError(device_name_ + ": " + error.what_without_backtrace());
    }
  }

  Manifest manifest_;
  c10::Device device_;
  std::string device_name_;

private:
  static constexpr int kAllCores = 0;
  static constexpr double kShortPass = 0.015;       // seconds
  static constexpr double kPerhapsShortPass = 0.1;  // the very first one, which sets things up

  /// Threads of a short pass wait for each other, and for whatever else runs on their cores, longer
  /// than they work. The demo model answers the same to the last bit either way.
  int threads_for(std::size_t images) const
  {
    if (num_threads_ > 0) {
      return num_threads_;
    }
    return static_cast<double>(images) * seconds_on_one_thread_ < kShortPass ? 1 : kAllCores;
  }

  void warm_up(const std::string & path)
  {
    const std::vector<std::uint8_t> grey(3 * 64 * 64, 128);
    const ImageView image{grey.data(), 64, 64, 3 * 64, PixelFormat::bgr};
    const auto timed_pass = [&] {
      const auto begin = std::chrono::steady_clock::now();
      recognize({image}, {1, {}, 1});
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    try {
      if (timed_pass() < kPerhapsShortPass && num_threads_ == 0) {
        // The next ones run on what the first one set up, and then on one thread.
        seconds_on_one_thread_ = 0;
        timed_pass();
        seconds_on_one_thread_ = timed_pass();
        timed_pass();
      }
    } catch (const ImageError & error) {
      throw FileError(path, std::string("manifest.preprocessing.size: ") + error.what());
    }
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

  std::vector<Recognition> answer(
    const std::vector<InputGeometry> & geometry, const EvidenceRequest & request)
  {
    const torch::Tensor images = input_.to(device_, backbone_type_, /*non_blocking=*/true);
    const torch::Tensor z = network_->backbone_map(images).to(torch::kFloat32);
    const torch::Tensor features = network_->features(z);  // [B, D, h, w]
    const Densities densities = network_->gaussian_head().forward(features);

    // One copy back, and so one wait for the device, per batch. Positions are exact in float32.
    const torch::Tensor packed =
      torch::cat(
        {densities.log_density.unsqueeze(1), densities.log_class_density, densities.log_posterior,
         densities.log_likelihood, densities.position.to(torch::kFloat32)},
        1)
        .to(torch::kCPU)
        .contiguous();
    std::vector<Recognition> answers;
    for (std::size_t b = 0; b < geometry.size(); ++b) {
      const float * row = packed.data_ptr<float>() + static_cast<std::int64_t>(b) * packed.size(1);
      answers.push_back(read_densities(row));
      Recognition & answer = answers.back();
      answer.map_rows = static_cast<int>(features.size(2));
      answer.map_cols = static_cast<int>(features.size(3));
      answer.seen = geometry[b].seen();
      const float * log_likelihood = row + 1 + 2 * manifest_.classes.size();
      add_evidence(
        answer, features[static_cast<std::int64_t>(b)], geometry[b], request, log_likelihood);
    }
    return answers;
  }

  Recognition read_densities(const float * row) const
  {
    const std::size_t classes = manifest_.classes.size();
    Recognition answer;
    answer.log_density = row[0];
    answer.log_likelihood.assign(row + 1, row + 1 + classes);
    answer.posterior.assign(row + 1 + classes, row + 1 + 2 * classes);
    for (float & posterior : answer.posterior) {
      posterior = std::exp(posterior);
    }
    decide(answer, manifest_.calibration);
    return answer;
  }

  /// The classes asked for, each once, the most probable first.
  std::vector<int> classes_to_explain(
    const Recognition & answer, const EvidenceRequest & request) const
  {
    std::vector<int> result;
    if (answer.class_id >= 0) {
      std::vector<int> order(answer.posterior.size());
      std::iota(order.begin(), order.end(), 0);
      const auto count = std::clamp<std::size_t>(request.top_classes, 0, order.size());
      std::partial_sort(order.begin(), order.begin() + count, order.end(), [&](int a, int b) {
        return answer.posterior[a] != answer.posterior[b]
                 ? answer.posterior[a] > answer.posterior[b]
                 : a < b;
      });
      result.assign(order.begin(), order.begin() + count);
    }
    for (const int class_id : request.classes) {
      if (std::find(result.begin(), result.end(), class_id) == result.end()) {
        result.push_back(class_id);
      }
    }
    return result;
  }

  void add_evidence(
    Recognition & answer, const torch::Tensor & features /*[D, h, w]*/,
    const InputGeometry & geometry, const EvidenceRequest & request,
    const float * log_likelihood /*[K], followed by positions [K]*/) const
  {
    const std::size_t prototypes = manifest_.prototype_class.size();
    const float * position = log_likelihood + prototypes;
    std::vector<std::int64_t> chosen;
    for (const int class_id : classes_to_explain(answer, request)) {
      std::vector<PrototypeEvidence> of_class;
      const auto [begin, end] = network_->gaussian_head().range_of(class_id);
      for (std::int64_t k = begin; k < end; ++k) {
        PrototypeEvidence evidence;
        evidence.prototype = static_cast<int>(k);
        evidence.class_id = class_id;
        evidence.prior = manifest_.prototype_prior[k];
        evidence.log_likelihood = log_likelihood[k];
        evidence.contribution =
          std::exp(std::log(evidence.prior) + log_likelihood[k] - answer.log_likelihood[class_id]);
        evidence.row = static_cast<int>(position[k]) / answer.map_cols;
        evidence.col = static_cast<int>(position[k]) % answer.map_cols;
        of_class.push_back(evidence);
      }
      std::stable_sort(of_class.begin(), of_class.end(), [](const auto & a, const auto & b) {
        return a.contribution > b.contribution;
      });
      if (
        request.prototypes_per_class > 0 &&
        of_class.size() > static_cast<std::size_t>(request.prototypes_per_class)) {
        of_class.resize(request.prototypes_per_class);
      }
      for (auto & evidence : of_class) {
        chosen.push_back(evidence.prototype);
        answer.evidence.push_back(std::move(evidence));
      }
    }
    if (chosen.empty()) {
      return;
    }
    const torch::Tensor maps =
      network_->gaussian_head()
        .log_likelihood_maps(
          features.unsqueeze(0), torch::tensor(chosen, torch::kInt64).to(device_))
        .exp()
        .to(torch::kCPU)
        .contiguous();  // [1, chosen, P]
    const std::int64_t positions = maps.size(2);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      const float * map = maps.data_ptr<float>() + static_cast<std::int64_t>(i) * positions;
      answer.evidence[i].map.assign(map, map + positions);
      answer.evidence[i].box =
        activation_box(answer.evidence[i].map, answer.map_rows, answer.map_cols, geometry);
    }
  }

  int num_threads_;
  double seconds_on_one_thread_ = std::numeric_limits<double>::infinity();
  c10::ScalarType backbone_type_ = torch::kFloat32;
  std::shared_ptr<Network> network_;
  std::optional<Preprocessor> preprocessor_;
  torch::Tensor input_;
};

Recognizer::Recognizer(const std::string & checkpoint, const Options & options)
: implementation_(std::make_unique<Implementation>(checkpoint, options))
{
}

Recognizer::~Recognizer() = default;
Recognizer::Recognizer(Recognizer &&) noexcept = default;
Recognizer & Recognizer::operator=(Recognizer &&) noexcept = default;

const Manifest & Recognizer::manifest() const { return implementation_->manifest_; }
const std::string & Recognizer::device() const { return implementation_->device_name_; }

std::vector<Recognition> Recognizer::recognize(
  const std::vector<ImageView> & images, const EvidenceRequest & request)
{
  return implementation_->recognize(images, request);
}

Recognition Recognizer::recognize(const ImageView & image, const EvidenceRequest & request)
{
  return implementation_->recognize({image}, request).front();
}

}  // namespace mgproto
