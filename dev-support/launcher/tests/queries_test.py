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

from mpsr_launcher.quickstart.queries import EXPECTED_GROUPS, Query

STOCK = {"seconds": 1, "bytes": 1000, "files": 9, "digest": "d", "sample": ["s"], "scans": ["FileScan parquet [a]"]}
MPSR = {**STOCK, "bytes": 100, "files": 1, "scans": ["FileScan parquet[mpsr signal: 1 files; cheapest] [a]"]}
NAME = "one_signal_all_time"


def problems(name=NAME, shipped=True, stock=(), mpsr=()):
    return list(Query(name, {**STOCK, **dict(stock)}, {**MPSR, **dict(mpsr)}).problems(shipped))


class QueryTest(unittest.TestCase):
    def test_a_good_one_has_no_problem(self):
        self.assertEqual(EXPECTED_GROUPS[NAME], "signal")
        self.assertEqual(problems(), [])

    def test_another_answer(self):
        (found,) = problems(mpsr={"digest": "x", "sample": ["t"]})
        self.assertIn("another answer than stock: ['t'] instead of ['s']", found)

    def test_mpsr_took_no_part(self):
        for scans in ([], ["FileScan parquet [a]"], [*MPSR["scans"], "FileScan parquet [b]"]):
            self.assertIn("MPSR took no part", " ".join(problems("any", mpsr={"scans": scans})))

    def test_the_stock_run_was_not_stock(self):
        self.assertIn("the stock run was not stock", problems(stock={"scans": MPSR["scans"]})[0])

    def test_an_unexpected_group_matters_for_the_shipped_data_only(self):
        other = {"scans": ["FileScan parquet[mpsr device: 1 files] [a]"]}
        self.assertIn("read group 'device', expected 'signal'", problems(mpsr=other)[0])
        self.assertEqual(problems(mpsr=other, shipped=False), [])
        self.assertEqual(problems("another", mpsr=other), [])

    def test_one_signal_reads_at_most_a_fifth(self):
        self.assertEqual(problems(mpsr={"bytes": 200}), [])
        self.assertIn("more than a fifth of stock's 1000", problems(mpsr={"bytes": 201})[0])
        self.assertEqual(problems("full_scan", mpsr={"bytes": 1000}), [])

    def test_groups_of_several_scans(self):
        scans = [f"FileScan parquet[mpsr {group}: 1 files] [a]" for group in ("time", "signal", "time")]
        query = Query("join", STOCK, {**MPSR, "scans": scans})
        self.assertEqual((query.groups, query.group), (["time", "signal"], "time+signal"))
