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

import unittest

from benchmarks.harness.results import Results
from benchmarks.suites.transforms import figures
from mpsr_launcher.checkout.checkout import Checkout, root_of


def values(form, number, size, cpu, **other):
    return {
        "kind": "values",
        "data": "lhb",
        "order": "time",
        "form": form,
        "round": number,
        "values": 1000,
        "bytes": size,
        "cpuNs": cpu,
        "exact": True,
        **other,
    }


class TransformsTest(unittest.TestCase):
    def test_the_fastest_runs_are_compared(self):
        found = Results("transforms", 1, 1, Checkout(root_of()))
        for run in (
            values("plain", 0, 2000, 90_000),
            values("mpsr", 0, 1600, 60_000),
            values("plain", 1, 2000, 50_000),
            values("mpsr", 1, 1600, 70_000),
        ):
            found.add(run)
        figures.add(found)
        self.assertEqual(found.figures["bytes.lhb.time"]["value"], 0.8)
        self.assertEqual(found.figures["bytes.lhb.time"]["goal"], "≤ 0.85: met")
        self.assertEqual(found.figures["cpu.lhb.time"]["value"], 1.2)
        self.assertEqual(found.figures["cpu.lhb.time"]["goal"], "≤ 1.15: missed")
        self.assertIn("bytes to plain", figures.text(found))

    def test_a_value_that_changed_is_a_problem(self):
        runs = [values("plain", 0, 1, 1), values("mpsr", 0, 1, 1, exact=False), values("mpsr", 1, 1, 1, exact=False)]
        self.assertEqual(figures.problems(runs), ["lhb by time, mpsr: a value is not as it was written"])
