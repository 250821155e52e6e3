// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef GOLDEN_HPP_
#define GOLDEN_HPP_

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace mgproto::test
{

inline std::string test_data(const std::string & name)
{
  return std::string(MGPROTO_TEST_DATA) + "/" + name;
}

/// A folder of numbers that are too large for the project and may be absent. Tests that need one
/// skip themselves; their suites are called *WithSharedFiles, which CTest runs, and reports as
/// skipped, apart from the others.
inline std::string shared_fixture(const std::string & name)
{
  return std::string(MGPROTO_SHARED) + "/fixtures/" + name;
}

inline bool exists(const std::string & path) { return std::ifstream(path).good(); }

inline nlohmann::json read_json(const std::string & path)
{
  std::ifstream file(path);
  return nlohmann::json::parse(file);
}

inline void flatten_into(const nlohmann::json & value, std::vector<double> & values)
{
  if (value.is_array()) {
    for (const auto & item : value) {
      flatten_into(item, values);
    }
  } else {
    values.push_back(value.get<double>());
  }
}

/// A nested list as a tensor of the given shape.
inline torch::Tensor tensor_of(
  const nlohmann::json & list, const std::vector<std::int64_t> & shape,
  torch::Dtype type = torch::kFloat32)
{
  std::vector<double> values;
  flatten_into(list, values);
  return torch::tensor(values, torch::kFloat64).to(type).view(shape);
}

/// A case with `shapes`, `inputs` and `outputs`.
class JsonCase
{
public:
  explicit JsonCase(const std::string & name) : case_(read_json(test_data("golden/" + name))) {}

  torch::Tensor input(const std::string & name, torch::Dtype type = torch::kFloat32) const
  {
    return get("inputs", name, type);
  }
  torch::Tensor output(const std::string & name, torch::Dtype type = torch::kFloat32) const
  {
    return get("outputs", name, type);
  }
  const nlohmann::json & meta() const { return case_.at("meta"); }

private:
  torch::Tensor get(const char * group, const std::string & name, torch::Dtype type) const
  {
    return tensor_of(
      case_.at(group).at(name), case_.at("shapes").at(name).get<std::vector<std::int64_t>>(), type);
  }
  nlohmann::json case_;
};

/// A case of raw numbers, tensors.f32 beside tensors.index.json.
class BinaryCase
{
public:
  explicit BinaryCase(const std::string & folder)
  : index_(read_json(folder + "/tensors.index.json"))
  {
    std::ifstream file(folder + "/tensors.f32", std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
  }

  torch::Tensor operator[](const std::string & name) const
  {
    const auto & entry = index_.at(name);
    const auto type = entry.at("dtype") == "i32" ? torch::kInt32 : torch::kFloat32;
    torch::Tensor tensor = torch::empty(entry.at("shape").get<std::vector<std::int64_t>>(), type);
    std::memcpy(
      tensor.data_ptr(), bytes_.data() + entry.at("offset").get<std::size_t>(),
      entry.at("nbytes").get<std::size_t>());
    return tensor;
  }

private:
  nlohmann::json index_;
  std::string bytes_;
};

inline double largest_difference(const torch::Tensor & a, const torch::Tensor & b)
{
  EXPECT_EQ(a.sizes(), b.sizes());
  return (a.to(torch::kFloat64) - b.to(torch::kFloat64)).abs().max().item<double>();
}

/// Relative to the largest entry of the expected tensor.
inline double relative_difference(const torch::Tensor & actual, const torch::Tensor & expected)
{
  return largest_difference(actual, expected) /
         expected.to(torch::kFloat64).abs().max().item<double>();
}

}  // namespace mgproto::test

#endif  // GOLDEN_HPP_
