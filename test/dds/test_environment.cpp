// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// What the environment says about the domain, and care for the shared memory.

#include <fastrtps/config.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "dds/environment.hpp"
#include "dds/shared_memory.hpp"
#include "mgproto_ros/error.hpp"
#include "test/temporary_directory.hpp"

namespace mgproto::dds
{
namespace
{

using std::chrono::seconds;

// Sets variables and puts the old ones back.
class Variables
{
public:
  ~Variables()
  {
    for (const auto & [name, value] : old_) {
      value.empty() ? unsetenv(name.c_str()) : setenv(name.c_str(), value.c_str(), 1);
    }
  }

  void set(const std::string & name, const std::string & value)
  {
    const char * old = std::getenv(name.c_str());
    old_.emplace(name, old != nullptr ? old : "");
    setenv(name.c_str(), value.c_str(), 1);
  }

private:
  std::map<std::string, std::string> old_;
};

TEST(Environment, TheDomainIsANumberFrom0To232)
{
  Variables variables;
  variables.set("ROS_DOMAIN_ID", "232");
  EXPECT_EQ(domain_id_from_environment(), 232);
  variables.set("ROS_DOMAIN_ID", "");
  EXPECT_EQ(domain_id_from_environment(), 0);
  for (const char * wrong : {"233", "-1", "one", "1x", "99999999999", " 1"}) {
    variables.set("ROS_DOMAIN_ID", wrong);
    EXPECT_THROW(domain_id_from_environment(), ConfigError) << wrong;
  }
}

TEST(Environment, TheDiscoveryRangeIsReadAsRosReadsIt)
{
  Variables variables;
  variables.set("ROS_LOCALHOST_ONLY", "0");
  variables.set("ROS_AUTOMATIC_DISCOVERY_RANGE", "");
  EXPECT_EQ(discovery_range_from_environment(), DiscoveryRange::subnet);
  variables.set("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST");
  EXPECT_EQ(discovery_range_from_environment(), DiscoveryRange::localhost);
  variables.set("ROS_AUTOMATIC_DISCOVERY_RANGE", "localhost");
  EXPECT_THROW(discovery_range_from_environment(), ConfigError);
  variables.set("ROS_AUTOMATIC_DISCOVERY_RANGE", "OFF");
  EXPECT_EQ(discovery_range_from_environment(), DiscoveryRange::off);
  variables.set("ROS_LOCALHOST_ONLY", "1");
  EXPECT_EQ(discovery_range_from_environment(), DiscoveryRange::localhost);
}

TEST(SharedMemory, OnlySegmentsOfDeadOwnersAreRemoved)
{
  const mgproto::test::TemporaryDirectory directory;
  const std::string dead = directory / "fastrtps_0123456789abcdef";
  const std::string living = directory / "fastrtps_fedcba9876543210";
  const std::string foreign = directory / "somebody_elses";
  for (const std::string & name : {dead, living, foreign}) {
    std::ofstream(name) << "segment";
    std::ofstream(name + "_el") << "";
  }
  const int lock = open((living + "_el").c_str(), O_RDONLY);
  ASSERT_EQ(flock(lock, LOCK_EX), 0);

  EXPECT_EQ(remove_abandoned_segments(directory / "", seconds(10)), 0) << "too young";
  EXPECT_EQ(remove_abandoned_segments(directory / "", seconds(0)), 1);

  EXPECT_FALSE(std::filesystem::exists(dead));
  EXPECT_FALSE(std::filesystem::exists(dead + "_el"));
  for (const std::string & name : {living, foreign}) {
    EXPECT_TRUE(std::filesystem::exists(name)) << name;
    EXPECT_TRUE(std::filesystem::exists(name + "_el")) << name;
  }
  close(lock);
}

TEST(SharedMemory, IsNotSharedWithAnotherVersionOfFastDds)
{
  const mgproto::test::TemporaryDirectory directory;
  const std::string prefix = directory / "jazzy";
  std::filesystem::create_directories(prefix + "/lib");
  const auto install = [&](const std::string & name) { std::ofstream(prefix + "/lib/" + name); };
  install("libfastrtps.so");
  install(
    "libfastrtps.so." + std::to_string(FASTRTPS_VERSION_MAJOR) + "." +
    std::to_string(FASTRTPS_VERSION_MINOR) + ".77");
  install("librcl.so.9.9");
  EXPECT_EQ(other_fast_dds({"/nowhere", prefix}), "");
  install("libfastdds.so.99.1");
  EXPECT_EQ(other_fast_dds({"/nowhere", prefix}), prefix + "/lib/libfastdds.so.99.1");

  Variables variables;
  variables.set("FASTDDS_BUILTIN_TRANSPORTS", "UDPv4");
  EXPECT_EQ(shared_memory_problem(), "FASTDDS_BUILTIN_TRANSPORTS is UDPv4");
}

TEST(SharedMemory, ADirectoryThatIsNotThereHasNoRoomAndNothingToRemove)
{
  EXPECT_FALSE(has_room_for_segments("/does/not/exist"));
  EXPECT_EQ(remove_abandoned_segments("/does/not/exist"), 0);
}

}  // namespace
}  // namespace mgproto::dds
