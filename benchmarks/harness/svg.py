# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
# http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
"""Plots as SVG: bars side by side on a logarithmic or linear scale, or lines, readable without any script."""

from html import escape
from math import ceil, floor, log10
from textwrap import wrap

COLOURS = ("#8c8c8c", "#bdbdbd", "#c17c1d", "#e8b96f", "#9fc5b5", "#6aa893", "#3d8b74", "#1f4e9c")
LINES = ("#1f4e9c", "#c17c1d", "#3d8b74")
WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 960, 380, 70, 60, 70


def draw(plot):
    """A plot as SVG: lines where its series have "x", else bars."""
    return lines(plot) if "x" in plot["series"][0] else bars(plot)


def lines(plot):
    """A plot {"title", "unit", "xUnit", "series": [{"name", "x", "values"}]} as SVG, both scales linear and from 0."""
    scale = _Scale([value for series in plot["series"] for value in series["values"]], False)
    most = max((x for series in plot["series"] for x in series["x"]), default=1) or 1
    parts = [_text(LEFT, 18, plot["title"], size=15, weight="bold"), *_legend(plot["series"]), *_axis(scale, plot["unit"])]
    for part in range(5):
        x = LEFT + part / 4 * (WIDTH - LEFT - 10)
        parts.append(_text(x, HEIGHT - BOTTOM + 18, f"{part / 4 * most:.3g} {plot['xUnit']}", anchor="middle" if part < 4 else "end"))
    for place, series in enumerate(plot["series"]):
        points = " ".join(
            f"{LEFT + x / most * (WIDTH - LEFT - 10):.1f},{scale.y(value):.1f}" for x, value in zip(series["x"], series["values"])
        )
        parts.append(f'<polyline points="{points}" fill="none" stroke="{LINES[place % len(LINES)]}" stroke-width="1.5"/>')
    return _svg(plot["title"], parts)


def bars(plot):
    """A plot {"title", "unit", "log", "categories", "series": [{"name", "values", "low", "high"}]} as SVG.

    A value of None is left out; ``low`` and ``high`` (optional) draw the spread.
    """
    values = [value for series in plot["series"] for key in ("values", "low", "high") for value in series.get(key) or []]
    scale = _Scale([value for value in values if value is not None], plot.get("log", False))
    parts = [_text(LEFT, 18, plot["title"], size=15, weight="bold")]
    parts += _legend(plot["series"])
    parts += _axis(scale, plot["unit"])
    step = (WIDTH - LEFT - 10) / len(plot["categories"])
    bar = step * 0.86 / len(plot["series"])
    for number, category in enumerate(plot["categories"]):
        left = LEFT + number * step + step * 0.07
        for line, words in enumerate(wrap(category.replace("_", " "), max(8, int(step / 7)))):
            parts.append(_text(left + step * 0.43, HEIGHT - BOTTOM + 18 + 14 * line, words, anchor="middle"))
        for place, series in enumerate(plot["series"]):
            parts += _bar(series, number, left + place * bar, bar, COLOURS[place % len(COLOURS)], scale)
    return _svg(plot["title"], parts)


def _svg(title, parts):
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
        f' font-family="sans-serif" role="img"><title>{escape(title)}</title>\n'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>\n{body}\n</svg>\n'
    )


class _Scale:
    """Maps values to heights: from 0, or on a logarithmic scale from the decade below the least."""

    def __init__(self, values, logarithmic):
        most = max(values, default=1) or 1
        least = min((value for value in values if value > 0), default=most)
        self.logarithmic = logarithmic
        if logarithmic:
            self._low = floor(log10(least))
            self._high = max(ceil(log10(most)), self._low + 1)
            self.ticks = [10.0**power for power in range(self._low, self._high + 1)]
        else:
            unit = 10 ** floor(log10(most))
            step = next(step * unit for step in (0.1, 0.2, 0.5, 1, 2) if most / (step * unit) <= 6)
            self._low, self._high = 0, ceil(most / step) * step
            self.ticks = [step * number for number in range(round(self._high / step) + 1)]

    def y(self, value):
        """The height at which a value lies, from the top."""
        at = log10(max(value, 10.0**self._low)) if self.logarithmic else value
        share = (at - self._low) / (self._high - self._low)
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)


def _bar(series, number, left, width, colour, scale):
    value = series["values"][number]
    if value is None:
        return []
    top, floor_y = scale.y(value), HEIGHT - BOTTOM
    hint = f"<title>{escape(series['name'])}: {value:.4g}</title>"
    parts = [
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{width * 0.9:.1f}" height="{max(0.5, floor_y - top):.1f}"'
        f' fill="{colour}">{hint}</rect>'
    ]
    low, high = ((series.get(key) or [None] * (number + 1))[number] for key in ("low", "high"))
    if low is not None and high is not None:
        middle = left + width * 0.45
        parts.append(
            f'<line x1="{middle:.1f}" x2="{middle:.1f}" y1="{scale.y(low):.1f}" y2="{scale.y(high):.1f}" stroke="#222"/>'
        )
    return parts


def _axis(scale, unit):
    parts = [_text(8, TOP - 14, unit)]
    for tick in scale.ticks:
        y = scale.y(tick)
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - 10}" y1="{y:.1f}" y2="{y:.1f}" stroke="#dddddd"/>')
        parts.append(_text(LEFT - 6, y + 4, f"{tick:g}", anchor="end"))
    return parts


def _legend(series):
    parts, x = [], LEFT
    for place, each in enumerate(series):
        colours = LINES if "x" in each else COLOURS
        parts.append(f'<rect x="{x}" y="28" width="10" height="10" fill="{colours[place % len(colours)]}"/>')
        parts.append(_text(x + 14, 37, each["name"]))
        x += 30 + 7 * len(each["name"])
    return parts


def _text(x, y, text, size=11, anchor="start", weight="normal"):
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" font-weight="{weight}"'
        f' fill="#222222">{escape(text)}</text>'
    )
