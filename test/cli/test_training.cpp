// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// Training as a user runs it, on a few drawn birds: what a run leaves behind, and that a killed run
// ends with the same bytes as one that was left alone.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "cli/training_run.hpp"

namespace mgproto
{
namespace
{

using test::read;
using test::TrainingRun;

TEST_F(TrainingRun, LeavesEverythingBehind)
{
  const std::string run = *directory / "straight";
  for (const char * name :
       {"config.yaml", "metrics.jsonl", "snapshot.safetensors", "latest.safetensors",
        "final.safetensors", "results.json", "report.html"}) {
    EXPECT_TRUE(std::filesystem::exists(run + "/" + name)) << name;
  }
  const auto results = nlohmann::json::parse(read(run + "/results.json"));
  ASSERT_EQ(results["stages"].size(), 4u);
  EXPECT_EQ(results["stages"][0]["name"], "trained");
  EXPECT_EQ(results["stages"][1]["name"], "projected");
  EXPECT_EQ(results["stages"][2]["name"], "concentrated");
  EXPECT_NE(results["stages"][2]["threshold"], results["stages"][1]["threshold"]);
  EXPECT_EQ(results["stages"][3]["prototypes"], 6);
  EXPECT_TRUE(results["stages"][3]["ood"]["textures"].contains("fpr95"));
  // finish.keep: what is said beside the stages is said of the pruned model in final.safetensors.
  EXPECT_EQ(results["threshold"], results["stages"][3]["threshold"]);
  ASSERT_EQ(results["prototypes"].size(), 6u);
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_EQ(results["prototypes"][k]["prototype"], k);
    EXPECT_EQ(results["prototypes"][k]["class_id"], k / 2);
    EXPECT_TRUE(results["prototypes"][k]["heat"].is_string());
  }
  int iterations = 0, epochs = 0;
  std::ifstream metrics(run + "/metrics.jsonl");
  for (std::string line; std::getline(metrics, line);) {
    const auto entry = nlohmann::json::parse(line);
    iterations += entry["type"] == "iteration" ? 1 : 0;
    epochs += entry["type"] == "epoch" ? 1 : 0;
    if (entry["type"] == "iteration") {
      EXPECT_EQ(entry["iteration"], iterations - 1);
    }
  }
  EXPECT_EQ(epochs, 4);
  EXPECT_EQ(iterations, 4 * 6);
}

TEST_F(TrainingRun, TheFinalModelIsEvaluatedWithAllScoresAndParts)
{
  const std::string data = *directory / "data";
  const std::string model = *directory / "straight/final.safetensors";
  const std::vector<std::string> command{
    "evaluate",
    "--model",
    model,
    "--data",
    data + "/birds",
    "--ood",
    "textures=" + data + "/ood/textures",
    "--ood",
    "nowhere=/nowhere",
    "--prune",
    "1",
    "--project",
    "--json"};
  ASSERT_EQ(wait_for(start(command)), 1) << "for want of a set\n" << output();
  const std::string lines = output();
  const auto begin = lines.find('{');
  const auto end = lines.find('\n', begin);
  const auto result = nlohmann::json::parse(lines.substr(begin, end - begin));

  EXPECT_EQ(lines.substr(end + 1).rfind("mgproto: --ood nowhere: /nowhere: ", 0), 0u) << lines;
  EXPECT_EQ(result["count"], 24);
  EXPECT_EQ(result["broken"], 0);
  EXPECT_EQ(result["per_class"].size(), 3u);
  EXPECT_EQ(result["per_class"][2]["count"], 8);
  const auto stages = nlohmann::json::parse(read(*directory / "straight/results.json"))["stages"];
  EXPECT_DOUBLE_EQ(result["accuracy"], stages[3]["accuracy"]) << "as the training measured it";
  EXPECT_EQ(result["top5"], 1.0) << "of three classes";
  const auto & textures = result["ood"]["textures"];
  EXPECT_EQ(textures["count"], 240);
  EXPECT_EQ(stages[3]["score"], "joint");
  EXPECT_NEAR(textures["scores"]["joint"]["fpr95"], stages[3]["ood"]["textures"]["fpr95"], 1e-9);
  EXPECT_EQ(textures["scores"]["log_density"], textures["scores"]["energy"]);
  for (const char * score :
       {"msp", "maxlogit", "gen", "mahalanobis", "relative_mahalanobis", "knn", "gem", "conjnorm",
        "neco", "vim", "nnguide"}) {
    for (const char * metric : {"fpr95", "auroc", "aupr_in", "aupr_out"}) {
      EXPECT_GE(textures["scores"][score][metric], 0.0) << score << " " << metric;
      EXPECT_LE(textures["scores"][score][metric], 1.0) << score << " " << metric;
    }
  }
  EXPECT_EQ(result["garbage"].size(), 15u);
  for (const auto & [kind, share] : result["garbage"].items()) {
    EXPECT_GE(share, 0.0) << kind;
    EXPECT_LE(share, 1.0) << kind;
  }
  EXPECT_FALSE(result.contains("coverage")) << "half of 24 images can promise no 95 %";
  EXPECT_NE(
    result["ood"]["nowhere"]["error"].get<std::string>().find("/nowhere"), std::string::npos);
  for (const char * metric :
       {"consistency", "stability", "purity", "purity_train", "dauc", "centre_consistency",
        "centre_purity", "part_consistency", "part_purity", "backbone_part_consistency",
        "backbone_part_purity", "on_object", "centre_on_object", "sufficient", "necessary",
        "alike"}) {
    EXPECT_GE(result["interpretability"][metric], 0.0) << metric;
    EXPECT_LE(result["interpretability"][metric], 1.0) << metric;
  }
  for (const char * metric : {"iou", "share"}) {
    EXPECT_GE(result["interpretability"]["apart"][metric], 0.0) << metric;
    EXPECT_LE(result["interpretability"]["apart"][metric], 1.0) << metric;
  }
  EXPECT_GT(result["interpretability"]["oirr"], 0.0);
  EXPECT_GT(result["interpretability"]["diversity"], 0.0);
  EXPECT_EQ(result["confusion"].size(), 3u);
  EXPECT_GE(result["projected"]["distinct_patches"], 1.0);
  ASSERT_EQ(result["pruning"].size(), 3u);
  EXPECT_EQ(result["pruning"][0]["method"], "importance");
  EXPECT_EQ(result["pruning"][0]["prototypes"], 3);
  EXPECT_EQ(result["pruning"][1]["method"], "purity");
  EXPECT_EQ(result["pruning"][2]["method"], "merging");
  EXPECT_TRUE(result["pruning"][2]["ood"]["textures"]["auroc"].is_number());

  // Asked again, it is found: no pass shows progress, and the answer is the same.
  ASSERT_EQ(wait_for(start(command)), 1) << output();
  EXPECT_EQ(output(), lines.substr(lines.find('{')));
}

TEST_F(TrainingRun, EveryImageCanBeHadWithEveryScore)
{
  const std::string file = *directory / "scores.csv";
  ASSERT_EQ(
    wait_for(start(
      {"evaluate", "--model", *directory / "straight/final.safetensors", "--data",
       *directory / "data/birds", "--ood", "textures=" + *directory / "data/ood/textures",
       "--no-interpretability", "--garbage", "0", "--scores", file})),
    0)
    << output();
  EXPECT_EQ(output().find("garbage"), std::string::npos) << output();
  std::ifstream table(file);
  std::string line;
  std::getline(table, line);
  EXPECT_EQ(line.substr(0, 48), "set,image,label,predicted,joint,log_density,msp,") << line;
  EXPECT_EQ(line.substr(line.size() - 21), ",parts,place,distance") << line;
  const auto columns = std::count(line.begin(), line.end(), ',');
  int known = 0, strange = 0;
  while (std::getline(table, line)) {
    EXPECT_EQ(std::count(line.begin(), line.end(), ','), columns) << line;
    (line.rfind("\"test\",", 0) == 0 ? known : strange) += 1;
  }
  EXPECT_EQ(known, 24);
  EXPECT_EQ(strange, 240);
}

TEST_F(TrainingRun, PruningIsEvaluatedAsAPrunedModelIs)
{
  const std::string data = *directory / "data";
  const std::string model = *directory / "straight/final.safetensors";
  const std::string pruned = *directory / "pruned_to_one.safetensors";
  const auto evaluation = [&](const std::string & file, const std::vector<std::string> & more) {
    std::vector<std::string> command{
      "evaluate",
      "--model",
      file,
      "--data",
      data + "/birds",
      "--no-interpretability",
      "--ood",
      "textures=" + data + "/ood/textures",
      "--json"};
    command.insert(command.end(), more.begin(), more.end());
    EXPECT_EQ(wait_for(start(command)), 0) << output();
    const std::string lines = output();
    return nlohmann::json::parse(lines.substr(lines.find('{')));
  };
  ASSERT_EQ(wait_for(start({"prune", "--model", model, "--keep", "1", "--out", pruned})), 0)
    << output();

  const auto row = evaluation(model, {"--prune", "1"})["pruning"][0];
  const auto itself = evaluation(pruned, {});

  EXPECT_EQ(row["accuracy"], itself["accuracy"]);
  EXPECT_NEAR(
    row["ood"]["textures"]["auroc"], itself["ood"]["textures"]["scores"]["log_density"]["auroc"],
    1e-9);
}

TEST_F(TrainingRun, ImagesOfClassesThatTheModelDoesNotKnowAreNamedAndLeftOut)
{
  const std::string folder = *directory / "with_strangers";
  std::filesystem::copy(
    *directory / "data/calibration", folder, std::filesystem::copy_options::recursive);
  const std::string known = std::filesystem::directory_iterator(folder)->path();
  std::filesystem::create_directories(folder + "/dodo");
  std::filesystem::copy(
    std::filesystem::directory_iterator(known)->path(), folder + "/dodo/one.png");

  ASSERT_EQ(
    wait_for(
      start({"evaluate", "--model", *directory / "straight/final.safetensors", "--data", folder})),
    0)
    << output();

  EXPECT_NE(output().find("the model does not know 'dodo': 1 images left out"), std::string::npos)
    << output();
}

TEST_F(TrainingRun, FitMakesAModelWithoutEpochsAndTheSameOneAgain)
{
  const auto fit = [&](const std::string & run) {
    return wait_for(start(
      {"fit", "--data", *directory / "data/birds", "--backbone",
       MGPROTO_SOURCE_DIR "/config/models/birds_demo.safetensors", "--out", run, "--ood",
       "textures=" + (*directory / "data/ood/textures"), "--set",
       "data.calibration=" + (*directory / "data/calibration"), "--set", "head.feature_dim=8",
       "--set", "network.prototypes_per_class=3", "--set", "backbone.map=dilated", "--set",
       "threads=1"}));
  };
  const std::string run = *directory / "fitted";
  ASSERT_EQ(fit(run), 0) << output();
  EXPECT_NE(output().find("9 of 216 patches"), std::string::npos) << output();
  for (const char * name : {"config.yaml", "final.safetensors", "results.json", "report.html"}) {
    EXPECT_TRUE(std::filesystem::exists(run + "/" + name)) << name;
  }
  const auto results = nlohmann::json::parse(read(run + "/results.json"));
  EXPECT_EQ(results["stages"][2]["name"], "concentrated");
  EXPECT_TRUE(results["stages"][0]["ood"]["textures"].contains("fpr95"));
  // Three drawn species are told apart by a backbone that saw such, with nothing learnt.
  EXPECT_GT(results["stages"][0]["accuracy"], 0.7);

  ASSERT_EQ(wait_for(start({"info", run + "/final.safetensors", "--json"})), 0);
  const auto model = nlohmann::json::parse(output())["model"];
  EXPECT_EQ(model["backbone"]["map"], "dilated");
  EXPECT_EQ(model["head"]["combine"], "product");
  EXPECT_EQ(model["head"]["whole_dim"], 2);

  ASSERT_EQ(fit(*directory / "fitted_again"), 0) << output();
  EXPECT_EQ(read(run + "/final.safetensors"), read(*directory / "fitted_again/final.safetensors"));
  EXPECT_EQ(fit(run), 1);  // a run is never overwritten
}

TEST_F(TrainingRun, AFittedModelIsTaughtAndForgets)
{
  const std::string run = *directory / "to_teach";
  ASSERT_EQ(
    wait_for(start(
      {"fit", "--data", *directory / "data/birds", "--backbone",
       MGPROTO_SOURCE_DIR "/config/models/birds_demo.safetensors", "--out", run, "--set",
       "data.calibration=" + (*directory / "data/calibration"), "--set", "head.feature_dim=8",
       "--set", "network.prototypes_per_class=3", "--set", "threads=1"})),
    0)
    << output();
  const std::string before = read(run + "/final.safetensors");
  const auto teach = [&](const std::string & from, const std::vector<std::string> & more) {
    std::vector<std::string> words{"teach",     "--model", run + "/" + from,           "--name",
                                   "chequered", "--out",   run + "/taught.safetensors"};
    words.insert(words.end(), more.begin(), more.end());
    return wait_for(start(words));
  };
  ASSERT_EQ(
    wait_for(start({"dataset", "garbage", "--out", *directory / "garbage", "--per-kind", "6"})), 0);
  const std::string boards = *directory / "garbage/checkerboard";

  ASSERT_EQ(teach("final.safetensors", {boards + "/0000.png", boards + "/0001.png"}), 0)
    << output();
  EXPECT_NE(output().find("chequered: taught by 2 images"), std::string::npos) << output();
  EXPECT_NE(output().find("so few leave it uncertain"), std::string::npos) << output();
  ASSERT_EQ(teach("taught.safetensors", {boards}), 0) << output();
  EXPECT_NE(output().find("taught by 8 images, 3 prototypes"), std::string::npos) << output();
  EXPECT_NE(output().find("has 4 classes"), std::string::npos) << output();

  ASSERT_EQ(wait_for(start({"info", run + "/taught.safetensors"})), 0);
  EXPECT_NE(output().find("taught          chequered, 20"), std::string::npos) << output();
  ASSERT_EQ(
    wait_for(
      start({"predict", "--model", run + "/taught.safetensors", "--json", boards + "/0005.png"})),
    0);
  EXPECT_EQ(nlohmann::json::parse(output())["class_name"], "chequered");

  ASSERT_EQ(
    wait_for(start(
      {"lessons", "--model", run + "/final.safetensors", "--data", *directory / "data/birds",
       "--new", *directory / "data/ood/unseen_species", "--shown", "1,3", "--draws", "2"})),
    0)
    << output();
  const std::string text = output();
  const auto lessons = nlohmann::json::parse(text.substr(text.find("{\n")));
  for (const char * shown : {"1", "3"}) {
    const auto & reached = lessons["shown"][shown];
    EXPECT_GT(reached["new_right"]["mean"], 0) << text;
    EXPECT_LE(reached["old_right"]["mean"], lessons["old_right_before"].get<double>() + 0.05);
    EXPECT_GT(reached["strangers_auroc"]["mean"], 0);
  }

  ASSERT_EQ(
    wait_for(start(
      {"forget", "--model", run + "/taught.safetensors", "--name", "chequered", "--out",
       run + "/forgot.safetensors"})),
    0)
    << output();
  EXPECT_EQ(read(run + "/forgot.safetensors"), before);
  EXPECT_EQ(read(run + "/final.safetensors"), before);

  EXPECT_EQ(teach("final.safetensors", {"--box", "1,2,3", boards + "/0000.png"}), 1);
  EXPECT_NE(output().find("box: '1,2,3' is not x,y,width,height"), std::string::npos) << output();
  EXPECT_EQ(teach("final.safetensors", {"--box", "9000,0,9,9", boards + "/0000.png"}), 1);
  EXPECT_NE(output().find("lies outside"), std::string::npos) << output();
  EXPECT_EQ(teach("final.safetensors", {*directory / "nothing.png"}), 1);
  ASSERT_EQ(
    wait_for(start(
      {"teach", "--model", MGPROTO_SOURCE_DIR "/config/models/birds_demo.safetensors", "--name",
       "x", "--out", run + "/x.safetensors", boards + "/0000.png"})),
    1);
  EXPECT_NE(output().find("keeps no held-out images"), std::string::npos) << output();
}

TEST_F(TrainingRun, FitKeepsTestImagesOfAFolderWithoutSplits)
{
  const std::string run = *directory / "no_splits";
  ASSERT_EQ(
    wait_for(start(
      {"fit", "--data", *directory / "data/calibration", "--backbone",
       MGPROTO_SOURCE_DIR "/config/models/birds_demo.safetensors", "--out", run, "--set",
       "data.calibration=" + (*directory / "data/calibration"), "--set", "head.feature_dim=8"})),
    0)
    << output();
  const auto results = nlohmann::json::parse(read(run + "/results.json"));
  EXPECT_GT(results["images_test"], 0);
  EXPECT_GT(results["images_train"], 3 * results["images_test"].get<int>());
}

TEST_F(TrainingRun, FitStartsFromTheBackboneThatComesAlong)
{
  const std::string run = *directory / "no_backbone";
  ASSERT_EQ(
    wait_for(start(
      {"fit", "--data", *directory / "data/birds", "--out", run, "--set",
       "data.calibration=" + (*directory / "data/calibration"), "--set", "preprocessing.size=64",
       "--set", "add_on.views=0", "--set", "head.feature_dim=8", "--set",
       "network.prototypes_per_class=3", "--set", "threads=2"})),
    0)
    << output();
  EXPECT_NE(output().find("config/models/resnet50_imagenet.safetensors\n"), std::string::npos)
    << output();

  ASSERT_EQ(wait_for(start({"info", run + "/final.safetensors", "--json"})), 0);
  const auto model = nlohmann::json::parse(output());
  EXPECT_EQ(model["model"]["backbone"]["architecture"], "resnet50");
  EXPECT_EQ(model["model"]["backbone"]["map"], "hypercolumn");
  EXPECT_FALSE(model.contains("backbone_file")) << "what fit leaves needs no other file";

  const std::string copy = *directory / "mgproto";
  std::filesystem::copy(MGPROTO_COMMAND, copy);
  EXPECT_NE(
    std::system(("cd " + (*directory / "") + " && ./mgproto fit --data a --out b 2>error").c_str()),
    0);
  EXPECT_EQ(
    read(*directory / "error"),
    "mgproto: config/models/resnet50_imagenet.safetensors: is neither here nor where this command "
    "is installed; --backbone FILE names another\n");
}

TEST_F(TrainingRun, GoesOnFromAWhitenedStart)
{
  const std::string run = *directory / "whitened";
  ASSERT_EQ(
    wait_for(start(
      {"train", "--config", *directory / "tiny.yaml", "--out", run, "--set", "add_on.init=whitened",
       "--set", "head.combine=product", "--set", "head.whole=0.5"})),
    0)
    << output();
  const auto results = nlohmann::json::parse(read(run + "/results.json"));
  EXPECT_EQ(results["stages"].size(), 4u);
  EXPECT_NE(read(run + "/config.yaml").find("\n  combine: product"), std::string::npos);
  const std::string image =
    std::filesystem::directory_iterator(*directory / "data/ood/textures")->path().string();
  ASSERT_EQ(wait_for(start({"predict", "--json", "--model", run + "/final.safetensors", image})), 0)
    << output();
  EXPECT_NE(output().find("\"wholes\":[{\"class_id\":"), std::string::npos) << output();
}

TEST_F(TrainingRun, LearningThatMovesTheBackboneEndsInTheClosedFormAndIsComparedWithIt)
{
  const std::string run = *directory / "refitted";
  ASSERT_EQ(
    wait_for(start(
      {"train", "--config", *directory / "tiny.yaml", "--out", run, "--set", "preset=closed_form",
       "--set", "network.init=" + (*directory / "straight/final.safetensors"), "--set",
       "schedule.epochs=1"})),
    0)
    << output();
  // Found before the epoch for fit/ and for the start, and once more behind it.
  std::size_t searches = 0;
  for (std::size_t at = output().find(" patches, those that tell"); at != std::string::npos;
       at = output().find(" patches, those that tell", at + 1)) {
    ++searches;
  }
  EXPECT_EQ(searches, 3u) << output();
  const auto results = nlohmann::json::parse(read(run + "/results.json"));
  const auto baseline = nlohmann::json::parse(read(run + "/fit/results.json"));
  EXPECT_EQ(baseline["stages"].size(), 3u);  // none that is pruned
  EXPECT_NE(read(run + "/report.html").find("\"nothing trained (fit)\""), std::string::npos);
  // What was found is a patch already: a projection finds the same ones.
  EXPECT_EQ(results["stages"][0]["accuracy"], results["stages"][1]["accuracy"]);
}

class BaselineRun : public TrainingRun, public ::testing::WithParamInterface<std::string>
{
};

TEST_P(BaselineRun, TrainsProjectsAndIsEvaluated)
{
  const std::string run = *directory / GetParam();
  ASSERT_EQ(
    wait_for(start(
      {"train", "--config", *directory / "tiny.yaml", "--out", run, "--set",
       "head.kind=" + GetParam(), "--set", "schedule.project_every=2", "--set",
       "schedule.test_every=3"})),
    0)
    << output();
  const auto stages = nlohmann::json::parse(read(run + "/results.json"))["stages"];
  EXPECT_EQ(stages.size(), GetParam() == "softmax" ? 1u : 2u);
  EXPECT_TRUE(stages[0]["threshold"].is_null());
  std::ifstream metrics(run + "/metrics.jsonl");
  int projections = 0;
  std::vector<int> tested;
  for (std::string line; std::getline(metrics, line);) {
    const auto entry = nlohmann::json::parse(line);
    projections += entry["type"] == "projection" ? 1 : 0;
    if (entry["type"] == "epoch" && entry["test_accuracy"].is_number()) {
      tested.push_back(entry["epoch"].get<int>() + 1);
    }
  }
  EXPECT_EQ(projections, GetParam() == "softmax" ? 0 : 2);
  EXPECT_EQ(tested, GetParam() == "softmax" ? (std::vector{3, 4}) : (std::vector{2, 3, 4}));

  ASSERT_EQ(
    wait_for(start(
      {"evaluate", "--model", run + "/final.safetensors", "--data", *directory / "data/birds",
       "--ood", "textures=" + (*directory / "data/ood/textures"), "--json"})),
    0)
    << output();
  const std::string lines = output();
  const auto result = nlohmann::json::parse(lines.substr(lines.find('{')));
  EXPECT_EQ(result["accuracy"], stages.back()["accuracy"]);
  const auto & scores = result["ood"]["textures"]["scores"];
  EXPECT_TRUE(scores["log_density"].is_null()) << "it has no p(x)";
  EXPECT_TRUE(scores["energy"]["auroc"].is_number());
  for (const char * score : {"react", "ash", "scale", "fdbd", "nci", "odin"}) {
    EXPECT_EQ(scores.contains(score), GetParam() == "softmax") << score;
  }
  EXPECT_EQ(result["interpretability"]["consistency"].is_null(), GetParam() == "softmax");
  EXPECT_TRUE(result["interpretability"]["backbone_part_purity"].is_number());

  EXPECT_NE(
    wait_for(start(
      {"calibrate", "--model", run + "/final.safetensors", "--data",
       *directory / "data/calibration", "--out", run + "/c.safetensors"})),
    0);
  EXPECT_NE(output().find("has no p(x)"), std::string::npos) << output();
}

INSTANTIATE_TEST_SUITE_P(Heads, BaselineRun, ::testing::Values("softmax", "protopnet"));

TEST_F(TrainingRun, AnEvaluationWithoutATrainingSplitHasNoFittedScores)
{
  const std::string data = *directory / "data";
  ASSERT_EQ(
    wait_for(start(
      {"evaluate", "--model", *directory / "straight/final.safetensors", "--data",
       data + "/calibration", "--ood", "textures=" + data + "/ood/textures", "--json"})),
    0)
    << output();
  const std::string lines = output();
  const auto result = nlohmann::json::parse(lines.substr(lines.find('{')));
  EXPECT_TRUE(result["ood"]["textures"]["scores"]["knn"].is_null());
  EXPECT_FALSE(result["ood"]["textures"]["scores"]["msp"].is_null());
  EXPECT_TRUE(result["interpretability"]["purity"].is_null());
}

TEST_F(TrainingRun, TheFinalModelPredictsAndExplains)
{
  const std::string model = *directory / "straight/final.safetensors";
  std::string image;
  for (const auto & entry :
       std::filesystem::recursive_directory_iterator(*directory / "data/calibration")) {
    if (entry.is_regular_file()) {
      image = entry.path();
      break;
    }
  }
  ASSERT_EQ(wait_for(start({"predict", "--json", "--model", model, image})), 0);
  const auto answer = nlohmann::json::parse(output());
  EXPECT_TRUE(answer["known"].is_boolean());
  EXPECT_TRUE(answer["typicality"].is_number());
  EXPECT_EQ(answer["evidence"].size(), 2u);  // pruned to two a class
  EXPECT_TRUE(answer["evidence"][0]["source"]["image"].is_string());
  EXPECT_EQ(wait_for(start({"explain", "--model", model, image, "-o", *directory / "why.png"})), 0);
}

TEST_F(TrainingRun, TheFinalModelSaysWhereTheBoxIsInEachPatch)
{
  ASSERT_EQ(wait_for(start({"info", "--json", *directory / "straight/final.safetensors"})), 0);
  for (const auto & prototype : nlohmann::json::parse(output())["prototypes"]) {
    const auto box = prototype["box"].get<std::vector<int>>();
    const auto in_patch = prototype["in_patch"].get<std::vector<int>>();
    EXPECT_NEAR(in_patch[2] * box[3], in_patch[3] * box[2], 2 * (box[2] + box[3])) << "its shape";
  }
}

TEST_F(TrainingRun, KilledAndResumedItEndsWithTheSameBytes)
{
  const std::string run = *directory / "killed";
  for (const int lines : {3, 11, 20}) {
    const pid_t child =
      std::filesystem::exists(run) ? start({"train", "--resume", run}) : train(run);
    wait_for_lines(run, lines);
    kill(child, SIGKILL);
    wait_for(child);
    ASSERT_TRUE(std::filesystem::exists(run + "/snapshot.safetensors")) << lines;
  }
  ASSERT_EQ(wait_for(start({"train", "--resume", run})), 0) << output();
  EXPECT_TRUE(read(run + "/final.safetensors") == read(*directory / "straight/final.safetensors"));
}

TEST_F(TrainingRun, InterruptedItSavesAndSaysHowToGoOn)
{
  const std::string run = *directory / "interrupted";
  const pid_t child = train(run);
  wait_for_lines(run, 9);  // two batches into the second epoch
  kill(child, SIGINT);
  EXPECT_EQ(wait_for(child), 1);
  EXPECT_NE(output().find("mgproto train --resume " + run), std::string::npos) << output();
  EXPECT_EQ(wait_for(start({"train", "--resume", run})), 0) << output();
  EXPECT_TRUE(read(run + "/final.safetensors") == read(*directory / "straight/final.safetensors"));

  const auto without_times = [](const std::string & path) {
    std::vector<nlohmann::json> lines;
    std::ifstream metrics(path);
    for (std::string line; std::getline(metrics, line);) {
      lines.push_back(nlohmann::json::parse(line));
      lines.back().erase("seconds");
      lines.back().erase("images_per_second");
    }
    return lines;
  };
  EXPECT_EQ(
    without_times(run + "/metrics.jsonl"), without_times(*directory / "straight/metrics.jsonl"));
}

TEST_F(TrainingRun, AResumedRunReportsTheSecondsOfAllItsParts)
{
  const std::string run = *directory / "in_two_parts";
  const pid_t child = train(run);
  wait_for_lines(run, 2);
  kill(child, SIGSTOP);
  constexpr double kPause = 4;  // longer than what follows the last epoch takes
  std::this_thread::sleep_for(std::chrono::duration<double>(kPause));
  kill(child, SIGCONT);
  ASSERT_EQ(wait_for(child), 0) << output();

  ASSERT_EQ(wait_for(start({"train", "--resume", run})), 0) << output();

  EXPECT_GT(nlohmann::json::parse(read(run + "/results.json"))["seconds"].get<double>(), kPause);
}

TEST_F(TrainingRun, StoppedBehindTheLastEpochItReportsThoseSecondsToo)
{
  const std::string run = *directory / "stopped_late";
  const pid_t child = train(run);
  wait_for_lines(run, 4 * 6 + 4);  // all iterations and epochs
  kill(child, SIGSTOP);
  constexpr double kPause = 4;  // longer than what follows takes
  std::this_thread::sleep_for(std::chrono::duration<double>(kPause));
  kill(child, SIGINT);
  kill(child, SIGCONT);
  if (wait_for(child) == 0) {
    GTEST_SKIP() << "it was done before it could be stopped";
  }

  ASSERT_EQ(wait_for(start({"train", "--resume", run})), 0) << output();

  EXPECT_GT(nlohmann::json::parse(read(run + "/results.json"))["seconds"].get<double>(), kPause);
  EXPECT_TRUE(read(run + "/final.safetensors") == read(*directory / "straight/final.safetensors"));
}

TEST_F(TrainingRun, WhatIsSetOnResumingIsInTheConfig)
{
  const std::string run = *directory / "prolonged";
  std::filesystem::copy(*directory / "straight", run);
  const auto epochs = [&] {
    const std::string config = read(run + "/config.yaml");
    const auto begin = config.find("epochs: ");
    return config.substr(begin, config.find("  #", begin) - begin);
  };
  ASSERT_EQ(epochs(), "epochs: 4");

  EXPECT_NE(wait_for(start({"train", "--resume", run, "--set", "head.feature_dim=7"})), 0);
  EXPECT_EQ(read(run + "/config.yaml"), read(*directory / "straight/config.yaml"))
    << "nothing was trained with it";
  ASSERT_EQ(wait_for(start({"train", "--resume", run, "--set", "schedule.epochs=5"})), 0)
    << output();
  EXPECT_EQ(epochs(), "epochs: 5");
}

TEST_F(TrainingRun, AnExistingRunIsNotOverwritten)
{
  EXPECT_EQ(wait_for(train(*directory / "straight")), 1);
  EXPECT_NE(output().find("exists already"), std::string::npos) << output();
}

TEST_F(TrainingRun, AWrongSettingNamesItselfAndTheNearestOne)
{
  EXPECT_EQ(
    wait_for(start(
      {"train", "--config", *directory / "tiny.yaml", "--out", *directory / "never", "--set",
       "em.memry=3"})),
    1);
  EXPECT_NE(output().find("did you mean em.memory"), std::string::npos) << output();
  EXPECT_FALSE(std::filesystem::exists(*directory / "never"));
}

}  // namespace
}  // namespace mgproto
