# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
"""Answers to extractions as bytes that any reader makes alike, and lines as pixels."""

import hashlib

import numpy

PIXELS = 500
"""How high a chart is."""


def digest(times, values):
    """Of times and values, in the order of times."""
    times, values = numpy.asarray(times, "<i8"), numpy.asarray(values, "<f8")
    order = numpy.lexsort((values, times))
    return hashlib.sha256(times[order].tobytes() + values[order].tobytes()).hexdigest()


def pixels(times, values, begin, end, width):
    """Whether each pixel is covered by the lines between neighbours in time, each of which is drawn: a column for each unit of width."""
    real = numpy.asarray(values, "f8")
    real = real[~numpy.isnan(real)]
    canvas = Canvas(begin, end, width, real.min(), real.max())
    canvas.add(times, values)
    return canvas.pixels()


class Canvas:
    """Lines between neighbours in time, each of which is drawn, as pixels: a column for each unit of width.

    Records come in parts, each of which is later than those before it. ``low`` and ``high`` are the least and the greatest value of all.
    """

    def __init__(self, begin, end, width, low, high):
        self._begin, self._step = begin, -(-(end - begin) // width)
        self._low, self._range = low, high - low or 1.0
        # how many lines begin to cover a pixel, less those that have ended below it
        self._edges = numpy.zeros((width, PIXELS + 1), int)
        self._last = None

    def add(self, times, values):
        """Draws the lines between the last record that was drawn, and these."""
        times, values = numpy.asarray(times, "i8"), numpy.asarray(values, "f8")
        real = ~numpy.isnan(values)
        times, values = times[real], values[real]
        if not len(times):
            return
        order = numpy.lexsort((values, times))
        columns = (times[order] - self._begin) // self._step
        rows = numpy.rint((values[order] - self._low) / self._range * (PIXELS - 1)).astype(int)
        if self._last:
            columns, rows = numpy.insert(columns, 0, self._last[0]), numpy.insert(rows, 0, self._last[1])
        self._last = columns[-1], rows[-1]
        self._cover(columns, rows, rows)
        inside = columns[1:] == columns[:-1]
        lower, upper = numpy.minimum(rows[1:], rows[:-1]), numpy.maximum(rows[1:], rows[:-1])
        self._cover(columns[1:][inside], lower[inside], upper[inside])
        for at in numpy.flatnonzero(~inside):
            self._line(columns[at], rows[at], columns[at + 1], rows[at + 1])

    def _cover(self, columns, lower, upper):
        numpy.add.at(self._edges, (columns, lower), 1)
        numpy.add.at(self._edges, (columns, upper + 1), -1)

    def _line(self, column, row, to_column, to_row):
        """Between the middles of two pixels of different columns: in each column the rows that the line passes."""
        slope = (to_row - row) / (to_column - column)
        for each in range(column, to_column + 1):
            ends = [row + slope * (min(max(each + side, column), to_column) - column) for side in (-0.5, 0.5)]
            self._cover(each, int(numpy.rint(min(ends))), int(numpy.rint(max(ends))))

    def pixels(self):
        """Whether each pixel is covered."""
        return numpy.cumsum(self._edges, axis=1)[:, :PIXELS] > 0
