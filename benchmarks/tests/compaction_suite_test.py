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
from benchmarks.suites.compaction import figures
from benchmarks.suites.compaction.suite import COMMITS, size_of
from mpsr_launcher.checkout.checkout import Checkout, root_of


def merge(system, number=0, **other):
    contents = {"records": 1000, "digest": "7"}
    run = {"kind": "merge", "system": system, "round": number, "commits": COMMITS, "seconds": 2.0, "cpuSeconds": 4.0}
    run |= {"hdfsCpuSeconds": 1.0, "writtenBytes": 3000, "filesBefore": 60, "filesAfter": 3, "bytesBefore": 2000, "bytesAfter": 1500}
    return {**run, "before": contents, "after": contents, **other}


class CompactionTest(unittest.TestCase):
    def test_records_that_are_lost_and_files_that_stay_are_problems(self):
        self.assertEqual(figures.problems([merge("mpsr"), merge("iceberg")]), [])
        lost = {"records": 999, "digest": "6"}
        found = figures.problems([merge("mpsr", after=lost), merge("iceberg", 1, filesAfter=60)])
        self.assertEqual(len(found), 2)
        self.assertIn("mpsr, round 0: the records were", found[0])
        self.assertIn("iceberg, round 1: 60 files became 60", found[1])

    def test_the_ratio_counts_each_copy_that_is_merged_by_itself(self):
        found = Results("compaction", 1, 1, Checkout(root_of()))
        for system, cpu in (("iceberg", 2.0), ("mpsr", 1.5)):
            found.add(merge(system, cpuSeconds=cpu))
        figures.add(found)
        self.assertEqual(found.figures["perCpuSecond.iceberg"]["value"], 500)
        self.assertEqual(found.figures["copiesPerCpuSecond.mpsr"]["value"], 2000)
        self.assertEqual((found.figures["copies.vs.iceberg"]["value"], found.figures["copies.vs.iceberg"]["goal"]), (4, "≥ 3: met"))
        self.assertIn("files after", figures.text(found))

    def test_a_scale_of_ten_has_the_sinks_largest_commits(self):
        self.assertEqual(size_of(10).records / COMMITS, 10_000_000)
