// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "dashboard/allowed_host.hpp"

#include <arpa/inet.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace mgproto::dashboard
{
namespace
{

std::string lower(std::string text)
{
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return text;
}

/// `[::1]:8080` and `Robot.local.:8080` without brackets, port and final point; empty if malformed.
std::string name_of(const std::string & host_header)
{
  std::string name;
  std::string port;
  if (!host_header.empty() && host_header.front() == '[') {
    const std::size_t end = host_header.find(']');
    if (end == std::string::npos) {
      return "";
    }
    name = host_header.substr(1, end - 1);
    port = host_header.substr(end + 1);
  } else {
    const std::size_t colon = std::min(host_header.find(':'), host_header.size());
    name = host_header.substr(0, colon);
    port = host_header.substr(colon);
    if (!name.empty() && name.back() == '.') {
      name.pop_back();
    }
  }
  const bool port_is_number =
    port.empty() || (port.front() == ':' && std::all_of(port.begin() + 1, port.end(), [](char c) {
                       return c >= '0' && c <= '9';
                     }));
  return port_is_number ? lower(name) : "";
}

bool is_bare_address(const std::string & name)
{
  std::array<unsigned char, sizeof(in6_addr)> parsed{};
  return inet_pton(AF_INET, name.c_str(), parsed.data()) == 1 ||
         inet_pton(AF_INET6, name.c_str(), parsed.data()) == 1;
}

std::string machine_name()
{
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? lower(name.data()) : "";
}

}  // namespace

bool is_allowed_host(const std::string & host_header, const std::string & address)
{
  const std::string name = name_of(host_header);
  if (name.empty()) {
    return false;
  }
  if (name == "localhost" || name == "127.0.0.1" || name == "::1" || name == lower(address)) {
    return true;
  }
  const bool on_all_addresses = address == "0.0.0.0" || address == "::";
  const std::string machine = machine_name();
  return on_all_addresses &&
         (is_bare_address(name) ||
          (!machine.empty() && (name == machine || name == machine + ".local")));
}

}  // namespace mgproto::dashboard
