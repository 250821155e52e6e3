// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// Covers the safetensors container, the hash over it and the file access below it. What the tensors
// mean to a model is tested elsewhere, and so is reading files of the Python package.

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <numeric>
#include <random>

#include "mgproto_ros/error.hpp"
#include "model/safetensors.hpp"
#include "model/sha256.hpp"
#include "temporary_directory.hpp"

namespace mgproto
{
namespace
{

namespace fs = std::filesystem;

std::vector<std::string> files_in(const test::TemporaryDirectory & directory)
{
  std::vector<std::string> names;
  for (const auto & entry : fs::directory_iterator(directory / "")) {
    names.push_back(entry.path().filename());
  }
  return names;
}

std::string read_text(const std::string & path)
{
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void write_text(const std::string & path, const std::string & text)
{
  fs::remove(path);  // some file systems flush a file that was truncated when it is closed: slow
  std::ofstream(path, std::ios::binary) << text;
}

/// A file with this header, right or wrong.
std::string container(const std::string & header, const std::string & data)
{
  const std::uint64_t length = header.size();
  return std::string(reinterpret_cast<const char *>(&length), sizeof(length)) + header + data;
}

template <typename Function>
std::string message_of(Function && function)
{
  try {
    function();
  } catch (const FileError & error) {
    return error.what();
  }
  return "no FileError was thrown";
}

std::string bytes_of(const TensorView & tensor)
{
  return {reinterpret_cast<const char *>(tensor.data), tensor.bytes};
}

TensorToWrite tensor_of(
  const std::string & name, DType dtype, const std::vector<std::int64_t> & shape,
  const std::string & data)
{
  return {name, dtype, shape, data.data(), data.size()};
}

bool contains(const std::string & text, const std::string & part)
{
  return text.find(part) != std::string::npos;
}

class Safetensors : public ::testing::Test
{
protected:
  const test::TemporaryDirectory directory_;
  const std::string path_ = directory_ / "file.safetensors";
};

const std::string kData = "0123456789abcdefghijklmnopqrstuv";  // 32 bytes

TEST_F(Safetensors, EveryDtypeComesBackAsItWasWritten)
{
  const DType dtypes[] = {DType::f16, DType::bf16, DType::f32, DType::f64, DType::u8,
                          DType::i8,  DType::i16,  DType::i32, DType::i64, DType::boolean};
  std::vector<std::string> data;
  for (const DType dtype : dtypes) {
    data.push_back(kData.substr(data.size(), 3 * size_of(dtype)));
  }
  std::vector<TensorToWrite> tensors;
  for (const DType dtype : dtypes) {
    tensors.push_back(tensor_of(name(dtype), dtype, {3, 1}, data[tensors.size()]));
  }

  write_safetensors(path_, tensors, {});
  const auto file = SafetensorsFile::open(path_);

  EXPECT_EQ(file.path(), path_);
  EXPECT_TRUE(file.metadata().empty());
  ASSERT_EQ(file.tensors().size(), std::size(dtypes));
  for (const TensorToWrite & written : tensors) {
    SCOPED_TRACE(written.name);
    const TensorView & read = file.tensor(written.name);
    EXPECT_EQ(read.dtype, written.dtype);
    EXPECT_EQ(read.shape, written.shape);
    EXPECT_EQ(bytes_of(read), std::string(static_cast<const char *>(written.data), written.bytes));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(read.data) % size_of(read.dtype), 0u);
  }
}

TEST_F(Safetensors, ScalarsAndTensorsWithoutElementsAreKept)
{
  const double scalar = 0.25;
  write_safetensors(
    path_,
    {{"scalar", DType::f64, {}, &scalar, sizeof(scalar)},
     {"nothing", DType::f32, {0}, nullptr, 0},
     {"no rows", DType::i64, {0, 7}, nullptr, 0}},
    {});
  const auto file = SafetensorsFile::open(path_);

  EXPECT_TRUE(file.tensor("scalar").shape.empty());
  EXPECT_EQ(std::memcmp(file.tensor("scalar").data, &scalar, sizeof(scalar)), 0);
  EXPECT_EQ(file.tensor("nothing").shape, (std::vector<std::int64_t>{0}));
  EXPECT_EQ(file.tensor("no rows").shape, (std::vector<std::int64_t>{0, 7}));
  EXPECT_EQ(file.tensor("no rows").bytes, 0u);
  EXPECT_NE(file.tensor("no rows").data, nullptr);
}

TEST_F(Safetensors, NamesAndMetadataMayHoldAnyText)
{
  const std::string odd = std::string("größe/原型\n\"\\\t\x01 🦉") + '\0' + "end";
  write_safetensors(
    path_, {tensor_of(odd, DType::u8, {32}, kData), tensor_of("", DType::u8, {32}, kData)},
    {{odd, odd}, {"", ""}});
  const auto file = SafetensorsFile::open(path_);

  EXPECT_EQ(file.metadata(), (std::map<std::string, std::string>{{odd, odd}, {"", ""}}));
  EXPECT_EQ(bytes_of(file.tensor(odd)), kData);
  EXPECT_EQ(bytes_of(file.tensor("")), kData);
}

TEST_F(Safetensors, BytesEqualThoseOfTheReferenceImplementation)
{
  // From the tests of huggingface/safetensors, safetensors/src/tensor.rs (test_serialization,
  // test_serialization_forced_alignement, test_empty).
  const float values[] = {0, 1, 2, 3, 4, 5};
  const std::string data(reinterpret_cast<const char *>(values), sizeof(values));

  write_safetensors(path_, {tensor_of("attn.0", DType::f32, {1, 2, 3}, data)}, {});
  EXPECT_EQ(
    read_text(path_),
    container(R"({"attn.0":{"dtype":"F32","shape":[1,2,3],"data_offsets":[0,24]}})", data));
  write_safetensors(path_, {tensor_of("attn0", DType::f32, {1, 1, 2, 3}, data)}, {});
  EXPECT_EQ(
    read_text(path_),
    container(R"({"attn0":{"dtype":"F32","shape":[1,1,2,3],"data_offsets":[0,24]}}       )", data));
  write_safetensors(path_, {}, {});
  EXPECT_EQ(read_text(path_), container("{}      ", ""));
  write_safetensors(path_, {}, {{"framework", "pt"}});
  EXPECT_EQ(read_text(path_), container(R"({"__metadata__":{"framework":"pt"}}     )", ""));
}

TEST_F(Safetensors, LargeElementsComeFirstAndThenNamesDecide)
{
  std::vector<TensorToWrite> tensors = {
    {"a", DType::boolean, {1}, kData.data(), 1}, {"b", DType::f32, {1}, kData.data(), 4},
    {"d", DType::i64, {1}, kData.data(), 8},     {"c", DType::i64, {1}, kData.data(), 8},
    {"e", DType::f64, {1}, kData.data(), 8},     {"f", DType::bf16, {1}, kData.data(), 2}};

  write_safetensors(path_, tensors, {});
  const std::string text = read_text(path_);

  const auto where = [&](const std::string & key) { return text.find("\"" + key + "\":{"); };
  EXPECT_LT(where("c"), where("d"));
  EXPECT_LT(where("d"), where("e"));
  EXPECT_LT(where("e"), where("b"));
  EXPECT_LT(where("b"), where("f"));
  EXPECT_LT(where("f"), where("a"));
  std::reverse(tensors.begin(), tensors.end());
  write_safetensors(path_, tensors, {});
  EXPECT_EQ(read_text(path_), text);
}

TEST_F(Safetensors, TheHashIsKnownBeforeWriting)
{
  const std::vector<TensorToWrite> tensors = {
    tensor_of("z", DType::u8, {32}, kData), tensor_of("y", DType::i16, {16}, kData),
    tensor_of("x", DType::f64, {4}, kData)};
  const std::string hash = tensors_sha256(tensors);
  write_safetensors(path_, tensors, {{"sha256", hash}});
  const auto file = SafetensorsFile::open(path_);

  EXPECT_EQ(file.tensors_sha256(), hash);
  EXPECT_EQ(file.metadata().at("sha256"), hash);
}

TEST(Sha256, MatchesThePublishedExamples)
{
  // FIPS 180-2, appendix B.1, and the hash of nothing.
  const std::string abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  EXPECT_EQ(sha256_hex("abc", 3), abc);
  EXPECT_EQ(
    sha256_hex(nullptr, 0), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  Sha256 in_pieces;
  in_pieces.update("a", 1);
  in_pieces.update("bc", 2);
  EXPECT_EQ(in_pieces.finish_hex(), abc);
}

TEST_F(Safetensors, ViewsStayValidWhenTheFileObjectMovesAndWhenTheFileIsReplaced)
{
  write_safetensors(path_, {tensor_of("t", DType::u8, {32}, kData)}, {});
  auto file = SafetensorsFile::open(path_);
  const TensorView view = file.tensor("t");
  const SafetensorsFile moved = std::move(file);
  write_safetensors(path_, {}, {});

  EXPECT_EQ(bytes_of(view), kData);
  EXPECT_EQ(moved.tensor("t").data, view.data);
}

TEST_F(Safetensors, NothingThatIsDoneToTheFileAfterwardsMatters)
{
  const std::string data(1 << 20, 'x');
  write_safetensors(path_, {tensor_of("t", DType::u8, {1 << 20}, data)}, {});
  const auto file = SafetensorsFile::open(path_);

  fs::resize_file(path_, 1);
  EXPECT_EQ(bytes_of(file.tensor("t")), data);
}

TEST_F(Safetensors, AFileLargerThanTheMemoryIsRefused)
{
  write_safetensors(path_, {}, {});
  fs::resize_file(path_, std::uintmax_t{1} << 42);  // takes no space on the disk

  EXPECT_TRUE(
    contains(message_of([&] { SafetensorsFile::open(path_); }), "more than there is memory for"));
}

TEST_F(Safetensors, MisalignedTensorsOfForeignFilesAreUsable)
{
  // The data section starts at an odd address, and a byte lies before the wide elements.
  std::string header = R"({"byte":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                       R"("wide":{"dtype":"F64","shape":[2],"data_offsets":[1,17]},)"
                       R"("none":{"dtype":"I64","shape":[0],"data_offsets":[17,17]}})";
  for (int padding = 0; padding < 8; ++padding) {
    SCOPED_TRACE(padding);
    write_text(path_, container(header, kData.substr(0, 17)));
    const auto file = SafetensorsFile::open(path_);
    for (const char * tensor : {"wide", "none"}) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(file.tensor(tensor).data) % 8, 0u);
    }
    EXPECT_EQ(bytes_of(file.tensor("wide")), kData.substr(1, 16));
    EXPECT_EQ(file.tensors_sha256(), sha256_hex(kData.data(), 17));
    header += ' ';
  }
}

TEST_F(Safetensors, AMissingTensorIsNamedTogetherWithTheFile)
{
  write_safetensors(path_, {}, {});
  const auto file = SafetensorsFile::open(path_);
  const std::string message = message_of([&] { file.tensor("head.means"); });

  EXPECT_EQ(message, path_ + ": has no tensor 'head.means'");
}

TEST_F(Safetensors, TheWriterRefusesWhatCannotBeRead)
{
  const auto message = [&](
                         const std::vector<TensorToWrite> & tensors,
                         const std::map<std::string, std::string> & metadata = {}) {
    return message_of([&] { write_safetensors(path_, tensors, metadata); });
  };
  const TensorToWrite good = tensor_of("good", DType::u8, {32}, kData);

  EXPECT_EQ(message({good, good}), path_ + ": tensor 'good': given twice");
  EXPECT_TRUE(contains(
    message({tensor_of("__metadata__", DType::u8, {32}, kData)}), "the format reserves this name"));
  EXPECT_TRUE(contains(message({tensor_of("\xFF", DType::u8, {32}, kData)}), "not UTF-8"));
  EXPECT_TRUE(contains(message({tensor_of("t", DType::u8, {31}, kData)}), "tensor 't': given 32"));
  EXPECT_TRUE(contains(message({tensor_of("t", DType::u8, {-4, -8}, kData)}), "tensor 't': given"));
  EXPECT_TRUE(contains(
    message({tensor_of("t", DType::f64, {INT64_MAX, INT64_MAX}, kData)}), "tensor 't': given"));
  EXPECT_TRUE(contains(
    message({tensor_of("t", DType::u8, std::vector<std::int64_t>(65, 1), "x")}), "dimensions"));
  EXPECT_TRUE(contains(message({good}, {{"key", "\xC0\x80"}}), "'__metadata__' is not UTF-8"));
  std::map<std::string, std::string> too_long;
  too_long["key"].assign(100'000'000, 'x');
  EXPECT_TRUE(contains(message({good}, too_long), "header limit"));
  EXPECT_TRUE(files_in(directory_).empty());
}

TEST_F(Safetensors, EveryPrefixOfAFileIsRefused)
{
  write_safetensors(path_, {tensor_of("t", DType::f32, {8}, kData)}, {{"key", "value"}});
  const std::string whole = read_text(path_);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    write_text(path_, whole.substr(0, size));
    EXPECT_TRUE(contains(message_of([&] { SafetensorsFile::open(path_); }), path_)) << size;
  }
  write_text(path_, whole);
  EXPECT_NO_THROW(SafetensorsFile::open(path_));
}

