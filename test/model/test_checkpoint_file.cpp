// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// What a checkpoint says beyond its container: each defect of manifest and tensors, every prefix.
// The container's own defects are in test_safetensors.cpp.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "mgproto_ros/error.hpp"
#include "model/checkpoint_file.hpp"
#include "model/manifest_json.hpp"
#include "temporary_directory.hpp"

namespace mgproto
{
namespace
{

using nlohmann::json;

/// A file of two classes with two and one prototypes, taken apart so that a test can spoil it.
struct Parts
{
  Parts()
  {
    manifest.model.head.feature_dim = 2;
    manifest.classes = {"Wren", "Zaunk\u00f6nig"};
    manifest.class_priors = {0.5, 0.5};
    manifest.stage = Stage::projected;
    manifest.preprocessing.size = 32;
    manifest.calibration = Calibration{0.5, {-5, -2, -1}};
    manifest.prototypes = {
      Provenance{"train/a.jpg", 1, 2, {3, 4, 5, 6}, {0xff, 0xd8, 0xff}, {1, 1, 5, 6}}, std::nullopt,
      Provenance{"train/b.jpg", 0, 0, {0, 0, 9, 9}, {}, {}}};
    manifest.training = R"({"epochs":3})";
  }

  void write(const std::string & path) const
  {
    const auto count = static_cast<std::int64_t>(prototype_class.size());
    write_checkpoint_file(
      path,
      {{kMeansTensor, DType::f32, {count, 2}, means.data(), means.size() * 4},
       {kPriorsTensor, DType::f32, {count}, priors.data(), priors.size() * 4},
       {kPrototypeClassTensor, DType::i32, {count}, prototype_class.data(), priors.size() * 4}},
      manifest);
  }

  Manifest manifest;
  std::vector<float> means{1, 0, 0, 1, -1, 0};
  std::vector<float> priors{0.25f, 0.75f, 1};
  std::vector<std::int32_t> prototype_class{0, 0, 1};
};

class CheckpointFileTest : public ::testing::Test
{
protected:
  /// Opens a file made of spoiled parts; the error names the file and holds `expected`.
  void expect_refused(const std::function<void(Parts &)> & spoil, const std::string & expected)
  {
    Parts parts;
    spoil(parts);
    parts.write(path);
    expect_open_fails(expected);
  }

  /// The same for a manifest that no writer of ours would make.
  void expect_manifest_refused(
    const std::function<void(json &)> & spoil, const std::string & expected)
  {
    Parts parts;
    parts.write(path);
    const SafetensorsFile file = SafetensorsFile::open(path);
    json manifest = json::parse(file.metadata().at("mgproto"));
    spoil(manifest);
    rewrite(file, {{"mgproto", manifest.dump()}});
    expect_open_fails(expected);
  }

  void rewrite(const SafetensorsFile & file, const std::map<std::string, std::string> & metadata)
  {
    std::vector<TensorToWrite> tensors;
    for (const auto & [name, view] : file.tensors()) {
      tensors.push_back({name, view.dtype, view.shape, view.data, view.bytes});
    }
    write_safetensors(path, tensors, metadata);
  }

  void expect_open_fails(const std::string & expected)
  {
    try {
      CheckpointFile::open(path);
      ADD_FAILURE() << "opened, expected: " << expected;
    } catch (const FileError & error) {
      const std::string what = error.what();
      EXPECT_NE(what.find(path), std::string::npos) << what;
      EXPECT_NE(what.find(expected), std::string::npos) << what << "\nexpected: " << expected;
      EXPECT_EQ(what.find('\n'), std::string::npos) << what;
    }
  }

