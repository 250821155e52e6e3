// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef BIRDS__BIRD_SHAPES_HPP_
#define BIRDS__BIRD_SHAPES_HPP_

#include "birds/painter.hpp"

/// The knots of a bird that faces right, y down. Marks reach beyond the outline and are cut off
/// there, so they fit every pose.
namespace mgproto::birds::shapes
{

// Body: the middle at the origin, about 1.4 units from beak to tail. The neck joins kBack to the
// head.
inline const Path kBack = {{0.10, -0.25}, {-0.12, -0.20}, {-0.34, -0.11}, {-0.52, -0.02}};
inline const Path kBelly = {{-0.52, 0.06}, {-0.36, 0.16}, {-0.14, 0.24},
                            {0.08, 0.26},  {0.28, 0.20},  {0.43, 0.07}};
inline const Path kBreastBand = {
  {0.64, 0.0}, {0.46, 0.10}, {0.33, 0.08}, {0.20, -0.08}, {0.1, -0.2}};
inline const Path kOrangeBreast = {{0.30, -0.10}, {0.56, -0.06}, {0.58, 0.15}, {0.30, 0.36},
                                   {0.0, 0.36},   {-0.14, 0.20}, {0.05, 0.0}};

// Head: its middle at the origin, its radius 1.
inline const Path kSkull = {{0.97, 0.02},  {0.84, -0.50},  {0.42, -0.90},
                            {-0.10, -1.0}, {-0.62, -0.78}, {-0.98, -0.30}};
inline const Path kChin = {{0.72, 1.05}, {0.86, 0.48}};
inline const Path kThroatPatch = {{1.15, 0.20}, {0.70, 0.26}, {0.30, 0.42}, {0.08, 0.85},
                                  {0.24, 1.30}, {0.72, 1.45}, {1.2, 1.1}};
inline const Path kCap = {{1.1, -0.18}, {0.6, -0.42}, {0.1, -0.46}, {-0.5, -0.30}, {-1.0, 0.12},
                          {-1.3, -0.4}, {-0.7, -1.2}, {0.2, -1.3},  {0.9, -0.9}};
inline const Path kCrest = {{0.82, -0.52},  {0.70, -1.18},  {0.38, -0.98},  {0.10, -1.58},
                            {-0.16, -1.05}, {-0.72, -1.48}, {-0.62, -0.95}, {-1.15, -0.98},
                            {-0.82, -0.52}, {-0.3, -0.62},  {0.3, -0.62}};
inline const Path kYellowCrown = {{0.95, -0.4}, {0.3, -0.62}, {-0.5, -0.5},
                                  {-1.1, -0.5}, {-0.6, -1.3}, {0.4, -1.3}};
inline const Path kBrow = {{1.0, -0.28}, {0.5, -0.58}, {-0.2, -0.56}, {-0.8, -0.15}};
inline const Path kEyeMask = {{1.0, -0.1},  {0.5, -0.5},  {-0.3, -0.42},
                              {-0.9, -0.1}, {-0.3, 0.12}, {0.5, 0.1}};

struct BeakShape
{
  Path upper, lower;
};
inline const BeakShape kPlainBeak = {
  closed_curve({{0.7, -0.26}, {1.05, -0.18}, {1.6, 0.1}, {1.1, 0.1}, {0.7, 0.06}}),
  {{0.7, 0.06}, {1.1, 0.09}, {1.52, 0.11}, {1.1, 0.28}, {0.7, 0.34}}};
inline const BeakShape kLongBeak = {
  {{0.7, -0.24}, {1.1, -0.16}, {1.9, 0.0}, {2.6, 0.22}, {1.9, 0.16}, {0.7, 0.1}},
  {{0.7, 0.06}, {1.9, 0.12}, {2.55, 0.22}, {1.8, 0.29}, {1.1, 0.32}, {0.7, 0.36}}};
inline const Path kHook = {{0.6, -0.42}, {1.05, -0.40}, {1.42, -0.2}, {1.60, 0.15},
                           {1.52, 0.52}, {1.40, 0.2},   {1.1, 0.12},  {0.6, 0.12}};
inline const BeakShape kHookedBeak = {
  closed_curve(kHook), {{0.6, 0.08}, {1.1, 0.1}, {1.36, 0.2}, {1.25, 0.34}, {0.6, 0.45}}};
inline const BeakShape kThickBeak = {
  closed_curve({{0.6, -0.45}, {1.1, -0.34}, {1.62, 0.08}, {1.1, 0.1}, {0.6, 0.06}}),
  {{0.6, 0.06}, {1.1, 0.09}, {1.55, 0.09}, {1.1, 0.36}, {0.6, 0.46}}};

// Wing: the shoulder at the origin.
inline const Path kWing = {{0.05, -0.01}, {-0.06, -0.11}, {-0.24, -0.13}, {-0.46, -0.05},
                           {-0.70, 0.07}, {-0.84, 0.145}, {-0.62, 0.14},  {-0.38, 0.19},
                           {-0.16, 0.19}, {0.0, 0.11}};
inline const Path kBluePanel = {{-0.3, -0.2}, {-0.26, 0.3}, {-0.55, 0.3}, {-0.6, -0.1}};

// Tail: its root at the origin.
inline const Path kPlainTail = {{0.14, -0.06}, {-0.1, -0.055}, {-0.36, -0.07}, {-0.39, 0.0},
                                {-0.36, 0.06}, {-0.1, 0.06},   {0.14, 0.08}};
inline const Path kForkedTail = {{0.14, -0.06}, {-0.15, -0.08}, {-0.52, -0.19}, {-0.28, 0.0},
                                 {-0.52, 0.17}, {-0.15, 0.08},  {0.14, 0.08}};
inline const Path kFannedTail = {{0.14, -0.05},  {-0.08, -0.07}, {-0.33, -0.20},
                                 {-0.42, -0.09}, {-0.44, 0.0},   {-0.42, 0.09},
                                 {-0.33, 0.20},  {-0.08, 0.08},  {0.14, 0.07}};
inline const Path kFanTip = {
  {-0.22, -0.28}, {-0.34, -0.14}, {-0.39, 0.0}, {-0.34, 0.14}, {-0.22, 0.28}};

}  // namespace mgproto::birds::shapes

#endif  // BIRDS__BIRD_SHAPES_HPP_
