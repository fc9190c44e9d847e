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
"""Figures of the suite 'visualization'."""

import unittest

from benchmarks.harness.results import Results
from benchmarks.suites.visualization import figures
from benchmarks.suites.visualization.figures import DYNAMIC, ROWS, STATIC
from mpsr_launcher.checkout.checkout import Checkout, root_of


def drawn(assignment, local, seconds, **other):
    """A run of two ranks, of which each has read a hundred bytes, and the second one for so long."""
    ranks = [{"bytes": 100, "localBytes": held, "readSeconds": took} for held, took in ((100, 0.1), (local, seconds))]
    run = {"kind": "picture", "assignment": assignment, "round": 0, "seconds": seconds + 1, "crossedBytes": 3 << 20, "ranks": ranks}
    return {**run, "differ": 0.0, "most": 0, "drawn": 0.3, **other}


class VisualizationTest(unittest.TestCase):
    def test_pictures_that_differ_or_are_empty_are_problems(self):
        self.assertEqual(figures.problems([drawn(ROWS, 0, 1.0), drawn(ROWS, 0, 1.0, differ=0.0005, most=16)]), [])
        wrong = [{"differ": 0.0001, "most": 200}, {"differ": 0.2, "most": 1}, {"drawn": 0.0}]
        self.assertEqual(len(figures.problems([drawn(STATIC, 0, 1.0, **each) for each in wrong])), len(wrong))

    def test_the_slowest_rank_counts(self):
        found = Results("visualization", 1, 1, Checkout(root_of()))
        for run in (drawn(ROWS, 0, 10.0), drawn(STATIC, 100, 1.0), drawn(DYNAMIC, 50, 2.0)):
            found.add(run)
        figures.add(found, "none", 2, 4)
        values = {name: (figure["value"], figure.get("goal")) for name, figure in found.figures.items()}
        self.assertEqual(values["local.rows"], (0.5, None))
        self.assertEqual(values["local.static"], (1.0, "100 %: met"))
        self.assertEqual(values["local.dynamic"], (0.75, None))
        self.assertEqual(values["faster.static"], (10.0, "≥ 10: met"))
        self.assertEqual(values["faster.dynamic"], (5.0, None))
        self.assertIn("static      100%                          3.0           1.00                   2.00", figures.text(found))


if __name__ == "__main__":
    unittest.main()
