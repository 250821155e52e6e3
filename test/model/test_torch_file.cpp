// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// Covers both containers of torch.save and the unpickler behind them, on files that make.py wrote
// and on damaged copies of those. Speed and memory on real checkpoints are not covered.

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "mgproto_ros/error.hpp"
#include "model/pickle.hpp"
#include "model/torch_file.hpp"
#include "model/torch_legacy.hpp"
#include "model/torch_zip.hpp"
#include "temporary_directory.hpp"

namespace mgproto
{
namespace
{

std::string data_file(const std::string & name)
{
  return std::string(MGPROTO_TEST_DATA) + "/torch_files/" + name;
}

std::string content_of(const std::string & path)
{
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The message of the FileError that reading `path` throws, without the path; "" if none is thrown.
std::string problem_of(const std::string & path)
{
  try {
    read_torch_file(path);
  } catch (const FileError & error) {
    const std::string line = error.what();
    EXPECT_EQ(error.path(), path);
    EXPECT_EQ(line.rfind(path + ": ", 0), 0u) << line;
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    return line.substr(path.size() + 2);
  }
  return "";
}

std::string problem_of_content(const std::string & content)
{
  const test::TemporaryDirectory directory;
  const std::string path = directory / "a.pth";
  std::ofstream(path, std::ios::binary) << content;
  return problem_of(path);
}

template <typename T>
std::vector<T> values(const TorchTensor & tensor)
{
  std::vector<T> numbers(tensor.data.size() / sizeof(T));
  if (!numbers.empty()) {
    std::memcpy(numbers.data(), tensor.data.data(), numbers.size() * sizeof(T));
  }
  return numbers;
}

std::vector<std::string> names(const std::vector<TorchTensor> & tensors)
{
  std::vector<std::string> result;
  for (const TorchTensor & tensor : tensors) {
    result.push_back(tensor.name);
  }
  return result;
}

TorchTensor get(const std::vector<TorchTensor> & tensors, const std::string & name)
{
  for (const TorchTensor & tensor : tensors) {
    if (tensor.name == name) {
      return tensor;
    }
  }
  ADD_FAILURE() << "no tensor " << name;
  return {};
}

using Shape = std::vector<std::int64_t>;
using Names = std::vector<std::string>;

// --- what torch.save writes ---

class TorchFileFormat : public testing::TestWithParam<const char *>
{
protected:
  std::vector<TorchTensor> tensors_ = read_torch_file(data_file(GetParam()));
};

INSTANTIATE_TEST_SUITE_P(
  AllContainers, TorchFileFormat,
  testing::Values("zip.pth", "legacy.pth", "zip_protocol4.pth", "legacy_protocol4.pth"));

TEST_P(TorchFileFormat, KeepsTheOrderOfTheFile)
{
  EXPECT_EQ(
    names(tensors_),
    (Names{
      "f32", "f16", "bf16", "f64", "u8", "i8", "i16", "i32", "i64", "boolean", "scalar", "empty",
      "table", "transposed", "middle", "column", "repeated", "parameter"}));
}

TEST_P(TorchFileFormat, KeepsFloatsOfEveryWidth)
{
  const TorchTensor f32 = get(tensors_, "f32");
  EXPECT_EQ(f32.dtype, DType::f32);
  EXPECT_EQ(f32.shape, (Shape{2, 3}));
  EXPECT_EQ(values<float>(f32), (std::vector<float>{1.5F, -2.0F, 0.25F, 1e30F, -0.0F, 3.0F}));

  const TorchTensor f16 = get(tensors_, "f16");
  EXPECT_EQ(f16.dtype, DType::f16);
  EXPECT_EQ(values<std::uint16_t>(f16), (std::vector<std::uint16_t>{0x3c00, 0xb800, 0x7bff}));

  const TorchTensor bf16 = get(tensors_, "bf16");
  EXPECT_EQ(bf16.dtype, DType::bf16);
  EXPECT_EQ(values<std::uint16_t>(bf16), (std::vector<std::uint16_t>{0x3f80, 0xc000}));

  const TorchTensor f64 = get(tensors_, "f64");
  EXPECT_EQ(f64.dtype, DType::f64);
  EXPECT_EQ(values<double>(f64), std::vector<double>{0.1});
}

TEST_P(TorchFileFormat, KeepsIntegersOfEveryWidth)
{
  EXPECT_EQ(get(tensors_, "u8").dtype, DType::u8);
  EXPECT_EQ(values<std::uint8_t>(get(tensors_, "u8")), (std::vector<std::uint8_t>{0, 255}));
  EXPECT_EQ(get(tensors_, "i8").dtype, DType::i8);
  EXPECT_EQ(values<std::int8_t>(get(tensors_, "i8")), (std::vector<std::int8_t>{-128, 127}));
  EXPECT_EQ(get(tensors_, "i16").dtype, DType::i16);
  EXPECT_EQ(values<std::int16_t>(get(tensors_, "i16")), (std::vector<std::int16_t>{-2, 300}));
  EXPECT_EQ(get(tensors_, "i32").dtype, DType::i32);
  EXPECT_EQ(values<std::int32_t>(get(tensors_, "i32")), (std::vector<std::int32_t>{-3, 70000}));
  EXPECT_EQ(get(tensors_, "i64").dtype, DType::i64);
  EXPECT_EQ(
    values<std::int64_t>(get(tensors_, "i64")),
    (std::vector<std::int64_t>{-4, std::int64_t{1} << 40}));
  EXPECT_EQ(get(tensors_, "boolean").dtype, DType::boolean);
  EXPECT_EQ(values<std::uint8_t>(get(tensors_, "boolean")), (std::vector<std::uint8_t>{1, 0, 1}));
}

TEST_P(TorchFileFormat, ReadsTensorsWithoutDimensionsAndWithoutElements)
{
  EXPECT_EQ(get(tensors_, "scalar").shape, Shape{});
  EXPECT_EQ(values<std::int64_t>(get(tensors_, "scalar")), std::vector<std::int64_t>{7});
  EXPECT_EQ(get(tensors_, "empty").shape, (Shape{0, 5}));
  EXPECT_TRUE(get(tensors_, "empty").data.empty());
}

TEST_P(TorchFileFormat, MakesViewsOfASharedStorageContiguous)
{
  EXPECT_EQ(
    values<float>(get(tensors_, "table")),
    (std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
  EXPECT_EQ(get(tensors_, "transposed").shape, (Shape{4, 3}));
  EXPECT_EQ(
    values<float>(get(tensors_, "transposed")),
    (std::vector<float>{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}));
  EXPECT_EQ(get(tensors_, "middle").shape, (Shape{2, 2}));
  EXPECT_EQ(values<float>(get(tensors_, "middle")), (std::vector<float>{5, 6, 9, 10}));
  EXPECT_EQ(values<float>(get(tensors_, "column")), (std::vector<float>{2, 6, 10}));
  EXPECT_EQ(get(tensors_, "repeated").shape, (Shape{3, 2}));
  EXPECT_EQ(values<float>(get(tensors_, "repeated")), (std::vector<float>{5, 6, 5, 6, 5, 6}));
}

TEST_P(TorchFileFormat, ReadsAParameterAsItsTensor)
{
  EXPECT_EQ(values<float>(get(tensors_, "parameter")), (std::vector<float>{8, 9}));
}

TEST(TorchFile, ReadsAPlainDictInItsOwnOrder)
{
  for (const char * file : {"plain_dict.pth", "small_legacy.pth"}) {
    const auto tensors = read_torch_file(data_file(file));
    EXPECT_EQ(names(tensors), (Names{"b", "a"})) << file;
    EXPECT_EQ(values<float>(tensors[0]), (std::vector<float>{1, 2})) << file;
    EXPECT_EQ(values<std::int64_t>(tensors[1]), (std::vector<std::int64_t>{3})) << file;
  }
}

TEST(TorchFile, ReadsTheStateDictOfAModuleWithItsMetadata)
{
  const auto tensors = read_torch_file(data_file("module_state_dict.pth"));
  EXPECT_EQ(
    names(tensors), (Names{
                      "0.weight", "0.bias", "1.weight", "1.bias", "1.running_mean", "1.running_var",
                      "1.num_batches_tracked"}));
  EXPECT_EQ(tensors[0].shape, (Shape{1, 2}));
  EXPECT_EQ(values<float>(tensors[0]), (std::vector<float>{0.5F, 0.25F}));
}

TEST(TorchFile, TakesOnlyTheStateDictOfACheckpoint)
{
  const auto tensors = read_torch_file(data_file("checkpoint.pth"));
  EXPECT_EQ(names(tensors), (Names{"layer.weight", "bias"}));
}

TEST(TorchFile, JoinsTheNamesOfNestedDictsByDots)
{
  const auto tensors = read_torch_file(data_file("nested.pth"));
  EXPECT_EQ(names(tensors), (Names{"head.weight", "blocks.0"}));
}

TEST(TorchFile, SkipsAListThatHoldsItself)
{
  EXPECT_EQ(names(read_torch_file(data_file("list_in_itself.pth"))), Names{"w"});
}

// --- what is refused, and in which words ---

TEST(TorchFile, RefusesToReferToAFunctionThatTensorsDoNotNeed)
{
  for (const char * file :
       {"os_system_global.pth", "os_system_stack_global.pth", "os_system_in_dict.pth",
        "os_system_legacy.pth"}) {
    EXPECT_EQ(
      problem_of(data_file(file)),
      "refers to os.system, which a file of tensors does not need: refused")
      << file;
  }
}

TEST(TorchFile, AsksForTheStateDictOfAPickledModule)
{
  EXPECT_EQ(
    problem_of(data_file("module.pth")),
    "refers to torch.nn.modules.linear.Linear, which a file of tensors does not need: refused; "
    "of a model, save the state_dict() rather than the module itself");
}

struct Refusal
{
  const char * file;
  const char * words;  ///< part of the message
};

class RefusedTorchFile : public testing::TestWithParam<Refusal>
{
};

INSTANTIATE_TEST_SUITE_P(
  EachKind, RefusedTorchFile,
  testing::Values(
    Refusal{"complex.pth", "torch.ComplexFloatStorage, an element type that is not supported"},
    Refusal{"script.pt", "is a TorchScript archive"}, Refusal{"old.tar", "is a tar archive"},
    Refusal{"other.zip", "without data.pkl"},
    Refusal{"broadcast.pth", "tensor w: the tensors are far larger than the file"},
    Refusal{"beyond_storage.pth", "tensor w: reaches beyond its storage 0 of 4 elements"},
    Refusal{"offset_beyond.pth", "tensor w: reaches beyond its storage 0 of 4 elements"},
    Refusal{"negative_stride.pth", "tensor w: expected offset, size and strides to be integers"},
    Refusal{"overflow.pth", "tensor w: reaches beyond its storage 0 of 4 elements"},
    Refusal{"short_storage.pth", "storage 0: expected 400 elements of type F32, got 16 bytes"},
    Refusal{"missing_storage.pth", "zip entry a/data/9 is missing"},
    Refusal{"duplicate.pth", "tensor w: is there twice"},
    Refusal{"compressed.pth", "zip entry a/data.pkl is compressed"},
    Refusal{"big_endian.pth", "expected byte order little, got big"},
    Refusal{"no_tensors.pth", "holds no tensors"},
    Refusal{"list.pth", "expected a dict of tensors"},
    Refusal{"dict_in_itself.pth", "expected dicts at most 32 deep"},
    Refusal{"no_such_file.pth", "No such file"}, Refusal{"", "is a directory"},
    Refusal{"make.py", "is not a file that torch.save wrote"}));

TEST_P(RefusedTorchFile, IsRefusedInAClearLine)
{
  const std::string problem = problem_of(data_file(GetParam().file));
  EXPECT_NE(problem.find(GetParam().words), std::string::npos) << problem;
}

TEST(TorchFile, RefusesAnEmptyFile) { EXPECT_EQ(problem_of_content(""), "is empty"); }

TEST(TorchFile, RefusesAnImageAndRandomBytes)
{
  std::mt19937 random(1);
  std::string noise;
  for (int i = 0; i < 1000; ++i) {
    noise += static_cast<char>(random());
  }
  const std::string not_ours = "is not a file that torch.save wrote";
  EXPECT_EQ(problem_of_content(noise).rfind(not_ours, 0), 0u);
  EXPECT_EQ(problem_of_content("\x89PNG\r\n\x1a\n" + noise).rfind(not_ours, 0), 0u);
}

TEST(TorchFile, NoticesAChangedByteOfATensorInAZipArchive)
{
  std::string content = content_of(data_file("plain_dict.pth"));
  const std::string two("\x00\x00\x00\x40", 4);
  const std::size_t at = content.find(two);
  ASSERT_NE(at, std::string::npos);
  content[at + 3] = 0x41;
  EXPECT_NE(problem_of_content(content), "");
}

// --- damage ---

constexpr int kRounds = 6'000;

std::string changed(std::string content, std::mt19937 & random)
{
  for (unsigned changes = 1 + random() % 4; changes > 0; --changes) {
    content[random() % content.size()] = static_cast<char>(random());
  }
  return content;
}

/// A small file, and the reader of its container.
struct Container
{
  const char * file;
  std::vector<TorchTensor> (*read)(const std::string & path, std::string_view file);
};

class DamagedTorchFile : public testing::TestWithParam<Container>
{
protected:
  const std::string content_ = content_of(data_file(GetParam().file));
};

INSTANTIATE_TEST_SUITE_P(
  BothContainers, DamagedTorchFile,
  testing::Values(
    Container{"plain_dict.pth", read_torch_zip}, Container{"small_legacy.pth", read_torch_legacy}));

TEST_P(DamagedTorchFile, ThrowsForEveryPrefix)
{
  for (std::size_t length = 0; length < content_.size(); ++length) {
    EXPECT_NE(problem_of_content(content_.substr(0, length)), "") << length << " bytes";
  }
}

TEST_P(DamagedTorchFile, ThrowsAnErrorOrSucceedsAfterRandomChanges)
{
  std::mt19937 random(20260101);
  int refused = 0;
  for (int round = 0; round < kRounds; ++round) {
    // In memory, where sanitizers notice the first byte read too many; a mapped page would hide it.
    const std::string content = changed(content_, random);
    try {
      GetParam().read("a.pth", content);
    } catch (const Error &) {
      ++refused;
    }
  }
  // Both must happen, or the changes test nothing.
  EXPECT_GT(refused, 100);
  EXPECT_LT(refused, kRounds - 100);
}

// --- the unpickler alone: zip checksums would keep most damage away from it ---

pickle::Pickle unpickle(const std::string & bytes)
{
  return pickle::unpickle("a.pkl", bytes, [](const std::string &) {});
}

TEST(Pickle, SurvivesRandomChangesToARealPickle)
{
  const std::string content = content_of(data_file("legacy_protocol4.pth"));
  const std::string pickle = content.substr(content.find("\x80\x04\x95", 60));
  std::mt19937 random(20260102);
  for (int round = 0; round < kRounds; ++round) {
    try {
      unpickle(changed(pickle, random));
    } catch (const Error &) {
    }
  }
}

TEST(Pickle, BuildsAMillionNestedTuplesWithoutRecursion)
{
  const std::string tuples(1000000, '\x85');
  const pickle::Pickle result = unpickle("\x80\x02N" + tuples + ".");
  EXPECT_EQ(result[result.root].kind, pickle::Kind::tuple);
}

TEST(Pickle, LimitsTheNumberOfValues)
{
  EXPECT_THROW(unpickle("\x80\x02" + std::string(2000000, ']') + "."), FileError);
}

TEST(Pickle, HoldsListsAndDictsThatHoldThemselves)
{
  const pickle::Pickle list = unpickle(std::string("]q\0h\0a.", 7));
  EXPECT_EQ(list[list.root].items, std::vector<pickle::Index>{list.root});
  const pickle::Pickle dict = unpickle(std::string("}q\0Nh\0s.", 8));
  EXPECT_EQ(dict[dict.root].items[1], dict.root);
}

TEST(Pickle, ReadsNegativeAndLongIntegers)
{
  const pickle::Pickle negative = unpickle("\x8a\x01\xff.");
  EXPECT_EQ(negative[negative.root].integer, -1);
  const pickle::Pickle huge = unpickle("\x8a\x09" + std::string(9, 'x') + ".");
  EXPECT_EQ(huge[huge.root].kind, pickle::Kind::other);
}

TEST(Pickle, NamesTheOpcodeThatIsWrong)
{
  const auto line = [](const std::string & bytes) {
    try {
      unpickle(bytes);
    } catch (const FileError & error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(line("N0t."), "a.pkl: pickle opcode 0x74 at byte 2: expected a mark on the stack");
  EXPECT_EQ(line("q\x05."), "a.pkl: pickle opcode 0x71 at byte 0: memo slot 5 is out of range");
  EXPECT_EQ(line("h\x01."), "a.pkl: pickle opcode 0x68 at byte 0: memo slot 1 is empty");
  EXPECT_EQ(
    line("i."), "a.pkl: pickle opcode 0x69 at byte 0: not an opcode that a file of tensors needs");
  EXPECT_EQ(
    line("X\xff\xff\xff\xff"),
    "a.pkl: pickle opcode 0x58 at byte 0: expected 4294967295 more bytes, got 0");
}

}  // namespace
}  // namespace mgproto
