// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__TEACH_HPP_
#define MODEL__TEACH_HPP_

#include <string>
#include <vector>

#include "model/checkpoint.hpp"

namespace mgproto
{

// A class is a few Gaussians in a feature space, so a new one needs no gradients. Each of these takes a
// model and gives another, which shares the tensors that stay the same; the first one is left alone.

/// A class that was shown, and which of its images each of its prototypes is a patch of.
struct Taught
{
  Checkpoint model;
  std::vector<std::int64_t> image;     ///< of the new class's images [M]
  std::vector<std::int64_t> position;  ///< in that image's map [M]
};

/// With one class more, of `shown`, its images as model.network sees them, which `lesson` names:
///  1. prototypes: patches that tell these images from the held-out ones that the model keeps;
///  2. its Gaussian of the whole: their mean, in the class directions and along one of its own;
///  3. how its images look to the model, of each prototype and as a whole;
///  4. p(c) and the calibration anew: on the held-out images, and on each of these as one that was not
///     shown.
/// Nothing in it depends on the classes that were taught before but for 3 and 4. Throws Error if the model
/// keeps no images, cannot tell what is familiar, or has a class of that name.
Taught with_class(Checkpoint & model, const TaughtClass & lesson, const SeenImages & shown);

/// As if the class had not been taught: the last one taught leaves no trace, and those taught behind it
/// are taught again. Of a class that the model was trained on its images are gone for good. Throws Error
/// if there is no such class, or if too few would be left.
Checkpoint without_class(Checkpoint & model, const std::string & name);

/// The images that taught a class, in the order of TaughtClass::images.
std::shared_ptr<SeenImages> images_of(Checkpoint & model, const std::string & name);

/// PrototypeHead::similarity() of images that the network, or one with the same features, saw.
torch::Tensor similarity_of(Network & network, const SeenImages & images);  // [N, K (+ C)]

/// Why nothing can be taught to the model; empty if something can.
std::string teaching_problem(Network & network);

}  // namespace mgproto

#endif  // MODEL__TEACH_HPP_
