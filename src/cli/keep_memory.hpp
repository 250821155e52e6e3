// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef CLI__KEEP_MEMORY_HPP_
#define CLI__KEEP_MEMORY_HPP_

#include <malloc.h>

namespace mgproto::cli
{

/// Freed memory stays with this process. Batches of maps are allocated again at every layer, and the
/// kernel's clearing of new pages otherwise takes a third of the time of batches through a ResNet50.
/// For work in batches that ends; a node keeps the usual rules.
inline void keep_freed_memory()
{
#ifdef __GLIBC__
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);         // never
  mallopt(M_TOP_PAD, 64 * 1024 * 1024);  // bytes taken at a time
#endif
}

}  // namespace mgproto::cli

#endif  // CLI__KEEP_MEMORY_HPP_
