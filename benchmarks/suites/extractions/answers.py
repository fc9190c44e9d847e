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
    times, values = numpy.asarray(times, "i8"), numpy.asarray(values, "f8")
    real = ~numpy.isnan(values)
    times, values = times[real], values[real]
    order = numpy.lexsort((values, times))
    times, values = times[order], values[order]
    step = -(-(end - begin) // width)
    columns = (times - begin) // step
    low, high = values.min(), values.max()
    rows = numpy.rint((values - low) / (high - low or 1.0) * (PIXELS - 1)).astype(int)
    edges = numpy.zeros((width, PIXELS + 1), int)
    numpy.add.at(edges, (columns, rows), 1)
    numpy.add.at(edges, (columns, rows + 1), -1)
    inside = columns[1:] == columns[:-1]
    lower, upper = numpy.minimum(rows[1:], rows[:-1]), numpy.maximum(rows[1:], rows[:-1])
    numpy.add.at(edges, (columns[1:][inside], lower[inside]), 1)
    numpy.add.at(edges, (columns[1:][inside], upper[inside] + 1), -1)
    for at in numpy.flatnonzero(~inside):
        _line(edges, columns[at], rows[at], columns[at + 1], rows[at + 1])
    return numpy.cumsum(edges, axis=1)[:, :PIXELS] > 0


def _line(edges, column, row, to_column, to_row):
    """Between the middles of two pixels of different columns: in each column the rows that the line passes."""
    slope = (to_row - row) / (to_column - column)
    for each in range(column, to_column + 1):
        ends = [row + slope * (min(max(each + side, column), to_column) - column) for side in (-0.5, 0.5)]
        edges[each, int(numpy.rint(min(ends)))] += 1
        edges[each, int(numpy.rint(max(ends))) + 1] -= 1
