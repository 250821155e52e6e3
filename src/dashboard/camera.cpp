// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "dashboard/camera.hpp"

#include <algorithm>
#include <cstddef>

#include "dashboard/json_text.hpp"

namespace mgproto::dashboard
{
namespace
{

using std::chrono::seconds;

constexpr std::size_t kMoments = 16;
constexpr std::size_t kRegions = 64;
/// A browser asks for a picture a moment after it heard of it, when newer ones may have come.
constexpr std::size_t kPictures = 20;
constexpr std::size_t kPictureBytes = 8u * 1024 * 1024;  // of all but the newest
constexpr std::size_t kPoints = 1200;
constexpr seconds kPointsLast(60);
constexpr seconds kPatience(1);

std::string stamp_text(Stamp stamp)
{
  return "\"sec\":" + std::to_string(stamp.sec) + ",\"nanosec\":" + std::to_string(stamp.nanosec);
}

}  // namespace

std::string age_text(Clock::time_point then, Clock::time_point now)
{
  return json_text(std::max(0.0, std::chrono::duration<double>(now - then).count()));
}

bool Camera::Moment::has(const std::string & detection_id) const
{
  return std::any_of(regions.begin(), regions.end(), [&](const auto & region) {
    return region.first == detection_id;
  });
}

Camera::Camera(std::string name, Version version) : name_(std::move(name)), added_(version) {}

std::shared_ptr<Camera::Moment> Camera::moment_of(Stamp stamp) const
{
  const auto found = std::find_if(
    moments_.rbegin(), moments_.rend(),
    [stamp](const std::shared_ptr<Moment> & moment) { return moment->stamp == stamp; });
  return found == moments_.rend() ? nullptr : *found;
}

void Camera::show(std::shared_ptr<Moment> moment, Version version)
{
  shown_ = std::move(moment);
  shown_version_ = version;
}

void Camera::add(
  const Prediction & prediction, const std::string & json, Clock::time_point now, Version version)
{
  points_.push_back({prediction.score, prediction.threshold, prediction.status, now, version});
  while (points_.size() > kPoints || now - points_.front().arrived > kPointsLast) {
    points_.pop_front();
  }

  // A region that is already there belongs to a new frame, whatever its stamp says.
  std::shared_ptr<Moment> moment = moment_of(prediction.stamp);
  if (!moment || moment->has(prediction.detection_id)) {
    moment = std::make_shared<Moment>();
    moment->stamp = prediction.stamp;
    moments_.push_back(moment);
    if (moments_.size() > kMoments) {
      moments_.pop_front();
    }
  }
  moment->arrived = now;
  if (moment->regions.size() < kRegions) {
    moment->regions.emplace_back(prediction.detection_id, json);
  }

  const bool paired = !pictures_.empty() && pictures_.back().picture.stamp == prediction.stamp;
  if (paired) {
    last_paired_ = now;
  }
  const bool overlays_come =
    last_paired_ != Clock::time_point::min() && now - last_paired_ <= kPatience;
  if (paired || moment == shown_ || !overlays_come) {
    show(moment, version);
  }
}

void Camera::add(const Picture & picture, Clock::time_point now, Version version)
{
  std::size_t older_bytes = 0;
  for (const NumberedPicture & older : pictures_) {
    older_bytes += older.picture.jpeg->size();
  }
  pictures_.push_back({picture, now, version});
  while (pictures_.size() > kPictures || (pictures_.size() > 1 && older_bytes > kPictureBytes)) {
    older_bytes -= pictures_.front().picture.jpeg->size();
    pictures_.pop_front();
  }
  if (std::shared_ptr<Moment> moment = moment_of(picture.stamp)) {
    last_paired_ = now;
    show(std::move(moment), version);
  }
}

std::string Camera::news_since(Version seen, Clock::time_point now) const
{
  std::string news;
  if (shown_ && shown_version_ > seen) {
    news += ",\"prediction\":{" + stamp_text(shown_->stamp) +
            ",\"age\":" + age_text(shown_->arrived, now) + ",\"regions\":[";
    for (std::size_t i = 0; i < shown_->regions.size(); ++i) {
      news += (i > 0 ? "," : "") + shown_->regions[i].second;
    }
    news += "]}";
  }
  if (!pictures_.empty() && pictures_.back().version > seen) {
    const NumberedPicture & newest = pictures_.back();
    news += ",\"picture\":{" + stamp_text(newest.picture.stamp) +
            ",\"age\":" + age_text(newest.arrived, now) +
            ",\"seq\":" + std::to_string(newest.version) +
            ",\"source_width\":" + std::to_string(newest.picture.source_width) +
            ",\"source_height\":" + std::to_string(newest.picture.source_height) + "}";
  }
  if (!points_.empty() && points_.back().version > seen) {
    const auto first = std::find_if(
      points_.begin(), points_.end(), [seen](const Point & point) { return point.version > seen; });
    news += ",\"points\":[";
    for (auto point = first; point != points_.end(); ++point) {
      news += (point == first ? "[" : ",[") + age_text(point->arrived, now) + "," +
              json_text(point->score) + "," + json_text(point->threshold) + ",\"" +
              verdict_word(point->verdict) + "\"]";
    }
    news += "]";
  }
  return news.empty() && added_ <= seen ? "" : "{\"name\":" + json_text(name_) + news + "}";
}

std::shared_ptr<const Bytes> Camera::picture(Version seq) const
{
  if (seq == 0 && !pictures_.empty()) {
    return pictures_.back().picture.jpeg;
  }
  for (const NumberedPicture & picture : pictures_) {
    if (picture.version == seq) {
      return picture.picture.jpeg;
    }
  }
  return nullptr;
}

}  // namespace mgproto::dashboard
