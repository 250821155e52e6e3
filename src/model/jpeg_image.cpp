// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/jpeg_image.hpp"

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <string>

#include "mgproto_ros/error.hpp"

// jerror.h needs jpeglib.h, which needs <cstdio>.
// clang-format off
#include <jpeglib.h>
#include <jerror.h>
// clang-format on

namespace mgproto
{
namespace
{

/// As OpenCV has it. No side of a JPEG is longer than 65500, libjpeg sees to that.
constexpr std::int64_t kMaxJpegPixels = std::int64_t{1} << 30;

/// Encoders make about ten. Each scan goes over all pixels, so a few bytes could cost minutes.
constexpr int kMaxJpegScans = 100;

/// libjpeg's state. libjpeg reports by calls from its C code, through which nothing may be thrown:
/// they leave a message here and jump back to the function that called libjpeg, which must have
/// nothing to destroy.
struct JpegDecoder
{
  jpeg_decompress_struct info{};
  jpeg_error_mgr errors{};
  jpeg_progress_mgr progress{};
  jpeg_source_mgr source{};
  const std::uint8_t * rest = nullptr;  // what `source` was not given yet
  std::size_t left = 0;
  std::jmp_buf caller;
  const char * problem = "";
  char detail[JMSG_LENGTH_MAX] = "";

  JpegDecoder() = default;
  JpegDecoder(const JpegDecoder &) = delete;
  JpegDecoder & operator=(const JpegDecoder &) = delete;
  ~JpegDecoder() { jpeg_destroy_decompress(&info); }
};

[[noreturn]] void stop_decoding(j_common_ptr info, const char * problem)
{
  auto & decoder = *static_cast<JpegDecoder *>(info->client_data);
  decoder.problem = problem;
  std::longjmp(decoder.caller, 1);
}

[[noreturn]] void stop_with_detail(j_common_ptr info, const char * problem)
{
  info->err->format_message(info, static_cast<JpegDecoder *>(info->client_data)->detail);
  stop_decoding(info, problem);
}

void on_error(j_common_ptr info) { stop_with_detail(info, "this is not a readable image: "); }

/// Below 0 are warnings. After most of them pixels are missing or wrong; the others are what some
/// cameras give reason to.
void on_message(j_common_ptr info, int level)
{
  if (level >= 0) {
    return;
  }
  switch (info->err->msg_code) {
    case JWRN_ADOBE_XFORM:
    case JWRN_EXTRANEOUS_DATA:  // unused bytes before a marker
    case JWRN_JFIF_MAJOR:
    case JWRN_NOT_SEQUENTIAL:  // zeros in the head of a scan
      return;
    default:
      stop_with_detail(info, "the image is damaged: ");
  }
}

void do_nothing(j_decompress_ptr) {}

/// A little at a time: with more at hand, libjpeg-turbo decodes by a faster way that takes codes
/// which do not exist for zeros.
boolean give_more(j_decompress_ptr info)
{
  constexpr std::size_t kTooLittleToHurry = 8 * DCTSIZE2 - 1;
  auto & decoder = *static_cast<JpegDecoder *>(info->client_data);
  if (decoder.left == 0) {
    stop_decoding(reinterpret_cast<j_common_ptr>(info), "the image is cut short");
  }
  const std::size_t count = std::min(decoder.left, kTooLittleToHurry);
  decoder.source.next_input_byte = decoder.rest;
  decoder.source.bytes_in_buffer = count;
  decoder.rest += count;
  decoder.left -= count;
  return TRUE;
}

void skip_bytes(j_decompress_ptr info, long count)
{
  while (count > static_cast<long>(info->src->bytes_in_buffer)) {
    count -= static_cast<long>(info->src->bytes_in_buffer);
    give_more(info);
  }
  info->src->next_input_byte += count;
  info->src->bytes_in_buffer -= static_cast<std::size_t>(count);
}

void print_nothing(j_common_ptr) {}

void count_scans(j_common_ptr info)
{
  if (reinterpret_cast<j_decompress_ptr>(info)->input_scan_number > kMaxJpegScans) {
    stop_decoding(info, "the image has more scans than any encoder makes");
  }
}

/// Whether the scans brought every bit of every coefficient. Cut between two scans, a file ends as
/// if that were all, and libjpeg has no warning for it.
bool has_all_scans(jpeg_decompress_struct & info)
{
  for (int c = 0; jpeg_has_multiple_scans(&info) && c < info.num_components; ++c) {
    if (info.comp_info[c].quant_table == nullptr) {
      return false;
    }
    for (int i = 0; info.progressive_mode && i < DCTSIZE2; ++i) {
      if (info.coef_bits[c][i] != 0) {
        return false;
      }
    }
  }
  return true;
}

bool read_jpeg_head(JpegDecoder & decoder, const std::uint8_t * data, std::size_t size, bool grey)
{
  jpeg_decompress_struct & info = decoder.info;
  info.err = jpeg_std_error(&decoder.errors);
  info.client_data = &decoder;
  decoder.errors.error_exit = on_error;
  decoder.errors.emit_message = on_message;
  decoder.errors.output_message = print_nothing;
  decoder.progress.progress_monitor = count_scans;
  if (setjmp(decoder.caller) != 0) {
    return false;
  }
  jpeg_create_decompress(&info);
  info.progress = &decoder.progress;
  info.src = &decoder.source;
  decoder.source.init_source = do_nothing;
  decoder.source.fill_input_buffer = give_more;
  decoder.source.skip_input_data = skip_bytes;
  decoder.source.resync_to_restart = jpeg_resync_to_restart;
  decoder.source.term_source = do_nothing;
  decoder.rest = data;
  decoder.left = size;
  jpeg_read_header(&info, TRUE);
  const J_COLOR_SPACE pixels = grey ? JCS_GRAYSCALE : JCS_EXT_BGR;
  info.out_color_space = info.num_components == 4 ? JCS_CMYK : pixels;
  jpeg_calc_output_dimensions(&info);
  return true;
}

bool read_jpeg_pixels(JpegDecoder & decoder, cv::Mat & image)
{
  jpeg_decompress_struct & info = decoder.info;
  if (setjmp(decoder.caller) != 0) {
    return false;
  }
  jpeg_start_decompress(&info);
  if (!has_all_scans(info)) {
    decoder.problem = "the image is cut short";
    return false;
  }
  while (info.output_scanline < info.output_height) {
    JSAMPROW row = image.ptr(static_cast<int>(info.output_scanline));
    jpeg_read_scanlines(&info, &row, 1);
  }
  jpeg_finish_decompress(&info);  // reads on to the end marker
  return true;
}

}  // namespace

cv::Mat decode_jpeg(const std::uint8_t * data, std::size_t size, bool grey)
{
  JpegDecoder decoder;
  if (!read_jpeg_head(decoder, data, size, grey)) {
    throw ImageError(std::string(decoder.problem) + decoder.detail);
  }
  const cv::Size claim(
    static_cast<int>(decoder.info.output_width), static_cast<int>(decoder.info.output_height));
  if (std::int64_t{claim.width} * claim.height > kMaxJpegPixels) {
    throw ImageError(
      "the image claims " + std::to_string(claim.width) + "x" + std::to_string(claim.height) +
      " pixels, expected at most " + std::to_string(kMaxJpegPixels));
  }
  cv::Mat image(claim, CV_8UC(decoder.info.out_color_components));
  if (!read_jpeg_pixels(decoder, image)) {
    throw ImageError(std::string(decoder.problem) + decoder.detail);
  }
  return image;
}

}  // namespace mgproto
