// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/safetensors_header.hpp"

#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "mgproto_ros/error.hpp"
#include "model/printable.hpp"
#include "model/tensor_bytes.hpp"

namespace mgproto
{
namespace
{

std::string in_quotes(const std::string & text) { return "'" + printable(text) + "'"; }

/// Turns the JSON events of a header into entries; anything that a header must not hold is an error
/// right where it appears. No document tree is built, and since a header is at most three levels
/// deep, nesting ends there too.
class HeaderParser : public nlohmann::json_sax<nlohmann::json>
{
public:
  explicit HeaderParser(const std::string & path) : path_(path) {}

  SafetensorsHeader header;

  bool key(string_t & text) override
  {
    switch (place_) {
      case Place::header:
        start_entry(text);
        break;
      case Place::metadata:
        field_ = text;
        if (header.metadata.count(field_) > 0) {
          fail("__metadata__ has the key " + in_quotes(field_) + " twice");
        }
        break;
      default:  // keys appear in objects only, which leaves Place::tensor
        field_ = text;
        if (field_ != "dtype" && field_ != "shape" && field_ != "data_offsets") {
          fail_tensor("unknown field " + in_quotes(field_));
        }
        if (!fields_seen_.insert(field_).second) {
          fail_tensor("has the field " + in_quotes(field_) + " twice");
        }
    }
    return true;
  }

  bool start_object(std::size_t) override
  {
    if (place_ == Place::document) {
      place_ = Place::header;
    } else if (place_ == Place::header) {
      place_ = name_ == kMetadataKey ? Place::metadata : Place::tensor;
      fields_seen_.clear();
    } else {
      fail_type();
    }
    return true;
  }

  bool end_object() override
  {
    if (place_ == Place::tensor) {
      for (const char * field : {"dtype", "shape", "data_offsets"}) {
        if (fields_seen_.count(field) == 0) {
          fail_tensor("has no field " + in_quotes(field));
        }
      }
    }
    place_ = place_ == Place::header ? Place::document : Place::header;
    return true;
  }

  bool start_array(std::size_t) override
  {
    if (place_ != Place::tensor || field_ == "dtype") {
      fail_type();
    }
    place_ = field_ == "shape" ? Place::shape : Place::offsets;
    return true;
  }

  bool end_array() override
  {
    if (place_ == Place::offsets && entry_->offsets.size() != 2) {
      fail_tensor("data_offsets must hold exactly two numbers");
    }
    place_ = Place::tensor;
    return true;
  }

  bool string(string_t & text) override
  {
    if (place_ == Place::metadata) {
      header.metadata[field_] = text;
    } else if (place_ == Place::tensor && field_ == "dtype") {
      entry_->dtype = dtype_from_name(text);
      if (!entry_->dtype) {
        fail_tensor("unknown dtype " + in_quotes(text));
      }
    } else {
      fail_type();
    }
    return true;
  }

  bool number_unsigned(number_unsigned_t value) override
  {
    if (place_ == Place::offsets) {
      if (entry_->offsets.size() == 2) {
        fail_tensor("data_offsets must hold exactly two numbers");
      }
      entry_->offsets.push_back(value);
    } else if (place_ == Place::shape) {
      if (value > std::numeric_limits<std::int64_t>::max()) {
        fail_tensor("a size in its shape is too large");
      }
      if (entry_->shape.size() == kMaxDimensions) {
        fail_tensor("its shape has more than " + std::to_string(kMaxDimensions) + " dimensions");
      }
      entry_->shape.push_back(static_cast<std::int64_t>(value));
    } else {
      fail_type();
    }
    return true;
  }

  bool number_integer(number_integer_t) override
  {
    if (place_ == Place::shape || place_ == Place::offsets) {
      fail_tensor(field_ + " holds a negative number");
    }
    return fail_type();
  }

  bool null() override { return fail_type(); }
  bool boolean(bool) override { return fail_type(); }
  bool number_float(number_float_t, const string_t &) override { return fail_type(); }
  bool binary(binary_t &) override { return fail_type(); }

  bool parse_error(
    std::size_t position, const std::string &, const nlohmann::detail::exception &) override
  {
    fail("the header is not valid UTF-8 JSON, near its byte " + std::to_string(position));
  }

private:
  /// What encloses the next value.
  enum class Place
  {
    document,
    header,
    metadata,
    tensor,
    shape,
    offsets
  };

  void start_entry(const std::string & new_name)
  {
    bool is_new = false;
    name_ = new_name;
    if (name_ == kMetadataKey) {
      is_new = !std::exchange(has_metadata_, true);
    } else {
      const auto [position, inserted] = header.tensors.try_emplace(name_);
      entry_ = &position->second;
      is_new = inserted;
    }
    if (!is_new) {
      fail("the header has the key " + in_quotes(name_) + " twice");
    }
  }

  [[noreturn]] void fail(const std::string & problem) const { throw FileError(path_, problem); }

  [[noreturn]] void fail_tensor(const std::string & problem) const
  {
    fail(about_tensor(name_) + problem);
  }

  /// A value of a type that has no business at this place.
  [[noreturn]] bool fail_type() const
  {
    switch (place_) {
      case Place::document:
        fail("the header is not a JSON object");
      case Place::header:
        if (name_ == kMetadataKey) {
          fail("__metadata__ is not a JSON object");
        }
        fail_tensor("its entry is not a JSON object");
      case Place::metadata:
        fail("__metadata__: the value of " + in_quotes(field_) + " is not a string");
      case Place::tensor:
        fail_tensor(field_ + (field_ == "dtype" ? " is not a string" : " is not an array"));
      default:
        fail_tensor(field_ + " must hold whole numbers below 2^63 and nothing else");
    }
  }

  const std::string & path_;
  Place place_ = Place::document;
  std::string name_;                    ///< the last key in the header
  SafetensorsEntry * entry_ = nullptr;  ///< of the last tensor in the header
  std::string field_;                   ///< the last key in the object below it
  std::set<std::string> fields_seen_;
  bool has_metadata_ = false;
};

}  // namespace

SafetensorsHeader parse_safetensors_header(const std::string & path, std::string_view json)
{
  if (json.empty() || json.front() != '{') {
    throw FileError(path, "the header is not a JSON object: it does not begin with '{'");
  }
  // The JSON library takes a null byte for the end of the text and would ignore what follows.
  if (const auto null_byte = json.find('\0'); null_byte != json.npos) {
    throw FileError(
      path, "the header is not valid JSON: null byte at its byte " + std::to_string(null_byte));
  }
  HeaderParser parser(path);
  nlohmann::json::sax_parse(json.begin(), json.end(), &parser);
  return std::move(parser.header);
}

std::string about_tensor(const std::string & name) { return "tensor " + in_quotes(name) + ": "; }

}  // namespace mgproto
