// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "datasets/loader.hpp"

#include <algorithm>
#include <chrono>
#include <opencv2/core/utility.hpp>
#include <utility>

#include "mgproto_ros/error.hpp"
#include "model/image_file.hpp"
#include "model/random.hpp"

namespace mgproto
{
namespace
{

std::size_t floats_per_image(const LoaderConfig & config)
{
  return std::size_t{3} * config.preprocessing.size * config.preprocessing.size;
}

std::int64_t count_batches(const Dataset & dataset, const LoaderConfig & config)
{
  check(config);
  const std::int64_t full = dataset.size() / config.batch_size;
  const bool rest = dataset.size() % config.batch_size != 0 && !config.drop_last;
  return full + (rest ? 1 : 0);
}

void require_at_least(int value, int least, const char * key)
{
  if (value < least) {
    throw ConfigError(
      key, std::to_string(value) + " is too small, expected at least " + std::to_string(least));
  }
}

// OpenCV's number of threads belongs to the process, so the loaders in it share this count.
std::mutex opencv_mutex;
int opencv_users = 0;
int opencv_threads = 0;

}  // namespace

void check(const LoaderConfig & config)
{
  check(config.preprocessing);
  if (config.augmentation) {
    check(*config.augmentation);
  }
  require_at_least(config.batch_size, 1, "batch_size");
  require_at_least(config.workers, 1, "workers");
  require_at_least(config.batches_ahead, 1, "batches_ahead");
}

Loader::SingleThreadedOpenCv::SingleThreadedOpenCv()
{
  const std::lock_guard<std::mutex> lock(opencv_mutex);
  if (opencv_users++ == 0) {
    opencv_threads = cv::getNumThreads();
    cv::setNumThreads(1);
  }
}

Loader::SingleThreadedOpenCv::~SingleThreadedOpenCv()
{
  const std::lock_guard<std::mutex> lock(opencv_mutex);
  if (--opencv_users == 0) {
    cv::setNumThreads(opencv_threads);
  }
}

Loader::Tools::Tools(const LoaderConfig & config)
: preprocessor(config.preprocessing),
  augmenter(
    config.augmentation ? std::make_unique<Augmenter>(*config.augmentation, config.preprocessing)
                        : nullptr)
{
}

Loader::Loader(const Dataset & dataset, const LoaderConfig & config)
: dataset_(dataset),
  config_(config),
  views_(config.augmentation ? config.augmentation->views : 1),
  batches_per_epoch_(count_batches(dataset, config)),
  source_(dataset, config.cache ? config.cache_bytes : 0),
  ring_(config.batches_ahead)
{
  if (batches_per_epoch_ == 0) {
    throw ConfigError(
      "batch_size", dataset.root + " has " + std::to_string(dataset.size()) +
                      " images, not enough for one batch of " + std::to_string(config.batch_size));
  }
  for (int i = 0; i < config_.workers; ++i) {
    tools_.push_back(std::make_unique<Tools>(config_));
  }
  try {
    for (const std::unique_ptr<Tools> & tools : tools_) {
      workers_.emplace_back([this, &tools] { work(*tools); });
    }
  } catch (...) {  // no more threads to be had: the destructor will not run
    stop();
    throw;
  }
}

Loader::~Loader() { stop(); }

void Loader::stop()
{
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
  }
  work_waits_.notify_all();
  for (std::thread & worker : workers_) {
    worker.join();
  }
}

void Loader::start(std::int64_t epoch, std::int64_t first_batch)
{
  if (epoch < 0 || first_batch < 0 || first_batch > batches_per_epoch_) {
    throw ConfigError(
      "first_batch", "no batch " + std::to_string(first_batch) + " in epoch " +
                       std::to_string(epoch) + " of " + std::to_string(batches_per_epoch_) +
                       " batches");
  }
  {
    std::unique_lock<std::mutex> lock(mutex_);
    armed_ = 0;  // no new work; let the slots that are being prepared end
    slot_done_.wait(lock, [this] { return busy_ == 0; });
  }
  draws_.clear();  // if anything below throws, there is no epoch to wait for
  std::vector<Draw> draws = draw_epoch(dataset_, config_.order, config_.seed, epoch);
  epoch_ = epoch;
  next_batch_ = first_batch;
  any_image_ = first_batch > 0;  // those before may have had one
  failure_ = nullptr;

  const std::int64_t end = std::min(first_batch + config_.batches_ahead, batches_per_epoch_);
  for (std::int64_t batch = first_batch; batch < end; ++batch) {
    arm(batch);
  }
  draws_ = std::move(draws);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    task_batch_ = first_batch;
    task_slot_ = 0;
    armed_ = end;
  }
  work_waits_.notify_all();
}

