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

from mpsr_launcher import tables
from mpsr_launcher.checkout.checkout import Checkout, root_of
from mpsr_launcher.quickstart import report
from mpsr_launcher.quickstart.queries import Query


def run(seconds, size, files, digest="d"):
    scans = ["FileScan parquet[mpsr signal: x]"]
    return {"seconds": seconds, "bytes": size, "files": files, "digest": digest, "scans": scans}


class SizeTest(unittest.TestCase):
    def test_three_digits(self):
        for number, text in (
            (0, "0 B"),
            (999, "999 B"),
            (1000, "1 kB"),
            (12_345, "12.3 kB"),
            (123_456, "123 kB"),
            (999_999, "1000 kB"),
            (1_500_000, "1.5 MB"),
            (7_654_321_000, "7.65 GB"),
            (123_000_000_000, "123 GB"),
        ):
            self.assertEqual(tables.size(number), text)


class TableTest(unittest.TestCase):
    def test_numbers_stand_right_and_words_left(self):
        queries = [
            Query("one", run(12.345, 1_500_000, 1234), run(0.5, 999, 7)),
            Query("a_longer_one", run(1, 2000, 3), run(1, 2000, 3, "other")),
        ]
        lines = report.table(queries).splitlines()
        self.assertEqual(
            [line.split() for line in lines[2:]],
            [
                ["one", "signal", "1,234", "7", "1.5", "MB", "999", "B", "12.35", "0.50", "equal"],
                ["a_longer_one", "signal", "3", "3", "2", "kB", "2", "kB", "1.00", "1.00", "DIFFERENT"],
            ],
        )
        self.assertEqual(len({line.index("signal") for line in lines[2:]}), 1)
        self.assertEqual(len({line.index("kB" if "kB" in line else "MB") for line in lines[2:]}), 1)

    def test_groups(self):
        groups = {"time": {"records": 2_925_377, "files": 12, "bytes": 8_800_000, "contentHash": "ab" * 16}}
        last = report.group_table(groups).splitlines()[-1]
        self.assertEqual(last.split(), ["time", "2,925,377", "12", "8.8", "MB", "ab" * 16])


class JsonTest(unittest.TestCase):
    def test_has_what_the_table_has_and_where_it_ran(self):
        groups = {"time": {"records": 1, "contentHash": "h", "bytes": 2, "files": 3, "root": "not shown"}}
        found = report.as_json(groups, [Query("q", run(1, 2, 3), run(4, 5, 6))], 0, True, Checkout(root_of()))
        self.assertEqual(found["groups"], {"time": {"records": 1, "contentHash": "h", "bytes": 2, "files": 3}})
        self.assertEqual(
            found["queries"],
            [
                {
                    "name": "q",
                    "group": "signal",
                    "equal": True,
                    "stock": {"seconds": 1, "bytes": 2, "files": 3},
                    "mpsr": {"seconds": 4, "bytes": 5, "files": 6},
                }
            ],
        )
        self.assertEqual((found["placementViolations"], found["allocationStable"]), (0, True))
        self.assertLessEqual({"mpsr", "spark", "java", "python"}, set(found["versions"]))
        self.assertRegex(found["versions"]["java"], r"^\d+")
        self.assertGreater(found["machine"]["cores"], 0)
        self.assertGreater(found["machine"]["memoryBytes"], 2**20)
