// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__REASON_TEXT_HPP_
#define MODEL__REASON_TEXT_HPP_

#include <string>

#include "mgproto_ros/manifest.hpp"
#include "mgproto_ros/prediction.hpp"

namespace mgproto
{

/// Why the verdict is not `known`, in words: the question that speaks most against it and what it saw,
/// such as "4 of 10 parts of Northern_Flicker not found". Empty if it is known.
std::string reason_text(const Prediction & prediction, const Manifest & manifest);

/// The same in few words, without the score and its threshold where something else can be said.
std::string short_reason_text(const Prediction & prediction, const Manifest & manifest);

/// Of what decides: "log p(x)", or "score" for the joint one.
const char * score_name(Criterion criterion);

}  // namespace mgproto

#endif  // MODEL__REASON_TEXT_HPP_
