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
from benchmarks.suites.recovery import figures
from mpsr_launcher.checkout.checkout import Checkout, root_of


def recovery(system, **other):
    contents = {"records": 1000, "digest": "7"}
    run = {"kind": "recovery", "system": system, "round": 0, "node": 2, "lostBytes": 5_000, "seconds": 2.0, "cpuSeconds": 4.0}
    return {**run, "readBytes": 6_000, "writtenBytes": 5_500, "before": contents, "after": contents, "lacking": 0, **other}


class RecoveryTest(unittest.TestCase):
    def test_records_that_are_lost_or_lack_a_copy_are_problems(self):
        self.assertEqual(figures.problems([recovery("mpsr"), recovery("stock")]), [])
        found = figures.problems([recovery("stock", after={"records": 999, "digest": "6"}), recovery("mpsr", lacking=5)])
        self.assertEqual(len(found), 2)
        self.assertIn("stock, round 0: the records were", found[0])
        self.assertEqual(found[1], "mpsr, round 0: 5 records lack a copy")

    def test_costs_are_for_each_byte_that_is_lost(self):
        found = Results("recovery", 1, 1, Checkout(root_of()))
        found.add(recovery("stock"))
        found.add(recovery("mpsr", lostBytes=10_000, seconds=5.0))
        figures.add(found, "none")
        self.assertEqual(found.figures["seconds.mpsr.vs.stock"]["value"], 1.25)
        self.assertEqual((found.figures["seconds.mpsr.vs.stock"]["goal"], found.figures["read.mpsr.vs.lost"]["goal"]), ("≤ 1.2: missed", "≤ 1.2: met"))
        self.assertIn("bytes read / lost", figures.text(found))
