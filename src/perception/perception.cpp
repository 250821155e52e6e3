// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "perception/perception.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "mgproto_ros/error.hpp"
#include "model/decision.hpp"
#include "model/image_file.hpp"
#include "model/printable.hpp"
#include "perception/album_files.hpp"
#include "perception/command_thread.hpp"
#include "perception/detections.hpp"
#include "perception/mailbox.hpp"
#include "perception/model_slot.hpp"
#include "perception/parameters.hpp"
#include "perception/reporter.hpp"
#include "perception/snapshots.hpp"
#include "perception/taught_versions.hpp"
#include "perception/worker.hpp"

namespace mgproto::perception
{
namespace
{

std::deque<StatisticsCollector> collectors(const std::vector<std::string> & names)
{
  std::deque<StatisticsCollector> result;
  for (const std::string & name : names) {
    result.emplace_back(name);
  }
  return result;
}

Clock::duration max_wait(const Settings & settings)
{
  return std::chrono::duration_cast<Clock::duration>(
    std::chrono::duration<double>(settings.detections_max_wait));
}

}  // namespace

/// A frame goes add_frame → (matcher) → mailbox → worker → outputs. Each one received is counted
/// once: as answered, as dropped for a reason, or as invalid if it cannot be decoded.
class Perception::Implementation
{
public:
  Implementation(const Settings & settings, Outputs & outputs)
  : names_(camera_names(settings)),
    statistics_(collectors(names_)),
    reporter_(names_, outputs),
    matcher_(statistics_),
    depth_(names_.size()),
    mailbox_(statistics_),
    settings_(std::make_shared<const Settings>(settings)),
    worker_(
      outputs, names_, statistics_, reporter_, album_, snapshots_, depth_,
      [this](const Album::Image & image) { keep(image); })
  {
    if (!settings.album_directory.empty()) {
      album_files_.emplace(settings.album_directory);
    }
    versions_ = std::make_unique<TaughtVersions>(settings.model, settings.teach_directory);
    slot_.replace(newest(*versions_));
    mailbox_.wake();
    thread_ = std::thread([this] { run(); });
  }

  ~Implementation()
  {
    mailbox_.stop();
    thread_.join();
  }

  void add_frame(Frame frame)
  {
    if (frame.received == Clock::time_point()) {
      frame.received = Clock::now();
    }
    StatisticsCollector & statistics = statistics_.at(frame.camera);
    statistics.frame_received(frame.received);
    if (!enabled_ || !active_) {
      statistics.frame_dropped(Drop::disabled);
      return;
    }
    const std::shared_ptr<const Settings> now = settings();
    if (!now->use_detections) {
      mailbox_.put(std::move(frame), now->max_rate);
    } else if (auto matched = matcher_.add_frame(std::move(frame), max_wait(*now))) {
      mailbox_.put(std::move(*matched), now->max_rate);
    }
  }

  void add_detections(int camera, const Header & header, std::vector<Region> regions)
  {
    const std::shared_ptr<const Settings> now = settings();
    if (!now->use_detections || !enabled_ || !active_) {
      return;
    }
    auto matched = matcher_.add_detections(
      camera, header.stamp, std::move(regions), Clock::now(), max_wait(*now));
    if (matched) {
      mailbox_.put(std::move(*matched), now->max_rate);
    }
  }

  void add_depth(int camera, DepthImage depth)
  {
    if (settings()->use_depth && enabled_ && active_) {
      depth_.add(camera, std::move(depth));
    }
  }

  void set_intrinsics(int camera, const std::optional<Intrinsics> & intrinsics)
  {
    depth_.set_intrinsics(camera, intrinsics);
  }

  void reject(int camera, const std::string & kind, const std::string & text)
  {
    statistics_.at(camera).message_invalid();
    reporter_.fault(LogLevel::warn, camera, kind, text);
  }

  std::shared_ptr<const Settings> settings() const
  {
    const std::lock_guard lock(mutex_);
    return settings_;
  }

  void set_settings(Settings settings)
  {
    const std::lock_guard lock(mutex_);
    for (const Parameter & parameter : parameters()) {
      if (!parameter.dynamic) {
        parameter.set(settings, parameter.get(*settings_));
      }
    }
    settings_ = std::make_shared<const Settings>(std::move(settings));
  }

