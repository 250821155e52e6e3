// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DASHBOARD__ALLOWED_HOST_HPP_
#define DASHBOARD__ALLOWED_HOST_HPP_

#include <string>

namespace mgproto::dashboard
{

/// Whether a request with this Host header may be answered by a server bound to `address`. Somebody
/// else's name that resolves to this machine (DNS rebinding) would let their web page read ours.
///
/// Allowed are localhost and the bound address; a server on all addresses also answers to this
/// machine's name and to bare addresses, which cannot be rebound. Any port, since it may have come
/// through a tunnel.
bool is_allowed_host(const std::string & host_header, const std::string & address);

}  // namespace mgproto::dashboard

#endif  // DASHBOARD__ALLOWED_HOST_HPP_
