// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// The built command, run as a user runs it: output, exit codes, one-line errors.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <opencv2/imgcodecs.hpp>
#include <sstream>

#include "temporary_directory.hpp"

namespace mgproto
{
namespace
{

struct Result
{
  int code = -1;
  std::string output;  // of both streams
};

std::string data(const std::string & name) { return std::string(MGPROTO_TEST_DATA) + "/" + name; }

Result run(const std::string & arguments)
{
  Result result;
  FILE * pipe = popen((std::string(MGPROTO_COMMAND) + " " + arguments + " 2>&1").c_str(), "r");
  std::array<char, 4096> buffer;
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    result.output.append(buffer.data(), count);
  }
  const int status = pclose(pipe);
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

std::vector<nlohmann::json> json_lines(const std::string & text)
{
  std::vector<nlohmann::json> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(nlohmann::json::parse(line));
  }
  return lines;
}

class Command : public ::testing::Test
{
protected:
  static void SetUpTestSuite()
  {
    directory = std::make_unique<test::TemporaryDirectory>();
    model = *directory / "model.safetensors";
    const Result result =
      run("import " + data("models/small_zip.pth") + " --size 48 --out " + model);
    ASSERT_EQ(result.code, 0) << result.output;
    EXPECT_NE(
      result.output.find("resnet18, stage trained, 3 classes, 6 prototypes"), std::string::npos)
      << result.output;
  }
  static void TearDownTestSuite() { directory.reset(); }

  static std::unique_ptr<test::TemporaryDirectory> directory;
  static std::string model;
};

std::unique_ptr<test::TemporaryDirectory> Command::directory;
std::string Command::model;

TEST_F(Command, HelpIsThereForEveryVerbWithAnExample)
{
  const Result help = run("--help");
  EXPECT_EQ(help.code, 0);
  for (const char * verb : {"predict", "explain", "info", "import", "export"}) {
    EXPECT_NE(help.output.find(verb), std::string::npos) << verb;
    const Result of_verb = run(std::string(verb) + " --help");
    EXPECT_EQ(of_verb.code, 0) << verb;
    EXPECT_NE(of_verb.output.find("Example"), std::string::npos) << verb;
  }
}

TEST_F(Command, WrongUsageEndsWithTwo)
{
  for (const char * arguments :
       {"", "fly", "predict", "predict --model", "predict --model x --top-k -1 y",
        "import a.pth --out b --architecture alexnet", "info a b"}) {
    EXPECT_EQ(run(arguments).code, 2) << arguments;
  }
}

TEST_F(Command, FailedWorkEndsWithOneAndOneLineThatNamesTheFile)
{
  for (const std::string arguments :
       {"info /nowhere/model.safetensors", "predict --model /nowhere/model.safetensors a.png",
        "import /nowhere/model.safetensors --out x",
        "explain --model /nowhere/model.safetensors a.png -o b.png"}) {
    const Result result = run(arguments);
    EXPECT_EQ(result.code, 1) << arguments;
    EXPECT_EQ(result.output.rfind("mgproto: /nowhere/model.safetensors: ", 0), 0u) << result.output;
    EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1) << result.output;
  }
}

TEST_F(Command, OutputThatIsLostIsAFailure)
{
  const std::string said = *directory / "said.txt";
  for (const std::string & arguments :
       {"info " + model, "info --json " + model, std::string("--help")}) {
    EXPECT_EQ(run(arguments + " >/dev/full 2>" + said + " #").code, 1) << arguments;
    std::ifstream file(said);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(text, "mgproto: cannot write to the standard output\n") << arguments;
  }
}

TEST_F(Command, AnOutputThatCannotBeWrittenIsSaidBeforeTheWork)
{
  for (const std::string arguments :
       {"calibrate --model /nowhere --data /nowhere --out /nowhere/x",
        "project --model /nowhere --data /nowhere --out /nowhere/x",
        "prune --model /nowhere --out /nowhere/x", "import /nowhere --out /nowhere/x",
        "evaluate --model /nowhere --data /nowhere --scores /nowhere/x"}) {
    const Result result = run(arguments);
    EXPECT_EQ(result.code, 1) << arguments;
    EXPECT_EQ(
      result.output,
      "mgproto: /nowhere/x: cannot open its directory '/nowhere': No such file or directory\n")
      << arguments;
  }
}

