// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// Covers what write_report() puts into the page: curves, histograms, pictures, and that no text from
// a run can become markup; what stands in results.json, and an evaluation as a table. What the page
// makes of it is tested by report_in_browser.sh, on the runs that the last test leaves behind.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mgproto_ros/error.hpp"
#include "test/temporary_directory.hpp"
#include "training/report/evaluation_table.hpp"
#include "training/report/report.hpp"
#include "training/report/results_json.hpp"

namespace mgproto
{
namespace
{

namespace fs = std::filesystem;
using nlohmann::json;

// An 8x8 JPEG, and how the page has it.
const std::vector<std::uint8_t> kPicture{
  0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, 0x4a, 0x46, 0x49, 0x46, 0x00, 0x01, 0x01, 0x00, 0x00,
  0x01, 0x00, 0x01, 0x00, 0x00, 0xff, 0xdb, 0x00, 0x43, 0x00, 0x1b, 0x12, 0x14, 0x17, 0x14,
  0x11, 0x1b, 0x17, 0x16, 0x17, 0x1e, 0x1c, 0x1b, 0x20, 0x28, 0x42, 0x2b, 0x28, 0x25, 0x25,
  0x28, 0x51, 0x3a, 0x3d, 0x30, 0x42, 0x60, 0x55, 0x65, 0x64, 0x5f, 0x55, 0x5d, 0x5b, 0x6a,
  0x78, 0x99, 0x81, 0x6a, 0x71, 0x90, 0x73, 0x5b, 0x5d, 0x85, 0xb5, 0x86, 0x90, 0x9e, 0xa3,
  0xab, 0xad, 0xab, 0x67, 0x80, 0xbc, 0xc9, 0xba, 0xa6, 0xc7, 0x99, 0xa8, 0xab, 0xa4, 0xff,
  0xc0, 0x00, 0x0b, 0x08, 0x00, 0x08, 0x00, 0x08, 0x01, 0x01, 0x11, 0x00, 0xff, 0xc4, 0x00,
  0x14, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
  0x00, 0x00, 0x00, 0x01, 0xff, 0xc4, 0x00, 0x17, 0x10, 0x00, 0x03, 0x01, 0x00, 0x00, 0x00,
  0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x05, 0x62, 0xff,
  0xda, 0x00, 0x08, 0x01, 0x01, 0x00, 0x00, 0x3f, 0x00, 0x17, 0x0b, 0x07, 0xff, 0xd9};
const char kPictureText[] =
  "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1td"
  "hbWGkJ6jq62rZ4C8ybqmx5moq6T/wAALCAAIAAgBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAf/EABcQAAMBAAAAAAAA"
  "AAAAAAAAAAADBWL/2gAIAQEAAD8AFwsH/9k=";

const char kHostile[] = "</script><!--<script><img src=x onerror=alert(1)>\"'& Ännchen \\ 雀";

void write_file(const std::string & path, const std::string & text)
{
  std::ofstream(path, std::ios::binary) << text;
}

std::string read_file(const std::string & path)
{
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::string iteration_line(int epoch, int iteration, const json & ce)
{
  return json{{"type", "iteration"},      {"epoch", epoch},
              {"iteration", iteration},   {"ce", ce},
              {"accuracy", 0.5},          {"memory_fill", 0.1},
              {"images_per_second", 100}, {"seconds", {{"data", 0.01}, {"forward", 0.2}}}}
           .dump() +
         "\n";
}

std::string epoch_line(int epoch)
{
  return json{
           {"type", "epoch"},
           {"epoch", epoch},
           {"test_accuracy", 0.7},
           {"mean_pairwise_distance", 0.2},
           {"distinct_features", 3},
           {"largest_responsibility", 0.4},
           {"learning_rates", {{"backbone", 1e-4}, {"em", 3e-3}}},
           {"seconds", 9}}
           .dump() +
         "\n";
}

TrainingResults some_results()
{
  OodResult unknown;
  unknown.scores = {
    {"log_density", Separation{0.2, 0.9, 0.9, 0.9}}, {"msp", Separation{0.3, 0.8, 0.8, 0.8}}};
  ModelResult stage;
  stage.name = kHostile;
  stage.score = "log_density";
  stage.accuracy = 0.9;
  stage.prototypes = 4;
  stage.ood[kHostile] = unknown;
  stage.calibrated = Calibrated{-5, 0.75, 0.5, {0.5, 1.0}, 0};
  TrainingResults results;
  results.classes = {kHostile, "plain"};
  results.stages = {stage};
  results.final_stage = kHostile;
  results.confusion = {{8, 2}, {0, 10}};
  results.threshold = -5;
  results.seconds = 100;
  results.log_density.test = {-4, -3, -2, -6};
  results.log_density.ood[kHostile] = {-9, -8};
  for (int i = 0; i < 4; ++i) {
    PrototypeResult prototype;
    prototype.class_id = i / 2;
    prototype.prior = 0.5;
    prototype.source = Provenance{kHostile, 0, 1, {1, 2, 3, 4}, kPicture, {}};
    if (i < 3) {
      prototype.heat = kPicture;
    }
    results.prototypes.push_back(prototype);
  }
  return results;
}

/// What a head without prototypes and p(x) leaves.
TrainingResults baseline_results()
{
  TrainingResults results = some_results();
  results.stages[0].score = "energy";
  results.stages[0].calibrated.reset();
  results.stages[0].prototypes.reset();
  results.threshold.reset();
  results.prototypes.clear();
  return results;
}

class Report : public ::testing::Test
{
protected:
  void write(const std::string & name, const std::string & text) const
  {
    write_file(run_ / name, text);
  }

  std::string page(const TrainingResults * results = nullptr) const
  {
    write_report(run_ / "", results);
    return read_file(run_ / "report.html");
  }

  /// What stands between the script's tags, as the browser would cut it out.
  static json script(const std::string & page, const std::string & id)
  {
    const std::string tag = "<script type=\"application/json\" id=\"" + id + "\">";
    const std::size_t begin = page.find(tag) + tag.size();
    return json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  }

  json data(const TrainingResults * results = nullptr) const
  {
    return script(page(results), "data");
  }

  test::TemporaryDirectory run_;
};

int count(const std::string & text, const std::string & part)
{
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

TEST_F(Report, TextFromFilesStaysText)
{
  const std::string empty_page = page();
  write("config.yaml", kHostile);
  const TrainingResults results = some_results();

  const std::string full_page = page(&results);

  for (const char * markup : {"<script", "</script", "<!--", "<img"}) {
    EXPECT_EQ(count(full_page, markup), count(empty_page, markup)) << markup;
  }
  const json data = script(full_page, "data");
  EXPECT_EQ(data["config"], kHostile);
  EXPECT_EQ(data["results"]["classes"][0], kHostile);
  EXPECT_TRUE(data["results"]["stages"][0]["ood"].contains(kHostile));
}

TEST_F(Report, BytesThatAreNotUtf8DoNotBreakThePage)
{
  write("config.yaml", "path: /data/\xff\xe4\n");

  EXPECT_EQ(data()["config"], "path: /data/\uFFFD\uFFFD\n");
}

TEST_F(Report, ThePageAsksForNothingFromANetwork)
{
  const TrainingResults results = some_results();

  const std::string text = page(&results);

  EXPECT_NE(text.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(count(text, "://"), count(text, "http://www.w3.org/2000/svg"));
}

TEST_F(Report, AnEmptyDirectoryGivesAPageOfARunThatGoesOn)
{
  const json empty = data();

  EXPECT_TRUE(empty["results"].is_null());
  EXPECT_TRUE(empty["config"].is_null());
  EXPECT_TRUE(empty["densities"].is_null());
  EXPECT_TRUE(empty["curves"]["epochs"]["at"].empty());
  EXPECT_FALSE(empty["run"].get<std::string>().empty());
}

TEST_F(Report, ResultsMayBeEmpty)
{
  const TrainingResults nothing;

  const json shown = data(&nothing);

  EXPECT_TRUE(shown["results"].is_object());
  EXPECT_TRUE(shown["results"]["threshold"].is_null());
  EXPECT_TRUE(shown["densities"].is_null());
}

TEST_F(Report, ADirectoryThatIsNotThereIsAnError)
{
  EXPECT_THROW(write_report(run_ / "missing"), FileError);
}

TEST_F(Report, LinesThatCannotBeReadOrAreUnknownAreSkipped)
{
  write(
    "metrics.jsonl", iteration_line(0, 0, 3) + "{\"type\":\"news\",\"epoch\":0}\n[]\n\n" +
                       "{\"type\":\"iteration\",\"epoch\":\"x\",\"iteration\":1}\n" +
                       "{\"epoch\":0,\"ce\":7}\n" + iteration_line(0, 1, 2) +
                       "{\"type\":\"iteration\",\"epoch\":0,\"itera");

  const json curves = data()["curves"];

  EXPECT_EQ(curves["iterations"]["ce"], json({3, 2}));
  EXPECT_EQ(curves["iterations"]["seconds/forward"], json({0.2, 0.2}));
  EXPECT_EQ(curves["epochs"]["at"], json::array());
}

TEST_F(Report, ValuesThatAreMissingOrNotFiniteLeaveGaps)
{
  write(
    "metrics.jsonl",
    iteration_line(0, 0, 3) + iteration_line(0, 1, nullptr) + iteration_line(0, 2, 1));

  const json iterations = data()["curves"]["iterations"];

  EXPECT_EQ(iterations["ce"], json({3, nullptr, 1}));
  EXPECT_EQ(iterations["aux"], json({nullptr, nullptr, nullptr}));
}

TEST_F(Report, IterationsLieWithinTheirEpoch)
{
  write(
    "metrics.jsonl",
    iteration_line(0, 0, 1) + iteration_line(0, 1, 1) + epoch_line(0) + iteration_line(1, 2, 1));

  const json curves = data()["curves"];

  EXPECT_EQ(curves["iterations"]["at"], json({0.25, 0.75, 1.25}));
  EXPECT_EQ(curves["epochs"]["at"], json({1}));
  EXPECT_EQ(curves["epochs"]["learning_rates/em"], json({3e-3}));
}

TEST_F(Report, AResumedRunReplacesWhatItDidAgain)
{
  write(
    "metrics.jsonl", iteration_line(0, 0, 4) + epoch_line(0) + iteration_line(1, 0, 3) +
                       epoch_line(1) + iteration_line(2, 0, 2) + iteration_line(1, 0, 5));

  const json curves = data()["curves"];

  EXPECT_EQ(curves["iterations"]["ce"], json({4, 5}));
  EXPECT_EQ(curves["epochs"]["at"], json({1}));
}

TEST_F(Report, LongCurvesAreThinnedOutToMeans)
{
  constexpr int kIterations = 20000;
  std::string metrics;
  for (int i = 0; i < kIterations; ++i) {
    metrics += iteration_line(0, i, i);
  }
  write("metrics.jsonl", metrics + epoch_line(0));

  const std::string text = page();
  const json iterations = script(text, "data")["curves"]["iterations"];

  ASSERT_EQ(iterations["ce"].size(), 1000u);
  EXPECT_NEAR(iterations["ce"].front().get<double>(), 9.5, 1e-6);  // mean of 0..19
  EXPECT_NEAR(iterations["ce"].back().get<double>(), 19989.5, 1);  // five digits
  EXPECT_NEAR(iterations["at"].back().get<double>(), 0.9995, 1e-4);
  EXPECT_LT(text.size(), 300000u);
}

TEST_F(Report, HistogramsCompareSetsOfDifferentSize)
{
  TrainingResults results = some_results();
  results.log_density.test = {-4, -3, -2, -6, NAN};

  const json densities = data(&results)["densities"];

  EXPECT_EQ(densities["threshold"], -5);
  ASSERT_EQ(densities["sets"].size(), 2u);
  for (const json & set : densities["sets"]) {
    double sum = 0;
    for (const json & share : set["shares"]) {
      sum += share.get<double>();
    }
    EXPECT_NEAR(sum, 1, 1e-9) << set["name"];
  }
  EXPECT_EQ(densities["sets"][0]["kind"], "test");
  EXPECT_EQ(densities["sets"][0]["images"], 4);
  EXPECT_EQ(densities["sets"][0]["accepted"], 0.75);
  EXPECT_EQ(densities["sets"][1]["kind"], "ood");
  EXPECT_EQ(densities["sets"][1]["accepted"], 0);
}

TEST_F(Report, AFewFarValuesDoNotStretchTheHistogram)
{
  TrainingResults results;
  for (int i = 0; i < 1000; ++i) {
    results.log_density.test.push_back(-4 + std::sin(i));
  }
  results.log_density.test[17] = -5000;

  const json densities = data(&results)["densities"];

  EXPECT_GT(densities["from"].get<double>(), -6);
  EXPECT_TRUE(densities["sets"][0]["accepted"].is_null());
}

TEST_F(Report, EqualValuesStillMakeAHistogram)
{
  TrainingResults results;
  results.log_density.test = {-1, -1};
  results.threshold = -1;

  const json densities = data(&results)["densities"];

  EXPECT_LT(densities["from"].get<double>(), densities["to"].get<double>());
  EXPECT_EQ(densities["sets"][0]["accepted"], 1);
}

TEST_F(Report, PicturesAreKeptApartInTheOrderOfThePrototypes)
{
  const TrainingResults results = some_results();

  const std::string text = page(&results);
  const json pictures = script(text, "pictures");

  ASSERT_EQ(pictures.size(), 4u);
  EXPECT_EQ(pictures[0]["heat"], kPictureText);
  EXPECT_TRUE(pictures[3]["heat"].is_null());
  EXPECT_FALSE(script(text, "data")["results"]["prototypes"][0].contains("patch"));
}

TEST_F(Report, ResultsHaveTheirDensitiesAndPictures)
{
  TrainingResults written = some_results();
  written.prototypes[3].source.reset();
  write_results(run_ / "", written);

  const json results = json::parse(read_file(run_ / "results.json"));

  EXPECT_EQ(results["model"], "final.safetensors");
  EXPECT_EQ(results["stages"][0]["wrong_known"], 0.5);
  EXPECT_EQ(results["stages"][0]["worst_class"]["class_id"], 0);
  EXPECT_EQ(results["stages"][0]["worst_class"]["tpr"], 0.5);
  EXPECT_EQ(results["final_stage"], kHostile);
  EXPECT_EQ(results["stages"][0]["ood"][kHostile]["fpr95"], 0.2);
  EXPECT_EQ(results["stages"][0]["ood"][kHostile]["msp_auroc"], 0.8);
  EXPECT_TRUE(results["stages"][0]["ood"][kHostile]["passed_at_threshold"].is_null());
  EXPECT_EQ(results["log_density"]["ood"][kHostile], json({-9, -8}));
  EXPECT_EQ(results["prototypes"][2]["prototype"], 2);
  EXPECT_EQ(results["prototypes"][2]["box"], json({1, 2, 3, 4}));
  EXPECT_EQ(results["prototypes"][2]["patch"], kPictureText);
  EXPECT_FALSE(results["prototypes"][3].contains("patch"));
}

TEST(EvaluationTable, SaysWhatWasMeasuredAndWhatWasNot)
{
  Evaluation evaluation;
  evaluation.count = 40;
  evaluation.model.accuracy = 0.75;
  evaluation.classes = {{"finch", 30, 0.9}, {"wren", 10, 0.3}};
  evaluation.model.ood["noise"] = {
    "", 7, 0.125, {{"msp", Separation{0.5, 0.25, 1, 0}}, {"knn", {}}}};
  evaluation.model.ood["gone"].error = "/gone: no such directory";

  EXPECT_EQ(
    evaluation_table(evaluation),
    "40 images: accuracy 75.0 %, top 5 0.0 %, calibration error -, cross-entropy -\n"
    "  below the mean: wren 30.0 % of 10\n"
    "\ngone: /gone: no such directory\n"
    "\nnoise, 7 images, taken for known by the threshold: 12.5 % (the images above are positive)\n"
    "  score                FPR95       AUROC     AUPR-in    AUPR-out\n"
    "  msp                 50.0 %      25.0 %     100.0 %       0.0 %\n"
    "  knn                      -           -           -           -\n"
    "\ninterpretability\n"
    "  consistency                          -\n"
    "  stability                            -\n"
    "  purity                               -\n"
    "  purity_std                           -\n"
    "  purity_train                         -\n"
    "  purity_train_std                     -\n"
    "  oirr                                 -\n"
    "  dauc                                 -\n"
    "  diversity                            -\n"
    "  on_object                            -\n"
    "  centre_on_object                     -\n"
    "  sufficient                           -\n"
    "  necessary                            -\n"
    "  alike                                -\n"
    "  apart/iou                            -\n"
    "  apart/share                          -\n");
}

/// With MGPROTO_REPORT_DIRECTORY set, the runs stay there for report_in_browser.sh to look at.
TEST_F(Report, RunsInEveryStateHaveAPage)
{
  const char * kept = std::getenv("MGPROTO_REPORT_DIRECTORY");
  const fs::path root = kept ? kept : run_ / "runs";
  std::string metrics;
  for (int epoch = 0; epoch < 3; ++epoch) {
    for (int i = 0; i < 20; ++i) {
      metrics += iteration_line(epoch, i, 3.0 / (1 + 20 * epoch + i));
    }
    metrics += epoch_line(epoch);
  }
  TrainingResults finished = some_results();
  finished.log_density.ood["near"] = {-4, -3};  // above the threshold, the others below
  const std::vector<std::pair<std::string, std::optional<TrainingResults>>> runs{
    {"finished", finished},
    {"baseline", baseline_results()},
    {"running", std::nullopt},
    {"nulls", TrainingResults()},
    {"empty", TrainingResults()}};

  for (const auto & [name, results] : runs) {
    fs::create_directories(root / name);
    if (name != "empty") {
      write_file((root / name / "metrics.jsonl").string(), metrics);
      write_file((root / name / "config.yaml").string(), kHostile);
    }
    write_report((root / name).string(), results ? &*results : nullptr);

    EXPECT_TRUE(fs::exists(root / name / "report.html")) << name;
  }
}

}  // namespace
}  // namespace mgproto
