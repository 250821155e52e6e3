// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "mgproto_ros/error.hpp"
#include "temporary_directory.hpp"
#include "tools/truth_log.hpp"

namespace mgproto::tools
{
namespace
{

std::string content(const std::string & path)
{
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void append(const std::string & path, const std::string & text)
{
  std::ofstream(path, std::ios::app) << text;
}

TEST(TruthLog, WritesALineForEachFrameAtOnce)
{
  const test::TemporaryDirectory dir;
  TruthLog log(dir / "truth.jsonl");

  log.write({{12, 345}, "known/Plover", "birds/0"});

  EXPECT_EQ(
    content(dir / "truth.jsonl"),
    R"({"stamp":{"sec":12,"nanosec":345},"label":"known/Plover","name":"birds/0"})"
    "\n");
}

TEST(TruthLog, KeepsNamesThatAreNotUtf8ReadableAsJson)
{
  const test::TemporaryDirectory dir;
  TruthLog log(dir / "truth.jsonl");
  log.write({{1, 2}, "vehicles", "caf\xe9\n\".jpg"});

  const std::vector<Truth> truths = TruthFollower(dir / "truth.jsonl").poll();

  ASSERT_EQ(truths.size(), 1u);
  EXPECT_EQ(truths[0].name, "caf\xEF\xBF\xBD\n\".jpg");
}

TEST(TruthLog, SaysIfItCannotBeWritten)
{
  EXPECT_THROW(TruthLog("/nowhere/truth.jsonl"), FileError);
}

TEST(TruthFollower, GivesEachLineOnceAsTheFileGrows)
{
  const test::TemporaryDirectory dir;
  const std::string path = dir / "truth.jsonl";
  TruthFollower follower(path);
  EXPECT_TRUE(follower.poll().empty());  // not there yet
  TruthLog log(path);
  EXPECT_TRUE(follower.poll().empty());

  log.write({{1, 10}, "known/a", "0"});
  log.write({{2, 20}, "known/b", "1"});
  const std::vector<Truth> two = follower.poll();
  log.write({{3, 30}, "", "2"});
  const std::vector<Truth> one = follower.poll();

  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[0].label, "known/a");
  EXPECT_EQ(two[1].stamp.nanosec, 20u);
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].stamp.sec, 3);
  EXPECT_TRUE(follower.poll().empty());
  EXPECT_EQ(follower.broken_lines(), 0u);
}

TEST(TruthFollower, WaitsForTheEndOfAHalfWrittenLine)
{
  const test::TemporaryDirectory dir;
  const std::string path = dir / "truth.jsonl";
  TruthFollower follower(path);

  append(path, R"({"stamp":{"sec":1,"nanosec":2},"lab)");
  EXPECT_TRUE(follower.poll().empty());
  append(path, R"(el":"known/a","name":"0"})");
  EXPECT_TRUE(follower.poll().empty());
  append(path, "\n");

  ASSERT_EQ(follower.poll().size(), 1u);
}

TEST(TruthFollower, LeavesOutLinesThatAreNoTruth)
{
  const test::TemporaryDirectory dir;
  const std::string path = dir / "truth.jsonl";
  append(path, "nonsense\n[]\n{}\n\n{\"stamp\":3,\"label\":\"a\"}\n");
  append(path, "{\"stamp\":{\"sec\":1e300,\"nanosec\":-1},\"label\":\"a\"}\n");
  append(path, "{\"stamp\":{\"sec\":1,\"nanosec\":2000000000},\"label\":\"a\"}\n");
  append(path, std::string(200000, 'x'));
  append(path, "\n{\"stamp\":{\"sec\":1,\"nanosec\":2},\"label\":\"a\"}\n");

  TruthFollower follower(path);
  const std::vector<Truth> truths = follower.poll();

  ASSERT_EQ(truths.size(), 1u);
  EXPECT_EQ(truths[0].label, "a");
  EXPECT_EQ(follower.broken_lines(), 8u);
}

TEST(TruthFollower, DropsALineWithoutEndAndGoesOnAfterIt)
{
  const test::TemporaryDirectory dir;
  const std::string path = dir / "truth.jsonl";
  TruthFollower follower(path);

  append(path, std::string(100000, 'x'));
  EXPECT_TRUE(follower.poll().empty());
  append(path, "{\"stamp\":{\"sec\":1,\"nanosec\":2},\"label\":\"end of it\"}\n");
  append(path, "{\"stamp\":{\"sec\":1,\"nanosec\":2},\"label\":\"a\"}\n");
  const std::vector<Truth> truths = follower.poll();

  ASSERT_EQ(truths.size(), 1u);
  EXPECT_EQ(truths[0].label, "a");
}

TEST(TruthFollower, ReadsAFileThatWasBegunAnewFromItsBeginning)
{
  const test::TemporaryDirectory dir;
  const std::string path = dir / "truth.jsonl";
  TruthFollower follower(path);
  {
    TruthLog log(path);
    log.write({{1, 1}, "known/a", "0"});
    log.write({{2, 2}, "known/b", "1"});
  }
  EXPECT_EQ(follower.poll().size(), 2u);

  TruthLog log(path);
  log.write({{3, 3}, "known/c", "0"});
  const std::vector<Truth> truths = follower.poll();

  ASSERT_EQ(truths.size(), 1u);
  EXPECT_EQ(truths[0].label, "known/c");
}

TEST(TruthFollower, SaysIfItIsNoFile)
{
  const test::TemporaryDirectory dir;
  EXPECT_THROW(TruthFollower(dir / "").poll(), FileError);
}

}  // namespace
}  // namespace mgproto::tools
