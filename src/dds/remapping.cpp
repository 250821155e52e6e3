// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "dds/remapping.hpp"

#include "mgproto_ros/error.hpp"

namespace mgproto::dds
{
namespace
{

// What the first rule of a kind that is meant for this node says, or nullptr.
const std::string * first_rule(
  const std::vector<Remapping> & rules, Remapping::What what, const std::string & node)
{
  for (const Remapping & rule : rules) {
    if (rule.what == what && (rule.node.empty() || rule.node == node)) {
      return &rule.to;
    }
  }
  return nullptr;
}

}  // namespace

Remapping parse_remapping(const std::string & text)
{
  const auto refuse = [&text](const std::string & problem) {
    throw ConfigError("remapping '" + text + "'", problem);
  };
  const size_t arrow = text.find(":=");
  if (arrow == text.npos) {
    refuse("expected from:=to, for example image:=/camera/image, __node:=name or __ns:=/robot");
  }
  Remapping rule;
  rule.from = text.substr(0, arrow);
  rule.to = text.substr(arrow + 2);
  const size_t colon = rule.from.find(':');
  if (colon != rule.from.npos) {
    rule.node = rule.from.substr(0, colon);
    rule.from.erase(0, colon + 1);
  }
  try {
    if (colon != rule.from.npos) {
      validated(NodeName{rule.node});
    }
    if (rule.from == "__node" || rule.from == "__name") {
      rule.what = Remapping::What::node_name;
      validated(NodeName{rule.to});
    } else if (rule.from == "__ns") {
      rule.what = Remapping::What::name_space;
      rule.to = validated(NodeName{"any", rule.to}).name_space;
    } else {
      validate_topic_name(rule.from);
      validate_topic_name(rule.to);
    }
  } catch (const ConfigError & error) {
    refuse(error.what());
  }
  return rule;
}

NodeName remap_node(const NodeName & node, const std::vector<Remapping> & rules)
{
  NodeName result = validated(node);
  if (const std::string * name = first_rule(rules, Remapping::What::node_name, result.name)) {
    result.name = *name;
  }
  // As in ROS 2, a rule for one node's namespace means the node's new name.
  if (const std::string * space = first_rule(rules, Remapping::What::name_space, result.name)) {
    result.name_space = *space;
  }
  return result;
}

std::string resolve_topic_name(
  const std::string & name, const NodeName & node, const std::vector<Remapping> & rules)
{
  std::string absolute = expand_topic_name(name, node);
  for (const Remapping & rule : rules) {
    if (
      rule.what == Remapping::What::topic && (rule.node.empty() || rule.node == node.name) &&
      expand_topic_name(rule.from, node) == absolute) {
      return expand_topic_name(rule.to, node);
    }
  }
  return absolute;
}

}  // namespace mgproto::dds
