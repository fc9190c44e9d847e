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
"""As few points as a line chart can show."""

import numpy


def shown(times, values, begin, end, width):
    """The numbers of the points that a line chart of at most so many columns of pixels shows, in the order of time.

    Of all points of one column these are the first, the last, the lowest and the highest: the lines between them cover
    the pixels that lines between all points cover (M4: Jugel et al., "M4: A Visualization-Oriented Time Series Data
    Aggregation", VLDB 2014). Values that are no number are left out.
    """
    known = numpy.flatnonzero(~numpy.isnan(values) & (times >= begin) & (times < end))
    if not len(known):
        return known
    order = known[numpy.argsort(times[known], kind="stable")]
    # Whole numbers: times in nanoseconds are none of a floating point number's
    columns = (times[order] - begin) // -(-(end - begin) // width)
    starts = numpy.flatnonzero(numpy.r_[True, columns[1:] != columns[:-1]])
    ends = numpy.r_[starts[1:], len(order)] - 1
    by_value = numpy.lexsort((values[order], columns))
    lowest, highest = by_value[starts], by_value[ends]
    return order[numpy.unique(numpy.r_[starts, ends, lowest, highest])]
