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
"""The points of line charts, which reductions in a cluster show, too."""

import pathlib
import unittest

import numpy

from hadoop_mpsr import m4

# The tests of mpsr-core read the same file
CASES = pathlib.Path(__file__).parents[2] / "mpsr-core/src/test/resources/reduction/line-charts.txt"


def points(line):
    """The times and values of a line of points."""
    pairs = [text.split(":") for text in line.split() if text != "-"]
    times, values = zip(*pairs) if pairs else ((), ())
    return numpy.array([int(time) for time in times], numpy.int64), numpy.array([float(value) for value in values])


class SharedCasesTest(unittest.TestCase):
    def test_charts_show_the_same_points_as_in_a_cluster(self):
        lines = [line for line in CASES.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
        self.assertGreater(len(lines), 60)
        for heading, given, shown in zip(lines[::3], lines[1::3], lines[2::3]):
            with self.subTest(heading=heading):
                begin, end, width = map(int, heading.split())
                times, values = points(given)
                kept = m4.shown(times, values, begin, end, width)
                wanted = points(shown)
                self.assertEqual(times[kept].tolist(), wanted[0].tolist())
                self.assertEqual(values[kept].tolist(), wanted[1].tolist())


if __name__ == "__main__":
    unittest.main()
