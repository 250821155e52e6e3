// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__CONFIG_SECTION_HPP_
#define TRAINING__CONFIG_SECTION_HPP_

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "training/config_settings.hpp"
#include "training/config_values.hpp"

namespace mgproto
{

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

struct Range
{
  double low = -kNoLimit;
  double high = kNoLimit;
  bool without_low = false;
  bool without_high = false;

  bool contains(double value) const
  {
    return (without_low ? value > low : value >= low) &&
           (without_high ? value < high : value <= high);
  }

  std::string text() const
  {
    if (low == -kNoLimit) {
      return "";
    }
    const std::string from = (without_low ? "above " : "") + limit(low);
    if (high == kNoLimit) {
      return (without_low ? "" : "at least ") + from;
    }
    return from + (without_high ? " to below " : " to ") + limit(high);
  }

private:
  static std::string limit(double value)
  {
    const int whole = static_cast<int>(value);
    return whole == value ? write_value(whole) : write_value(value);
  }
};

inline Range any() { return {}; }
inline Range within(double low, double high) { return {low, high, false, false}; }
inline Range at_least(double low) { return {low, kNoLimit, false, false}; }
inline Range above(double low, double high = kNoLimit) { return {low, high, true, false}; }
inline Range within_below(double low, double high) { return {low, high, false, true}; }

/// What a list must be besides made of numbers in range.
struct ListRule
{
  std::string text;
  bool (*holds)(const std::vector<double> & list);
};

/// Adds members of one aggregate to the table of settings, all under one prefix.
template <typename Access>
class Section
{
public:
  using Aggregate = std::decay_t<std::invoke_result_t<Access, TrainingConfig &>>;

  /// `access` gives the aggregate of a config, const or not. Without a name the settings stand at
  /// the top level.
  Section(std::vector<Setting> & table, const std::string & name, Access access)
  : table_(table), prefix_(name.empty() ? "" : name + "."), access_(access)
  {
  }

  template <typename Number, std::enable_if_t<std::is_arithmetic_v<Number>, int> = 0>
  void add(const char * name, Number Aggregate::*member, Range range, const char * meaning)
  {
    const auto allowed = [range](Number n) { return range.contains(static_cast<double>(n)); };
    add_value({prefix_ + name, number<Number>(), range.text(), meaning}, member, allowed);
  }

  void add(const char * name, bool Aggregate::*member, const char * meaning)
  {
    add_value({prefix_ + name, "boolean", "true, false", meaning}, member, anything);
  }

  /// A path, which is all that free text is used for.
  void add(const char * name, std::string Aggregate::*member, const char * meaning)
  {
    add_value({prefix_ + name, "path", "", meaning}, member, anything);
  }

  void add(
    const char * name, std::map<std::string, std::string> Aggregate::*member, const char * meaning)
  {
    add_value({prefix_ + name, "map of names to paths", "", meaning}, member, anything);
  }

  template <typename Number>
  void add(
    const char * name, std::vector<Number> Aggregate::*member, Range range, const ListRule & rule,
    const char * meaning)
  {
    add_list(
      {prefix_ + name, "list of " + number<Number>() + "s", "", meaning}, member, range, rule);
  }

  template <typename Number, std::size_t size>
  void add(
    const char * name, std::array<Number, size> Aggregate::*member, Range range,
    const ListRule & rule, const char * meaning)
  {
    const std::string type = "list of " + std::to_string(size) + " " + number<Number>() + "s";
    add_list({prefix_ + name, type, "", meaning}, member, range, rule);
  }

  /// Values of an enumeration, or texts, that go by the given names.
  template <typename Value>
  void add(
    const char * name, Value Aggregate::*member,
    const std::vector<std::pair<std::string, Value>> & choices, const char * meaning)
  {
    Setting setting{prefix_ + name, "choice", "", meaning};
    for (const auto & choice : choices) {
      setting.range = join(setting.range, choice.first);
    }
    setting.read = [=, access = access_](const YAML::Node & node, TrainingConfig & config) {
      for (const auto & [text, value] : choices) {
        if (node.IsScalar() && node.Scalar() == text) {
          access(config).*member = value;
          return true;
        }
      }
      return false;
    };
    setting.write = [=, access = access_](const TrainingConfig & config) {
      for (const auto & [text, value] : choices) {
        if (access(config).*member == value) {
          return text;
        }
      }
      return std::string();
    };
    table_.push_back(setting);
  }

private:
  template <typename Value, typename Allowed>
  void add_value(Setting setting, Value Aggregate::*member, Allowed allowed)
  {
    setting.read = [=, access = access_](const YAML::Node & node, TrainingConfig & config) {
      Value value{};
      if (!read_value(node, value) || !allowed(value)) {
        return false;
      }
      access(config).*member = value;
      return true;
    };
    setting.write = [=, access = access_](const TrainingConfig & config) {
      return write_value(access(config).*member);
    };
    table_.push_back(setting);
  }

  template <typename List>
  void add_list(Setting setting, List Aggregate::*member, Range range, const ListRule & rule)
  {
    setting.range = join(range.text(), rule.text);
    add_value(setting, member, [range, rule](const List & list) {
      const std::vector<double> numbers(list.begin(), list.end());
      return rule.holds(numbers) && std::all_of(numbers.begin(), numbers.end(), [&](double n) {
               return range.contains(n);
             });
    });
  }

  static constexpr auto anything = [](const auto &) { return true; };

  template <typename Number>
  static std::string number()
  {
    return std::is_integral_v<Number> ? "integer" : "number";
  }

  static std::string join(const std::string & text, const std::string & more)
  {
    return text + (text.empty() || more.empty() ? "" : ", ") + more;
  }

  std::vector<Setting> & table_;
  std::string prefix_;
  Access access_;
};

}  // namespace mgproto

#endif  // TRAINING__CONFIG_SECTION_HPP_
