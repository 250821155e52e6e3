// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// Covers what arrives from a network that nobody vouches for: every truncation and many kinds of
// damage to messages of every type. Meant to run under sanitizers.

#include <gtest/gtest.h>

#include <random>

#include "dds/cdr.hpp"
#include "dds/message_text.hpp"
#include "test/dds/own_messages.hpp"
#include "test/dds/rare_fields.hpp"
#include "test/dds/wire_cases.hpp"

namespace mgproto::dds
{
namespace
{

using Bytes = std::vector<std::uint8_t>;

struct Payload
{
  const MessageType * type;
  Bytes bytes;
};

template <class Message>
Payload payload_of(const MessageType & type, const Message & message)
{
  Payload payload{&type, {}};
  serialize(type, &message, payload.bytes);
  return payload;
}

template <class Message>
Payload payload_of(const Message & message)
{
  return payload_of(message_type<Message>(), message);
}

std::vector<Payload> payloads()
{
  std::vector<Payload> all;
  for (const auto & wire_case : test::wire_cases()) {
    all.push_back({wire_case.type, wire_case.bytes});
  }
  all.push_back(payload_of(test::some_prediction()));
  all.push_back(payload_of(test::some_evidence_maps()));
  all.push_back(payload_of(test::some_gallery()));
  all.push_back(payload_of(test::some_flag()));
  all.push_back(payload_of(test::rare_fields_type(), test::some_rare_fields()));
  return all;
}

class Damage
{
public:
  explicit Damage(std::uint32_t seed) : random_(seed) {}

  void apply(Bytes & bytes)
  {
    for (std::size_t edits = 1 + below(3); edits > 0; --edits) {
      edit(bytes);
    }
  }

private:
  void edit(Bytes & bytes)
  {
    const std::size_t at = below(bytes.size() + 1);
    switch (below(6)) {
      case 0:
        flip_a_bit(bytes);
        break;
      case 1:
        write(bytes, at, static_cast<std::uint32_t>(random_()), 1);
        break;
      case 2:
        write(bytes, at / 4 * 4, some_count(bytes.size()), 4);
        break;
      case 3:
        bytes.insert(bytes.begin() + at, 1 + below(9), static_cast<std::uint8_t>(random_()));
        break;
      case 4:
        bytes.erase(bytes.begin() + at, bytes.begin() + at + below(bytes.size() - at + 1));
        break;
      default:
        if (bytes.size() > 1) {
          bytes[1] ^= 1;  // the other byte order
        }
    }
  }

  void flip_a_bit(Bytes & bytes)
  {
    if (!bytes.empty()) {
      bytes[below(bytes.size())] ^= static_cast<std::uint8_t>(1u << below(8));
    }
  }

  static void write(Bytes & bytes, std::size_t at, std::uint32_t value, std::size_t size)
  {
    for (std::size_t i = 0; i < size && at + i < bytes.size(); ++i) {
      bytes[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
    }
  }

  /// Counts that a careless reader would trust.
  std::uint32_t some_count(std::size_t size)
  {
    const std::uint32_t counts[] = {0,          1,          static_cast<std::uint32_t>(size),
                                    0x7FFFFFFF, 0x80000000, 0xFFFFFFFF,
                                    0x20000000, 0x40000001, static_cast<std::uint32_t>(below(64))};
    return counts[below(std::size(counts))];
  }

  std::size_t below(std::size_t limit) { return random_() % limit; }

  std::mt19937 random_;
};

/// What can be read can be shown, and written so that it reads back as the same.
void expect_usable(const MessageType & type, const AnyMessage & message, bool show)
{
  Bytes once, twice;
  serialize(type, message.data(), once);
  AnyMessage again(type);
  deserialize(type, once.data(), once.size(), again.data());
  serialize(type, again.data(), twice);
  ASSERT_EQ(once, twice) << type.name();
  if (show) {
    EXPECT_FALSE(to_yaml(type, message.data()).empty());
    EXPECT_FALSE(to_json(type, message.data()).dump().empty());
  }
}

TEST(CdrOfAnyOrigin, EveryTruncationIsRefused)
{
  for (const Payload & payload : payloads()) {
    AnyMessage message(*payload.type);
    for (std::size_t size = 0; size < payload.bytes.size(); ++size) {
      // A copy of just this size, so that reading beyond it is noticed.
      const Bytes truncated(payload.bytes.begin(), payload.bytes.begin() + size);
      EXPECT_THROW(deserialize(*payload.type, truncated.data(), size, message.data()), WireError)
        << payload.type->name() << ", " << size << " bytes";
    }
  }
}

TEST(CdrOfAnyOrigin, DamageIsRefusedOrReadAsAnotherMessage)
{
  constexpr int kMutations = 200000;
  const std::vector<Payload> originals = payloads();
  Damage damage(20260101);
  int refused = 0;
  std::vector<AnyMessage> messages;
  for (const Payload & payload : originals) {
    messages.emplace_back(*payload.type);
  }

  for (int i = 0; i < kMutations; ++i) {
    const std::size_t which = i % originals.size();
    const MessageType & type = *originals[which].type;
    Bytes bytes = originals[which].bytes;
    damage.apply(bytes);
    bytes.shrink_to_fit();
    try {
      // The same message again and again, as a reader does.
      deserialize(type, bytes.data(), bytes.size(), messages[which].data());
    } catch (const WireError &) {
      ++refused;
      continue;
    }
    expect_usable(type, messages[which], i % 16 == 0);
  }

  EXPECT_GT(refused, kMutations / 10);
  EXPECT_LT(refused, kMutations);
}

}  // namespace
}  // namespace mgproto::dds
