// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// What cameras send, and everything they send wrong. That pixels come out right is the business of
// perception/test_decode.cpp.

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <opencv2/imgcodecs.hpp>
#include <random>
#include <string>
#include <vector>

#include "messages/header.hpp"
#include "messages/image_input.hpp"
#include "messages/image_output.hpp"
#include "perception/decode.hpp"

namespace mgproto::messages
{
namespace
{

using perception::CameraImage;
using perception::Encoding;
using sensor_msgs::msg::CompressedImage;
using sensor_msgs::msg::Image;

constexpr ImageRules kPictures{};
constexpr ImageRules kDepthToo{true};

Image image(
  const std::string & encoding, std::uint32_t width, std::uint32_t height, std::uint32_t step)
{
  Image message;
  message.encoding = encoding;
  message.width = width;
  message.height = height;
  message.step = step;
  message.data.assign(std::size_t{step} * height, 7);
  return message;
}

std::vector<std::uint8_t> file_bytes(const std::string & extension, const cv::Mat & picture)
{
  std::vector<std::uint8_t> bytes;
  EXPECT_TRUE(cv::imencode(extension, picture, bytes));
  return bytes;
}

std::vector<std::uint8_t> jpeg()
{
  return file_bytes(".jpg", cv::Mat(6, 8, CV_8UC3, cv::Scalar(10, 200, 90)));
}

CompressedImage compressed(const std::string & format, std::vector<std::uint8_t> data)
{
  CompressedImage message;
  message.format = format;
  message.data = std::move(data);
  return message;
}

template <typename Message>
CameraImage view_copy(const Message & message, const ImageRules & rules = kPictures)
{
  return view(std::make_shared<const Message>(message), rules);
}

/// Kind and text of the refusal; "accepted" if there is none.
template <typename Message>
std::pair<std::string, std::string> refusal(
  const Message & message, const ImageRules & rules = kPictures)
{
  try {
    view_copy(message, rules);
  } catch (const InvalidMessage & error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    return {error.kind(), error.what()};
  }
  return {"accepted", ""};
}

TEST(ImageInput, EveryEncodingThatIsUnderstood)
{
  struct Row
  {
    const char * name;
    Encoding encoding;
    std::uint32_t bytes_per_pixel;
  };
  for (const Row & row :
       {Row{"rgb8", Encoding::rgb8, 3},
        Row{"bgr8", Encoding::bgr8, 3},
        Row{"8UC3", Encoding::bgr8, 3},
        Row{"rgba8", Encoding::rgba8, 4},
        Row{"bgra8", Encoding::bgra8, 4},
        Row{"8UC4", Encoding::bgra8, 4},
        Row{"mono8", Encoding::mono8, 1},
        Row{"8UC1", Encoding::mono8, 1},
        Row{"rgb16", Encoding::rgb16, 6},
        Row{"bgr16", Encoding::bgr16, 6},
        Row{"16UC3", Encoding::bgr16, 6},
        Row{"bayer_rggb16", Encoding::bayer_rggb16, 2},
        Row{"bayer_bggr16", Encoding::bayer_bggr16, 2},
        Row{"bayer_gbrg16", Encoding::bayer_gbrg16, 2},
        Row{"bayer_grbg16", Encoding::bayer_grbg16, 2},
        Row{"mono16", Encoding::mono16, 2},
        Row{"bayer_rggb8", Encoding::bayer_rggb8, 1},
        Row{"bayer_bggr8", Encoding::bayer_bggr8, 1},
        Row{"bayer_gbrg8", Encoding::bayer_gbrg8, 1},
        Row{"bayer_grbg8", Encoding::bayer_grbg8, 1},
        Row{"yuv422", Encoding::yuv422_uyvy, 2},
        Row{"uyvy", Encoding::yuv422_uyvy, 2},
        Row{"yuv422_yuy2", Encoding::yuv422_yuy2, 2},
        Row{"yuyv", Encoding::yuv422_yuy2, 2},
        Row{"16UC1", Encoding::mono16, 2},
        Row{"32FC1", Encoding::float32, 4}}) {
    SCOPED_TRACE(row.name);
    EXPECT_TRUE(is_known_encoding(row.name));
    const std::uint32_t step = 10 * row.bytes_per_pixel + 3;  // legal padding
    Image message = image(row.name, 10, 4, step);
    message.data.resize(message.data.size() - 3);  // which the last row may lack

    const CameraImage seen = view_copy(message, kDepthToo);

    EXPECT_EQ(seen.encoding, row.encoding);
    EXPECT_EQ(seen.width, 10);
    EXPECT_EQ(seen.height, 4);
    EXPECT_EQ(seen.step, step);
    cv::Mat buffer;
    EXPECT_NO_THROW(perception::decode(seen, buffer));
    message.data.pop_back();
    EXPECT_EQ(refusal(message, kDepthToo).first, "data");
    message.step = 10 * row.bytes_per_pixel - 1;
    EXPECT_EQ(refusal(message, kDepthToo).first, "step");
  }
}

TEST(ImageInput, ColoursBehindThePixelsMustBeThere)
{
  struct Row
  {
    const char * name;
    Encoding encoding;
    std::uint32_t rows_of_colours;  // of ten pixels by four
  };
  for (const Row & row :
       {Row{"nv12", Encoding::nv12, 2}, Row{"nv21", Encoding::nv21, 2},
        Row{"yuv420", Encoding::yuv420, 2}, Row{"i420", Encoding::yuv420, 2},
        Row{"nv24", Encoding::nv24, 8}}) {
    SCOPED_TRACE(row.name);
    Image message = image(row.name, 10, 4, 14);
    message.data.assign(14 * (4 + row.rows_of_colours), 128);
    CameraImage seen = view_copy(message);
    EXPECT_EQ(seen.encoding, row.encoding);
    EXPECT_EQ(seen.step, 14u);
    cv::Mat buffer;
    EXPECT_EQ(perception::decode(seen, buffer).width, 10);
    message.data.pop_back();
    EXPECT_EQ(refusal(message).first, "data");

    message.data.assign(10 * (4 + row.rows_of_colours), 128);
    for (const std::uint32_t step : {0u, 10u, 15u, 20u, 0xFFFFFFFFu}) {  // as drivers have it
      message.step = step;
      seen = view_copy(message);
      EXPECT_EQ(seen.step, 10u);
      EXPECT_EQ(perception::decode(seen, buffer).height, 4);
    }
  }
  Image odd = image("yuv420", 10, 4, 11);
  odd.data.resize(1000);
  EXPECT_EQ(refusal(odd).first, "step");
  odd.encoding = "nv12";
  EXPECT_EQ(refusal(odd).first, "accepted");
  odd.width = 9;
  EXPECT_EQ(refusal(odd).first, "size");
}

TEST(ImageInput, TheMessageIsNotCopiedAndStaysAlive)
{
  auto message = std::make_shared<Image>(image("bgr8", 4, 4, 12));
  const std::uint8_t * data = message->data.data();
  std::weak_ptr<Image> watched = message;

  CameraImage seen = view(message, kPictures);
  message.reset();

  EXPECT_EQ(seen.data, data);
  EXPECT_EQ(seen.size, 48u);
  EXPECT_FALSE(watched.expired());
  seen = {};
  EXPECT_TRUE(watched.expired());
}

TEST(ImageInput, EachFaultIsRefusedAndNamed)
{
  struct Fault
  {
    const char * kind;
    const char * text;
    std::function<void(Image &)> apply;
  };
  const std::vector<Fault> faults{
    {"size", "image of 0x0 pixels, expected at least 1x1",
     [](Image & m) {
       m.width = m.height = m.step = 0;
       m.data.clear();
     }},
    {"size", "image of 0x4 pixels, expected at least 1x1", [](Image & m) { m.width = 0; }},
    {"size", "image of 10x0 pixels, expected at least 1x1", [](Image & m) { m.height = 0; }},
    {"size", "image of 65537x4 pixels, expected at most 65536 a side",
     [](Image & m) { m.width = 65537; }},
    {"size", "image of 10x4294967295 pixels, expected at most 65536 a side",
     [](Image & m) { m.height = static_cast<std::uint32_t>(-1); }},
    {"empty", "image of 10x4 pixels without data", [](Image & m) { m.data.clear(); }},
    {"step", "image step of 29 bytes, expected at least 30 for 10 pixels bgr8",
     [](Image & m) { m.step = 29; }},
    {"step", "image step of 0 bytes, expected at least 30 for 10 pixels bgr8",
     [](Image & m) { m.step = 0; }},
    {"data", "image data of 119 bytes, expected at least 120 for 4 rows with a step of 30",
     [](Image & m) { m.data.pop_back(); }},
    {"data",
     "image data of 120 bytes, expected at least 12884901915 for 4 rows with a step of 4294967295",
     [](Image & m) { m.step = static_cast<std::uint32_t>(-1); }},
    // 65536 * 65536 = 2^32, which 32 bits hold as 0.
    {"data",
     "image data of 120 bytes, expected at least 4294901790 for 65536 rows with a step of 65536",
     [](Image & m) { m.height = m.step = 65536; }},
    {"encoding", "image encoding \"\" is not supported", [](Image & m) { m.encoding = ""; }},
    {"encoding", "image encoding \"BGR8\" is not supported, expected one of rgb8, bgr8, 8UC3, ",
     [](Image & m) { m.encoding = "BGR8"; }},
    {"encoding", "image encoding \"bgr8 \" is not", [](Image & m) { m.encoding = "bgr8 "; }},
    {"encoding", "image encoding \"a?b\" is not", [](Image & m) { m.encoding = "a\nb"; }},
    {"encoding", "...\" is not supported",
     [](Image & m) { m.encoding = std::string(100000, 'x'); }},
    {"depth",
     "image encoding \"16UC1\" holds depth, expected a picture; set the parameter allow_depth",
     [](Image & m) { m.encoding = "16UC1"; }},
    {"depth", "image encoding \"32FC1\" holds depth",
     [](Image & m) {
       m.encoding = "32FC1";
       m.data.resize(1000);
     }},
    {"endianness", "image is_bigendian is 2, expected 0 or 1",
     [](Image & m) { m.is_bigendian = 2; }},
    {"size", "image of 9x4 pixels, expected an even width for yuv422",
     [](Image & m) {
       m.encoding = "yuv422";
       m.width = 9;
     }},
    {"size", "image of 10x5 pixels, expected an even width and height for bayer_rggb8",
     [](Image & m) {
       m.encoding = "bayer_rggb8";
       m.height = 5;
     }},
    {"size", "image of 10x2 pixels, expected at least 4x4",
     [](Image & m) {
       m.encoding = "bayer_rggb8";
       m.height = 2;
     }},
  };
  for (const Fault & fault : faults) {
    Image message = image("bgr8", 10, 4, 30);
    fault.apply(message);

    const auto [kind, text] = refusal(message);

    EXPECT_EQ(kind, fault.kind) << text;
    EXPECT_NE(text.find(fault.text), std::string::npos) << text << "\nwithout: " << fault.text;
    EXPECT_LT(text.size(), 450u);
  }
  EXPECT_THROW(view(std::shared_ptr<const Image>(), kPictures), InvalidMessage);
}

TEST(ImageInput, EncodingsThatExistButCannotBeUsedAreRefused)
{
  for (const std::string name :
       {"rgba16", "bgra16", "8UC2", "8SC1", "16SC1", "32SC1", "32FC3", "64FC1", "nv16"}) {
    EXPECT_EQ(refusal(image(name, 10, 4, 400), kDepthToo).first, "encoding") << name;
    EXPECT_FALSE(is_known_encoding(name));
  }
}

TEST(ImageInput, TheSmallestTheLargestAndTheOverfullAreFine)
{
  EXPECT_EQ(view_copy(image("mono8", 1, 1, 1)).width, 1);
  EXPECT_EQ(view_copy(image("mono8", 65536, 1, 65536)).width, 65536);
  EXPECT_EQ(view_copy(image("mono8", 1, 65536, 1)).height, 65536);
  EXPECT_EQ(view_copy(image("bgr8", 7680, 4320, 7680 * 3)).height, 4320);
  EXPECT_EQ(view_copy(image("yuyv", 2, 3, 4)).height, 3);
  Image message = image("bgr8", 2, 2, 6);
  message.data.resize(4096);
  EXPECT_EQ(view_copy(message).size, 4096u);
  message.height = 1;  // the only row has no next one
  message.step = static_cast<std::uint32_t>(-1);
  EXPECT_EQ(view_copy(message).height, 1);
}

TEST(ImageInput, TheByteOrderIsHandedOn)
{
  Image message = image("mono16", 2, 2, 4);
  EXPECT_FALSE(view_copy(message).big_endian);
  message.is_bigendian = 1;
  EXPECT_TRUE(view_copy(message).big_endian);
}

TEST(ImageInput, AHeaderComesBackAsItWas)
{
  std_msgs::msg::Header header;
  header.stamp.sec = -7;
  header.stamp.nanosec = 4'000'000'000u;
  EXPECT_EQ(header_message(read_header(header)), header);
  header.stamp.sec = 2147483647;
  header.frame_id = "front/optical";
  EXPECT_EQ(header_message(read_header(header)), header);
}

TEST(CompressedImageInput, TheBytesCountAndNotTheirName)
{
  const cv::Mat picture(6, 8, CV_8UC3, cv::Scalar(10, 200, 90));
  for (const std::string extension : {".jpg", ".png", ".webp"}) {
    for (const std::string format :
         {"jpeg", "png", "", "rgb8; jpeg compressed bgr8", "bayer_rggb8; jpeg compressed bgr8",
          "nonsense"}) {
      const auto message =
        std::make_shared<CompressedImage>(compressed(format, file_bytes(extension, picture)));

      const CameraImage seen = view(message, kPictures);

      EXPECT_EQ(seen.encoding, Encoding::compressed);
      EXPECT_EQ(seen.data, message->data.data());
      EXPECT_EQ(seen.size, message->data.size());
      EXPECT_EQ(seen.owner, message);
      cv::Mat buffer;
      EXPECT_EQ(perception::decode(seen, buffer).width, 8);
    }
  }
}

TEST(CompressedImageInput, EachFaultIsRefusedAndNamed)
{
  EXPECT_EQ(
    refusal(compressed("jpeg", {})),
    std::pair(std::string("empty"), std::string("compressed image without data")));
  EXPECT_EQ(
    refusal(compressed("jpeg", {1, 2, 3})).second,
    "compressed image of format \"jpeg\", 3 bytes: expected a JPEG, PNG or WebP that is not cut "
    "short");
  const std::vector<std::uint8_t> whole = jpeg();
  for (const std::size_t size : {1u, 2u, 3u, 20u, 100u}) {
    const std::vector<std::uint8_t> head(whole.begin(), whole.begin() + size);
    EXPECT_EQ(refusal(compressed("jpeg", head)).first, "format") << size;
  }
  EXPECT_EQ(refusal(compressed("jpeg", std::vector<std::uint8_t>(500, 0))).first, "format");
  EXPECT_EQ(refusal(compressed("bayer_rggb8; png compressed ", jpeg())).first, "format");
  EXPECT_EQ(refusal(compressed(std::string(100000, '\n'), {1})).first, "format");
  EXPECT_THROW(view(std::shared_ptr<const CompressedImage>(), kPictures), InvalidMessage);
}

TEST(CompressedImageInput, AJpegThatLacksItsEndIsRefusedWhenDecoded)
{
  std::vector<std::uint8_t> bytes = jpeg();
  bytes.resize(bytes.size() - 4);
  cv::Mat buffer;
  EXPECT_THROW(perception::decode(view_copy(compressed("jpeg", bytes)), buffer), ImageError);
}

TEST(CompressedImageInput, CompressedDepthIsTakenOnlyOnRequest)
{
  std::vector<std::uint8_t> bytes(12, 0);  // how the depth was quantised
  const auto png = file_bytes(".png", cv::Mat(3, 5, CV_16UC1, cv::Scalar(0x1234)));
  bytes.insert(bytes.end(), png.begin(), png.end());
  const CompressedImage message = compressed("16UC1; compressedDepth png", bytes);

  EXPECT_EQ(refusal(message).first, "depth");
  cv::Mat buffer;
  const CameraImage seen = view_copy(message, kDepthToo);
  EXPECT_EQ(perception::decode(seen, buffer).data[0], 0x12);

  EXPECT_EQ(
    refusal(compressed("16UC1; compressedDepth rvl", bytes), kDepthToo).second,
    "compressed image of format \"16UC1; compressedDepth rvl\" is not supported, expected 16UC1 "
    "depth as PNG");
  EXPECT_EQ(refusal(compressed("32FC1; compressedDepth", bytes), kDepthToo).first, "format");
  EXPECT_EQ(
    refusal(compressed("16UC1; compressedDepth", std::vector<std::uint8_t>(12, 0)), kDepthToo)
      .first,
    "format");
}

TEST(ImageOutput, APictureBecomesAMessageThatIsAccepted)
{
  cv::Mat large(10, 20, CV_8UC3, cv::Scalar(1, 2, 3));
  const cv::Mat part = large(cv::Rect(3, 2, 5, 4));  // its rows are not packed

  const Image message = image_message({{5, 6}, "front"}, part);

  EXPECT_EQ(message.header.stamp.sec, 5);
  EXPECT_EQ(message.header.stamp.nanosec, 6u);
  EXPECT_EQ(message.header.frame_id, "front");
  EXPECT_EQ(message.data.size(), 60u);
  EXPECT_EQ(message.data[59], 3);
  const CameraImage seen = view_copy(message);
  EXPECT_EQ(seen.width, 5);
  EXPECT_EQ(seen.height, 4);
  EXPECT_EQ(seen.encoding, Encoding::bgr8);
  EXPECT_THROW(image_message({}, cv::Mat()), ImageError);
}

/// Reads every pixel, so that a sanitizer sees where a view is larger than its memory.
std::uint64_t sum(const ImageView & seen)
{
  std::uint64_t total = 0;
  for (int y = 0; y < seen.height; ++y) {
    for (int i = 0; i < seen.width * channels(seen.format); ++i) {
      total += seen.data[y * seen.step + i];
    }
  }
  return total;
}

TEST(ImageInput, WhateverAMessageSaysNothingIsReadBeyondItsData)
{
  std::mt19937 random(5);
  const auto below = [&](std::uint32_t limit) { return random() % limit; };
  const std::vector<std::string> names{
    "rgb8",        "bgr8",        "rgba8",  "8UC4",        "mono8", "mono16", "bayer_rggb8",
    "bayer_gbrg8", "bayer_grbg8", "yuv422", "yuv422_yuy2", "16UC1", "32FC1",  "bayer_bggr8"};
  const std::vector<std::uint32_t> extremes{0,     1,     2,          3,          7,
                                            65535, 65536, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    auto message = std::make_shared<Image>(image(
      names[below(static_cast<std::uint32_t>(names.size()))], 1 + below(12), 1 + below(12),
      1 + below(60)));
    for (std::uint8_t & byte : message->data) {
      byte = static_cast<std::uint8_t>(random());
    }
    message->is_bigendian = static_cast<std::uint8_t>(below(2));
    for (std::uint32_t * field : {&message->width, &message->height, &message->step}) {
      if (below(12) == 0) {
        *field = extremes[below(static_cast<std::uint32_t>(extremes.size()))];
      }
    }
    if (below(4) == 0) {
      message->data.resize(below(800));
    }
    message->data.shrink_to_fit();  // so that one byte more is not ours
    cv::Mat buffer;
    try {
      sum(perception::decode(view(message, kDepthToo), buffer));
      ++accepted;
    } catch (const ImageError &) {
    }
  }
  EXPECT_GT(accepted, 2000);
}

TEST(CompressedImageInput, WhateverTheBytesAreNothingIsReadBeyondThem)
{
  std::mt19937 random(6);
  const cv::Mat picture(11, 13, CV_8UC3, cv::Scalar(9, 99, 199));
  for (const std::string extension : {".jpg", ".png", ".webp"}) {
    const std::vector<std::uint8_t> whole = file_bytes(extension, picture);
    for (int i = 0; i < 1500; ++i) {
      std::vector<std::uint8_t> bytes = whole;
      for (std::size_t changes = random() % 4; changes > 0; --changes) {
        // Mostly in the head, where the sizes are.
        const std::size_t range = random() % 3 == 0 ? bytes.size() : 64;
        bytes[random() % std::min(range, bytes.size())] = static_cast<std::uint8_t>(random());
      }
      if (random() % 2 == 0) {
        bytes.resize(random() % (bytes.size() + 1));
      }
      bytes.shrink_to_fit();
      const char * format = random() % 8 == 0 ? "16UC1; compressedDepth png" : "jpeg";
      cv::Mat buffer;
      try {
        sum(perception::decode(view_copy(compressed(format, bytes), kDepthToo), buffer));
      } catch (const ImageError &) {
      }
    }
  }
}

}  // namespace
}  // namespace mgproto::messages
