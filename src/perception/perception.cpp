// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "perception/perception.hpp"

#include <atomic>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

#include "mgproto_ros/error.hpp"
#include "model/decision.hpp"
#include "perception/detections.hpp"
#include "perception/mailbox.hpp"
#include "perception/model_slot.hpp"
#include "perception/parameters.hpp"
#include "perception/reporter.hpp"
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
    mailbox_(statistics_),
    settings_(std::make_shared<const Settings>(settings)),
    worker_(outputs, statistics_, reporter_)
  {
    slot_.replace(loaded(settings.model));
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
    if (!enabled_) {
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
    if (!now->use_detections || !enabled_) {
      return;
    }
    auto matched = matcher_.add_detections(
      camera, header.stamp, std::move(regions), Clock::now(), max_wait(*now));
    if (matched) {
      mailbox_.put(std::move(*matched), now->max_rate);
    }
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
    const std::lock_guard one_at_a_time(loading_);
    std::shared_ptr<LoadedModel> model = loaded(path);
    {
      const std::lock_guard lock(mutex_);
      Settings changed = *settings_;
      changed.model = path;
      settings_ = std::make_shared<const Settings>(std::move(changed));
    }
    if (enabled_) {
      slot_.replace(std::move(model));
      mailbox_.wake();
    }
  }

  void set_enabled(bool enabled)
  {
    const std::lock_guard one_at_a_time(loading_);
    if (enabled == enabled_) {
      return;
    }
    if (enabled) {
      slot_.replace(loaded(settings()->model));
      enabled_ = true;
      mailbox_.wake();
    } else {
      enabled_ = false;
      matcher_.clear(Drop::disabled);
      slot_.replace(nullptr);
    }
  }

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
    condition.last_error = reporter_.last_error();
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
        worker_.work_on(use.model(), std::move(*frames), *settings());
      });
    }
  }

  /// Outside of every lock that the worker needs: the old model goes on answering meanwhile.
  std::shared_ptr<LoadedModel> loaded(const std::string & path)
  {
    const std::shared_ptr<const Settings> now = settings();
    Recognizer::Options options;
    options.device = now->device;
    options.num_threads = now->num_threads;
    options.half = now->half;
    try {
      std::shared_ptr<LoadedModel> model = load(path, options, version_ + 1);
      const Manifest & manifest = model->info->manifest;
      const std::string problem = calibration_problem(manifest, now->ood_tpr);
      if (manifest.calibration && !problem.empty()) {
        throw ConfigError("ood.tpr", problem);
      }
      ++version_;
      reporter_.set_last_error("");
      return model;
    } catch (const std::exception & error) {
      reporter_.set_last_error(error.what());
      throw;
    }
  }

  const std::vector<std::string> names_;
  std::deque<StatisticsCollector> statistics_;  // by camera
  Reporter reporter_;
  DetectionMatcher matcher_;
  Mailbox mailbox_;
  ModelSlot slot_;
  std::atomic<bool> enabled_{true};

  std::mutex loading_;  // held through load_model() and set_enabled()
  int version_ = 0;     // of the newest model

  mutable std::mutex mutex_;                  // for the next line
  std::shared_ptr<const Settings> settings_;  // never changed, but replaced: nobody copies them

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

void Perception::reject(int camera, const std::string & kind, const std::string & text)
{
  implementation_->reject(camera, kind, text);
}

std::shared_ptr<const Settings> Perception::settings() const { return implementation_->settings(); }

void Perception::set_settings(const Settings & settings)
{
  implementation_->set_settings(settings);
}

void Perception::load_model(const std::string & path) { implementation_->load_model(path); }
void Perception::set_enabled(bool enabled) { implementation_->set_enabled(enabled); }

std::shared_ptr<const ModelInfo> Perception::model() const { return implementation_->model(); }
std::vector<Diagnosis> Perception::diagnosis() const { return implementation_->diagnosis(); }

std::vector<CameraStatistics> Perception::statistics() const
{
  return implementation_->statistics();
}

const std::vector<std::string> & Perception::cameras() const { return implementation_->cameras(); }

}  // namespace mgproto::perception