TEST_F(Command, PredictPrintsTheDocumentedObjectForEachImage)
{
  const Result result = run(
    "predict --json --top-k 2 --model " + model + " " + data("pil/img0.png") + " " +
    data("pil/img3.png"));
  ASSERT_EQ(result.code, 0) << result.output;
  const auto lines = json_lines(result.output);
  ASSERT_EQ(lines.size(), 2u);
  for (const auto & line : lines) {
    for (const char * key :
         {"image", "known", "class_id", "class_name", "posterior", "log_density", "threshold",
          "typicality", "scores", "evidence"}) {
      EXPECT_TRUE(line.contains(key)) << key;
    }
    EXPECT_TRUE(line["known"].is_null());  // not calibrated
    EXPECT_TRUE(line["threshold"].is_null());
    EXPECT_TRUE(line["typicality"].is_null());
    ASSERT_EQ(line["scores"].size(), 2u);
    EXPECT_EQ(line["scores"][0]["class_id"], line["class_id"]);
    EXPECT_EQ(line["scores"][0]["posterior"], line["posterior"]);
    EXPECT_GE(line["scores"][0]["posterior"], line["scores"][1]["posterior"]);
    ASSERT_EQ(line["evidence"].size(), 2u);
    double sum = 0;
    for (const auto & evidence : line["evidence"]) {
      EXPECT_EQ(evidence["class_id"], line["class_id"]);
      EXPECT_EQ(evidence["box"].size(), 4u);
      EXPECT_TRUE(evidence["source"].is_null());  // not projected
      sum += evidence["contribution"].get<double>();
    }
    EXPECT_NEAR(sum, 1, 1e-4);
  }
}

TEST_F(Command, PredictNamesThePrototypesOfAPlace)
{
  const std::string demo =
    std::string(MGPROTO_SOURCE_DIR) + "/config/models/birds_demo.safetensors ";
  const auto evidence_with = [&](const std::string & prototypes) {
    const Result result =
      run("predict --json --prototypes " + prototypes + " --model " + demo + data("pil/img0.png"));
    return json_lines(result.output).at(0)["evidence"];
  };
  std::size_t merged = 0;
  for (const auto & place : evidence_with("1000")) {
    merged += place.contains("merged") ? place["merged"].size() + 1 : 1;
  }
  const auto all = evidence_with("0");
  EXPECT_EQ(merged, all.size());
  for (const auto & prototype : all) {
    EXPECT_FALSE(prototype.contains("merged"));
  }
  EXPECT_EQ(evidence_with("1").size(), 1u);
}

TEST_F(Command, PredictGivesTheSameBytesEveryTime)
{
  const std::string arguments = "predict --json --model " + std::string(MGPROTO_SOURCE_DIR) +
                                "/config/models/birds_demo.safetensors " + data("pil/img0.png") +
                                " " + data("pil/img1.png");
  const Result first = run(arguments);
  EXPECT_EQ(first.code, 0) << first.output;
  EXPECT_EQ(run(arguments).output, first.output);
}

TEST_F(Command, TopKOfZeroListsAllClasses)
{
  const Result result =
    run("predict --json --top-k 0 --model " + model + " " + data("pil/img0.png"));
  EXPECT_EQ(json_lines(result.output).at(0)["scores"].size(), 3u);
}

TEST_F(Command, AnUnreadableImageIsALineAndTheOthersStillCome)
{
  const std::string text = *directory / "not_an_image.png";
  std::ofstream(text) << "hello";
  const Result result =
    run("predict --json --model " + model + " /nowhere/a.png " + text + " " + data("pil/img1.png"));
  EXPECT_EQ(result.code, 1);
  const auto lines = json_lines(result.output);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0]["image"], "/nowhere/a.png");
  EXPECT_TRUE(lines[0].contains("error"));
  EXPECT_TRUE(lines[1].contains("error"));
  EXPECT_TRUE(lines[2].contains("class_id"));
}

TEST_F(Command, InfoShowsTheManifest)
{
  EXPECT_NE(run("info " + model).output.find("resnet18, width 0.0625"), std::string::npos);
  const auto manifest = nlohmann::json::parse(run("info --json " + model).output);
  EXPECT_EQ(manifest["stage"], "trained");
  EXPECT_EQ(manifest["classes"].size(), 3u);
  EXPECT_EQ(manifest["prototype_class"].size(), 6u);
}

