// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// The memory bank against the MGProto authors' numbers (golden/b_memory.json, within 1e-6), against
// a plain list where theirs keeps a random subset (a push larger than the capacity), and what is
// kept across a resume.

#include <gtest/gtest.h>

#include "golden.hpp"
#include "mgproto_ros/error.hpp"
#include "model/heads/gaussian_head.hpp"
#include "training/learn/memory_bank.hpp"

namespace mgproto
{
namespace
{

using test::largest_difference;
using test::tensor_of;

torch::Tensor rows_of(const nlohmann::json & list, std::int64_t dim)
{
  return tensor_of(list, {static_cast<std::int64_t>(list.size()), dim});
}

/// Rows that count up: first, first + 1, ...
torch::Tensor counting(int first, int count)
{
  return torch::arange(first, first + count, torch::kFloat32).unsqueeze(1);
}

void expect_contents(const MemoryBank & bank, std::int64_t class_id, const torch::Tensor & expected)
{
  const torch::Tensor contents = bank.contents(class_id);
  ASSERT_EQ(contents.sizes(), expected.sizes()) << "class " << class_id;
  EXPECT_EQ(bank.size(class_id), expected.size(0));
  if (expected.size(0) > 0) {
    EXPECT_LT(largest_difference(contents, expected), 1e-6) << "class " << class_id;
  }
}

class GoldenMemory : public ::testing::Test
{
protected:
  nlohmann::json golden = test::read_json(test::test_data("golden/b_memory.json"));
  std::int64_t C = golden["meta"]["C"], D = golden["meta"]["D"], M = golden["meta"]["M"],
               N = golden["meta"]["capacity_per_class"], B = golden["meta"]["B"];
  MemoryBank bank{C, N, D};