  test::TemporaryDirectory directory;
  std::string path = directory / "model.safetensors";
};

TEST_F(CheckpointFileTest, EverythingComesBack)
{
  const Parts parts;
  parts.write(path);

  const CheckpointFile file = CheckpointFile::open(path);
  const Manifest & manifest = file.manifest();

  EXPECT_EQ(manifest.classes, parts.manifest.classes);
  EXPECT_EQ(manifest.class_priors, parts.manifest.class_priors);
  EXPECT_EQ(manifest.prototype_class, (std::vector<int>{0, 0, 1}));
  EXPECT_EQ(manifest.prototype_prior, parts.priors);
  EXPECT_EQ(manifest.stage, Stage::projected);
  EXPECT_EQ(manifest.calibration->tpr, 0.5);
  EXPECT_EQ(manifest.calibration->log_density, parts.manifest.calibration->log_density);
  EXPECT_EQ(manifest.prototypes[0]->image, "train/a.jpg");
  EXPECT_EQ(manifest.prototypes[0]->box, (Box{3, 4, 5, 6}));
  EXPECT_EQ(manifest.prototypes[0]->patch, (std::vector<std::uint8_t>{0xff, 0xd8, 0xff}));
  EXPECT_EQ(manifest.prototypes[0]->in_patch, (Box{1, 1, 5, 6}));
  EXPECT_FALSE(manifest.prototypes[1]);
  EXPECT_TRUE(manifest.prototypes[2]->patch.empty());
  EXPECT_EQ(manifest.prototypes[2]->in_patch, Box());
  EXPECT_EQ(json::parse(manifest.training)["epochs"], 3);
  EXPECT_EQ(manifest.preprocessing.size, 32);
  EXPECT_EQ(manifest.tensors_sha256.size(), 64u);
}

TEST_F(CheckpointFileTest, ManifestsSurviveTheirJson)
{
  Parts parts;
  parts.manifest.model.backbone.architecture = "resnet50";
  parts.manifest.model.backbone.stages = {3, 4, 6, 4};
  parts.manifest.model.backbone.stride_in_1x1 = true;
  parts.manifest.model.backbone.width = 0.25;
  parts.manifest.preprocessing.mode = PreprocessingConfig::Mode::resize_crop;
  const std::string text = to_json(parts.manifest);
  EXPECT_EQ(to_json(manifest_from_json(text)), text);
}

TEST_F(CheckpointFileTest, LaterMinorVersionsAndUnknownKeysAreRead)
{
  Parts().write(path);
  const SafetensorsFile file = SafetensorsFile::open(path);
  json manifest = json::parse(file.metadata().at("mgproto"));
  manifest["version"] = "1.7";
  manifest["something_new"] = {1, 2};
  rewrite(file, {{"mgproto", manifest.dump()}});
  EXPECT_EQ(CheckpointFile::open(path).manifest().classes.size(), 2u);
}

TEST_F(CheckpointFileTest, EachDefectOfTheTensorsIsNamed)
{
  expect_refused([](Parts & p) { p.means[3] = NAN; }, "'head.means' holds a NaN or infinity");
  expect_refused([](Parts & p) { p.priors[0] = INFINITY; }, "'head.priors' holds a NaN");
  expect_refused([](Parts & p) { p.priors = {-0.25f, 1.25f, 1}; }, "negative prior");
  expect_refused([](Parts & p) { p.priors[2] = 0.9f; }, "a sum of 0.9");
  expect_refused(
    [](Parts & p) {
      p.manifest.stage = Stage::pruned;
      p.priors[2] = 0;
    },
    "a sum of 0.0");
  expect_refused(
    [](Parts & p) {
      p.manifest.stage = Stage::pruned;
      p.priors[2] = 1.5f;
    },
    "a sum of 1.5");
  expect_refused([](Parts & p) { p.prototype_class = {0, 0, 2}; }, "class 2 at element 2");
  expect_refused([](Parts & p) { p.prototype_class = {1, 0, 1}; }, "class 0 at element 1");
  expect_refused([](Parts & p) { p.prototype_class = {-1, 0, 1}; }, "class -1 at element 0");
  expect_refused(
    [](Parts & p) {
      p.prototype_class = {0, 0, 0};
      p.priors = {0.25f, 0.25f, 0.5f};
    },
    "without a prototype");
}

TEST_F(CheckpointFileTest, PrunedPriorsMaySumToLessThanOne)
{
  Parts parts;
  parts.manifest.stage = Stage::pruned;
  parts.priors = {0.25f, 0.25f, 0.1f};
  parts.write(path);
  EXPECT_EQ(CheckpointFile::open(path).manifest().stage, Stage::pruned);
}

TEST_F(CheckpointFileTest, EachDefectOfTheManifestIsNamed)
{
  const auto set = [](const char * pointer, const json & value) {
    return [=](json & manifest) { manifest[json::json_pointer(pointer)] = value; };
  };
  const auto remove = [](const char * key) {
    return [=](json & manifest) { manifest.erase(key); };
  };
  expect_manifest_refused(set("/format", "other"), "manifest.format: expected 'mgproto'");
  expect_manifest_refused(set("/version", "3.0"), "manifest.version: '3.0' is not known here");
  expect_manifest_refused(set("/version", "one"), "manifest.version");
  expect_manifest_refused(set("/version", 1), "manifest.version: expected a string");
  expect_manifest_refused(remove("version"), "manifest.version: missing");
  expect_manifest_refused(set("/stage", "finished"), "manifest.stage");
  expect_manifest_refused(remove("model"), "manifest.model: missing");
  expect_manifest_refused(set("/model/backbone", 3), "manifest.model.backbone: expected an object");
  expect_manifest_refused(set("/model/backbone/width", "wide"), "model.backbone.width");
  expect_manifest_refused(set("/model/backbone/upsample", 0), "model.backbone.upsample");
  expect_manifest_refused(set("/model/head/feature_dim", -1), "model.head.feature_dim");
  expect_manifest_refused(
    set("/model/head/feature_dim", 18446744073709551615u), "model.head.feature_dim");
  expect_manifest_refused(set("/preprocessing/mode", "stretch"), "preprocessing.mode");
  expect_manifest_refused(set("/preprocessing/size", 1 << 20), "preprocessing.size");
  expect_manifest_refused(set("/preprocessing/mean", {1, 2}), "preprocessing.mean");
  expect_manifest_refused(set("/preprocessing/std", {0, 1, 1}), "preprocessing.std");
  expect_manifest_refused(set("/classes", json::array()), "manifest.class_priors");
  expect_manifest_refused(set("/classes", {"Wren", "Wren"}), "names two classes");
  expect_manifest_refused(set("/classes", {"Wren", ""}), "needs a name");
  expect_manifest_refused(set("/classes", {"Wren", 3}), "manifest.classes[1]");
  expect_manifest_refused(set("/class_priors", {0.5, 0.6}), "manifest.class_priors: sum to 1.1");
  expect_manifest_refused(set("/class_priors", {1.0, 0.0}), "'Zaunk\u00f6nig' has no p(c)");
  expect_manifest_refused(set("/calibration/tpr", 0), "manifest.calibration.tpr");
  expect_manifest_refused(set("/calibration/tpr", 1), "manifest.calibration.tpr");
  expect_manifest_refused(set("/calibration/tpr", 0.9), "expected at least 9");
  expect_manifest_refused(set("/calibration/log_density", {3, 2}), "expected rising numbers");
  expect_manifest_refused(set("/calibration/log_density", {"3"}), "expected a number");
  expect_manifest_refused(set("/prototypes", json::array({nullptr})), "1 entries for 3");
  expect_manifest_refused(set("/prototypes/0/box", {1, 2, 3}), "manifest.prototypes[0].box");
  expect_manifest_refused(set("/prototypes/0/row", -4), "manifest.prototypes[0].row");
  expect_manifest_refused(set("/tensors_sha256", "00"), "SHA-256 differs");
}

TEST_F(CheckpointFileTest, ACalibrationThatDoesNotBelongToTheModelDoesNotCount)
{
  Parts().write(path);
  const SafetensorsFile file = SafetensorsFile::open(path);
  const json written = json::parse(file.metadata().at("mgproto"));
  const auto read = [&](const char * where, const json & value) {
    json manifest = written;
    manifest[json::json_pointer(where)] = value;
    rewrite(file, {{"mgproto", manifest.dump()}});
    return CheckpointFile::open(path).manifest();
  };
  EXPECT_TRUE(read("/training", {{"epochs", 4}}).calibration);
  const std::map<std::string, json> changes{
    {"/model/head/concentration", 0.5},
    {"/model/head/combine", "product"},
    {"/preprocessing/size", 33},
    {"/class_priors", {0.4, 0.6}}};
  for (const auto & [where, value] : changes) {
    const Manifest manifest = read(where.c_str(), value);
    EXPECT_FALSE(manifest.calibration) << where;
    EXPECT_NE(manifest.calibration_defect.find("other weights, concentration"), std::string::npos)
      << where;
  }
  const Manifest earlier = read("/calibration", {{"threshold", -3}, {"tpr", 0.95}});
  EXPECT_FALSE(earlier.calibration);
  EXPECT_EQ(earlier.calibration_defect, "its calibration is of an earlier version");
}

TEST_F(CheckpointFileTest, AManifestThatIsNotJsonOrNotThereIsSaid)
{
  Parts().write(path);
  rewrite(SafetensorsFile::open(path), {{"mgproto", "{\"format\":"}});
  expect_open_fails("not JSON");
  rewrite(SafetensorsFile::open(path), {{"mgproto", "[1]"}});
  expect_open_fails("expected an object");
  const std::string deep = std::string(80000, '[') + std::string(80000, ']');
  rewrite(SafetensorsFile::open(path), {{"mgproto", "{\"training\":" + deep + "}"}});
  expect_open_fails("nested deeper than 64 levels");
  rewrite(SafetensorsFile::open(path), {{"format", "pt"}});
  expect_open_fails("holds no manifest");
}

TEST_F(CheckpointFileTest, MissingAndMistypedHeadTensorsAreNamed)
{
  Parts().write(path);
  const SafetensorsFile file = SafetensorsFile::open(path);
  const auto rewrite_without = [&](const std::string & name, DType dtype) {
    std::vector<TensorToWrite> tensors;
    for (const auto & [key, view] : file.tensors()) {
      if (key != name) {
        tensors.push_back({key, view.dtype, view.shape, view.data, view.bytes});
      } else if (dtype != view.dtype) {
        tensors.push_back({key, dtype, view.shape, view.data, view.bytes});
      }
    }
    json manifest = json::parse(file.metadata().at("mgproto"));
    manifest["tensors_sha256"] = tensors_sha256(tensors);
    write_safetensors(path, tensors, {{"mgproto", manifest.dump()}});
  };
  rewrite_without(kMeansTensor, DType::f32);
  expect_open_fails(kMeansTensor);
  rewrite_without(kPriorsTensor, DType::f32);
  expect_open_fails(kPriorsTensor);
  rewrite_without(kPriorsTensor, DType::i32);
  expect_open_fails("'head.priors' is I32, expected F32");
  rewrite_without(kPrototypeClassTensor, DType::f32);
  expect_open_fails("'head.prototype_class' is F32, expected I32");
}

/// A backbone of one convolution in eight bits, taken apart like Parts.
struct EightBitParts
{
  EightBitParts() { manifest.stage = Stage::backbone; }

