// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "contains.hpp"
#include "mgproto_ros/error.hpp"
#include "perception/taught_versions.hpp"
#include "temporary_directory.hpp"

namespace mgproto::perception
{
namespace
{

namespace fs = std::filesystem;

void write(const std::string & path, const std::string & text) { std::ofstream(path) << text; }

std::string read(const std::string & path)
{
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class TaughtVersionsTest : public testing::Test
{
protected:
  TaughtVersionsTest() { write(base, "a model"); }

  std::string step(TaughtVersions & versions, const std::string & text)
  {
    const std::string path = versions.next(Manifest());
    write(path, text);
    return path;
  }

  const mgproto::test::TemporaryDirectory directory;
  const std::string base = directory / "base.safetensors";
  const std::string kept = directory / "kept";
};

TEST_F(TaughtVersionsTest, TheNewestCountsAndComesBack)
{
  std::string second;
  {
    TaughtVersions versions(base, kept);
    EXPECT_EQ(versions.files(), std::vector<std::string>{base});
    step(versions, "1");
    second = step(versions, "2");
  }
  TaughtVersions versions(base, kept);

  ASSERT_EQ(versions.files().size(), 3u);
  EXPECT_EQ(versions.files().front(), second);
  EXPECT_EQ(read(versions.files().front()), "2");
  EXPECT_EQ(versions.files().back(), base);
  EXPECT_TRUE(versions.is_kept());
}

TEST_F(TaughtVersionsTest, StepsAreTakenBackOneByOne)
{
  TaughtVersions versions(base, kept);
  EXPECT_THROW(versions.previous(), Error);
  const std::string first = step(versions, "1");
  step(versions, "2");

  EXPECT_EQ(versions.previous(), first);
  versions.remove_newest();
  EXPECT_EQ(versions.previous(), base);
  versions.remove_newest();
  EXPECT_THROW(versions.previous(), Error);
  EXPECT_EQ(read(base), "a model");
}

TEST_F(TaughtVersionsTest, OnlyTheLastStepsAreKept)
{
  TaughtVersions versions(base, kept);
  for (int i = 1; i <= TaughtVersions::kKept + 5; ++i) {
    step(versions, std::to_string(i));
  }

  ASSERT_EQ(
    versions.files().size(), TaughtVersions::kKept + 2u);  // the newest, ten steps, the base
  for (int i = 0; i < TaughtVersions::kKept; ++i) {
    versions.previous();
    versions.remove_newest();
  }
  EXPECT_EQ(read(versions.files().front()), "5");
  EXPECT_THROW(versions.previous(), Error) << "the model itself is not one step away";
}

TEST_F(TaughtVersionsTest, AnotherModelHasItsOwn)
{
  TaughtVersions versions(base, kept);
  step(versions, "1");
  write(base, "another model");

  EXPECT_EQ(TaughtVersions(base, kept).files(), std::vector<std::string>{base});
}

TEST_F(TaughtVersionsTest, OneProcessAtATimeTeaches)
{
  TaughtVersions versions(base, kept);
  step(versions, "1");
  TaughtVersions other(base, kept);

  EXPECT_EQ(other.files().size(), 2u) << "it may use what is there";
  try {
    other.next(Manifest());
    ADD_FAILURE() << "two write to the same place";
  } catch (const FileError & error) {
    EXPECT_TRUE(contains(error.what(), "another process teaches this model"));
  }
  EXPECT_THROW(other.previous(), FileError) << "before anything is changed by it";
  EXPECT_THROW(other.remove_newest(), FileError);
}

TEST_F(TaughtVersionsTest, WithoutADirectoryNothingStays)
{
  auto versions = std::make_unique<TaughtVersions>(base, "");
  EXPECT_FALSE(versions->is_kept());
  const std::string path = step(*versions, "1");
  EXPECT_EQ(versions->files().front(), path);

  versions.reset();

  EXPECT_FALSE(fs::exists(fs::path(path).parent_path()));
}

TEST_F(TaughtVersionsTest, ABackboneThatIsSharedLiesBesideThem)
{
  write(directory / "backbone.safetensors", "weights");
  Manifest manifest;
  manifest.backbone_file = BackboneFile{"backbone.safetensors", ""};
  TaughtVersions versions(base, kept);

  const std::string path = versions.next(manifest);

  EXPECT_EQ(read(fs::path(path).replace_filename("backbone.safetensors")), "weights");
}

TEST_F(TaughtVersionsTest, APlaceThatCannotBeWrittenIsRefused)
{
  write(kept, "a file, not a directory");
  TaughtVersions versions(base, kept);

  EXPECT_EQ(versions.files(), std::vector<std::string>{base});
  EXPECT_THROW(versions.next(Manifest()), FileError);
  EXPECT_THROW(TaughtVersions(directory / "missing.safetensors", kept), FileError);
}

}  // namespace
}  // namespace mgproto::perception
