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
"""Answers and figures of the suite 'extractions'."""

import importlib.util
import unittest

from benchmarks.harness.results import Results
from benchmarks.suites.extractions import figures
from benchmarks.suites.extractions.figures import PYTHON, SPARK
from mpsr_launcher.checkout.checkout import Checkout, root_of


@unittest.skipUnless(importlib.util.find_spec("numpy"), "its clients have numpy; this Python has none")
class AnswersTest(unittest.TestCase):
    def setUp(self):
        import numpy
        from benchmarks.suites.extractions import answers

        self.numpy, self.answers = numpy, answers

    def test_the_order_of_records_does_not_matter_and_values_do(self):
        self.assertEqual(self.answers.digest([2, 1], [0.5, float("nan")]), self.answers.digest([1, 2], [float("nan"), 0.5]))
        self.assertNotEqual(self.answers.digest([1, 2], [0.5, 1.5]), self.answers.digest([1, 2], [1.5, 0.5]))

    def test_lines_cover_the_pixels_between_neighbours(self):
        drawn = self.answers.pixels([0, 1, 10], [0.0, 1.0, 1.0], 0, 20, 2)
        self.assertEqual(drawn.shape, (2, self.answers.PIXELS))
        self.assertTrue(drawn[0].all())
        self.assertEqual(self.numpy.flatnonzero(drawn[1]).tolist(), [self.answers.PIXELS - 1])

    def test_the_points_of_a_chart_cover_the_pixels_of_all_records_and_fewer_do_not(self):
        rng = self.numpy.random.default_rng(3)
        times, values = self.numpy.arange(5_000), self.numpy.cumsum(rng.normal(0, 1, 5_000))
        columns = [range(first, first + 125) for first in range(0, 5_000, 125)]
        extremes = [(each[0], each[-1], min(each, key=values.item), max(each, key=values.item)) for each in columns]
        kept = self.numpy.unique(extremes)
        whole = self.answers.pixels(times, values, 0, 5_000, 40)
        self.assertTrue((self.answers.pixels(times[kept], values[kept], 0, 5_000, 40) == whole).all())
        self.assertFalse((self.answers.pixels(times[kept][::2], values[kept][::2], 0, 5_000, 40) == whole).all())

    def test_records_in_parts_cover_what_they_cover_at_once(self):
        rng = self.numpy.random.default_rng(5)
        times, values = self.numpy.arange(3_000), rng.normal(0, 1, 3_000)
        values[rng.integers(0, 3_000, 50)] = float("nan")
        canvas = self.answers.Canvas(0, 3_000, 20, self.numpy.nanmin(values), self.numpy.nanmax(values))
        for first, after in ((0, 1), (1, 700), (700, 700), (700, 2_500), (2_500, 3_000)):
            canvas.add(times[first:after], values[first:after])
        self.assertTrue((canvas.pixels() == self.answers.pixels(times, values, 0, 3_000, 20)).all())


class FiguresTest(unittest.TestCase):
    def run_of(self, client, number, sum_of, seconds=0.1):
        return {"kind": "extraction", "client": client, "number": number, "digest": sum_of, "rows": 7, "seconds": seconds}

    def test_answers_that_differ_from_sparks_are_problems(self):
        runs = [self.run_of(PYTHON, 0, "a"), self.run_of(PYTHON, 1, "b"), self.run_of(PYTHON, 2, "c"), self.run_of(SPARK, 0, "a")]
        self.assertEqual(figures.problems(runs), [])
        self.assertEqual(figures.compared(runs), (1, 7))
        by_one_job = {key: value for key, value in self.run_of(SPARK, 2, "y").items() if key != "client"} | {"kind": "answer"}
        self.assertEqual(len(figures.problems([*runs, by_one_job])), 1)
        self.assertEqual(figures.compared([*runs, by_one_job, {**by_one_job, "number": 0}]), (2, 14))
        self.assertEqual(len(figures.problems([*runs, self.run_of(SPARK, 1, "x"), {"kind": "chart", "differ": 3}])), 2)

    def test_goals_are_compared(self):
        results = Results("extractions", 1, 1, Checkout(root_of()))
        for number in range(20):
            results.runs.append(self.run_of(PYTHON, number, "a", 0.3 if number == 0 else 0.01))
        late = {"kind": "rate", "asked": 58, "processes": 2, "seconds": 2.5, "latencies": [0.1] * 58, "own": [0.1] * 58, "cpuSeconds": {"namenode": 1.0}}
        results.runs.append(late)
        figures.add(results)
        self.assertEqual(results.figures["p95.python"]["goal"], "≤ 0.2 s: met")
        self.assertEqual(results.figures["rate.58"]["goal"], "≥ 58: missed")
        self.assertIn("namenode 1.0", figures.text(results))


if __name__ == "__main__":
    unittest.main()
