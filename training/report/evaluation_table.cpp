// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/report/evaluation_table.hpp"

#include <iomanip>
#include <sstream>

#include "model/number_text.hpp"
#include "model/utf8.hpp"
#include "training/report/results_json.hpp"

namespace mgproto
{
namespace
{

std::string percent_or_dash(const std::optional<double> & share)
{
  return share ? percent(*share) : "-";
}

void write_row(std::ostream & out, const std::string & name, const std::vector<std::string> & cells)
{
  out << "  " << std::left << std::setw(14) << name << std::right;
  for (const std::string & cell : cells) {
    out << std::setw(12) << cell;
  }
  out << "\n";
}

void write_recognition(std::ostream & out, const Evaluation & evaluation)
{
  const double accuracy = evaluation.model.accuracy;
  out << evaluation.count << " images: accuracy " << percent(accuracy) << ", top 5 "
      << percent(evaluation.top5) << ", calibration error " << percent_or_dash(evaluation.ece)
      << ", cross-entropy "
      << (evaluation.cross_entropy ? fixed(*evaluation.cross_entropy, 3) : "-") << "\n";
  if (evaluation.broken > 0) {
    out << evaluation.broken << " images could not be read\n";
  }
  if (evaluation.model.calibrated) {
    const Calibrated & calibrated = *evaluation.model.calibrated;
    out << "known by the checkpoint's threshold: " << percent(calibrated.tpr)
        << ", of the wrong answers " << percent_or_dash(calibrated.wrong_known)
        << ", of the worst class, "
        << terminal_safe(evaluation.classes.at(calibrated.worst_class).name) << " "
        << percent_or_dash(calibrated.tpr_of_class.at(calibrated.worst_class)) << "\n";
  }
  if (const auto & coverage = evaluation.coverage) {
    out << "calibrated on " << coverage->calibrated_on
        << " of these images it would know of the others " << percent(coverage->mean) << " ("
        << percent(coverage->asked) << " asked, mean of " << coverage->accepted.size()
        << " splits)\n";
  }
  for (const auto & [name, count] : evaluation.left_out) {
    out << "the model does not know '" << terminal_safe(name) << "': " << count
        << " images left out\n";
  }
  for (const ClassResult & one : evaluation.classes) {
    if (!one.accuracy || *one.accuracy < accuracy) {
      out << "  below the mean: " << terminal_safe(one.name) << " " << percent_or_dash(one.accuracy)
          << " of " << one.count << "\n";
    }
  }
}

void write_garbage(std::ostream & out, const std::map<std::string, double> & garbage)
{
  std::string passed;
  for (const auto & [kind, share] : garbage) {
    if (share > 0) {
      passed += (passed.empty() ? "" : ", ") + kind + " " + percent(share);
    }
  }
  out << "garbage of " << garbage.size()
      << " kinds taken for known: " << (passed.empty() ? "none" : passed) << "\n";
}

void write_ood(std::ostream & out, const std::string & name, const OodResult & set)
{
  if (!set.error.empty()) {
    out << "\n" << name << ": " << set.error << "\n";
    return;
  }
  out << "\n"
      << name << ", " << set.count
      << " images, taken for known by the threshold: " << percent_or_dash(set.passed)
      << " (the images above are positive)\n";
  write_row(out, "score", {"FPR95", "AUROC", "AUPR-in", "AUPR-out"});
  for (const auto & [score, separation] : set.scores) {
    if (separation) {
      write_row(
        out, score,
        {percent(separation->fpr95), percent(separation->auroc), percent(separation->aupr_in),
         percent(separation->aupr_out)});
    } else {
      write_row(out, score, {"-", "-", "-", "-"});
    }
  }
}

void write_pruning(std::ostream & out, const std::vector<ModelResult> & rows)
{
  out << "\npruning\n";
  std::vector<std::string> head{"a class", "prototypes", "accuracy"};
  for (const auto & [name, set] : rows.front().ood) {
    head.push_back("FPR95 " + name.substr(0, 5));
  }
  write_row(out, "by", head);
  for (const ModelResult & row : rows) {
    std::vector<std::string> cells{
      row.keep ? std::to_string(*row.keep) : "-", std::to_string(*row.prototypes),
      percent(row.accuracy)};
    for (const auto & [name, set] : row.ood) {
      cells.push_back(percent(set.scores.front().second->fpr95));
    }
    write_row(out, row.name, cells);
  }
}

}  // namespace

std::string evaluation_table(const Evaluation & evaluation)
{
  std::ostringstream out;
  write_recognition(out, evaluation);
  if (!evaluation.garbage.empty()) {
    write_garbage(out, evaluation.garbage);
  }
  for (const auto & [name, set] : evaluation.model.ood) {
    write_ood(out, name, set);
  }
  if (evaluation.projected && evaluation.projected->distinct_patches) {
    out << "\nafter projection: accuracy " << percent(evaluation.projected->accuracy) << ", "
        << fixed(*evaluation.projected->distinct_patches, 1) << " distinct patches a class\n";
  }
  if (evaluation.pruning && !evaluation.pruning->empty()) {
    write_pruning(out, *evaluation.pruning);
  }
  const auto rows = interpretability_rows(evaluation);
  out << (rows.empty() ? "" : "\ninterpretability\n");
  for (const auto & [name, value] : rows) {
    out << "  " << std::left << std::setw(26) << name << std::right << std::setw(12)
        << (value ? fixed(*value, 3) : "-") << "\n";
  }
  return out.str();
}

}  // namespace mgproto
