// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__PARAMETER_FILE_HPP_
#define PERCEPTION__PARAMETER_FILE_HPP_

#include <functional>
#include <string>
#include <vector>

#include "perception/parameters.hpp"

namespace mgproto::perception
{

/// For a parameter's name how its values are checked(); throws ConfigError if there is none.
using CheckOf = std::function<std::function<Value(const Value &)>(const std::string & name)>;

/// As below, for parameters of any table.
std::vector<Assignment> read_parameter_file(
  const std::string & path, const std::string & full_node_name, const CheckOf & check_of);

/// What a ROS 2 parameter file sets for the node of this full name (/robot/perception), checked, in
/// the order of the file: of entries with the same name the last one counts.
///
/// Node names are as ROS has them: keys above `ros__parameters` joined by slashes, `/**` for any
/// number of names and `/*` for one; without a leading slash the root namespace is meant. Entries
/// for other nodes are passed over, and so are parameters that belong_to_ros().
///
/// Throws FileError, with the line and the parameter's name, for a file that cannot be read, that
/// is no parameter file, or that has an unknown parameter or a wrong value for this node.
template <class S = Settings>
std::vector<Assignment> read_parameter_file(
  const std::string & path, const std::string & full_node_name)
{
  return read_parameter_file(path, full_node_name, [](const std::string & name) {
    const ParameterOf<S> & parameter = known_parameter<S>(name);
    return [&parameter](const Value & value) { return checked(parameter, value); };
  });
}

/// Parameters that a ROS 2 node has of its own accord, for the one file that serves both hosts:
/// use_sim_time, start_type_description_service, all below qos_overrides and diagnostic_updater,
/// and those of image_transport's plugins: dotted names with a part compressed, compressedDepth,
/// theora, zstd or ffmpeg, or with the last part enable_pub_plugins.
bool belongs_to_ros(const std::string & name);

}  // namespace mgproto::perception

#endif  // PERCEPTION__PARAMETER_FILE_HPP_
