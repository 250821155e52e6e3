// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__MEASURE__PEER_SCORES_HPP_
#define TRAINING__MEASURE__PEER_SCORES_HPP_

#include "training/measure/feature_scores.hpp"

namespace mgproto
{

// More scores that are fitted on the pooled features of training images. Where the papers search for
// a parameter with OoD images to validate on, it has one value here.

/// Density of a mixture of the classes in an exponential family (ConjNorm, Peng et al., ICLR 2024):
/// log sum_c exp(-d(z, m_c) / T) / Z_c, up to a constant.
///
/// z is the feature and m_c the class mean, both divided by their p-norm, and d the Bregman
/// divergence of half the squared q-norm, 1 / p + 1 / q = 1. Z_c is the mean of the numerator over
/// all training images. p = 2.2 and T = 0.05 are those of the authors' code for CIFAR-10, which draws
/// the images for Z_c with replacement. A vector of zeros stays.
OodScore conjnorm(const ImageOutputs & training);

/// |P x| / |x|, the share of a feature's length in the principal space (NECO, Ammar et al., ICLR
/// 2024). x is the feature in deviations of each number from its mean, as in the authors' code, which
/// multiplies by the largest logit except for ResNets; here it never does, and needs no head.
///
/// The paper chooses the dimensions for each case, to approximate the simplex that class means
/// collapse to; here they are that simplex's, classes - 1 and at least one. A number that does not
/// vary counts with deviation 1. The mean of all features has a share of 0.
OodScore neco(const ImageOutputs & training);

/// Nearest-neighbour guidance (NNGuide, Park et al., ICCV 2023): the image's energy times the mean of
/// the k largest energy_t * cos(x, x_t) over training images t, all of them and not a sample. k = 10
/// as in the authors' code, but no more than half of the images that a class has on average. Meant
/// for energies above 0, which a classifier's are.
OodScore nnguide(const ImageOutputs & training);

/// The same for logits that are log densities. Their energies are negative, and a product of two of
/// them falls as both grow. So an energy e becomes the confidence exp((e - highest) / deviation), of
/// the training images' energies; deviation 1 where they are all the same. The score is the logarithm
/// of the product, and a mean below 1e-12 counts as that.
OodScore nnguide_of_log_densities(const ImageOutputs & training);

// Scores that only a head with a linear layer on pooled features has.

/// Distance to the decision boundaries (fDBD, Liu & Qin, ICML 2024): the mean over all classes c but
/// the predicted one of |logit - logit_c| / |w - w_c|, divided by the feature's distance to the mean
/// of the training features.
///
/// Classes with equal weights have no boundary between them and count as 0. A distance to the mean
/// below float32's smallest normal number counts as that.
OodScore fdbd(const ImageOutputs & training, const LinearLayer & layer);

/// Proximity to the predicted class's weights w (NCI, Liu & Qin, CVPR 2025): w . (x - m) / |x - m| +
/// alpha |x|_1, m the mean of the training features. The first term is 0 at the mean. alpha = 0.0001
/// is what OpenOOD starts its search at.
OodScore nci(const ImageOutputs & training, const LinearLayer & layer);

}  // namespace mgproto

#endif  // TRAINING__MEASURE__PEER_SCORES_HPP_
