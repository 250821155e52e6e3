// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__PERCEPTION_HPP_
#define PERCEPTION__PERCEPTION_HPP_

#include <memory>
#include <opencv2/core/mat.hpp>
#include <optional>
#include <string>
#include <vector>

#include "perception/depth_store.hpp"
#include "perception/diagnostics.hpp"
#include "perception/frame.hpp"
#include "perception/frame_prediction.hpp"
#include "perception/settings.hpp"
#include "perception/teaching.hpp"

namespace mgproto::perception
{

enum class LogLevel
{
  info,
  warn,
  error
};

/// Where the predictions go: what a host implements. Everything but log() and now() is called by the
/// worker, one call at a time, from the constructor of Perception on. An exception of one call is logged and
/// costs nothing else; a frame whose publish() threw is counted as failed.
class Outputs
{
public:
  virtual ~Outputs() = default;

  /// A new model is in use: labels and prototypes change with it.
  virtual void model_changed(const ModelInfo & model) = 0;

  /// First of all, for every frame, and for all cameras of a batch before any evidence or overlay.
  virtual void publish(const FramePrediction & prediction) = 0;

  /// Whether anybody listens; asked before the work is done.
  virtual bool wants_evidence(int camera) const = 0;
  virtual bool wants_overlay(int camera) const = 0;

  virtual void publish_evidence(const FramePrediction & prediction) = 0;
  /// The frame as 8-bit BGR with the prediction drawn on it.
  virtual void publish_overlay(int camera, const Header & header, const cv::Mat & bgr) = 0;

  // From any thread.

  virtual void log(LogLevel level, const std::string & text) = 0;
  /// By the clock that stamps are of; under simulated time that of the simulation.
  virtual Stamp now() const { return current_stamp(); }
};

/// The node's behaviour without any middleware: cameras in, predictions out. Owns the model and the one
/// thread that runs it. All functions may be called from any thread, and none but the constructor,
/// load_model(), set_enabled(), set_active() and those that teach waits for the model; an output must not call those.
class Perception
{
public:
  /// Loads and warms up the model; throws (FileError, ConfigError, DeviceError) if it cannot. The
  /// outputs must outlive this.
  Perception(const Settings & settings, Outputs & outputs);
  /// Finishes the batch in work, drops the frames that wait. No output is called after it.
  ~Perception();

  /// The newest frame of a camera wins: one that still waits is dropped and counted. A frame that
  /// does not say when it was received was received now.
  void add_frame(Frame frame);
  /// What a detector says about the image with that stamp. An empty list is an answer, too.
  void add_detections(int camera, const Header & header, std::vector<Region> regions);
  /// With `use_depth`: a depth image that is aligned with the camera's images. It counts for those that are
  /// answered after it came; none waits for it.
  void add_depth(int camera, DepthImage depth);
  /// How the camera projects, from now on; nothing if it is not calibrated.
  void set_intrinsics(int camera, const std::optional<Intrinsics> & intrinsics);
  /// A message that never became a frame. Explained in the log once per kind, counted always.
  void reject(int camera, const std::string & kind, const std::string & text);

  /// As they are now; they never change, but are replaced by others.
  std::shared_ptr<const Settings> settings() const;
  /// Takes effect with the next frame. Fixed settings stay as they are, whatever is given.
  void set_settings(const Settings & settings);

  /// Keeps the old model until the new one works; throws if it does not. Once it returns, only the
  /// new one answers, with what it was taught before. While disabled, the new one is only tried, and used
  /// when enabled again.
  void load_model(const std::string & path);
  /// Off: stops answering and frees the model; once it returns, no answer is published. On: loads
  /// it again; throws and stays off if that fails.
  void set_enabled(bool enabled);

  /// Inactive, it keeps its model and drops every frame; once it returns, no answer is published.
  void set_active(bool active);

  // Teaching: the old model answers until the new one, saved, takes its place between two frames. Nothing
  // is thrown; a request that cannot be met changes nothing, and the answer says why.

  /// A new class, or one that was taught before and sees more images; those of the album leave it.
  TeachAnswer teach(const TeachRequest & request);
  /// As if a taught class had never been.
  TeachAnswer forget(const std::string & name);
  /// The model before the last of these.
  TeachAnswer undo();

  AlbumState album() const;
  /// AlbumState::version.
  std::uint64_t album_version() const;

  /// The model in use; nullptr while disabled.
  std::shared_ptr<const ModelInfo> model() const;
  std::vector<Diagnosis> diagnosis() const;
  std::vector<CameraStatistics> statistics() const;
  /// Names of the cameras; one empty name if the settings name none.
  const std::vector<std::string> & cameras() const;

private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace mgproto::perception

#endif  // PERCEPTION__PERCEPTION_HPP_