bool Loader::next(Batch & batch)
{
  if (failure_) {
    std::rethrow_exception(failure_);
  }
  while (next_batch_ < batches_per_epoch_ && !draws_.empty()) {
    Preparation & done = preparation(next_batch_);
    {
      std::unique_lock<std::mutex> lock(mutex_);
      const auto begin = std::chrono::steady_clock::now();
      slot_done_.wait(lock, [&done] { return done.missing == 0; });
      seconds_waited_ +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }
    try {
      collect(done);
      std::swap(batch, done.batch);
      refill(next_batch_++ + config_.batches_ahead);
    } catch (...) {
      failure_ = std::current_exception();
      throw;
    }
    if (batch.count > 0) {
      any_image_ = true;
      return true;
    }
  }
  if (!any_image_ && !draws_.empty()) {
    throw FileError(
      dataset_.root, "none of its images can be read; the first: " + broken_.front().problem);
  }
  return false;
}

int Loader::slots(std::int64_t batch) const
{
  return static_cast<int>(
    std::min<std::int64_t>(config_.batch_size, dataset_.size() - batch * config_.batch_size));
}

/// Makes the place of a batch in the ring ready for workers, who do not look at it before armed_
/// says so.
void Loader::arm(std::int64_t batch)
{
  Preparation & place = preparation(batch);
  const int count = slots(batch);
  place.batch.size = config_.preprocessing.size;
  place.batch.pixels.resize(count * floats_per_image(config_));
  place.batch.labels.resize(count);
  place.batch.images.resize(count);
  place.batch.geometry.resize(config_.augmentation ? 0 : count);
  place.batch.views.resize(views_ > 0 ? count : 0);
  place.batch.count = count;
  place.batch.epoch = epoch_;
  place.batch.index = batch;
  place.failures.assign(count, nullptr);
  place.missing = count;
}

/// Hands the place of a consumed batch to the workers for a later one.
void Loader::refill(std::int64_t batch)
{
  if (batch >= batches_per_epoch_) {
    return;
  }
  arm(batch);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    armed_ = batch + 1;
  }
  work_waits_.notify_all();
}

void Loader::work(Tools & tools)
{
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    work_waits_.wait(lock, [this] { return stopping_ || task_batch_ < armed_; });
    if (stopping_) {
      return;
    }
    Preparation & place = preparation(task_batch_);
    const int slot = task_slot_++;
    if (task_slot_ == place.batch.count) {
      ++task_batch_;
      task_slot_ = 0;
    }
    ++busy_;
    lock.unlock();
    prepare(place, slot, tools);
    lock.lock();
    --busy_;
    --place.missing;
    if (place.missing == 0 || busy_ == 0) {
      slot_done_.notify_all();
    }
  }
}

/// Fills one slot. Never throws: what goes wrong is kept for the consumer.
void Loader::prepare(Preparation & place, int slot, Tools & tools)
{
  Batch & batch = place.batch;
  const Draw & draw = draws_[batch.index * config_.batch_size + slot];
  batch.images[slot] = draw.image;
  batch.labels[slot] = dataset_.samples[draw.image].label;
  // A repeated image gets a key that belongs to no other image.
  const std::int64_t key = draw.image + draw.repeat * dataset_.size();
  const std::int64_t view = views_ > 0 ? batch.epoch % views_ : batch.epoch;
  if (views_ > 0) {
    batch.views[slot] = key * views_ + view;
  }
  try {
    const cv::Mat image = source_(draw.image);
    float * pixels = batch.pixels.data() + slot * floats_per_image(config_);
    if (tools.augmenter) {
      Random random{
        config_.seed, static_cast<std::uint64_t>(view), static_cast<std::uint64_t>(key)};
      (*tools.augmenter)(image, random, pixels);
    } else {
      batch.geometry[slot] = tools.preprocessor(view_of(image), pixels);
    }
  } catch (const ImageError & error) {  // readable, but not usable
    const Sample & sample = dataset_.samples[draw.image];
    place.failures[slot] = std::make_exception_ptr(
      FileError(sample.file.empty() ? sample.name : sample.file, error.what()));
  } catch (...) {
    place.failures[slot] = std::current_exception();
  }
}

/// Takes the broken images out of a finished batch, keeping the order of the others.
void Loader::collect(Preparation & place)
{
  Batch & batch = place.batch;
  const std::size_t floats = floats_per_image(config_);
  int kept = 0;
  for (int slot = 0; slot < batch.count; ++slot) {
    if (!place.failures[slot]) {
      if (kept != slot) {
        std::copy_n(
          batch.pixels.begin() + slot * floats, floats, batch.pixels.begin() + kept * floats);
        batch.labels[kept] = batch.labels[slot];
        batch.images[kept] = batch.images[slot];
        if (!batch.geometry.empty()) {
          batch.geometry[kept] = batch.geometry[slot];
        }
        if (!batch.views.empty()) {
          batch.views[kept] = batch.views[slot];
        }
      }
      ++kept;
      continue;
    }
    try {
      std::rethrow_exception(place.failures[slot]);
    } catch (const FileError & error) {
      if (config_.strict) {
        throw;
      }
      if (broken_images_.insert(batch.images[slot]).second) {
        broken_.push_back({batch.images[slot], error.what()});
      }
    }
  }
  batch.count = kept;
  batch.pixels.resize(kept * floats);
  batch.labels.resize(kept);
  batch.images.resize(kept);
  batch.geometry.resize(batch.geometry.empty() ? 0 : kept);
  batch.views.resize(batch.views.empty() ? 0 : kept);
}

}  // namespace mgproto
