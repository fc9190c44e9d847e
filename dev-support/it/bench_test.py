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
"""The short forms of the benchmarks that run on clusters of processes."""

import json
import tempfile
import unittest
from pathlib import Path

import shared


class BenchTest(unittest.TestCase):
    """The short forms: they fail on a wrong answer, never on a slow one."""

    def bench(self, suite):
        """Runs a suite's short form; returns what it said, its results and its page."""
        with tempfile.TemporaryDirectory() as directory:
            done = shared.mpsr("bench", suite, "--quick", "--json", directory, timeout=600)
            self.assertEqual(done.returncode, 0, f"{done.stdout}\n{done.stderr}")
            found = json.loads((Path(directory) / f"{suite}.json").read_text(encoding="utf-8"))
            page = (Path(directory) / "report.html").read_text(encoding="utf-8")
        return done.stderr, found, page

    def test_all_layouts_answer_the_mix_of_queries_alike(self):
        err, found, page = self.bench("peers")
        self.assertIn("every answer is equal to stock's", err)
        self.assertEqual((found["suite"], found["seed"], found["problems"]), ("peers", 1, []))
        asked = [run for run in found["runs"] if run["kind"] == "query"]
        layouts, queries = ({run[key] for run in asked} for key in ("layout", "query"))
        self.assertEqual((len(layouts), len(queries), len(asked)), (6, 8, 48))
        # Where nothing is answered, all answers are alike.
        answered = {run["query"] for run in asked if run["layout"] == "hdfs-time" and run["rows"]}
        self.assertEqual(answered, queries)
        self.assertIn("mpsr.vs.hdfs-time", found["figures"])
        self.assertIn("<h2>peers</h2>", page)

    def test_the_quickstarts_queries_are_answered_alike_by_each_group(self):
        err, found, page = self.bench("queries")
        self.assertIn("every answer is equal to stock's", err)
        self.assertEqual((found["suite"], found["problems"]), ("queries", []))
        asked = [run for run in found["runs"] if run["kind"] == "query"]
        layouts, queries = ({run[key] for run in asked} for key in ("layout", "query"))
        self.assertEqual(layouts, {"hdfs-time", "mpsr-time", "mpsr-signal", "mpsr-device", "mpsr"})
        self.assertEqual((len(queries), len(asked)), (9, 45))
        self.assertEqual({run["query"] for run in asked if run["layout"] == "hdfs-time" and run["rows"]}, queries)
        self.assertIn("mpsr.full_scan.vs.best-group", found["figures"])
        self.assertIn("<h2>queries</h2>", page)

    def test_plans_and_answers_are_right_as_files_rows_and_signals_grow(self):
        err, found, page = self.bench("scale")
        self.assertIn("every answer is right", err)
        self.assertEqual((found["suite"], found["problems"]), ("scale", []))
        planned = {(run["system"], run["query"]) for run in found["runs"] if run["kind"] == "plan"}
        kinds = ("signal", "day", "device", "both")
        self.assertEqual(planned, {(system, kind) for system in ("stock", "iceberg", "mpsr") for kind in kinds})
        asked = [run for run in found["runs"] if run["kind"] == "query" and run["rows"]]
        self.assertEqual({run["part"] for run in asked}, {"trivial", "rows", "signals"})
        self.assertTrue({"planning.2000.server.signal", "trivial.10000.full_scan.more"} <= found["figures"].keys())
        self.assertIn("<h2>scale</h2>", page)

    def test_all_sinks_store_every_record_once(self):
        err, found, page = self.bench("ingest")
        self.assertIn("every record is there, once", err)
        self.assertEqual((found["suite"], found["problems"]), ("ingest", []))
        ran = {(run["kind"], run["system"]): run for run in found["runs"] if "answers" in run}
        names = [("throughput", name) for name in ("iceberg", "mpsr", "parquet")]
        self.assertEqual(sorted(ran), [("latency", "mpsr"), ("steady", "mpsr"), *names])
        for run in ran.values():
            groups = ["device", "signal", "time"] if run["system"] == "mpsr" else list(run["answers"])
            self.assertEqual(sorted(run["answers"]), groups)
            self.assertGreater(run["expected"]["records"], 0)
        self.assertIn("throughput.mpsr.vs.iceberg", found["figures"])
        self.assertIn("steady.heap.slope", found["figures"])
        self.assertIn("<h2>ingest</h2>", page)

    def test_the_papers_jobs_are_answered_alike_on_hdfs_and_on_mpsr(self):
        _, found, _ = self.bench("paper")
        self.assertEqual((found["suite"], found["problems"]), ("paper", []))
        asked = {(run["layout"], run["job"]) for run in found["runs"] if run["kind"] == "job" and run["rows"]}
        self.assertEqual(asked, {(layout, job) for layout in ("hdfs-day", "mpsr") for job in ("name", "time", "both")})
        queued = {run["layout"]: len(run["jobs"]) for run in found["runs"] if run["kind"] == "queue"}
        self.assertEqual(queued, {"hdfs-day": 12, "mpsr": 12})
