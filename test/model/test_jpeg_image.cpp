// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// Which JPEGs are refused, and that the pixels of all others are OpenCV's. Through decode_image(),
// as everybody uses it; image files of other kinds are tested in perception/test_decode.cpp.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "contains.hpp"
#include "mgproto_ros/error.hpp"
#include "model/image_file.hpp"

// After <cstdio>, which it needs.
#include <jpeglib.h>

namespace mgproto
{
namespace
{

using JpegBytes = std::vector<std::uint8_t>;

enum class Scans
{
  one,
  of_components,
  progressive
};

struct JpegKind
{
  std::string name;
  J_COLOR_SPACE space = JCS_YCbCr;
  int across = 1, down = 1;  // pixels that share their colour
  Scans scans = Scans::one;
  int restart_rows = 0;
};

void PrintTo(const JpegKind & kind, std::ostream * stream) { *stream << kind.name; }

/// Smooth and noisy parts, so that every kind of code occurs.
cv::Mat picture(int width, int height, int channels)
{
  cv::Mat image(height, width, CV_8UC(channels));
  cv::RNG random(7);
  random.fill(image, cv::RNG::UNIFORM, 0, 256);
  cv::blur(image, image, cv::Size(5, 5));
  image(cv::Rect(0, 0, width / 3, height / 2)).setTo(cv::Scalar(40, 90, 200, 10));
  return image;
}

/// By libjpeg, since OpenCV writes only some kinds.
JpegBytes encode(const JpegKind & kind, int width = 203, int height = 157)
{
  const J_COLOR_SPACE pixels = kind.space == JCS_GRAYSCALE ? JCS_GRAYSCALE
                               : kind.space == JCS_YCCK    ? JCS_CMYK
                               : kind.space == JCS_CMYK    ? JCS_CMYK
                                                           : JCS_EXT_BGR;
  const int channels = pixels == JCS_GRAYSCALE ? 1 : pixels == JCS_CMYK ? 4 : 3;
  cv::Mat image = picture(width, height, channels);
  jpeg_compress_struct info{};
  jpeg_error_mgr errors{};
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  unsigned char * buffer = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&info, &buffer, &size);
  info.image_width = width;
  info.image_height = height;
  info.input_components = channels;
  info.in_color_space = pixels;
  jpeg_set_defaults(&info);
  jpeg_set_colorspace(&info, kind.space);
  jpeg_set_quality(&info, 90, TRUE);
  for (int c = 0; c < info.num_components; ++c) {
    const bool full = c == 0 || c == 3;
    info.comp_info[c].h_samp_factor = full ? kind.across : 1;
    info.comp_info[c].v_samp_factor = full ? kind.down : 1;
  }
  info.restart_in_rows = kind.restart_rows;
  std::vector<jpeg_scan_info> scans;
  if (kind.scans == Scans::progressive) {
    jpeg_simple_progression(&info);
  } else if (kind.scans == Scans::of_components) {
    for (int c = 0; c < info.num_components; ++c) {
      scans.push_back({1, {c}, 0, DCTSIZE2 - 1, 0, 0});
    }
    info.scan_info = scans.data();
    info.num_scans = info.num_components;
  }
  jpeg_start_compress(&info, TRUE);
  while (info.next_scanline < info.image_height) {
    JSAMPROW row = image.ptr(static_cast<int>(info.next_scanline));
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  JpegBytes bytes(buffer, buffer + size);
  std::free(buffer);
  return bytes;
}

const JpegKind kBaseline{"Baseline420", JCS_YCbCr, 2, 2, Scans::one, 0};
const JpegKind kComponents{"Components420", JCS_YCbCr, 2, 2, Scans::of_components, 0};
const JpegKind kProgressive{"Progressive420", JCS_YCbCr, 2, 2, Scans::progressive, 0};

cv::Mat decoded(const JpegBytes & bytes, int flags = cv::IMREAD_COLOR)
{
  return decode_image(bytes.data(), bytes.size(), flags);
}

cv::Mat decoded_by_opencv(const JpegBytes & bytes, int flags = cv::IMREAD_COLOR)
{
  return cv::imdecode(bytes, flags | cv::IMREAD_IGNORE_ORIENTATION);
}

bool identical(const cv::Mat & a, const cv::Mat & b)
{
  return a.size() == b.size() && a.type() == b.type() && cv::norm(a, b, cv::NORM_INF) == 0;
}

/// What the refusal says; empty if there is none.
std::string refusal(const JpegBytes & bytes)
{
  testing::internal::CaptureStderr();
  std::string text;
  try {
    decoded(bytes);
  } catch (const ImageError & error) {
    text = error.what();
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "libjpeg prints";
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 0) << text;
  return text;
}

/// Where the marker first stands from `at` on. Pixels do not contain it.
std::size_t find_marker(const JpegBytes & bytes, std::uint8_t marker, std::size_t at = 0)
{
  const JpegBytes pattern{0xFF, marker};
  return std::search(bytes.begin() + at, bytes.end(), pattern.begin(), pattern.end()) -
         bytes.begin();
}

std::size_t find_last_scan(const JpegBytes & bytes)
{
  std::size_t last = 0;
  for (std::size_t at = 0; (at = find_marker(bytes, 0xDA, at)) < bytes.size(); ++at) {
    last = at;
  }
  return last;
}

class EveryKindOfJpeg : public testing::TestWithParam<JpegKind>
{
};

TEST_P(EveryKindOfJpeg, HasThePixelsThatOpenCvGives)
{
  for (const cv::Size & size : {cv::Size(203, 157), cv::Size(64, 48), cv::Size(1, 1)}) {
    const JpegBytes bytes = encode(GetParam(), size.width, size.height);
    for (const int flags :
         {cv::IMREAD_COLOR, cv::IMREAD_GRAYSCALE, cv::IMREAD_UNCHANGED, cv::IMREAD_ANYCOLOR}) {
      EXPECT_TRUE(identical(decoded(bytes, flags), decoded_by_opencv(bytes, flags)))
        << size << " with flags " << flags;
    }
  }
}

TEST_P(EveryKindOfJpeg, IsRefusedWhenItIsCutWithOrWithoutAnEndMarker)
{
  const JpegBytes whole = encode(GetParam());
  for (const int percent : {20, 40, 60, 80, 99}) {
    SCOPED_TRACE(percent);
    JpegBytes bytes(whole.begin(), whole.begin() + whole.size() * percent / 100);
    EXPECT_EQ(refusal(bytes), "the image is cut short");
    bytes.push_back(0xFF);
    bytes.push_back(0xD9);
    const std::string text = refusal(bytes);
    EXPECT_TRUE(contains(text, "the image is damaged: ") || text == "the image is cut short")
      << "'" << text << "'";
  }
}

TEST_P(EveryKindOfJpeg, IsRefusedWhenItsCodesAreWrong)
{
  JpegBytes bytes = encode(GetParam());
  // Sixteen ones in a row are no Huffman code.
  const JpegBytes ones{0xFF, 0x00, 0xFF, 0x00, 0xFF, 0x00, 0xFF, 0x00};
  const std::size_t scan = find_last_scan(bytes);
  std::copy(ones.begin(), ones.end(), bytes.begin() + (scan + bytes.size()) / 2);
  EXPECT_TRUE(contains(refusal(bytes), "the image is damaged: "));
}

INSTANTIATE_TEST_SUITE_P(
  Jpeg, EveryKindOfJpeg,
  testing::Values(
    kBaseline, kComponents, kProgressive, JpegKind{"Baseline422", JCS_YCbCr, 2, 1, Scans::one, 0},
    JpegKind{"Baseline440", JCS_YCbCr, 1, 2, Scans::one, 0},
    JpegKind{"Baseline444", JCS_YCbCr, 1, 1, Scans::one, 0},
    JpegKind{"Progressive444", JCS_YCbCr, 1, 1, Scans::progressive, 0},
    JpegKind{"Restarts", JCS_YCbCr, 2, 2, Scans::one, 1},
    JpegKind{"Grey", JCS_GRAYSCALE, 1, 1, Scans::one, 0},
    JpegKind{"ProgressiveGrey", JCS_GRAYSCALE, 1, 1, Scans::progressive, 0},
    JpegKind{"Rgb", JCS_RGB, 1, 1, Scans::one, 0}, JpegKind{"Cmyk", JCS_CMYK, 1, 1, Scans::one, 0},
    JpegKind{"Ycck", JCS_YCCK, 2, 2, Scans::one, 0}),
  [](const auto & test) { return test.param.name; });

TEST(Jpeg, IsRefusedWhenItsLastScanIsMissing)
{
  for (const JpegKind & kind : {kComponents, kProgressive}) {
    JpegBytes bytes = encode(kind);
    bytes.resize(find_last_scan(bytes));
    bytes.insert(bytes.end(), {0xFF, 0xD9});
    EXPECT_EQ(refusal(bytes), "the image is cut short") << kind.name;
  }
}

TEST(Jpeg, IsRefusedWhenARestartMarkerIsLost)
{
  JpegBytes bytes = encode({"Restarts", JCS_YCbCr, 2, 2, Scans::one, 1});
  const std::size_t third = find_marker(bytes, 0xD2);
  bytes.erase(bytes.begin() + third - 200, bytes.begin() + third + 2);
  EXPECT_TRUE(contains(refusal(bytes), "the image is damaged: "));
}

TEST(Jpeg, IsAcceptedWithUnusedBytesBeforeAMarkerAndAfterTheEnd)
{
  const JpegBytes whole = encode(kBaseline);
  JpegBytes before_end = whole;
  before_end.insert(before_end.end() - 2, {0x12, 0x34, 0x56});
  JpegBytes before_table = whole;
  before_table.insert(before_table.begin() + find_marker(whole, 0xDB), {0x12, 0x34});
  JpegBytes after_end = whole;
  after_end.insert(after_end.end(), {0xFF, 0xDA, 0x00, 0xFF, 0xD8, 0xFF});
  for (const JpegBytes & bytes : {before_end, before_table, after_end}) {
    EXPECT_EQ(refusal(bytes), "");
    EXPECT_TRUE(identical(decoded(bytes), decoded_by_opencv(whole)));
  }
}

TEST(Jpeg, IsAcceptedWithZerosInTheHeadOfASequentialScan)
{
  JpegBytes bytes = encode(kBaseline);
  const std::size_t scan = find_marker(bytes, 0xDA);
  ASSERT_EQ(bytes[scan + 12], 63);
  bytes[scan + 12] = 0;
  EXPECT_EQ(refusal(bytes), "");
}

TEST(Jpeg, OfAWebcamMayLackItsHuffmanTables)
{
  const JpegBytes whole = encode(kBaseline);
  JpegBytes bytes = whole;
  for (std::size_t at; (at = find_marker(bytes, 0xC4)) < bytes.size();) {
    bytes.erase(bytes.begin() + at, bytes.begin() + at + 2 + bytes[at + 2] * 256 + bytes[at + 3]);
  }
  ASSERT_LT(bytes.size(), whole.size());
  EXPECT_TRUE(identical(decoded(bytes), decoded_by_opencv(whole)));
}

TEST(Jpeg, WithScansWithoutEndIsRefused)
{
  const JpegBytes whole = encode(kComponents);
  const auto with_repeated_scan = [&whole](int times) {
    JpegBytes bytes(whole.begin(), whole.end() - 2);
    for (int i = 0; i < times; ++i) {
      bytes.insert(bytes.end(), whole.begin() + find_last_scan(whole), whole.end() - 2);
    }
    bytes.insert(bytes.end(), {0xFF, 0xD9});
    return bytes;
  };
  EXPECT_EQ(refusal(with_repeated_scan(3)), "");
  EXPECT_EQ(refusal(with_repeated_scan(1000)), "the image has more scans than any encoder makes");
}

TEST(Jpeg, ThatClaimsTooManyPixelsIsRefusedBeforeItIsDecoded)
{
  JpegBytes bytes = encode(kBaseline, 16, 16);
  const std::size_t frame = find_marker(bytes, 0xC0);
  const JpegBytes sides{0xFF, 0xDC, 0xFF, 0xDC};  // 65500 each
  std::copy(sides.begin(), sides.end(), bytes.begin() + frame + 5);
  EXPECT_EQ(
    refusal(bytes),
    "the image claims 65500x65500 pixels, expected at most 65536 a side and 134217728 in all");
}

TEST(Jpeg, WithRandomDamageIsDecodedOrRefusedButNeverBringsItDown)
{
  cv::RNG random(11);
  int refused = 0;
  for (const JpegKind & kind : {kBaseline, kProgressive}) {
    const JpegBytes whole = encode(kind, 40, 30);
    for (int i = 0; i < 1000; ++i) {
      JpegBytes bytes = whole;
      for (int changes = random.uniform(1, 6); changes > 0; --changes) {
        bytes[random.uniform(3, static_cast<int>(bytes.size()))] =
          static_cast<std::uint8_t>(random.uniform(0, 256));
      }
      try {
        EXPECT_FALSE(decoded(bytes).empty());
      } catch (const ImageError &) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 200);
  EXPECT_LT(refused, 2000);
}

}  // namespace
}  // namespace mgproto
