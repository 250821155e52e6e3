// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef VISUAL__CLASS_PANEL_HPP_
#define VISUAL__CLASS_PANEL_HPP_

#include <opencv2/core.hpp>
#include <string>
#include <vector>

#include "mgproto_ros/manifest.hpp"
#include "mgproto_ros/prediction.hpp"
#include "visual/text.hpp"

namespace mgproto::visual
{

/// The largest size of the image's shape that fits, at least one pixel each way.
cv::Size fitted(cv::Size image, cv::Size room);

/// The image at another size, smooth both ways.
cv::Mat resized(const cv::Mat & image, cv::Size size);

/// One class of the evidence.
struct ClassEvidence
{
  int class_id = 0;
  std::vector<const PrototypeEvidence *> prototypes;  ///< all, by falling contribution
};

/// Draws why a class is as likely as it is: a row for each of its strongest prototypes, the rest,
/// the sum p(x|c) and the posterior. All panels of a picture have one size.
///
/// Keeps references to the prediction and the manifest: both must outlive it.
class ClassPanel
{
public:
  ClassPanel(
    const cv::Mat & image, const Prediction & prediction, const Manifest & manifest, int width,
    int prototypes);

  int height() const;
  void draw(
    cv::Mat & canvas, cv::Point corner, const ClassEvidence & evidence,
    const cv::Scalar & ink) const;

private:
  void draw_heading(cv::Mat & canvas, cv::Point corner, int class_id, const cv::Scalar & ink) const;
  void draw_prototype(
    cv::Mat & canvas, cv::Point corner, const PrototypeEvidence & evidence,
    const cv::Scalar & ink) const;
  void draw_patch(cv::Mat & canvas, const cv::Rect & tile, int prototype) const;
  void draw_formula(
    cv::Mat & canvas, const cv::Rect & area, const PrototypeEvidence & evidence,
    const cv::Scalar & ink) const;
  void draw_sums(
    cv::Mat & canvas, cv::Point corner, const ClassEvidence & evidence,
    const cv::Scalar & ink) const;
  void draw_sum(
    cv::Mat & canvas, cv::Point baseline, const std::string & label, const std::string & value,
    const TextStyle & style) const;

  cv::Mat box_tile(const Box & box, const cv::Scalar & ink) const;
  cv::Mat heat_tile(const std::vector<float> & map) const;
  int tile_x(int column) const;
  int formula_x() const;

  const Prediction & prediction_;
  const Manifest & manifest_;
  int width_;
  int prototypes_;
  cv::Size tile_;
  cv::Mat image_;   // at the size it has in a tile
  double scale_x_;  // from the original image to image_
  double scale_y_;
};

}  // namespace mgproto::visual

#endif  // VISUAL__CLASS_PANEL_HPP_
