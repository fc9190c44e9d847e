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
"""Reductions and figures of the suite 'placement'."""

import datetime
import unittest

from benchmarks.harness.results import Results
from benchmarks.suites.placement import figures, reductions
from benchmarks.suites.placement.figures import AUTO, READER, STORAGE
from mpsr_launcher.checkout.checkout import Checkout, root_of


def run(place, seconds, number=0, **other):
    """A run of a reduction at 20 MB/s."""
    found = {"kind_of": "reduction", "rate": 20, "number": number, "kind": "chart", "place": place}
    return {**found, "seconds": seconds, "crossedBytes": 1_000_000, "chosen": place, "answer": "a", **other}


class PlacementTest(unittest.TestCase):
    def test_the_seed_draws_narrow_and_wide_reductions(self):
        first = reductions.drawn(5, 8, ["A", "B"], datetime.date(2017, 5, 1), 20)
        self.assertEqual(first, reductions.drawn(5, 8, ["A", "B"], datetime.date(2017, 5, 1), 20))
        self.assertEqual(["--where" in each["arguments"] for each in first], [True, False] * 4)
        self.assertEqual({each["kind"] for each in first[1::2]}, set(reductions.KINDS))
        for each in first:
            at = each["arguments"].index("--from")
            begin, end = (datetime.date.fromisoformat(each["arguments"][at + step]) for step in (1, 3))
            self.assertLess(begin, end)
            self.assertLessEqual((end - datetime.date(2017, 5, 1)).days, 20)

    def test_other_answers_and_no_answers_are_problems(self):
        self.assertEqual(figures.problems([run(READER, 1), run(STORAGE, 1)]), [])
        self.assertEqual(len(figures.problems([run(READER, 1), run(STORAGE, 1, answer="b"), run(AUTO, 1, problem="no")])), 2)

    def test_the_chosen_place_may_take_a_tenth_longer(self):
        results = Results("placement", 1, 1, Checkout(root_of()))
        chosen = [(1.0, 1.05, STORAGE), (1.0, 1.2, STORAGE), (3.0, 9.0, "source")]
        for number, (reader, storage, place) in enumerate(chosen):
            for each in (run(READER, reader, number), run(STORAGE, storage, number), run(AUTO, 1.0, number, chosen=place)):
                results.add(each)
        self.assertEqual([case["good"] for case in figures.cases(results.runs)], [True, False, True])
        figures.add(results, (20,))
        self.assertEqual(results.figures["chosen.good"]["goal"], "≥ 90%: missed")
        self.assertIn("2 of 3", figures.text(results))


if __name__ == "__main__":
    unittest.main()
