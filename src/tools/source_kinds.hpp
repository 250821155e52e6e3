// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TOOLS__SOURCE_KINDS_HPP_
#define TOOLS__SOURCE_KINDS_HPP_

#include <cstddef>
#include <memory>
#include <string>

#include "tools/frame_source.hpp"

/// The kinds of sources behind open_source(), which chooses among them.
namespace mgproto::tools
{

/// Throws FileError if there are no images below `dir`. An image that cannot be read is skipped and
/// logged once.
std::unique_ptr<FrameSource> open_folder(const std::string & dir, const SourceOptions & options);

/// One frame, or the same one for ever with `loop`.
std::unique_ptr<FrameSource> open_image(const std::string & path, const SourceOptions & options);

std::unique_ptr<FrameSource> open_video(const std::string & path, const SourceOptions & options);

/// `device` is a number or /dev/videoN; it is asked for the size, and may give another one.
std::unique_ptr<FrameSource> open_camera(const std::string & device, const SourceOptions & options);

/// Half of the frames are the species that the demo model knows, the other half unseen species,
/// vehicles and textures in equal parts, so in every six frames. The same for the same seed; none
/// is part of a data set that `mgproto dataset birds` draws. Labels are known/SPECIES,
/// unseen_species/SPECIES, vehicles/KIND and textures/KIND.
std::unique_ptr<FrameSource> draw_birds(const SourceOptions & options);

/// Each frame of `source` for so many frames, as a camera that is held by hand sees it.
std::unique_ptr<FrameSource> hold(std::unique_ptr<FrameSource> source, int frames);

/// Takes frames from `source` on a thread of its own, at most `ahead` in advance.
std::unique_ptr<FrameSource> read_ahead(std::unique_ptr<FrameSource> source, std::size_t ahead);

}  // namespace mgproto::tools

#endif  // TOOLS__SOURCE_KINDS_HPP_
