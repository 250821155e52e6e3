// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// make_three_colours FILE: a small model of three colours that can be taught more, for the tests of hosts.

#include "teach/three_colours.hpp"

int main(int argc, char ** argv)
{
  if (argc != 2) {
    return 2;
  }
  const mgproto::Checkpoint model = mgproto::test::three_colours();
  mgproto::save_checkpoint(argv[1], *model.network, model.manifest);
  return 0;
}
