// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef VISUAL__CLASS_PANEL_HPP_
#define VISUAL__CLASS_PANEL_HPP_

#include <opencv2/core.hpp>
#include <optional>
#include <string>
#include <vector>

#include "mgproto_ros/manifest.hpp"
#include "mgproto_ros/prediction.hpp"
#include "visual/text.hpp"

namespace mgproto::visual
{

/// One class of the evidence.
struct ClassEvidence
{
  int class_id = 0;
  std::vector<PrototypeEvidence> places;  ///< all, by falling contribution
  std::optional<WholeEvidence> whole = {};
  std::vector<int> missing = {};  ///< prototypes whose part the image does not have
};

/// Draws why a class is as likely as it is: a row for each of its strongest places, one for the image
/// as a whole in a model that weighs it, the rest, p(x|c) and the posterior, and the training patches
/// of parts that were not found. The terms are those of a
/// sum: of a mixture p(x|c), of a product log p(x|c). All panels of a picture have one size.
///
/// Keeps references to the prediction and the manifest: both must outlive it.
class ClassPanel
{
public:
  ClassPanel(
    const cv::Mat & image, const Prediction & prediction, const Manifest & manifest, int width,
    int places);

  int height() const;
  void draw(
    cv::Mat & canvas, cv::Point corner, const ClassEvidence & evidence,
    const cv::Scalar & ink) const;

private:
  void draw_heading(cv::Mat & canvas, cv::Point corner, int class_id, const cv::Scalar & ink) const;
  void draw_place(
    cv::Mat & canvas, cv::Point corner, const PrototypeEvidence & place,
    const cv::Scalar & ink) const;
  void draw_whole(
    cv::Mat & canvas, cv::Point corner, const WholeEvidence & whole, const cv::Scalar & ink) const;
  void draw_share(
    cv::Mat & canvas, const cv::Rect & area, const std::vector<std::string> & lines, double share,
    int class_id, const cv::Scalar & ink) const;
  void draw_formula(
    cv::Mat & canvas, const cv::Rect & area, const PrototypeEvidence & place,
    const cv::Scalar & ink) const;
  void draw_sums(
    cv::Mat & canvas, cv::Point corner, const ClassEvidence & evidence,
    const cv::Scalar & ink) const;
  void draw_not_found(
    cv::Mat & canvas, cv::Point corner, const ClassEvidence & evidence,
    const cv::Scalar & ink) const;
  void draw_sum(
    cv::Mat & canvas, cv::Point baseline, const std::string & label, const std::string & value,
    const TextStyle & style) const;

  /// A share of a class as the term that it is.
  std::string amount(double share, int class_id) const;
  bool is_product() const { return manifest_.model.head.combine == HeadConfig::Combine::product; }
  cv::Mat map_tile(const std::vector<float> & map) const;
  /// Likelihoods as they would be at the published width, kappa = 1: one scale for all models.
  std::vector<float> likeness(std::vector<float> map) const;
  double log_density(int class_id) const;
  /// log p(x|c) of a product where nothing was found.
  double log_nothing() const { return -2 * CV_PI * manifest_.model.head.concentration; }
  int pair_x(int which) const;
  int formula_x() const;

  const Prediction & prediction_;
  const Manifest & manifest_;
  int width_;
  int places_;
  cv::Mat image_;
  cv::Mat small_;  // the image at the size it has in a tile
  cv::Size map_;   // tile of the whole image
  int side_;       // of the tiles of a pair, which are square
};

}  // namespace mgproto::visual

#endif  // VISUAL__CLASS_PANEL_HPP_
