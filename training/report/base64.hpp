// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__REPORT__BASE64_HPP_
#define TRAINING__REPORT__BASE64_HPP_

#include <openssl/evp.h>

#include <cstdint>
#include <string>
#include <vector>

namespace mgproto
{

inline std::string base64(const std::vector<std::uint8_t> & bytes)
{
  std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');  // and the NUL that OpenSSL adds
  const int length = EVP_EncodeBlock(
    reinterpret_cast<unsigned char *>(text.data()), bytes.data(), static_cast<int>(bytes.size()));
  text.resize(length);
  return text;
}

}  // namespace mgproto

#endif  // TRAINING__REPORT__BASE64_HPP_
