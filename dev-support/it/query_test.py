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
"""hdfs mpsr query and survey, as commands that start Spark."""

import json
import unittest

import shared

DATASET = "/it/reduced"
RECORDS = 3_000


class QueryTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = shared.cluster()
        shared.load_generated(DATASET, RECORDS, 2, "--seed", "9")

    def test_statistics_are_of_all_records_and_of_the_cheapest_group(self):
        done = shared.done("query", "statistics", DATASET, "--column", "value", "--by", "signal", "--json")
        found = json.loads(done.stdout)
        rows = [dict(zip(found["columns"], row, strict=True)) for row in found["rows"]]
        self.assertEqual(sum(row["records"] for row in rows), RECORDS)
        self.assertGreater(len({row["signal"] for row in rows}), 10)
        self.assertRegex(done.stderr, r"reading \d+ files \(\d+ bytes\) of the replica group \w+")
        signal = max(rows, key=lambda row: row["records"])
        self.assertTrue(signal["min"] <= signal["mean"] <= signal["max"], signal)

    @shared.long
    def test_a_survey_finds_the_files_of_all_groups(self):
        done = shared.done("survey", DATASET, "--json")
        found = json.loads(done.stdout)
        files = shared.done("dfs", "-count", DATASET).stdout.split()[1]
        self.assertEqual(found["files"], int(files))

    def test_what_cannot_be_reduced_is_told(self):
        for arguments, said in (
            (("statistics", "/it/none", "--column", "value"), "/it/none"),
            (("statistics", DATASET, "--column", "valeu"), "valeu"),
            (("chart", DATASET, "--column", "value", "--width", "0"), "0"),
        ):
            with self.subTest(arguments=arguments):
                done = shared.mpsr("query", *arguments)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(said, done.stderr)
                self.assertNotIn("\tat ", done.stderr)