  void load_model(const std::string & path)
  {
    command("loading a model", [&] {
      auto versions = std::make_unique<TaughtVersions>(path, settings()->teach_directory);
      std::shared_ptr<LoadedModel> model = newest(*versions);
      versions_ = std::move(versions);
      album_.clear();
      {
        const std::lock_guard lock(mutex_);
        Settings changed = *settings_;
        changed.model = path;
        settings_ = std::make_shared<const Settings>(std::move(changed));
      }
      if (enabled_) {
        use(std::move(model));
      }
    });
  }

  void set_enabled(bool enabled)
  {
    command(enabled ? "enabling" : "disabling", [&] {
      if (enabled == enabled_) {
        return;
      }
      if (enabled) {
        slot_.replace(newest(*versions_));
        answers_since_ = Clock::now();
        enabled_ = true;
        mailbox_.wake();
      } else {
        enabled_ = false;
        matcher_.clear(Drop::disabled);
        slot_.replace(nullptr);
      }
      reporter_.log(LogLevel::info, enabled ? "enabled" : "disabled");
    });
  }

  void set_active(bool active)
  {
    if (active && !active_) {
      answers_since_ = Clock::now();
    }
    active_ = active;
    if (!active) {
      matcher_.clear(Drop::disabled);
      slot_.wait_until_unused();
    }
  }

  TeachAnswer teach(const TeachRequest & request)
  {
    return change("teaching '" + printable(request.name) + "'", [&](const LoadedModel & model) {
      const std::vector<LessonImage> images = images_for(request);
      const std::string output = versions_->next(model.info->manifest);
      use(written(output, [&] { return model.model.taught(request.name, images, output); }));
      album_.remove(request.album_ids);
      return what_was_taught(request.name);
    });
  }

  TeachAnswer forget(const std::string & name)
  {
    return change("forgetting '" + printable(name) + "'", [&](const LoadedModel & model) {
      const std::string output = versions_->next(model.info->manifest);
      use(written(output, [&] { return model.model.without(name, output); }));
      return "'" + printable(name) + "' is forgotten";
    });
  }

  TeachAnswer undo()
  {
    return change("undoing", [&](const LoadedModel &) {
      use(checked(TeachableModel(versions_->previous(), options())));
      versions_->remove_newest();
      return "back to " + model()->id;
    });
  }

  AlbumState album() const
  {
    AlbumState state;
    state.version = album_version();
    state.images = album_.images();
    const std::shared_ptr<const LoadedModel> current = slot_.current();
    state.problem = current ? "" : "the node is disabled";
    if (current) {
      const std::string problem = current->model.problem();
      state.problem = problem.empty() ? "" : "the model " + problem;
      for (const TaughtClass & taught : current->info->manifest.taught) {
        state.taught.push_back(taught.name);
      }
    }
    state.can_undo = can_undo_;
    return state;
  }

  std::uint64_t album_version() const { return album_.version() + changes_; }

  std::shared_ptr<const ModelInfo> model() const { return slot_.info(); }

  std::vector<CameraStatistics> statistics()
  {
    const Clock::time_point now = Clock::now();
    matcher_.expire(now, max_wait(*settings()));
    const auto info = model();
    std::vector<CameraStatistics> summaries;
    for (const StatisticsCollector & camera : statistics_) {
      summaries.push_back(camera.summary(now, info ? info->manifest.calibration : std::nullopt));
    }
    return summaries;
  }

  std::vector<Diagnosis> diagnosis()
  {
    NodeCondition condition;
    condition.enabled = enabled_;
    condition.active = active_;
    condition.last_error = reporter_.last_error(Reporter::answers);
    condition.command_error = reporter_.last_error(Reporter::commands);
    if (const auto info = model()) {
      condition.model_id = info->id;
      condition.model_path = info->path;
      condition.device = info->device;
      condition.calibration_problem = calibration_problem(info->manifest, settings()->ood_tpr);
    }
    return diagnose(condition, statistics(), *settings());
  }

  const std::vector<std::string> & cameras() const { return names_; }

private:
  void run()
  {
    while (auto frames = mailbox_.take()) {
      reporter_.guarded(kNoCamera, "the worker", [&] {
        const ModelSlot::Use use(slot_);
        if (use.model() != nullptr) {
          worker_.announce(*use.model()->info);
        }
        worker_.work_on(
          active_ ? use.model() : nullptr, std::move(*frames), answers_since_, *settings());
      });
    }
  }

