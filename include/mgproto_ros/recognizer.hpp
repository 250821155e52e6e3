// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MGPROTO_ROS__RECOGNIZER_HPP_
#define MGPROTO_ROS__RECOGNIZER_HPP_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mgproto_ros/image_view.hpp"
#include "mgproto_ros/manifest.hpp"
#include "mgproto_ros/prediction.hpp"

namespace mgproto
{

struct Checkpoint;

/// What to tell beside the decision. Evidence costs a likelihood map and a box per prototype.
struct EvidenceRequest
{
  /// For the so many most probable classes.
  int top_classes = 0;
  /// And for these.
  std::vector<int> classes;
  /// So many places of each class at most, by falling contribution: prototypes that fire at one
  /// place are one evidence there. 0 = every prototype for itself.
  int prototypes_per_class = 0;
  /// And Prediction::descriptor.
  bool descriptor = false;
};

/// How to decide whether an image is known, where not as the checkpoint says.
struct DecisionRequest
{
  /// Share of known images to accept, instead of the checkpoint's own; 0 = that one.
  double tpr = 0;
  std::optional<Criterion> criterion = {};
};

/// A loaded checkpoint that recognises images. Owns the network, its device and its buffers. Not for
/// use by two threads at once.
class Recognizer
{
public:
  struct Options
  {
    /// auto (CUDA if there is one), cpu, cuda or cuda:N
    std::string device = "auto";
    /// CPU threads for the network, on whichever thread calls; 0 = one for a batch of less than 400
    /// million multiply-adds, else all cores. The same number gives the same bits.
    int num_threads = 0;
    /// CUDA only: backbone in half precision.
    bool half = false;
  };

  /// Loads and warms up, so that the first image takes no longer than the tenth. Throws FileError,
  /// DeviceError or ConfigError.
  explicit Recognizer(const std::string & checkpoint) : Recognizer(checkpoint, Options()) {}
  Recognizer(const std::string & checkpoint, const Options & options);
  ~Recognizer();
  Recognizer(Recognizer &&) noexcept;
  Recognizer & operator=(Recognizer &&) noexcept;

  const Manifest & manifest() const;
  /// The device in use: cpu, cuda:0, ...
  const std::string & device() const;

  /// One prediction for each image, in order. Throws ImageError if an image cannot be used,
  /// DeviceError if the device gave up (out of memory); either way the next call works.
  std::vector<Prediction> recognize(
    const std::vector<ImageView> & images, const EvidenceRequest & request = {},
    const DecisionRequest & decision = {});
  Prediction recognize(
    const ImageView & image, const EvidenceRequest & request = {},
    const DecisionRequest & decision = {});

private:
  class Implementation;
  explicit Recognizer(std::unique_ptr<Implementation> implementation);
  friend Recognizer recognizer_of(Checkpoint & checkpoint, const Options & options);
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace mgproto

#endif  // MGPROTO_ROS__RECOGNIZER_HPP_
