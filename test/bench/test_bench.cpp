// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// The measuring program: that the marks it measures against compute what the MGProto authors'
// numbers say (golden/a_head.json, c_em.json, c_shared_adam.json, with the tolerances that our own
// head and EM have), that medians and verdicts are right, and that every number is measured, on a
// tiny network. Not covered: whether a measured time is the machine's best.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "bench/authors.hpp"
#include "bench/bench.hpp"
#include "bench/measurements.hpp"
#include "bench/process_memory.hpp"
#include "bench/report.hpp"
#include "bench/stopwatch.hpp"
#include "bench/svg_plot.hpp"
#include "golden.hpp"
#include "mgproto_ros/error.hpp"
#include "model/file_io.hpp"
#include "temporary_directory.hpp"

namespace mgproto::bench
{
namespace
{

using test::JsonCase;
using test::largest_difference;

TEST(AuthorsHead, ReproducesTheAuthorsNumbers)
{
  const JsonCase golden("a_head.json");
  const std::int64_t B = golden.meta()["B"], C = golden.meta()["C"], M = golden.meta()["M"],
                     T = golden.meta()["T"];
  const AuthorsHead head(golden.input("means"), golden.input("pi"));

  const AuthorsDensities densities = head.forward(golden.input("F"), T);

  EXPECT_LT(
    largest_difference(densities.log_likelihood, golden.output("loglik").view({B, C * M, -1})),
    2e-5);
  EXPECT_LT(
    largest_difference(densities.top_likelihood, golden.output("topT_act").view({B, C * M, T})),
    2e-5);
  EXPECT_TRUE(
    densities.top_position.equal(golden.output("topT_index", torch::kInt64).view({B, C * M, T})));
  const torch::Tensor difference =
    densities.top_feature - golden.input("means").view({1, C * M, -1, 1}).transpose(1, 2);
  EXPECT_LT(
    largest_difference((difference.square().sum(1) * -M_PI).exp(), densities.top_likelihood), 2e-5);
  EXPECT_LT(largest_difference(densities.logits, golden.output("logits_nolabels")), 1e-5);
  EXPECT_LT(largest_difference(densities.posterior, golden.output("posterior")), 1e-5);
  EXPECT_LT(largest_difference(densities.density, golden.output("px_sum")), 1e-5);
}

TEST(AuthorsEm, ReproducesTheAuthorsNumbersOfOneClass)
{
  const JsonCase golden("c_em.json");
  for (int loops = 1; loops <= 3; ++loops) {
    AuthorsEm em(golden.input("means").unsqueeze(0), golden.input("pi").unsqueeze(0), 3e-3);

    em.update(golden.input("features").unsqueeze(0), {0}, loops);

    EXPECT_LT(largest_difference(em.means()[0], golden.output("means_adam")[loops - 1]), 2e-6);
    EXPECT_LT(largest_difference(em.priors()[0], golden.output("priors_adam")[loops - 1]), 2e-6);
  }
}

TEST(AuthorsEm, MovesOtherClassesAsTheirsDoes)
{
  const JsonCase golden("c_shared_adam.json");
  const torch::Tensor features = golden.input("features");
  const torch::Tensor steps = golden.output("means_after_each_adam_step");  // [9, C, M, D]
  AuthorsEm em(golden.input("means"), golden.input("pi"), 3e-3);

  em.update(features, {0, 1});
  EXPECT_LT(largest_difference(em.means(), steps[5]), 2e-6);
  em.update(features, {1});  // class 0 drifts on

  EXPECT_LT(largest_difference(em.means(), steps[8]), 2e-6);
  EXPECT_GT(largest_difference(em.means()[0], steps[5][0]), 1e-3);
  EXPECT_LT(largest_difference(em.priors(), golden.output("priors_final")), 2e-6);
}

TEST(Median, IsTheMiddleOrTheMeanOfTheTwoInTheMiddle)
{
  EXPECT_DOUBLE_EQ(median({5}), 5);
  EXPECT_DOUBLE_EQ(median({9, 1, 2}), 2);
  EXPECT_DOUBLE_EQ(median({9, 1, 2, 4}), 3);
}

/// Time passes when a contestant says so.
struct HandClock
{
  using duration = std::chrono::seconds;
  using time_point = std::chrono::time_point<std::chrono::steady_clock, duration>;
  static inline time_point present;
  static time_point now() { return present; }
};

TEST(InterleavedMedians, TakeTurnsAndCountNeitherTheFirstRoundNorThePreparation)
{
  std::string order;
  const auto taking = [&](char name, std::vector<int> seconds) {
    return [&order, name, seconds, call = std::size_t{0}]() mutable {
      order += name;
      HandClock::present += std::chrono::seconds(seconds.at(call++));
    };
  };

  // A without its first round: 4, 1, 2; B: 30, 10, 90.
  const std::vector<double> medians = interleaved_medians<HandClock>(
    3,
    {{taking('A', {100, 4, 1, 2})}, {taking('B', {500, 30, 10, 90}), taking('p', {7, 7, 7, 7})}});

  EXPECT_EQ(order, "ApBApBApBApB");
  EXPECT_EQ(medians, (std::vector<double>{2, 30}));
}

TEST(Targets, AreMetFromTheRightSide)
{
  const Target at_most{"small", "ratio", true, 0.02, ""};
  const Target at_least{"large", "ratio", false, 20, ""};

  EXPECT_EQ(limit_text(at_most), "≤ 0.02");
  EXPECT_EQ(limit_text(at_least), "≥ 20");
  EXPECT_EQ(verdict_text({at_most, 0.02}), "ok");
  EXPECT_EQ(verdict_text({at_most, 0.021}), "missed");
  EXPECT_EQ(verdict_text({at_least, 20}), "ok");
  EXPECT_EQ(verdict_text({at_least, 19.9}), "missed");
  EXPECT_EQ(verdict_text({at_least, std::nullopt}), "not measured");
}

TEST(Measurements, AreOneForTheTargetsOfOneFunction)
{
  std::multiset<std::string> measured, wanted;
  for (const Measurement & measurement : measurements_of({})) {
    measured.insert(measurement.names.begin(), measurement.names.end());
  }
  for (const Target & target : targets()) {
    wanted.insert(target.name);
  }
  EXPECT_EQ(measured, wanted);
  EXPECT_EQ(wanted.size(), 22u);

  const auto some = measurements_of(
    {"em_over_train_step_16", "train_step_over_backbone", "head_over_backbone_c1000"});
  ASSERT_EQ(some.size(), 2u);
  EXPECT_EQ(some[0].names, (std::vector<std::string>{"head_over_backbone_c1000"}));
  EXPECT_EQ(
    some[1].names, (std::vector<std::string>{"train_step_over_backbone", "em_over_train_step_16"}));
}

Plan tiny_plan()
{
  Plan plan;
  plan.demo_model = std::string(MGPROTO_SOURCE_DIR) + "/config/models/birds_demo.safetensors";
  plan.threads = 1;
  plan.model.backbone.architecture = "resnet18";
  plan.model.backbone.width = 0.125;
  plan.image_size = 64;
  plan.classes = 6;
  plan.many_classes = 12;
  plan.prototypes = 3;
  plan.memory = 20;
  plan.repeats = 1;
  plan.slow_repeats = 1;
  plan.demo_repeats = 2;
  plan.training_batch = 4;
  plan.training_batches = 2;
  plan.projected_classes = 2;
  plan.evaluated_images_per_class = 6;
  plan.counted_images = 8;
  plan.first_frames = 2;
  plan.all_frames = 4;
  return plan;
}

TEST(Measurements, GiveAllTheirNumbers)
{
  for (const Measurement & measurement : measurements_of({})) {
    Values values;
    try {
      values = measurement.run(tiny_plan());
    } catch (const Error & error) {
      EXPECT_STREQ(error.what(), "this build has no DDS host to measure");
      continue;
    }
    EXPECT_EQ(values.size(), measurement.names.size());
    for (const std::string & name : measurement.names) {
      ASSERT_EQ(values.count(name), 1u) << name;
      EXPECT_TRUE(std::isfinite(values[name])) << name;
      EXPECT_TRUE(values[name] > 0 || name == "train_wait_share" || name == "demo_node_overhead_ms")
        << name << " " << values[name];
    }
  }
}

TEST(Run, MeasuresOnlyWhatIsAskedForAndSaysWhatItCannot)
{
  Plan plan = tiny_plan();
  plan.demo_model.clear();
  std::string said;
  const Say say = [&](const std::string & line) { said += line + "\n"; };

  const Outcome outcome = run(
    measurements_of({"em_speedup_over_authors_c200", "memory_growth_10k_frames"}),
    [&](const Measurement & one) { return measure(plan, one, say); }, say);
  const nlohmann::ordered_json json = to_json(outcome, this_machine(2, "1.2.3"));

  EXPECT_NE(said.find("memory_growth_10k_frames: the demo's model was not found"), said.npos);
  ASSERT_EQ(json["results"].size(), 2u);
  EXPECT_EQ(json["results"][0]["name"], "em_speedup_over_authors_c200");
  EXPECT_GT(json["results"][0]["value"].get<double>(), 0);
  EXPECT_EQ(json["results"][0]["unit"], "ratio");
  EXPECT_TRUE(json["results"][1]["value"].is_null());
  EXPECT_EQ(json["machine"]["threads"], 2);
  EXPECT_EQ(json["machine"]["mgproto_ros"], "1.2.3");
  EXPECT_GT(json["machine"]["peak_memory_mb"].get<double>(), 10);
}

TEST(ProcessMemory, SeesWhatWasTakenAndForgetsItWhenAskedTo)
{
  begin_peak();
  const double before = peak_megabytes();
  {
    std::vector<char> taken(std::size_t{200} << 20, 1);
    EXPECT_GT(resident_megabytes(), before + 150);
    EXPECT_EQ(taken.back(), 1);
  }
  EXPECT_GT(peak_megabytes(), before + 150);

  begin_peak();

  EXPECT_LT(peak_megabytes(), before + 50);
}

TEST(SvgPlot, PutsDecadesAtEqualDistances)
{
  // A panel's plot is 60 to 365 pixels wide and 230 to 30 high; 10 is halfway between 1 and 100.
  const std::string svg = svg_plot("C", {1, 10, 100}, {{"time, ms", {{"head", {1, 100, 10}}}}});

  EXPECT_NE(svg.find("points=\"60,230 212.5,30 365,130 \""), svg.npos) << svg;
  EXPECT_NE(svg.find(">head</text>"), svg.npos);
}

TEST(Report, HasMachineTargetsTablesAndPlots)
{
  const test::TemporaryDirectory folder;
  Outcome outcome;
  for (const Target & target : targets()) {
    outcome.results.push_back({target, 1.0});
  }
  Growth growth{"classes", "Classes", "C", {"head"}, {}};
  growth.rows = {{10, {0.25}, 1.5}, {100, {2.5}, 15}};

  write_report(
    folder / "measured.md", "mgproto bench --report measured.md", this_machine(2, "1.2.3"), outcome,
    {growth});

  const std::string page = read_text(folder / "measured.md", "a report");
  EXPECT_NE(page.find("`mgproto bench --report measured.md` on 20"), page.npos);
  EXPECT_NE(page.find("mgproto_ros 1.2.3"), page.npos);
  for (const Target & target : targets()) {
    EXPECT_NE(page.find("| " + target.name + " |"), page.npos);
  }
  EXPECT_NE(page.find("| 100 | 2.5 | 15 |"), page.npos);
  EXPECT_NE(page.find("(measured_classes.svg)"), page.npos);
  EXPECT_TRUE(std::filesystem::exists(folder / "measured_classes.svg"));
  EXPECT_EQ(page.find("## Measured"), 0u);
}

TEST(Report, KeepsWhatIsWrittenAboveTheMark)
{
  const test::TemporaryDirectory folder;
  const std::string path = folder / "performance.md";
  std::ofstream(path) << "# Title\n\n<!-- measured -->\n\nold numbers\n";

  write_report(path, "first", this_machine(2, "1.2.3"), {}, {});
  write_report(path, "second", this_machine(2, "1.2.3"), {}, {});

  const std::string page = read_text(path, "a report");
  EXPECT_EQ(page.find("# Title\n\n<!-- measured -->\n\n## Measured\n\n`second` on 20"), 0u);
  EXPECT_EQ(page.find("old numbers"), page.npos);
  EXPECT_EQ(page.find("first"), page.npos);
}

}  // namespace
}  // namespace mgproto::bench
