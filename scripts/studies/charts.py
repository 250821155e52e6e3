# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0
"""Line and bar charts as SVG: dark on white, so that they read the same on any page."""

import dataclasses
import math
from xml.sax.saxutils import escape

# Okabe and Ito's colours, which the colour-blind can tell apart.
COLOURS = ('#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9', '#222222', '#999933')
SMALL, LARGE = (420, 270), (760, 360)  # a panel among others, or alone
LEFT, RIGHT, TOP, BOTTOM = 58, 18, 34, 44
LEGEND_ROW = 18
CHARACTER = 6.4  # about the width of one, in pixels at this font size


@dataclasses.dataclass
class Series:
    """Points are (x, y) or (x, y, deviation); those of an index in `hollow` are drawn as rings."""

    name: str
    points: list
    hollow: frozenset = frozenset()


@dataclasses.dataclass
class Panel:
    """One pair of axes. `ticks` are (x, label), otherwise x has round numbers."""

    title: str
    x_label: str
    y_label: str
    series: list
    ticks: list = None
    bars: bool = False


def round_ticks(low, high, wanted=5):
    """Round numbers from at or below low to at or above high."""
    span = max(high - low, abs(high) * 0.02, 1e-6)
    magnitude = 10 ** math.floor(math.log10(span / wanted))
    step = next(m * magnitude for m in (1, 2, 5, 10) if span / (m * magnitude) <= wanted)
    first = math.floor(low / step + 1e-9)
    last = max(math.ceil(high / step - 1e-9), first + 1)
    return [round(i * step, 9) for i in range(first, last + 1)]


def _text(x, y, words, anchor='middle', more=''):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{escape(words)}</text>'


def _line(x1, y1, x2, y2, colour='#dddddd'):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"/>'


def _legend_rows(panel, width):
    """(name, colour, x) in rows that fit the width. One series needs no legend."""
    if len(panel.series) < 2:
        return []
    rows, x = [[]], LEFT
    for number, series in enumerate(panel.series):
        needed = 30 + CHARACTER * len(series.name)
        if rows[-1] and x + needed > width - RIGHT:
            rows.append([])
            x = LEFT
        rows[-1].append((series.name, COLOURS[number % len(COLOURS)], x))
        x += needed
    return rows


class _Axes:
    """Draws one panel with its upper left corner at 0, 0."""

    def __init__(self, panel, size):
        self._panel = panel
        self._width, self._height = size
        points = [point for series in panel.series for point in series.points]
        xs = [x for x, _ in panel.ticks or []] or [point[0] for point in points] or [0, 1]
        ys = [y for point in points for y in self._reach(point)] or [0, 1]
        # A bar's length is its meaning, so it begins at 0.
        self._y_ticks = round_ticks(min([0, *ys]) if panel.bars else min(ys), max(ys))
        self._x_ticks = panel.ticks or [(x, f'{x:g}') for x in round_ticks(min(xs), max(xs))]
        margin = 0.5 if panel.ticks else 0  # of the distance between two names
        self._x_range = self._x_ticks[0][0] - margin, self._x_ticks[-1][0] + margin

    @staticmethod
    def _reach(point):
        deviation = (point[2] if len(point) > 2 else None) or 0
        return point[1] - deviation, point[1] + deviation

    def _x(self, x):
        low, high = self._x_range
        return LEFT + (x - low) / (high - low) * (self._width - LEFT - RIGHT)

    def _y(self, y):
        low, high = self._y_ticks[0], self._y_ticks[-1]
        return TOP + (high - y) / (high - low) * (self._height - TOP - BOTTOM)

    def draw(self):
        panel, right, bottom = self._panel, self._width - RIGHT, self._height - BOTTOM
        parts = [_text(self._width / 2, 20, panel.title, more=' font-weight="bold"')]
        digits = max(len(f'{y:g}'.partition('.')[2]) for y in self._y_ticks)
        for y in self._y_ticks:
            parts.append(_line(LEFT, self._y(y), right, self._y(y)))
            parts.append(_text(LEFT - 6, self._y(y) + 4, f'{y:.{digits}f}', 'end'))
        for x, label in self._x_ticks:
            parts.append(_line(self._x(x), bottom, self._x(x), bottom + 4, '#222222'))
            parts.append(_text(self._x(x), bottom + 17, label))
        parts.append(_line(LEFT, bottom, right, bottom, '#222222'))
        parts.append(_line(LEFT, TOP, LEFT, bottom, '#222222'))
        parts.append(_text((LEFT + right) / 2, self._height - 8, panel.x_label))
        middle = (TOP + bottom) / 2
        turned = f' transform="rotate(-90 14 {middle})"'
        parts.append(_text(14, middle, panel.y_label, more=turned))
        draw = self._bars if panel.bars else self._curve
        for number, series in enumerate(panel.series):
            parts += draw(number, series, COLOURS[number % len(COLOURS)])
        return parts + self._legend()

    def _whisker(self, x, point):
        low, high = (self._y(y) for y in self._reach(point))
        return [] if low == high else [_line(x, low, x, high, '#222222')]

    def _curve(self, _, series, colour):
        at = [(self._x(point[0]), self._y(point[1])) for point in series.points]
        corners = ' '.join(f'{x:.1f},{y:.1f}' for x, y in at)
        parts = [f'<polyline points="{corners}" fill="none" stroke="{colour}" stroke-width="2"/>']
        for index, ((x, y), point) in enumerate(zip(at, series.points)):
            parts += self._whisker(x, point)
            fill = '#ffffff' if index in series.hollow else colour
            parts.append(f'<circle class="point" cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{fill}" '
                         f'stroke="{colour}" stroke-width="1.5"/>')
        return parts

    def _bars(self, number, series, colour):
        width = 0.8 / len(self._panel.series)
        parts = []
        for point in series.points:
            left = self._x(point[0] - 0.4 + number * width)
            right = self._x(point[0] - 0.4 + (number + 1) * width)
            top, bottom = sorted((self._y(point[1]), self._y(0)))
            parts.append(f'<rect class="bar" x="{left:.1f}" y="{top:.1f}" '
                         f'width="{right - left - 1:.1f}" height="{bottom - top:.1f}" '
                         f'fill="{colour}"/>')
            parts += self._whisker((left + right) / 2, point)
        return parts

    def _legend(self):
        parts = []
        for row, entries in enumerate(_legend_rows(self._panel, self._width)):
            y = self._height + LEGEND_ROW * row + 8
            for name, colour, x in entries:
                parts.append(f'<rect x="{x:.1f}" y="{y - 8:.1f}" width="12" height="10" '
                             f'fill="{colour}"/>')
                parts.append(_text(x + 17, y + 1, name, 'start'))
        return parts


def svg(panels, description):
    """Give the text of an SVG file with the panels in rows of two."""
    columns = min(2, len(panels))
    size = LARGE if len(panels) == 1 else SMALL
    height = size[1] + 8 + LEGEND_ROW * max(len(_legend_rows(panel, size[0])) for panel in panels)
    width, total = size[0] * columns, height * math.ceil(len(panels) / columns)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {total}" '
             f'width="{width}" height="{total}" role="img" font-family="sans-serif" '
             'font-size="12" fill="#222222">',
             f'<title>{escape(description)}</title>',
             f'<rect width="{width}" height="{total}" fill="#ffffff"/>']
    for index, panel in enumerate(panels):
        x, y = size[0] * (index % columns), height * (index // columns)
        parts += [f'<g transform="translate({x} {y})">', *_Axes(panel, size).draw(), '</g>']
    return '\n'.join([*parts, '</svg>']) + '\n'