struct Defect
{
  const char * name;
  std::string content;
  std::vector<std::string> message;  ///< parts of it, besides the path
};

void PrintTo(const Defect & defect, std::ostream * stream) { *stream << defect.name; }

/// One tensor 't' with this dtype, shape and offsets, as JSON text, before 8 bytes of data.
std::string one_tensor(
  const std::string & dtype, const std::string & shape, const std::string & offsets)
{
  return container(
    R"({"t":{"dtype":)" + dtype + R"(,"shape":)" + shape + R"(,"data_offsets":)" + offsets + "}}",
    kData.substr(0, 8));
}

/// Two tensors of bytes, 't' and 'u', before `data_bytes` of data.
std::string two_tensors(const std::string & t, const std::string & u, std::size_t data_bytes)
{
  return container(
    R"({"t":{"dtype":"U8","shape":[4],"data_offsets":)" + t +
      R"(},"u":{"dtype":"U8","shape":[4],"data_offsets":)" + u + "}}",
    kData.substr(0, data_bytes));
}

std::string repeated(const std::string & part, std::size_t count)
{
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += part;
  }
  return text;
}

std::vector<Defect> defects()
{
  const std::string t = "tensor 't': ";
  const std::string fields = R"("dtype":"U8","shape":[8],"data_offsets":[0,8])";
  const auto entry = [](const std::string & json) { return container("{\"t\":" + json + "}", ""); };
  const auto with_length = [](std::uint64_t length) {
    return std::string(reinterpret_cast<const char *>(&length), 8) + "{}";
  };
  return {
    {"Empty", "", {"is empty"}},
    {"ShorterThanTheLength", "1234567", {"shorter than 8 bytes"}},
    {"HeaderLengthZero", container("", ""), {"header length is zero"}},
    {"HeaderLengthOverTheLimit", with_length(100'000'001), {"over the limit of 100000000"}},
    {"HeaderLengthHuge", with_length(~std::uint64_t{0}), {"over the limit"}},
    {"HeaderLengthOverTheFile", with_length(3), {"truncated", "only 2 follow"}},
    {"NotUtf8", container("{\"\xFF\":1}", ""), {"header is not valid UTF-8"}},
    {"OverlongUtf8", container("{\"\xC0\xAF\":1}", ""), {"header is not valid UTF-8"}},
    {"SurrogateInUtf8", container("{\"\xED\xA0\x80\":1}", ""), {"header is not valid UTF-8"}},
    {"CutUtf8", container("{\"\xE5\x8E", ""), {"header is not valid UTF-8"}},
    {"NotJson", container("{\"t\":}", ""), {"not valid UTF-8 JSON, near its byte 6"}},
    {"UnfinishedJson", container("{\"t\":{", ""), {"not valid UTF-8 JSON"}},
    {"TextAfterTheJson", container("{} {}", ""), {"not valid UTF-8 JSON"}},
    {"NullByteInTheHeader", container(std::string("{}\0x", 4), ""), {"null byte at its byte 2"}},
    {"LoneSurrogateEscape", container(R"({"\ud800":1})", ""), {"not valid UTF-8 JSON"}},
    {"Array", container("[]", ""), {"not a JSON object"}},
    {"SpaceBeforeTheObject", container(" {}", ""), {"does not begin with '{'"}},
    {"DuplicateTensor",
     container("{\"t\":{" + fields + "},\"t\":{" + fields + "}}", "12345678"),
     {"the key 't' twice"}},
    {"DuplicateTensorSpeltDifferently",
     container("{\"t\":{" + fields + "},\"\\u0074\":{" + fields + "}}", "12345678"),
     {"the key 't' twice"}},
    {"DuplicateMetadata",
     container(R"({"__metadata__":{},"__metadata__":{}})", ""),
     {"the key '__metadata__' twice"}},
    {"DuplicateMetadataKey",
     container(R"({"__metadata__":{"k":"1","k":"1"}})", ""),
     {"__metadata__ has the key 'k' twice"}},
    {"DuplicateField",
     entry("{" + fields + R"(,"dtype":"U8"})"),
     {t + "has the field 'dtype' twice"}},
    {"DeepArrays",
     container("{\"t\":" + repeated("[", 1'000'000), ""),
     {t + "its entry is not a JSON object"}},
    {"DeepObjects", container(repeated("{\"t\":", 1'000'000), ""), {t + "unknown field 't'"}},
    {"DeepShape",
     one_tensor("\"U8\"", repeated("[", 1'000'000), "[0,8]"),
     {t + "shape must hold whole numbers"}},
    {"DeepMetadata",
     container("{\"__metadata__\":" + repeated("{\"m\":", 1'000'000), ""),
     {"__metadata__: the value of 'm' is not a string"}},
    {"MetadataIsAList",
     container(R"({"__metadata__":["k"]})", ""),
     {"__metadata__ is not a JSON object"}},
    {"MetadataIsNull",
     container(R"({"__metadata__":null})", ""),
     {"__metadata__ is not a JSON object"}},
    {"MetadataNumber",
     container(R"({"__metadata__":{"k":1}})", ""),
     {"__metadata__: the value of 'k' is not a string"}},
    {"EntryIsANumber", entry("1"), {t + "its entry is not a JSON object"}},
    {"EntryIsAString", entry("\"U8\""), {t + "its entry is not a JSON object"}},
    {"UnknownField", entry("{" + fields + ",\"color\":1}"), {t + "unknown field 'color'"}},
    {"NoDtype", entry(R"({"shape":[8],"data_offsets":[0,8]})"), {t + "has no field 'dtype'"}},
    {"NoShape", entry(R"({"dtype":"U8","data_offsets":[0,8]})"), {t + "has no field 'shape'"}},
    {"NoOffsets", entry(R"({"dtype":"U8","shape":[8]})"), {t + "has no field 'data_offsets'"}},
    {"DtypeIsANumber", one_tensor("8", "[8]", "[0,8]"), {t + "dtype is not a string"}},
    {"DtypeIsAList", one_tensor("[]", "[8]", "[0,8]"), {t + "dtype is not a string"}},
    {"ShapeIsANumber", one_tensor("\"U8\"", "8", "[0,8]"), {t + "shape is not an array"}},
    {"ShapeIsAnObject", one_tensor("\"U8\"", "{}", "[0,8]"), {t + "shape is not an array"}},
    {"OffsetsAreAString",
     one_tensor("\"U8\"", "[8]", "\"0,8\""),
     {t + "data_offsets is not an array"}},
    {"SizeIsAString", one_tensor("\"U8\"", "[\"8\"]", "[0,8]"), {t + "shape must hold whole"}},
    {"SizeIsAFraction", one_tensor("\"U8\"", "[8.0]", "[0,8]"), {t + "shape must hold whole"}},
    {"SizeIsTrue", one_tensor("\"U8\"", "[true]", "[0,8]"), {t + "shape must hold whole"}},
    {"SizeIsOver64Bits",
     one_tensor("\"U8\"", "[18446744073709551616]", "[0,8]"),
     {t + "shape must hold whole"}},
    {"SizeIsOver63Bits",
     one_tensor("\"U8\"", "[9223372036854775808]", "[0,8]"),
     {t + "a size in its shape is too large"}},
    {"OffsetIsNull", one_tensor("\"U8\"", "[8]", "[null,8]"), {t + "data_offsets must hold whole"}},
    {"OneOffset", one_tensor("\"U8\"", "[8]", "[8]"), {t + "data_offsets must hold exactly two"}},
    {"ThreeOffsets",
     one_tensor("\"U8\"", "[8]", "[0,4,8]"),
     {t + "data_offsets must hold exactly two"}},
    {"UnknownDtype", one_tensor("\"Q4\"", "[8]", "[0,8]"), {t + "unknown dtype 'Q4'"}},
    {"NegativeSize", one_tensor("\"U8\"", "[-2,-4]", "[0,8]"), {t + "shape holds a negative"}},
    {"NegativeOffset",
     one_tensor("\"U8\"", "[8]", "[-8,0]"),
     {t + "data_offsets holds a negative"}},
    {"ShapeOverflows",
     one_tensor("\"U8\"", "[4294967296,4294967296]", "[0,0]"),
     {t + "the size of its shape overflows"}},
    {"ShapeOverflowsByTheDtype",
     one_tensor("\"F64\"", "[2305843009213693953]", "[0,8]"),
     {t + "the size of its shape overflows"}},
    {"ShapeOverflowsBesidesAZero",
     one_tensor("\"U8\"", "[0,4294967296,4294967296]", "[0,0]"),
     {t + "the size of its shape overflows"}},
    {"TooManyDimensions",
     one_tensor("\"U8\"", "[" + repeated("1,", 64) + "1]", "[0,1]"),
     {t + "its shape has more than 64 dimensions"}},
    {"BeginAfterEnd",
     one_tensor("\"U8\"", "[8]", "[8,0]"),
     {t + "begins at byte 8, after its end"}},
    {"EndPastTheData",
     one_tensor("\"U8\"", "[9]", "[0,9]"),
     {t + "ends at byte 9", "only 8 bytes"}},
    {"EndFarPastTheData",
     one_tensor("\"U8\"", "[8]", "[18446744073709551607,18446744073709551615]"),
     {t + "ends at byte 18446744073709551615"}},
    {"TooFewBytes", one_tensor("\"F32\"", "[3]", "[0,8]"), {t + "has 8 bytes", "need 12"}},
    {"TooManyBytes", one_tensor("\"U8\"", "[7]", "[0,8]"), {t + "has 8 bytes", "need 7"}},
    {"Overlap", two_tensors("[0,4]", "[3,7]", 7), {"tensor 'u': overlaps"}},
    {"TheSameRangeTwice", two_tensors("[0,4]", "[0,4]", 4), {"tensor 'u': overlaps"}},
    {"Hole", two_tensors("[0,4]", "[5,9]", 9), {"tensor 'u': there is a hole of 1 bytes"}},
    {"HoleAtTheStart", two_tensors("[1,5]", "[5,9]", 9), {t + "there is a hole of 1 bytes"}},
    {"BytesAfterTheLastTensor",
     two_tensors("[4,8]", "[0,4]", 9),
     {"there are 1 bytes after the last tensor"}},
    {"BytesWithoutTensors", container("{}", "x"), {"there are 1 bytes after the last tensor"}},
    {"NameWithLineBreaks", container("{\"a\\nb\":1}", ""), {"tensor 'a?b': "}},
    {"EndlessName",
     container("{\"" + repeated("ü", 100'000) + "\":1}", ""),
     {"tensor '" + repeated("?", 120) + "...': its entry"}}};
}

class CorruptSafetensors : public Safetensors, public ::testing::WithParamInterface<Defect>
{
};

TEST_P(CorruptSafetensors, IsRefusedWithAMessageThatSaysWhy)
{
  write_text(path_, GetParam().content);
  const std::string message = message_of([&] { SafetensorsFile::open(path_); });

  EXPECT_EQ(message.find(path_ + ": "), 0u) << message.substr(0, 1000);
  for (const std::string & part : GetParam().message) {
    EXPECT_TRUE(contains(message, part)) << message.substr(0, 1000) << "\nlacks: " << part;
  }
  EXPECT_LT(message.size(), 1000u);
}

INSTANTIATE_TEST_SUITE_P(
  Defect, CorruptSafetensors, ::testing::ValuesIn(defects()),
  [](const auto & test) { return std::string(test.param.name); });

/// A file in memory, because writing tens of thousands to a disk takes its time.
class MemoryFile
{
public:
  MemoryFile() : descriptor_(memfd_create("safetensors", MFD_CLOEXEC)) {}
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile & operator=(const MemoryFile &) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }
  void write(const std::string & content) const
  {
    ASSERT_EQ(ftruncate(descriptor_, 0), 0);
    const auto size = static_cast<ssize_t>(content.size());
    ASSERT_EQ(pwrite(descriptor_, content.data(), content.size(), 0), size);
  }

private:
  int descriptor_;
};

/// Opens and, if that succeeds, checks every promise about the views and reads every byte.
bool opens_soundly(const std::string & path)
{
  try {
    const auto file = SafetensorsFile::open(path);
    for (const auto & [tensor_name, tensor] : file.tensors()) {
      const std::int64_t elements = std::accumulate(
        tensor.shape.begin(), tensor.shape.end(), std::int64_t{1}, std::multiplies<>());
      EXPECT_EQ(static_cast<std::size_t>(elements) * size_of(tensor.dtype), tensor.bytes);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tensor.data) % size_of(tensor.dtype), 0u);
      sha256_hex(tensor.data, tensor.bytes);
    }
    return true;
  } catch (const Error &) {
    return false;
  }
}

