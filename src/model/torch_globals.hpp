// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__TORCH_GLOBALS_HPP_
#define MODEL__TORCH_GLOBALS_HPP_

#include <optional>
#include <string>
#include <string_view>

#include "model/dtype.hpp"
#include "model/pickle.hpp"

namespace mgproto
{

/// The element type of a storage class, such as "torch.FloatStorage"; nothing for any other name.
std::optional<DType> storage_dtype(std::string_view global);

/// Unpickles what torch.save wrote. Throws FileError, also for the first name in the pickle that a
/// file of tensors does not need.
pickle::Pickle unpickle_torch(const std::string & path, std::string_view bytes);

}  // namespace mgproto

#endif  // MODEL__TORCH_GLOBALS_HPP_
