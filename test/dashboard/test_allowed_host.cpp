// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "dashboard/allowed_host.hpp"

namespace mgproto::dashboard
{
namespace
{

TEST(AllowedHost, ThisMachineIsAllowedOnAnyPort)
{
  for (const char * host :
       {"localhost", "LOCALHOST:8080", "localhost.", "127.0.0.1", "127.0.0.1:9000", "[::1]:8080"}) {
    EXPECT_TRUE(is_allowed_host(host, "127.0.0.1")) << host;
  }
}

TEST(AllowedHost, OtherNamesAreNotAllowed)
{
  for (const char * host :
       {"", "evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example",
        "localhost:80@evil.example", "192.168.1.7", "[::1", "[::2]:8080", ":8080"}) {
    EXPECT_FALSE(is_allowed_host(host, "127.0.0.1")) << host;
  }
}

TEST(AllowedHost, TheBoundAddressIsAllowed)
{
  EXPECT_TRUE(is_allowed_host("192.168.1.7:8080", "192.168.1.7"));
  EXPECT_TRUE(is_allowed_host("Robot.local:8080", "robot.local"));
  EXPECT_TRUE(is_allowed_host("[fd00::7]:8080", "fd00::7"));
  EXPECT_FALSE(is_allowed_host("192.168.1.8:8080", "192.168.1.7"));
}

TEST(AllowedHost, AServerOnAllAddressesAnswersToAddressesButNotToForeignNames)
{
  for (const char * address : {"0.0.0.0", "::"}) {
    EXPECT_TRUE(is_allowed_host("192.168.1.7:8080", address));
    EXPECT_TRUE(is_allowed_host("[fd00::7]:8080", address));
    EXPECT_FALSE(is_allowed_host("evil.example:8080", address));
  }
}

}  // namespace
}  // namespace mgproto::dashboard