TEST_F(Command, NamesFromAFileCannotMoveTheCursor)
{
  const std::string names = *directory / "names.txt";
  std::ofstream(names) << "\033[2Jwren\nrobin\nK\xC3\xB6nig\n";
  const std::string named = *directory / "named.safetensors";
  ASSERT_EQ(
    run(
      "import " + data("models/small_zip.pth") + " --size 48 --classes " + names + " --out " +
      named)
      .code,
    0);

  const std::string info = run("info " + named).output;
  EXPECT_EQ(info.find('\033'), std::string::npos) << info;
  EXPECT_NE(info.find("K\xC3\xB6nig"), std::string::npos) << info;
}

TEST_F(Command, InfoCountsWeightsInEightBitsOnceAndNamesTheBackbonesFile)
{
  const auto about = [](const std::string & path) {
    return nlohmann::json::parse(run("info --json " + path).output);
  };
  const std::string small = *directory / "small.safetensors";
  const std::string held = *directory / "held.safetensors";
  const std::string shared = *directory / "shared.safetensors";
  ASSERT_EQ(
    run("import " + data("models/small_zip.pth") + " --size 48 --eight-bit --out " + small).code,
    0);
  ASSERT_EQ(run("export --model " + small + " --out " + held).code, 0);
  const Result result = run("export --model " + held + " --out " + shared + " --backbone " + small);
  ASSERT_EQ(result.code, 0) << result.output;

  for (const std::string & path : {small, held, shared}) {
    EXPECT_EQ(about(path)["parameters"], about(model)["parameters"]) << path;
  }
  EXPECT_EQ(about(held)["eight_bit_parameters"], 0);
  EXPECT_GT(about(small)["eight_bit_parameters"], 10000);
  EXPECT_EQ(about(shared)["eight_bit_parameters"], about(small)["eight_bit_parameters"]);
  EXPECT_EQ(about(shared)["backbone_file"]["name"], "small.safetensors");
  const std::string text = run("info " + shared).output;
  EXPECT_NE(text.find("backbone file   " + small), std::string::npos) << text;
  EXPECT_NE(text.find("are stored in eight bits"), std::string::npos) << text;

  const std::string image = " " + data("pil/img0.png");
  EXPECT_EQ(
    run("predict --json --model " + shared + image).output,
    run("predict --json --model " + held + image).output);
  for (const std::string & arguments :
       {"export --model " + small, "export --model " + small + " --backbone " + small,
        "export --model " + small + " --out a --torchscript b"}) {
    EXPECT_EQ(run(arguments).code, 2) << arguments;
  }
}

TEST_F(Command, ExplainWritesAPicture)
{
  const std::string picture = *directory / "why.png";
  const Result result =
    run("explain --model " + model + " " + data("pil/img1.png") + " -o " + picture);
  EXPECT_EQ(result.code, 0) << result.output;
  std::ifstream file(picture, std::ios::binary | std::ios::ate);
  EXPECT_GT(file.tellg(), 10000);

  const Result wrong =
    run("explain --model " + model + " " + data("pil/img1.png") + " -o /tmp/why.xyz");
  EXPECT_EQ(wrong.code, 1);
  EXPECT_NE(wrong.output.find("/tmp/why.xyz"), std::string::npos) << wrong.output;
}

TEST_F(Command, ExplainWritesAContactSheetOfSeveralImages)
{
  const std::string one = data("pil/img1.png");
  const auto size_of = [&](const std::string & images) {
    const std::string picture = *directory / "sheet.png";
    const Result result = run("explain --model " + model + " " + images + " -o " + picture);
    EXPECT_EQ(result.code, 0) << result.output;
    return cv::imread(picture).size();
  };
  const cv::Size two = size_of(one + " " + one);
  const cv::Size five = size_of(one + " " + one + " " + one + " " + one + " " + one);
  EXPECT_GT(five.width, 1.5 * two.width);
  EXPECT_GT(five.height, 1.5 * two.height) << "four in a row";
  EXPECT_EQ(size_of(data("pil") + " --random 2 --seed 3"), two);
  EXPECT_GT(size_of(one + " " + one + " --columns 1").height, 1.5 * two.height);

  const Result wrong =
    run("explain --model " + model + " " + one + " --random 2 -o " + (*directory / "sheet.png"));
  EXPECT_EQ(wrong.code, 1);
  EXPECT_NE(wrong.output.find("--random: 2 of 1 images"), std::string::npos) << wrong.output;
}

TEST_F(Command, ExportWritesTorchScript)
{
  const std::string script = *directory / "model.pt";
  EXPECT_EQ(run("export --model " + model + " --torchscript " + script).code, 0);
  EXPECT_TRUE(std::ifstream(script).good());
}

}  // namespace
}  // namespace mgproto
