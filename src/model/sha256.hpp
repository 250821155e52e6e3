// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__SHA256_HPP_
#define MODEL__SHA256_HPP_

#include <cstddef>
#include <memory>
#include <string>

struct evp_md_ctx_st;  // OpenSSL's EVP_MD_CTX

namespace mgproto
{

/// SHA-256 of bytes that arrive in pieces.
class Sha256
{
public:
  Sha256();

  /// Adds `size` bytes; `data` may be null if there are none.
  void update(const void * data, std::size_t size);

  /// The hash of everything added, as 64 lower-case hex digits. Ends the computation: call it once,
  /// last.
  std::string finish_hex();

private:
  struct Free
  {
    void operator()(evp_md_ctx_st * context) const;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

/// The hash of one piece.
std::string sha256_hex(const void * data, std::size_t size);

}  // namespace mgproto

#endif  // MODEL__SHA256_HPP_