  void push_and_compare(const nlohmann::json & pushes)
  {
    for (const auto & push : pushes) {
      const torch::Tensor rows = rows_of(push["features"], D);
      for (std::int64_t i = 0; i < rows.size(0); ++i) {
        bank.push_rows(push["labels"][i], rows.slice(0, i, i + 1));
      }
      for (std::int64_t c = 0; c < C; ++c) {
        expect_contents(bank, c, rows_of(push["content"][c], D));
      }
    }
  }
};

TEST_F(GoldenMemory, QueuesAfterEachPushAreTheAuthors)
{
  push_and_compare(golden["push_sequence"]);
}

TEST_F(GoldenMemory, OneQueueFilledPartlyExactlyAndBeyondIsTheAuthors)
{
  push_and_compare(golden["push_branches_one_class"]);
}

TEST_F(GoldenMemory, ImagesAreStoredAtTheirDistinctArgmaxPositions)
{
  const nlohmann::json & forward = golden["forward"];
  HeadConfig config;
  config.feature_dim = static_cast<int>(D);
  const GaussianHead head(
    tensor_of(forward["means"], {C * M, D}), tensor_of(forward["pi"], {C * M}),
    {0, 0, 0, 1, 1, 1, 2, 2, 2}, config);
  std::vector<torch::Tensor> expected(C, torch::zeros({0, D}));
  std::vector<bool> random_there(C, false);  // a push beyond the capacity
  int compared = 0;
  for (const auto & step : forward["steps"]) {
    const torch::Tensor features = unit_vectors(tensor_of(step["F"], {B, D, 2, 2}));
    const torch::Tensor labels = tensor_of(step["labels"], {B}, torch::kInt64);

    bank.push(features, head.forward(features).position, labels);

    std::vector<std::int64_t> pushed(C, 0);
    for (std::int64_t b = 0; b < B; ++b) {
      const auto c = step["labels"][b].get<std::int64_t>();
      for (const std::int64_t position : step["unique_positions_in_push_order"][b]) {
        const torch::Tensor row = features[b].flatten(1).select(1, position).unsqueeze(0);
        expected[c] = torch::cat({expected[c], row});
        ++pushed[c];
      }
    }
    for (std::int64_t c = 0; c < C; ++c) {
      random_there[c] = random_there[c] || pushed[c] > N;
      const std::int64_t rows = expected[c].size(0);
      expect_contents(bank, c, expected[c].slice(0, std::max<std::int64_t>(0, rows - N)));
      if (!random_there[c]) {
        expect_contents(bank, c, rows_of(step["content"][c], D));
        ++compared;
      }
    }
  }
  EXPECT_GE(compared, 10);
}

TEST(MemoryBank, APushLargerThanTheCapacityKeepsTheNewest)
{
  MemoryBank bank(1, 4, 1);
  bank.push_rows(0, counting(0, 3));

  bank.push_rows(0, counting(3, 10));

  expect_contents(bank, 0, counting(9, 4));
}

TEST(MemoryBank, TheOldestGoFirstWhateverThePushSizes)
{
  MemoryBank bank(1, 5, 1);
  int pushed = 0;
  for (const int count : {1, 2, 3, 1, 5, 4, 0, 2, 7, 1, 1}) {
    bank.push_rows(0, counting(pushed, count));
    pushed += count;
    const int kept = std::min(pushed, 5);
    expect_contents(bank, 0, counting(pushed - kept, kept));
  }
}

TEST(MemoryBank, TouchedClassesAreThoseSinceLastAsked)
{
  MemoryBank bank(4, 2, 1);
  bank.push_rows(3, counting(0, 1));
  bank.push_rows(1, counting(0, 1));
  bank.push_rows(3, counting(0, 1));
  bank.push_rows(2, counting(0, 0));  // nothing

  EXPECT_EQ(bank.take_touched(), (std::vector<std::int64_t>{1, 3}));
  EXPECT_TRUE(bank.take_touched().empty());
}

TEST(MemoryBank, KnowsWhichClassesAreFull)
{
  MemoryBank bank(2, 2, 1);
  bank.push_rows(0, counting(0, 3));
  bank.push_rows(1, counting(0, 1));

  EXPECT_TRUE(bank.full(0));
  EXPECT_FALSE(bank.full(1));
  EXPECT_FALSE(bank.all_full());
  EXPECT_THROW(bank.full_contents({0, 1}), Error);
  bank.push_rows(1, counting(1, 1));
  EXPECT_TRUE(bank.all_full());
  EXPECT_EQ(bank.full_contents({1}).sizes(), (std::vector<std::int64_t>{1, 2, 1}));
}

TEST(MemoryBank, DoesNotKeepTheGraphOfTheFeatures)
{
  MemoryBank bank(1, 4, 2);
  const torch::Tensor features = unit_vectors(torch::randn({1, 2, 3}).requires_grad_());

  bank.push(features, torch::zeros({1, 2}, torch::kInt64), torch::zeros({1}, torch::kInt64));

  EXPECT_FALSE(bank.contents(0).requires_grad());
  EXPECT_EQ(bank.size(0), 1);  // both prototypes at one position
}

TEST(MemoryBank, ARestoredBankGoesOnBitIdentically)
{
  torch::manual_seed(1);
  MemoryBank bank(3, 5, 2);
  bank.push_rows(0, torch::randn({7, 2}));
  bank.push_rows(2, torch::randn({3, 2}));
  MemoryBank resumed(3, 5, 2);

  resumed.restore(bank.state());

  EXPECT_EQ(resumed.take_touched(), (std::vector<std::int64_t>{0, 2}));
  const torch::Tensor later = torch::randn({4, 2});
  for (MemoryBank * each : {&bank, &resumed}) {
    each->push_rows(0, later);
    each->push_rows(2, later);
  }
  for (std::int64_t c = 0; c < 3; ++c) {
    EXPECT_TRUE(bank.contents(c).equal(resumed.contents(c)));
  }
  EXPECT_EQ(resumed.take_touched(), (std::vector<std::int64_t>{0, 2}));
  for (const auto & [name, tensor] : resumed.state()) {
    if (name != "touched") {
      EXPECT_TRUE(tensor.equal(bank.state().at(name))) << name;
    }
  }
}

TEST(MemoryBank, RefusesAStateOrAPushThatDoesNotFit)
{
  MemoryBank bank(2, 3, 2);
  State missing = bank.state(), broken = bank.state();
  missing.erase("next");
  broken["size"] = torch::full({2}, 4, torch::kInt64);

  EXPECT_THROW(bank.restore(missing), Error);
  EXPECT_THROW(bank.restore(broken), Error);
  EXPECT_THROW(bank.restore(MemoryBank(2, 4, 2).state()), Error);
  const torch::Tensor features = torch::zeros({1, 2, 3});
  const torch::Tensor positions = torch::zeros({1, 4}, torch::kInt64);
  EXPECT_THROW(bank.push(features, positions, torch::full({1}, 2, torch::kInt64)), Error);
  EXPECT_THROW(bank.push(features, positions, torch::zeros({2}, torch::kInt64)), Error);
}

}  // namespace
}  // namespace mgproto
