// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DATASETS__LOADER_HPP_
#define DATASETS__LOADER_HPP_

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <unordered_set>
#include <vector>

#include "datasets/augmentation.hpp"
#include "datasets/dataset.hpp"
#include "datasets/image.hpp"
#include "datasets/sampler.hpp"
#include "mgproto_ros/model_config.hpp"
#include "model/preprocessing.hpp"

namespace mgproto
{

struct LoaderConfig
{
  PreprocessingConfig preprocessing;
  /// Without it images go through the Preprocessor alone.
  std::optional<AugmentationConfig> augmentation;
  SampleOrder order = SampleOrder::as_listed;
  std::uint64_t seed = 0;
  int batch_size = 80;
  bool drop_last = false;  ///< leave out a last batch that is not full
  bool strict = false;     ///< a broken image is an error, not something to skip
  int workers = 2;
  int batches_ahead = 2;  ///< prepared or in preparation beside the one in the consumer's hands
  bool cache = false;     ///< keep decoded images in memory, as far as cache_bytes go
  std::size_t cache_bytes = std::size_t{2} << 30;
};

/// Throws ConfigError, naming the key, if a value is out of range.
void check(const LoaderConfig & config);

/// An image that could not be used, and why.
struct BrokenImage
{
  std::int64_t image = 0;
  std::string problem;  ///< one line that names the file
};

struct Batch
{
  std::vector<float> pixels;            ///< [count, 3, size, size], normalised RGB
  std::vector<std::int64_t> labels;     ///< [count]
  std::vector<std::int64_t> images;     ///< [count], indices into Dataset::samples
  std::vector<InputGeometry> geometry;  ///< [count] without augmentation, else empty
  /// [count], equal for the same picture in another epoch; empty if AugmentationConfig::views is 0.
  std::vector<std::int64_t> views;
  int count = 0;
  int size = 0;  ///< pixels a side
  std::int64_t epoch = 0;
  std::int64_t index = 0;  ///< within the epoch; pass index + 1 to start() to go on after it
};

/// Decodes and augments images on worker threads ahead of the one thread that consumes batches.
///
/// What a batch holds depends on the data set, the config, the epoch and the batch's index, not on
/// the number of workers, on time, or on where in the epoch the loader was started. A broken image
/// leaves its batch smaller (nothing takes its place, so that all other batches stay the same); a
/// batch without any image left is passed over.
///
/// Memory is bounded: batches_ahead batches and what the cache may hold. Batches are recycled.
///
/// While a loader lives, OpenCV's own threads are switched off in the whole process, because the
/// workers already fill the cores; the last loader to go restores their number.
class Loader
{
public:
  /// Starts the workers, which wait for start(). `dataset` must outlive the loader. Throws
  /// ConfigError if the config cannot be used.
  Loader(const Dataset & dataset, const LoaderConfig & config);
  Loader(const Dataset && dataset, const LoaderConfig & config) = delete;
  ~Loader();
  Loader(const Loader &) = delete;
  Loader & operator=(const Loader &) = delete;

  /// Begins an epoch at one of its batches and drops what is left of the one before. Returns while
  /// the workers prepare the first batches: call it before the work between two epochs.
  /// Throws ConfigError if the epoch has no such batch.
  void start(std::int64_t epoch, std::int64_t first_batch = 0);

  /// Waits for the next batch and swaps it with `batch`, whose memory is used again. False at the
  /// end of the epoch. Throws what a worker threw, at the batch where it happened, and FileError
  /// for a broken image if the config is strict, or if an epoch had no readable image at all.
  bool next(Batch & batch);

  std::int64_t batches_per_epoch() const { return batches_per_epoch_; }

  /// Broken images of all epochs so far, each once, in the order in which they were met.
  const std::vector<BrokenImage> & broken() const { return broken_; }

  /// Seconds that next() has waited for workers.
  double seconds_waited() const { return seconds_waited_; }

  std::size_t cached_bytes() const { return source_.cached_bytes(); }

private:
  /// A batch in preparation. Its slots are filled in any order, each by one worker.
  struct Preparation
  {
    Batch batch;
    std::vector<std::exception_ptr> failures;  // [slots]; null where all went well
    int missing = 0;                           // slots not yet done; under mutex_
  };
  /// What a worker needs for itself.
  struct Tools
  {
    explicit Tools(const LoaderConfig & config);
    Preprocessor preprocessor;
    std::unique_ptr<Augmenter> augmenter;
  };
  /// Switches OpenCV's threads off while any exists.
  struct SingleThreadedOpenCv
  {
    SingleThreadedOpenCv();
    ~SingleThreadedOpenCv();
  };

  void work(Tools & tools);
  void prepare(Preparation & preparation, int slot, Tools & tools);
  void arm(std::int64_t batch);
  void refill(std::int64_t batch);
  void collect(Preparation & preparation);
  void stop();
  int slots(std::int64_t batch) const;
  Preparation & preparation(std::int64_t batch) { return ring_[batch % config_.batches_ahead]; }

  const Dataset & dataset_;
  const LoaderConfig config_;
  // Pictures that are made of an image, one an epoch in turns; 0 = always another.
  const int views_;
  const std::int64_t batches_per_epoch_;
  const SingleThreadedOpenCv single_threaded_opencv_;
  ImageSource source_;
  std::vector<Preparation> ring_;  // [batches_ahead]

  // Written by the consumer while no worker is busy.
  std::vector<Draw> draws_;
  std::int64_t epoch_ = 0;

  // The consumer's own.
  std::int64_t next_batch_ = 0;
  bool any_image_ = false;  // in this epoch
  std::exception_ptr failure_;
  double seconds_waited_ = 0;
  std::vector<BrokenImage> broken_;
  std::unordered_set<std::int64_t> broken_images_;

  std::mutex mutex_;
  std::condition_variable work_waits_;
  std::condition_variable slot_done_;
  bool stopping_ = false;        // under mutex_, as all below
  std::int64_t task_batch_ = 0;  // the next slot to prepare ...
  int task_slot_ = 0;
  std::int64_t armed_ = 0;  // ... if its batch is below this
  int busy_ = 0;            // workers at a slot

  std::vector<std::unique_ptr<Tools>> tools_;
  std::vector<std::thread> workers_;
};

}  // namespace mgproto

#endif  // DATASETS__LOADER_HPP_