  // Outside of every lock that the worker needs: the old model goes on answering meanwhile.

  Recognizer::Options options() const
  {
    const std::shared_ptr<const Settings> now = settings();
    Recognizer::Options options;
    options.device = now->device;
    options.num_threads = now->num_threads;
    options.half = now->half;
    return options;
  }

  /// As the one that answers next. Throws ConfigError if it cannot keep what the settings promise.
  std::shared_ptr<LoadedModel> checked(TeachableModel model)
  {
    std::shared_ptr<LoadedModel> next =
      loaded(std::move(model), version_ + 1, slot_.current().get());
    const Manifest & manifest = next->info->manifest;
    const std::string problem = calibration_problem(manifest, settings()->ood_tpr);
    if (manifest.calibration && !problem.empty()) {
      throw ConfigError("ood.tpr", problem);
    }
    ++version_;
    ++changes_;
    return next;
  }

  /// A model's newest version, or the newest that can be read; throws if not even the model can.
  std::shared_ptr<LoadedModel> newest(const TaughtVersions & versions)
  {
    for (const std::string & file : versions.files()) {
      try {
        std::shared_ptr<LoadedModel> model = checked(TeachableModel(file, options()));
        can_undo_ = file != versions.base();
        return model;
      } catch (const std::exception & error) {
        if (file == versions.base()) {
          throw;
        }
        reporter_.log(LogLevel::error, std::string(error.what()) + "; going on without it");
      }
    }
    throw FileError(versions.base(), "cannot be loaded");
  }

  /// What `make` has written to `output`; if it fails, there is nothing there.
  template <typename Make>
  std::shared_ptr<LoadedModel> written(const std::string & output, const Make & make)
  {
    try {
      return checked(make());
    } catch (...) {
      std::error_code ignored;
      std::filesystem::remove(output, ignored);
      throw;
    }
  }

  /// From the next batch on; returns when the one in work is done.
  void use(std::shared_ptr<LoadedModel> model)
  {
    slot_.replace(std::move(model));
    mailbox_.wake();
  }

  /// What an operator asks for: a failure is logged, and told in the diagnosis until one succeeds.
  template <typename Act>
  void command(const std::string & what, const Act & act)
  {
    const std::lock_guard one_at_a_time(loading_);
    try {
      act();
      reporter_.set_last_error(Reporter::commands, "");
    } catch (const std::exception & error) {
      const std::string text = what + " failed: " + error.what();
      reporter_.set_last_error(Reporter::commands, text);
      reporter_.log(LogLevel::error, text);
      throw;
    }
  }

  /// One change of the model by teaching, `what` by name; `act` gives what is to be said of it.
  template <typename Act>
  TeachAnswer change(const std::string & what, const Act & act)
  {
    const std::lock_guard one_at_a_time(loading_);
    TeachAnswer answer;
    try {
      const std::shared_ptr<const LoadedModel> current = slot_.current();
      if (!current) {
        throw Error("the node is disabled");
      }
      answer.message = act(*current);
      answer.success = true;
      reporter_.log(LogLevel::info, answer.message);
    } catch (const std::exception & error) {
      answer.message = error.what();
      reporter_.log(LogLevel::warn, what + " failed: " + answer.message);
    }
    can_undo_ = versions_->files().size() > 1;
    ++changes_;
    if (const auto info = model()) {
      answer.model_id = info->id;
      answer.classes = info->manifest.classes.size();
    }
    return answer;
  }

  std::vector<LessonImage> images_for(const TeachRequest & request)
  {
    const std::size_t count = request.album_ids.empty() ? request.images : request.album_ids.size();
    if (count < 1 || count > TeachRequest::kMostImages) {
      throw ConfigError(
        "images", std::to_string(count) + " given, expected 1 to " +
                    std::to_string(TeachRequest::kMostImages));
    }
    if (!request.album_ids.empty()) {
      std::vector<LessonImage> images;
      for (const Album::Image & image : album_.find(request.album_ids)) {
        images.push_back(
          {name_of(image->camera, image->header),
           decode_image(image->jpeg.data(), image->jpeg.size())});
      }
      return images;
    }
    const auto camera = std::find(names_.begin(), names_.end(), request.camera);
    if (camera == names_.end()) {
      throw ConfigError("camera", "no camera '" + printable(request.camera) + "' here");
    }
    return snapshots_.take(static_cast<int>(camera - names_.begin()), request.images, request.box);
  }

