// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "dashboard/board.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "dashboard/json_text.hpp"

namespace mgproto::dashboard
{
namespace
{

constexpr std::size_t kCameras = 16;
constexpr std::size_t kGalleries = 4;  // models: those of several nodes, or before and after a swap
constexpr std::size_t kStatuses = 64;
constexpr std::size_t kAlbums = 8;  // nodes
constexpr std::size_t kGates = 8;
constexpr std::size_t kAnswers = 16;
constexpr std::size_t kMaxThumbnail = 64u * 1024;       // bytes
constexpr std::size_t kMaxName = 200;                   // bytes
constexpr std::size_t kMaxPicture = 32u * 1024 * 1024;  // bytes

void append(std::string & list, const std::string & item)
{
  if (!item.empty()) {
    list += (list.empty() ? "" : ",") + item;
  }
}

}  // namespace

Board::Board(const std::string & title, const std::vector<std::string> & cameras) : title_(title)
{
  for (const std::string & camera : cameras) {
    find_or_add(camera);
  }
}

Camera * Board::find_or_add(const std::string & name)
{
  const auto found = std::find_if(
    cameras_.begin(), cameras_.end(), [&](const Camera & camera) { return camera.name() == name; });
  if (found != cameras_.end()) {
    return &*found;
  }
  if (cameras_.size() >= kCameras || name.size() > kMaxName) {
    return nullptr;
  }
  return &cameras_.emplace_back(name, ++version_);
}

void Board::show(const Prediction & prediction)
{
  const std::string json = json_text(prediction);
  const std::lock_guard<std::mutex> lock(mutex_);
  if (Camera * camera = find_or_add(prediction.camera)) {
    camera->add(prediction, json, Clock::now(), ++version_);
    changed_.notify_all();
  }
}

void Board::show_overlay(const std::string & name, const Picture & picture)
{
  if (!picture.jpeg || picture.jpeg->empty() || picture.jpeg->size() > kMaxPicture) {
    return;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  if (Camera * camera = find_or_add(name)) {
    camera->add(picture, Clock::now(), ++version_);
    changed_.notify_all();
  }
}

void Board::show_gallery(const std::string & model_id, std::vector<PrototypePatch> patches)
{
  Gallery gallery;
  gallery.model_id = model_id;
  gallery.json = std::make_shared<const std::string>(json_text(patches));
  for (PrototypePatch & patch : patches) {
    if (!patch.jpeg.empty()) {
      gallery.patches[patch.prototype] = std::make_shared<const Bytes>(std::move(patch.jpeg));
    }
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  gallery.version = ++version_;
  galleries_.erase(
    std::remove_if(
      galleries_.begin(), galleries_.end(),
      [&](const Gallery & old) { return old.model_id == model_id; }),
    galleries_.end());
  galleries_.push_back(std::move(gallery));
  if (galleries_.size() > kGalleries) {
    galleries_.pop_front();
  }
  changed_.notify_all();
}

void Board::show_health(const std::vector<Health> & health)
{
  const std::lock_guard<std::mutex> lock(mutex_);
  ++version_;
  for (const Health & status : health) {
    health_[status.name] = {json_text(status), Clock::now(), version_};
    if (health_.size() > kStatuses) {
      health_.erase(std::min_element(
        health_.begin(), health_.end(),
        [](const auto & a, const auto & b) { return a.second.arrived < b.second.arrived; }));
    }
  }
  changed_.notify_all();
}

void Board::show_trust(const Trust & trust)
{
  const std::lock_guard<std::mutex> lock(mutex_);
  const bool is_new = gates_.count(trust.gate) == 0;
  if (is_new && (gates_.size() >= kGates || trust.gate.size() > kMaxName)) {
    return;
  }
  gates_[trust.gate].add(trust, Clock::now(), ++version_);
  changed_.notify_all();
}

void Board::show_album(Album album)
{
  ShownAlbum shown;
  shown.json = json_text(album);
  const std::lock_guard<std::mutex> lock(mutex_);
  if (albums_.size() >= kAlbums && albums_.count(album.node) == 0) {
    return;
  }
  // Pictures that are there already stay where they are.
  const ShownAlbum & before = albums_[album.node];
  for (AlbumImage & image : album.images) {
    const auto known = before.images.find(image.id);
    if (known != before.images.end() && *known->second == image.jpeg) {
      shown.images[image.id] = known->second;
    } else if (image.jpeg.size() <= kMaxThumbnail) {
      shown.images[image.id] = std::make_shared<const Bytes>(std::move(image.jpeg));
    }
  }
  shown.version = ++version_;
  albums_[album.node] = std::move(shown);
  changed_.notify_all();
}

void Board::show_answer(const TeachAnswer & answer)
{
  const std::lock_guard<std::mutex> lock(mutex_);
  answers_.push_back({json_text(answer), ++version_});
  if (answers_.size() > kAnswers) {
    answers_.pop_front();
  }
  changed_.notify_all();
}

Board::News Board::news_since(Version seen) const
{
  std::string cameras;
  std::string galleries;
  std::string health;
  std::string gates;
  std::string albums;
  std::string answers;
  const std::lock_guard<std::mutex> lock(mutex_);
  const Clock::time_point now = Clock::now();
  for (const Camera & camera : cameras_) {
    append(cameras, camera.news_since(seen, now));
  }
  for (const Gallery & gallery : galleries_) {
    if (gallery.version > seen) {
      append(
        galleries, "{\"model_id\":" + json_text(gallery.model_id) +
                     ",\"version\":" + std::to_string(gallery.version) + "}");
    }
  }
  for (const auto & [name, status] : health_) {
    if (status.version > seen) {
      append(
        health, "{\"age\":" + age_text(status.arrived, now) + ",\"status\":" + status.json + "}");
    }
  }
  for (const auto & [name, gate] : gates_) {
    append(gates, gate.news_since(seen, now));
  }
  for (const auto & [node, album] : albums_) {
    if (album.version > seen) {
      append(albums, album.json);
    }
  }
  for (const Answer & answer : answers_) {
    if (answer.version > seen && seen > 0) {  // of the past there is nothing to say
      append(answers, answer.json);
    }
  }
  std::string json = "{";
  if (seen == 0) {
    json += "\"title\":" + json_text(title_) + ",";
  }
  json += "\"cameras\":[" + cameras + "],\"galleries\":[" + galleries + "],\"health\":[" + health +
          "],\"gates\":[" + gates + "],\"albums\":[" + albums + "],\"answers\":[" + answers + "]}";
  return {std::move(json), version_};
}

bool Board::wait_for_news(Version seen, Clock::duration at_most) const
{
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait_for(lock, at_most, [&] { return closed_ || version_ > seen; });
  return !closed_ && version_ > seen;
}

bool Board::wait_for_close(Clock::duration at_most) const
{
  std::unique_lock<std::mutex> lock(mutex_);
  return changed_.wait_for(lock, at_most, [&] { return closed_; });
}

void Board::close()
{
  const std::lock_guard<std::mutex> lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

std::shared_ptr<const Bytes> Board::picture(const std::string & name, Version seq) const
{
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const Camera & camera : cameras_) {
    if (camera.name() == name) {
      return camera.picture(seq);
    }
  }
  return nullptr;
}

const Board::Gallery * Board::find_gallery(const std::string & model_id) const
{
  for (const Gallery & gallery : galleries_) {
    if (gallery.model_id == model_id) {
      return &gallery;
    }
  }
  return nullptr;
}

std::shared_ptr<const Bytes> Board::patch(const std::string & model_id, int prototype) const
{
  const std::lock_guard<std::mutex> lock(mutex_);
  const Gallery * gallery = find_gallery(model_id);
  if (gallery == nullptr) {
    return nullptr;
  }
  const auto found = gallery->patches.find(prototype);
  return found == gallery->patches.end() ? nullptr : found->second;
}

std::shared_ptr<const Bytes> Board::album_image(const std::string & node, std::uint32_t id) const
{
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto album = albums_.find(node);
  if (album == albums_.end()) {
    return nullptr;
  }
  const auto image = album->second.images.find(id);
  return image == album->second.images.end() ? nullptr : image->second;
}

std::shared_ptr<const std::string> Board::gallery(const std::string & model_id) const
{
  const std::lock_guard<std::mutex> lock(mutex_);
  const Gallery * gallery = find_gallery(model_id);
  return gallery == nullptr ? nullptr : gallery->json;
}

}  // namespace mgproto::dashboard