std::string mutated(std::string text, std::mt19937 & random)
{
  static const std::vector<std::string> tokens = {
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "0",
    "-1",
    "9223372036854775807",
    "1e3",
    "null",
    "\\u0000",
    "\"dtype\"",
    "\"I64\"",
    "\"__metadata__\":{},",
    "[0,0]",
    "\"t\":{}",
    std::string(1, '\0'),
    " "};
  const auto below = [&random](std::size_t limit) { return random() % limit; };
  for (std::size_t changes = 1 + below(3); changes > 0 && !text.empty(); --changes) {
    const std::size_t position = below(text.size());
    const std::size_t length = std::min<std::size_t>(1 + below(12), text.size() - position);
    switch (below(5)) {
      case 0:
        text[position] = static_cast<char>(below(256));
        break;
      case 1:
        text[position] = static_cast<char>(text[position] ^ (1 << below(8)));
        break;
      case 2:
        text.erase(position, length);
        break;
      case 3:
        text.insert(position, text.substr(below(text.size()), length));
        break;
      default:
        text.replace(position, below(2) * length, tokens[below(tokens.size())]);
    }
  }
  return text;
}

const std::string kHeader = R"({"__metadata__":{"k":"v"},)"
                            R"("t":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},)"
                            R"("u":{"dtype":"U8","shape":[8],"data_offsets":[24,32]}})";

