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
"""A dataset of many commits becomes few files by 'maintain' and 'compact': what they print, and that every answer stays as it was."""

import json
import unittest
from pathlib import Path

import shared
from mpsr_launcher.cluster import mpsr_cli

DATASET = "/it/compacted"
RECORDS, COMMITS = 4_000, 8


class CompactionTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = shared.cluster()

    def _json(self, *arguments):
        return json.loads(shared.done(*arguments, "--json").stdout.splitlines()[-1])

    def _answers(self):
        program = str(Path(__file__).with_name("compaction_queries.py"))
        done = shared.done("spark-submit", program, self.cluster.state.fs_uri + DATASET)
        found = json.loads(done.stdout.splitlines()[-1])
        self.assertEqual(found["mpsr"], found["stock"])
        self.assertTrue(all(found["stock"].values()), found)
        return found["stock"]

    @shared.long
    def test_few_files_hold_the_same_records(self):
        shared.load_generated(DATASET, RECORDS, COMMITS, "--late", "0.1", "--seed", "3")
        shown, answers = mpsr_cli.ask(self.cluster, ["dataset", "show", DATASET]), self._answers()
        self.assertEqual(shown["records"], RECORDS)
        (plan,) = self._json("compact", DATASET, "--dry-run")["datasets"]
        self.assertEqual((plan["segments"], len(plan["rounds"]), plan["kept"]), (COMMITS, 1, []))
        self.assertGreater(plan["filesSaved"], 0)
        self.assertEqual(mpsr_cli.ask(self.cluster, ["dataset", "show", DATASET])["groups"], shown["groups"])

        self._check_maintained()

        after = mpsr_cli.ask(self.cluster, ["dataset", "show", DATASET])
        for name, group in after["groups"].items():
            with self.subTest(group=name):
                self.assertLess(group["files"], shown["groups"][name]["files"])
                self.assertEqual(group["records"], RECORDS)
                self.assertIsNone(group["unusable"])
        self.assertEqual(after["offsets"], shown["offsets"])
        self.assertEqual(self._answers(), answers)
        shared.done("verify", DATASET)

        (status,) = self._json("compact", DATASET, "--status")["datasets"]
        self.assertEqual((status["state"], status["done"]["segments"], status["problem"]), ("done", COMMITS, None))
        self.assertIn("There is nothing to merge.", shared.done("compact", DATASET).stdout)
        self.assertEqual([said["event"] for said in shared.maintained(DATASET)], ["lease", "looked", "lease"])
        self.assertIn("No compaction of yours runs.", shared.done("compact", DATASET, "--cancel").stdout)

    def _check_maintained(self):
        """The process that maintains the cluster merges what is due, and the NameNode knows."""
        said = shared.maintained(DATASET)
        self.assertEqual([each["event"] for each in said], ["lease", "looked", "started", "done", "lease"], said)
        self.assertRegex(said[3]["text"], rf"compact done at .*, {COMMITS} segments, ")
        known = mpsr_cli.ask(self.cluster, ["status"], failure_allowed=True)["maintenance"]
        self.assertIsNone(known["holder"])
        self.assertIsNotNone(known["checked"])
        (run,) = [each for each in known["runs"] if each["path"] == DATASET]
        self.assertEqual((run["task"], run["outcome"], run["segments"], run["failures"]), ("compact", "done", COMMITS, 0))
        self.assertGreater(run["bytes"], 0)

    def test_wrong_arguments_are_told_before_spark_starts(self):
        for arguments, said in (
            (("/it/none",), "/it/none is not a dataset"),
            ((DATASET, "--before", "soon"), "'soon' is no time; give a day such as 2026-11-24"),
            ((DATASET, "--bandwidth", "fast"), "'fast' is no number of bytes"),
            ((DATASET, "--parallelism", "-1"), "'-1' is no number of tasks; give one from 1"),
        ):
            with self.subTest(arguments=arguments):
                done = shared.mpsr("compact", *arguments)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(said, done.stderr)
                self.assertNotIn("\tat ", done.stderr)
