// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// Covers what write_report() puts into the page: curves, histograms, pictures, and that no text from
// a run can become markup. What the page makes of it is tested by report_in_browser.sh, on the runs
// that the last test leaves behind.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "mgproto_ros/error.hpp"
#include "test/temporary_directory.hpp"
#include "training/report/report.hpp"

namespace mgproto
{
namespace
{

namespace fs = std::filesystem;
using nlohmann::json;

// An 8x8 JPEG.
const char kPicture[] =
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
           {"distinct_patches", 3},
           {"largest_responsibility", 0.4},
           {"learning_rates", {{"backbone", 1e-4}, {"em", 3e-3}}},
           {"seconds", 9}}
           .dump() +
         "\n";
}

json some_results()
{
  const json unknown{{"fpr95", 0.2}, {"auroc", 0.9}, {"msp_auroc", 0.8}};
  json results{
    {"model", "final.safetensors"},
    {"classes", {kHostile, "plain"}},
    {"stages",
     {{{"name", kHostile}, {"accuracy", 0.9}, {"prototypes", 4}, {"ood", {{kHostile, unknown}}}}}},
    {"confusion", {{8, 2}, {0, 10}}},
    {"threshold", -5},
    {"seconds", 100}};
  results["log_density"] = {
    {"test", {-4, -3, -2, -6}}, {"calibration", json()}, {"ood", {{kHostile, {-9, -8}}}}};
  for (int i = 0; i < 4; ++i) {
    results["prototypes"].push_back(
      {{"prototype", i},
       {"class_id", i / 2},
       {"prior", 0.5},
       {"image", kHostile},
       {"box", {1, 2, 3, 4}},
       {"patch", kPicture},
       {"heat", i == 3 ? json() : json(kPicture)}});
  }
  return results;
}

/// What a head without prototypes and p(x) leaves.
json baseline_results()
{
  json results = some_results();
  results["stages"][0]["score"] = "energy";
  results["stages"][0]["prototypes"] = nullptr;
  results["threshold"] = nullptr;
  results["prototypes"] = json::array();
  return results;
}

/// `object` with every value replaced by null.
json all_null(json object)
{
  for (json & value : object) {
    value = nullptr;
  }
  return object;
}

class Report : public ::testing::Test
{
protected:
  void write(const std::string & name, const std::string & text) const
  {
    write_file(run_ / name, text);
  }

  std::string page() const
  {
    write_report(run_ / "");
    return read_file(run_ / "report.html");
  }

  /// What stands between the script's tags, as the browser would cut it out.
  static json script(const std::string & page, const std::string & id)
  {
    const std::string tag = "<script type=\"application/json\" id=\"" + id + "\">";
    const std::size_t begin = page.find(tag) + tag.size();
    return json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  }

  json data() const { return script(page(), "data"); }

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
  write("results.json", some_results().dump());

  const std::string full_page = page();

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
  write("results.json", some_results().dump());

  const std::string text = page();

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

TEST_F(Report, ResultsMayBeEmptyOrNull)
{
  for (const json & results : {json::object(), all_null(some_results())}) {
    write("results.json", results.dump());

    const json shown = data();

    EXPECT_TRUE(shown["results"].is_object());
    EXPECT_TRUE(shown["densities"].is_null());
  }
}

TEST_F(Report, ResultsThatAreNotJsonAreAnErrorAndLeaveTheOldPage)
{
  const std::string before = page();
  write("results.json", "{\"model\":");

  EXPECT_THROW(write_report(run_ / ""), FileError);
  EXPECT_EQ(read_file(run_ / "report.html"), before);
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
  json results = some_results();
  results["log_density"]["test"] = {-4, -3, -2, -6, nullptr};
  write("results.json", results.dump());

  const json densities = data()["densities"];

  EXPECT_EQ(densities["threshold"], -5);
  ASSERT_EQ(densities["sets"].size(), 2u);
  for (const json & set : densities["sets"]) {
    double sum = 0;
    for (const json & share : set["shares"]) {
      sum += share.get<double>();
    }
    EXPECT_NEAR(sum, 1, 1e-9) << set["name"];
  }
  EXPECT_EQ(densities["sets"][0]["images"], 4);
  EXPECT_EQ(densities["sets"][0]["accepted"], 0.75);
  EXPECT_EQ(densities["sets"][1]["kind"], "ood");
  EXPECT_EQ(densities["sets"][1]["accepted"], 0);
}

TEST_F(Report, AFewFarValuesDoNotStretchTheHistogram)
{
  std::vector<double> test(1000);
  for (int i = 0; i < 1000; ++i) {
    test[i] = -4 + std::sin(i);
  }
  test[17] = -5000;
  write("results.json", json{{"log_density", {{"test", test}}}}.dump());

  const json densities = data()["densities"];

  EXPECT_GT(densities["from"].get<double>(), -6);
  EXPECT_TRUE(densities["sets"][0]["accepted"].is_null());
}

TEST_F(Report, EqualValuesStillMakeAHistogram)
{
  write("results.json", json{{"log_density", {{"test", {-1, -1}}}}, {"threshold", -1}}.dump());

  const json densities = data()["densities"];

  EXPECT_LT(densities["from"].get<double>(), densities["to"].get<double>());
  EXPECT_EQ(densities["sets"][0]["accepted"], 1);
}

TEST_F(Report, PicturesAreKeptApartInTheOrderOfThePrototypes)
{
  write("results.json", some_results().dump());

  const std::string text = page();
  const json pictures = script(text, "pictures");

  ASSERT_EQ(pictures.size(), 4u);
  EXPECT_EQ(pictures[0]["heat"], kPicture);
  EXPECT_TRUE(pictures[3]["heat"].is_null());
  EXPECT_FALSE(script(text, "data")["results"]["prototypes"][0].contains("patch"));
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
  const std::vector<std::pair<std::string, json>> runs{
    {"finished", some_results()},
    {"baseline", baseline_results()},
    {"running", nullptr},
    {"nulls", all_null(some_results())},
    {"empty", json::object()}};

  for (const auto & [name, results] : runs) {
    fs::create_directories(root / name);
    if (name != "empty") {
      write_file((root / name / "metrics.jsonl").string(), metrics);
      write_file((root / name / "config.yaml").string(), kHostile);
    }
    if (!results.is_null()) {
      write_file((root / name / "results.json").string(), results.dump());
    }
    write_report((root / name).string());

    EXPECT_TRUE(fs::exists(root / name / "report.html")) << name;
  }
}

}  // namespace
}  // namespace mgproto
