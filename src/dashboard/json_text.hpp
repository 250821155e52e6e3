// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DASHBOARD__JSON_TEXT_HPP_
#define DASHBOARD__JSON_TEXT_HPP_

#include <string>
#include <vector>

#include "dashboard/content.hpp"

// JSON for the page, always valid and on one line: numbers that are not finite are null, broken UTF-8
// is replaced, and what is far longer than any node would send is cut.

namespace mgproto::dashboard
{

/// known, unknown or uncalibrated
const char * verdict_word(Verdict verdict);

std::string json_text(const std::string & text);
/// With at most six significant digits: for charts.
std::string json_text(double number);
std::string json_text(const Prediction & prediction);
std::string json_text(const Health & health);
std::string json_text(const Trust & trust);
/// [{prototype, class_name, prior, source, has_patch}], without the pictures.
std::string json_text(const std::vector<PrototypePatch> & gallery);
/// Of its images the newest.
std::string json_text(const Album & album);
std::string json_text(const TeachAnswer & answer);

/// A request as the page sends it. Throws Error for anything else.
TeachRequest read_teach_request(const std::string & json);

}  // namespace mgproto::dashboard

#endif  // DASHBOARD__JSON_TEXT_HPP_
