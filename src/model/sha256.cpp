// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/sha256.hpp"

#include <openssl/evp.h>

#include "mgproto_ros/error.hpp"

namespace mgproto
{
namespace
{

void check(bool succeeded)
{
  if (!succeeded) {
    throw Error("OpenSSL cannot compute SHA-256");
  }
}

}  // namespace

void Sha256::Free::operator()(evp_md_ctx_st * context) const { EVP_MD_CTX_free(context); }

Sha256::Sha256() : context_(EVP_MD_CTX_new())
{
  check(context_ && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1);
}

void Sha256::update(const void * data, std::size_t size)
{
  if (size > 0) {
    check(EVP_DigestUpdate(context_.get(), data, size) == 1);
  }
}

std::string Sha256::finish_hex()
{
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  check(EVP_DigestFinal_ex(context_.get(), digest, &length) == 1);

  std::string hex;
  for (unsigned int i = 0; i < length; ++i) {
    hex += "0123456789abcdef"[digest[i] >> 4];
    hex += "0123456789abcdef"[digest[i] & 15];
  }
  return hex;
}

std::string sha256_hex(const void * data, std::size_t size)
{
  Sha256 hash;
  hash.update(data, size);
  return hash.finish_hex();
}

}  // namespace mgproto