  void write(const std::string & path) const
  {
    const auto channels = static_cast<std::int64_t>(scales.size());
    std::vector<TensorToWrite> tensors{{kWeights, dtype, shape, weights.data(), weights.size()}};
    if (channels > 0) {
      tensors.push_back(
        {scale_name(kWeights), scale_dtype, {channels}, scales.data(), scales.size() * 4});
    }
    write_checkpoint_file(path, tensors, manifest);
  }

  static constexpr const char * kWeights = "backbone.conv1.weight";
  Manifest manifest;
  DType dtype = DType::i8;
  std::vector<std::int64_t> shape{2, 1, 1, 2};
  std::vector<std::int8_t> weights{127, -1, 0, -127};
  DType scale_dtype = DType::f32;
  std::vector<float> scales{0.5f, 2};
};

TEST_F(CheckpointFileTest, WeightsInEightBitsHaveAPositiveScaleForEachChannel)
{
  EightBitParts().write(path);
  EXPECT_EQ(CheckpointFile::open(path).tensor(EightBitParts::kWeights).dtype, DType::i8);

  const auto refused = [&](const std::function<void(EightBitParts &)> & spoil, const char * why) {
    EightBitParts parts;
    spoil(parts);
    parts.write(path);
    expect_open_fails(why);
  };
  using P = EightBitParts;
  refused([](P & p) { p.scales.clear(); }, "has no tensor 'backbone.conv1.weight.scale'");
  refused([](P & p) { p.scales = {1}; }, "weight.scale' has 1 elements for 2 output channels");
  refused([](P & p) { p.scales = {1, 1, 1}; }, "weight.scale' has 3 elements for 2");
  refused([](P & p) { p.scales[1] = 0; }, "weight.scale' has 0 at element 1");
  refused([](P & p) { p.scales[0] = -1; }, "weight.scale' has -1 at element 0, expected a scale");
  refused([](P & p) { p.scales[1] = NAN; }, "weight.scale' holds a NaN");
  refused([](P & p) { p.scales[1] = INFINITY; }, "weight.scale' holds a NaN or infinity");
  refused([](P & p) { p.scales[1] = 1e37f; }, "below 2^121");
  refused([](P & p) { p.scale_dtype = DType::i32; }, "weight.scale' is I32, expected F32");
  refused([](P & p) { p.shape = {2, 2}; }, "weight' has 2 dimensions, expected 4");
}

/// A model whose backbone is in another file.
class ReferringModel : public CheckpointFileTest
{
protected:
  void SetUp() override
  {
    EightBitParts().write(backbone);
    model.manifest.backbone_file = BackboneFile{
      "backbone.safetensors", CheckpointFile::open(backbone).manifest().tensors_sha256};
    model.write(path);
  }