/// How many of 10,000 mutations could be opened.
template <typename Mutation>
int count_opened(Mutation && mutation)
{
  const MemoryFile file;
  int opened = 0;
  for (int i = 0; i < 10'000; ++i) {
    file.write(mutation());
    opened += opens_soundly(file.path()) ? 1 : 0;
  }
  return opened;
}

// Some mutations must be harmless and most must not, or they test nothing.

TEST(MutatedSafetensors, RandomlyDamagedHeadersAreReadOrRefused)
{
  std::mt19937 random(1);
  const int opened = count_opened([&] { return container(mutated(kHeader, random), kData); });
  EXPECT_GT(opened, 40);
  EXPECT_LT(opened, 9'000);
}

TEST(MutatedSafetensors, RandomlyDamagedFilesAreReadOrRefused)
{
  std::mt19937 random(2);
  const int opened = count_opened([&] { return mutated(container(kHeader, kData), random); });
  EXPECT_GT(opened, 40);
  EXPECT_LT(opened, 9'000);
}

TEST_F(Safetensors, OnlyRegularReadableFilesAreOpened)
{
  const auto message = [](const std::string & path) {
    return message_of([&] { SafetensorsFile::open(path); });
  };
  const std::string missing = directory_ / "missing";
  EXPECT_EQ(message(missing), missing + ": cannot open: No such file or directory");
  fs::create_directory(path_);
  EXPECT_EQ(message(path_), path_ + ": is a directory, not a file");
  const std::string pipe = directory_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(message(pipe), pipe + ": is not a regular file");
  EXPECT_TRUE(contains(message(""), "cannot open"));
}

TEST_F(Safetensors, AnUnreadableFileIsNotOpened)
{
  if (geteuid() == 0) {
    GTEST_SKIP() << "root may read everything";
  }
  write_safetensors(path_, {}, {});
  fs::permissions(path_, fs::perms::none);
  EXPECT_EQ(
    message_of([&] { SafetensorsFile::open(path_); }), path_ + ": cannot open: Permission denied");
}

TEST_F(Safetensors, WritingNeedsADirectoryAndAFileName)
{
  const auto message = [](const std::string & path) {
    return message_of([&] { write_safetensors(path, {}, {}); });
  };
  const std::string nowhere = directory_ / "missing/file";
  EXPECT_EQ(
    message(nowhere), nowhere + ": cannot open its directory '" + (directory_ / "missing") +
                        "': No such file or directory");
  fs::create_directory(path_);
  EXPECT_EQ(message(path_), path_ + ": is a directory, not a file");
  EXPECT_EQ(
    message(directory_ / "new/"), (directory_ / "new/") + ": does not name a file to write");
  EXPECT_EQ(message("/dev/null"), "/dev/null: is not a regular file");
  write_text(directory_ / "file", "x");
  EXPECT_TRUE(contains(message(directory_ / "file/in file"), "Not a directory"));
  EXPECT_EQ(files_in(directory_).size(), 2u);
}

TEST_F(Safetensors, WritingWithoutPermissionIsReported)
{
  if (geteuid() == 0) {
    GTEST_SKIP() << "root may write everywhere";
  }
  const std::string locked = directory_ / "locked";
  fs::create_directory(locked);
  fs::permissions(locked, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_EQ(
    message_of([&] { write_safetensors(locked + "/file", {}, {}); }),
    locked + "/file: cannot create a temporary file in its directory: Permission denied");
}

/// Lets no file grow past some bytes, as if the disk were full.
class FileSizeLimit
{
public:
  explicit FileSizeLimit(rlim_t bytes) : old_handler_(std::signal(SIGXFSZ, SIG_IGN))
  {
    getrlimit(RLIMIT_FSIZE, &old_limit_);
    const rlimit limit = {bytes, old_limit_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit()
  {
    setrlimit(RLIMIT_FSIZE, &old_limit_);
    std::signal(SIGXFSZ, old_handler_);
  }

private:
  void (*old_handler_)(int);
  rlimit old_limit_ = {};
};

TEST_F(Safetensors, AFailedWriteLeavesTheOldFileAndNothingElse)
{
  write_safetensors(path_, {tensor_of("old", DType::u8, {32}, kData)}, {});
  const std::string old = read_text(path_);
  const std::string large(100'000, 'x');

  std::string message;
  {
    const FileSizeLimit limit(50'000);
    message = message_of(
      [&] { write_safetensors(path_, {tensor_of("new", DType::u8, {100'000}, large)}, {}); });
  }

  EXPECT_EQ(message, path_ + ": cannot write: File too large");
  EXPECT_EQ(read_text(path_), old);
  EXPECT_EQ(files_in(directory_), std::vector<std::string>{"file.safetensors"});
}

TEST_F(Safetensors, ASuccessfulWriteLeavesOneFileWithTheUsualPermissions)
{
  write_text(directory_ / "other", "");
  write_safetensors(path_, {}, {});
  write_safetensors(path_, {tensor_of("new", DType::u8, {32}, kData)}, {});

  EXPECT_EQ(bytes_of(SafetensorsFile::open(path_).tensor("new")), kData);
  EXPECT_EQ(files_in(directory_).size(), 2u);
  EXPECT_EQ(fs::status(path_).permissions(), fs::status(directory_ / "other").permissions());
}

TEST_F(Safetensors, ATemporaryFileLeftByAKilledProcessIsNotInTheWay)
{
  const std::string prefix =
    directory_ / (".file.safetensors.tmp-" + std::to_string(getpid()) + "-");
  for (int i = 0; i < 50; ++i) {
    write_text(prefix + std::to_string(i), "left");
  }
  EXPECT_NO_THROW(write_safetensors(path_, {}, {}));
  EXPECT_EQ(files_in(directory_).size(), 51u);
}

}  // namespace
}  // namespace mgproto
