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
"""The short forms of the benchmarks that run on clusters of processes; Maven runs that of the suite 'namenode'."""

import json
import os
import tempfile
import unittest
from pathlib import Path

import shared

SHORT = ("queries", "compaction")
MOUNTED = ("visualization",) if os.geteuid() == 0 and os.access("/dev/fuse", os.R_OK | os.W_OK) else ()
SUITES = ("paper", "elastic", "peers", *SHORT, "scale", "adoption", "merged", "recovery", *MOUNTED, "ingest") if shared.LONG else SHORT


class BenchTest(unittest.TestCase):
    """They fail on a wrong answer, never on a slow one."""

    @classmethod
    def setUpClass(cls):
        directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(directory.cleanup)
        cls.json = Path(directory.name)
        cls.done = shared.mpsr("bench", *SUITES, "--quick", "--json", directory.name, timeout=3600)

    def results(self, suite, verdict):
        """The results of a suite that has ended with a verdict, and without problems."""
        said = f"{self.done.stdout}\n{self.done.stderr}"
        self.assertRegex(said, f"{suite}: {verdict}")
        found = json.loads((self.json / f"{suite}.json").read_text(encoding="utf-8"))
        self.assertEqual((found["suite"], found["seed"], found["problems"]), (suite, 1, []))
        return found

    def asked(self, found, **wanted):
        """What was asked of which layout, where anything was answered: where nothing is, all answers are alike."""
        runs = [run for run in found["runs"] if run["kind"] == "query" and run["rows"]]
        return {(run["layout"], run["query"]) for run in runs if all(run[key] == value for key, value in wanted.items())}

    def test_all_end_well_and_write_one_page(self):
        self.assertEqual(self.done.returncode, 0, f"{self.done.stdout}\n{self.done.stderr}")
        page = (self.json / "report.html").read_text(encoding="utf-8")
        for suite in SUITES:
            self.assertIn(f"<h2>{suite}</h2>", page)

    @shared.long
    def test_what_is_asked_for_most_gets_further_copies(self):
        found = self.results("elastic", "the answers are equal with further copies and without")
        (queue,) = [run for run in found["runs"] if run["kind"] == "queue"]
        self.assertGreater(queue["copies"]["copies"], 0)

    @shared.long
    @unittest.skipUnless(MOUNTED, "mounts need root and /dev/fuse")
    def test_ranks_draw_the_picture_through_mounts(self):
        found = self.results("visualization", "all pictures are as they should be")
        self.assertEqual({run["assignment"] for run in found["runs"]}, {"rows", "static", "dynamic"})

    @shared.long
    def test_all_layouts_answer_the_mix_of_queries_alike(self):
        found = self.results("peers", "every answer is equal to stock's; 42 queries")
        layouts, queries = map(set, zip(*self.asked(found)))
        briefly = {"hdfs-signal", "iceberg-zorder"}
        self.assertEqual(layouts, {"hdfs-time", "iceberg-sorted", "mpsr-signal", "catalog", "mpsr", *briefly})
        self.assertEqual((len(queries), len(self.asked(found))), (8, 42))
        self.assertEqual(len([layout for layout, _ in self.asked(found) if layout in briefly]), 2)
        self.assertTrue({"mpsr.vs.hdfs-time", "catalog.vs.mpsr", "top_n.files.mpsr", "rewriting.writtenBytes.iceberg-zorder"} <= found["figures"].keys())

    def test_the_quickstarts_queries_are_answered_alike_by_each_group(self):
        found = self.results("queries", "every answer is equal to stock's; 20 queries")
        layouts, queries = map(set, zip(*self.asked(found)))
        self.assertEqual(layouts, {"hdfs-time", "mpsr-time", "mpsr-signal", "mpsr-device", "mpsr"})
        self.assertEqual((len(queries), len(self.asked(found))), (4, 20))
        self.assertIn("mpsr.full_scan.vs.best-group", found["figures"])

    @shared.long
    def test_plans_and_answers_are_right_as_files_rows_and_signals_grow(self):
        found = self.results("scale", "every answer is right")
        planned = {(run["system"], run["query"]) for run in found["runs"] if run["kind"] == "plan"}
        kinds = ("signal", "day", "device", "both")
        self.assertEqual(planned, {(system, kind) for system in ("stock", "iceberg", "mpsr") for kind in kinds})
        for part, queries in (("trivial", 3), ("rows", 2), ("signals", 2)):
            self.assertEqual(len(self.asked(found, part=part)), 2 * queries, part)
        self.assertTrue({"planning.2000.server.signal", "trivial.10000.full_scan.more"} <= found["figures"].keys())

    @shared.long
    def test_an_archive_is_adopted_as_the_dry_run_said(self):
        found = self.results("adoption", "every answer was stock's")
        (run,) = found["runs"]
        found_files = run["dry"]["found"]["files"]
        self.assertGreater(found_files, 20)
        self.assertEqual((run["told"]["files"], run["told"]["problem"], run["problems"]), (found_files, None, []))
        self.assertEqual(run["dry"]["adoptable"]["files"], found_files)
        self.assertTrue({"footers", "rate.alone", "time.foretold", "bytes.foretold.signal"} <= found["figures"].keys())

    def test_merges_leave_every_record_in_fewer_files(self):
        found = self.results("compaction", "every record is there, once")
        merged = {run["system"]: run for run in found["runs"] if run["kind"] == "merge"}
        self.assertEqual(sorted(merged), ["iceberg", "mpsr"])
        for run in merged.values():
            self.assertEqual((run["commits"], run["before"]), (4, run["after"]))
            self.assertLess(run["filesAfter"], run["filesBefore"])
        self.assertIn("copies.vs.iceberg", found["figures"])

    @shared.long
    def test_a_merged_dataset_answers_as_one_that_was_loaded_at_once(self):
        found = self.results("merged", "every answer is equal to stock's; 6 queries")
        layouts, _ = zip(*self.asked(found))
        self.assertEqual(set(layouts), {"hdfs-time", "mpsr-time", "mpsr-signal", "mpsr-device", "mpsr", "mpsr_at_once"})
        loads = {run["layout"]: run for run in found["runs"] if run["kind"] == "load"}
        self.assertGreater(loads["mpsr"]["commits"], 1)
        self.assertIn("mpsr.vs.mpsr_at_once", found["figures"])

    @shared.long
    def test_what_a_dead_node_had_is_there_again(self):
        found = self.results("recovery", "every record is there, once, in every copy")
        runs = {run["system"]: run for run in found["runs"]}
        self.assertEqual(sorted(runs), ["mpsr", "stock"])
        for run in runs.values():
            self.assertEqual((run["before"], run["lacking"]), (run["after"], 0))
            self.assertGreater(run["lostBytes"], 0)
        self.assertIn("seconds.mpsr.vs.stock", found["figures"])

    @shared.long
    def test_all_sinks_store_every_record_once(self):
        found = self.results("ingest", "every record is there, once")
        ran = {(run["kind"], run["system"]): run for run in found["runs"] if "answers" in run}
        names = [("throughput", name) for name in ("iceberg", "mpsr", "parquet")]
        self.assertEqual(sorted(ran), [("latency", "mpsr"), ("steady", "mpsr"), *names])
        for run in ran.values():
            groups = ["device", "signal", "time"] if run["system"] == "mpsr" else list(run["answers"])
            self.assertEqual(sorted(run["answers"]), groups)
            self.assertGreater(run["expected"]["records"], 0)
        self.assertIn("throughput.mpsr.vs.iceberg", found["figures"])
        self.assertIn("steady.heap.slope", found["figures"])

    @shared.long
    def test_the_papers_jobs_are_answered_alike_on_hdfs_and_on_mpsr(self):
        found = self.results("paper", "every answer is equal to stock's; 6 jobs measured")
        asked = {(run["layout"], run["job"]) for run in found["runs"] if run["kind"] == "job" and run["rows"]}
        self.assertEqual(asked, {(layout, job) for layout in ("hdfs-day", "mpsr") for job in ("name", "time", "both")})
        queued = {run["layout"]: len(run["jobs"]) for run in found["runs"] if run["kind"] == "queue"}
        self.assertEqual(queued, {"hdfs-day": 6, "mpsr": 6})