  std::string what_was_taught(const std::string & name) const
  {
    const auto info = model();
    const auto & taught = info->manifest.taught;
    const auto one = std::find_if(
      taught.begin(), taught.end(), [&](const TaughtClass & each) { return each.name == name; });
    const std::size_t images = one == taught.end() ? 0 : one->images.size();
    std::string text = "'" + printable(name) + "' is known from " + std::to_string(images) +
                       (images == 1 ? " image" : " images");
    if (!versions_->is_kept()) {
      text += ", until the node ends (teach.directory is not set)";
    }
    const std::string caution = caution_for(images);
    return caution.empty() ? text : text + "; " + caution;
  }

  /// Files are written while the worker goes on.
  void keep(const Album::Image & image)
  {
    if (!album_files_) {
      return;
    }
    const auto size = static_cast<std::size_t>(settings()->album_size);
    background_.run([this, image, size] {
      reporter_.guarded(kNoCamera, "writing the album", [&] { album_files_->keep(*image, size); });
    });
  }

  const std::vector<std::string> names_;
  std::deque<StatisticsCollector> statistics_;  // by camera
  Reporter reporter_;
  DetectionMatcher matcher_;
  DepthStore depth_;
  Mailbox mailbox_;
  ModelSlot slot_;
  std::atomic<bool> enabled_{true};
  std::atomic<bool> active_{true};
  /// When it was last enabled or made active: what came before is of another time.
  std::atomic<Clock::time_point> answers_since_{Clock::time_point::min()};

  std::mutex loading_;  // held through load_model(), set_enabled() and teaching
  int version_ = 0;     // of the newest model
  std::unique_ptr<TaughtVersions> versions_;

  Album album_;
  std::optional<AlbumFiles> album_files_;
  Snapshots snapshots_;
  std::atomic<bool> can_undo_{false};
  std::atomic<std::uint64_t> changes_{0};  // of what is said beside the album's images

  mutable std::mutex mutex_;                  // for the next line
  std::shared_ptr<const Settings> settings_;  // never changed, but replaced: nobody copies them

  CommandThread background_;
  Worker worker_;
  std::thread thread_;
};

Perception::Perception(const Settings & settings, Outputs & outputs)
: implementation_(std::make_unique<Implementation>(settings, outputs))
{
}
Perception::~Perception() = default;

void Perception::add_frame(Frame frame) { implementation_->add_frame(std::move(frame)); }

void Perception::add_detections(int camera, const Header & header, std::vector<Region> regions)
{
  implementation_->add_detections(camera, header, std::move(regions));
}

void Perception::add_depth(int camera, DepthImage depth)
{
  implementation_->add_depth(camera, std::move(depth));
}

void Perception::set_intrinsics(int camera, const std::optional<Intrinsics> & intrinsics)
{
  implementation_->set_intrinsics(camera, intrinsics);
}

void Perception::reject(int camera, const std::string & kind, const std::string & text)
{
  implementation_->reject(camera, kind, text);
}

std::shared_ptr<const Settings> Perception::settings() const { return implementation_->settings(); }

void Perception::set_settings(const Settings & settings)
{
  implementation_->set_settings(settings);
}

void Perception::set_active(bool active) { implementation_->set_active(active); }

void Perception::load_model(const std::string & path) { implementation_->load_model(path); }
void Perception::set_enabled(bool enabled) { implementation_->set_enabled(enabled); }

TeachAnswer Perception::teach(const TeachRequest & request)
{
  return implementation_->teach(request);
}
TeachAnswer Perception::forget(const std::string & name) { return implementation_->forget(name); }
TeachAnswer Perception::undo() { return implementation_->undo(); }
AlbumState Perception::album() const { return implementation_->album(); }
std::uint64_t Perception::album_version() const { return implementation_->album_version(); }

std::shared_ptr<const ModelInfo> Perception::model() const { return implementation_->model(); }
std::vector<Diagnosis> Perception::diagnosis() const { return implementation_->diagnosis(); }

std::vector<CameraStatistics> Perception::statistics() const
{
  return implementation_->statistics();
}

const std::vector<std::string> & Perception::cameras() const { return implementation_->cameras(); }

}  // namespace mgproto::perception
