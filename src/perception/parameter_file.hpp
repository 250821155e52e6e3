// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__PARAMETER_FILE_HPP_
#define PERCEPTION__PARAMETER_FILE_HPP_

#include <string>
#include <vector>

#include "perception/parameters.hpp"

namespace mgproto::perception
{

/// What a ROS 2 parameter file sets for the node of this full name (/robot/perception), checked, in
/// the order of the file: of entries with the same name the last one counts.
///
/// Node names are as ROS has them: keys above `ros__parameters` joined by slashes, `/**` for any
/// number of names and `/*` for one; without a leading slash the root namespace is meant. Entries
/// for other nodes are passed over, and so are parameters that belong_to_ros().
///
/// Throws FileError, with the line and the parameter's name, for a file that cannot be read, that
/// is no parameter file, or that has an unknown parameter or a wrong value for this node.
std::vector<Assignment> read_parameter_file(
  const std::string & path, const std::string & full_node_name);

/// Parameters that a ROS 2 node has of its own accord, for the one file that serves both hosts:
/// use_sim_time, start_type_description_service, all below qos_overrides and diagnostic_updater,
/// and those of image_transport's plugins: dotted names with a part compressed, compressedDepth,
/// theora, zstd or ffmpeg, or with the last part enable_pub_plugins.
bool belongs_to_ros(const std::string & name);

}  // namespace mgproto::perception

#endif  // PERCEPTION__PARAMETER_FILE_HPP_