  std::string backbone = directory / "backbone.safetensors";
  Parts model;
};

TEST_F(ReferringModel, HasTheTensorsOfBothFiles)
{
  const CheckpointFile file = CheckpointFile::open(path);

  EXPECT_EQ(file.tensors().size(), 6u);
  EXPECT_EQ(file.tensor(EightBitParts::kWeights).shape, (std::vector<std::int64_t>{2, 1, 1, 2}));
  EXPECT_EQ(file.tensor(kMeansTensor).dtype, DType::f32);
  EXPECT_TRUE(file.manifest().calibration);
  EXPECT_EQ(file.manifest().backbone_file->name, "backbone.safetensors");
  EXPECT_EQ(to_json(manifest_from_json(to_json(file.manifest()))), to_json(file.manifest()));
  try {
    file.tensor("backbone.fc");
    FAIL();
  } catch (const FileError & error) {
    EXPECT_EQ(error.path(), backbone);
  }
}

TEST_F(ReferringModel, NamesBothFilesAndWhatWasExpectedIfItsBackboneIsGoneOrAnother)
{
  const std::string needs = "needs the backbone in " + backbone + " with tensors of SHA-256 " +
                            model.manifest.backbone_file->tensors_sha256 + ": ";
  EightBitParts other;
  other.weights[1] = 3;
  other.write(backbone);
  expect_open_fails(
    needs + "that file's have " + CheckpointFile::open(backbone).manifest().tensors_sha256);

  std::ofstream(backbone) << "not a checkpoint";
  expect_open_fails(needs + backbone + ": ");

  std::filesystem::remove(backbone);
  expect_open_fails(needs + backbone + ": ");
}

TEST_F(ReferringModel, IsReadOnlyFromItsOwnDirectory)
{
  for (const std::string name :
       {"../backbone.safetensors", "/etc/passwd", "..", ".", "", "a/b", "a\\b"}) {
    model.manifest.backbone_file->name = name;
    model.write(path);
    expect_open_fails("manifest.backbone_file.name: '" + name + "' is not the name of a file");
  }
  expect_manifest_refused(
    [](json & manifest) { manifest["backbone_file"] = "backbone.safetensors"; },
    "manifest.backbone_file: expected an object");
}

TEST_F(ReferringModel, MayNotReferToOneThatRefers)
{
  model.manifest.backbone_file = BackboneFile{
    std::filesystem::path(path).filename(), CheckpointFile::open(path).manifest().tensors_sha256};
  model.write(path);  // to itself
  expect_open_fails("that file refers to a further one");
}

TEST_F(ReferringModel, MayNotHoldABackboneOfItsOwn)
{
  EightBitParts both;
  both.manifest.backbone_file = model.manifest.backbone_file;
  both.write(path);
  expect_open_fails("'backbone.conv1.weight' is in this file and in its backbone's");
}

TEST_F(ReferringModel, LosesItsCalibrationWithAnotherBackbone)
{
  EightBitParts other;
  other.weights[1] = 3;
  other.write(backbone);
  const std::string hash = CheckpointFile::open(backbone).manifest().tensors_sha256;
  const SafetensorsFile file = SafetensorsFile::open(path);
  json manifest = json::parse(file.metadata().at("mgproto"));
  manifest["backbone_file"]["tensors_sha256"] = hash;
  rewrite(file, {{"mgproto", manifest.dump()}});

  const CheckpointFile exchanged = CheckpointFile::open(path);

  EXPECT_FALSE(exchanged.manifest().calibration);
  EXPECT_NE(exchanged.manifest().calibration_defect.find("other weights"), std::string::npos);
}

TEST_F(CheckpointFileTest, EveryPrefixIsRefused)
{
  Parts().write(path);
  std::ifstream input(path, std::ios::binary);
  const std::string whole(std::istreambuf_iterator<char>(input), {});
  for (std::size_t length = 0; length < whole.size(); ++length) {
    std::ofstream(path, std::ios::binary).write(whole.data(), length);
    EXPECT_THROW(CheckpointFile::open(path), FileError) << length << " bytes";
  }
}

TEST_F(CheckpointFileTest, AnyChangedByteOfTheTensorsIsNoticed)
{
  Parts().write(path);
  std::ifstream input(path, std::ios::binary);
  const std::string whole(std::istreambuf_iterator<char>(input), {});
  for (std::size_t i = whole.size() - 39; i < whole.size(); ++i) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 4);
    std::ofstream(path, std::ios::binary).write(changed.data(), changed.size());
    expect_open_fails("SHA-256 differs");
  }
}

}  // namespace
}  // namespace mgproto
