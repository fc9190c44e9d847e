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

from peers_test import query as asked
from benchmarks.harness import layout_tables
from benchmarks.harness.records import Size
from benchmarks.harness.results import Part, Results
from benchmarks.suites.queries import figures as queries_figures
from benchmarks.suites.queries.suite import size_of
from benchmarks.suites.scale import figures as scale_figures
from benchmarks.suites.scale.planning import GROUPS, commits, parameters
from benchmarks.suites.scale.suite import rows_sizes, signals_sizes
from mpsr_launcher.checkout.checkout import Checkout, root_of

FILES = 10_000
FILES_OF = {"stock": 3340, "iceberg": 10, "mpsr": 10, "catalog": 10}


def plan(system, query, number=0, **other):
    files = 3340 if query == "device" and system in ("stock", "iceberg") else 10 if query == "day" else FILES_OF[system]
    scan = f"FileScan parquet[mpsr {GROUPS[query]}: 10 files]" if system == "mpsr" else "Scan"
    run = {"kind": "plan", "system": system, "query": query, "round": number, "seconds": 0.2, "files": files}
    return {**run, "scans": [scan], **other}


def filled():
    found = Results("scale", 1, 1, Checkout(root_of()))
    part = Part(found, part="planning", size=FILES)
    names = [f"planning.{name}" for name in (*GROUPS, "all", "stock")]
    told = {"value": 120, "unit": "ms", "spread": [100, 130], "count": 15}
    part.add({"kind": "server", "figures": dict.fromkeys(names, told), "runs": []})
    part.add({"kind": "gateway", "round": 0, "seconds": 0.15, "bytes": 1, "files": 10})
    for system in FILES_OF:
        part.add({"kind": "open", "system": system, "round": 0, "seconds": 2})
        for name in GROUPS:
            part.add(plan(system, name, -1, seconds=9))
            part.add(plan(system, name))
    part.add({"kind": "done"})
    part = Part(found, part="trivial", size=100)
    for layout, seconds in (("hdfs-time", 0.1), ("mpsr", 0.16)):
        part.add({"kind": "open", "layout": layout, "round": 0, "seconds": 0.05})
        part.add(asked(layout, "narrow", 0, seconds=seconds))
    part.add({"kind": "done"})
    return found


class ScaleTest(unittest.TestCase):
    def test_figures_say_whether_the_goals_are_met(self):
        found = filled()
        scale_figures.add(found, 1)
        goals = {name: figure["goal"] for name, figure in found.figures.items() if "goal" in figure}
        self.assertEqual(goals.pop("trivial.100.narrow.more"), "≤ 50: missed")
        self.assertEqual(goals, {
            **{f"planning.10000.server.{name}": "≤ 100: missed" for name in GROUPS},
            **{f"planning.10000.driver.{name}.mpsr": "≤ 300: met" for name in GROUPS},
            "planning.10000.gateway.more": "≤ 100: met",
        })
        self.assertAlmostEqual(found.figures["planning.10000.gateway.more"]["value"], 30)
        self.assertEqual(found.figures["planning.10000.driver.day.mpsr"]["spread"], [200, 200])
        self.assertAlmostEqual(found.figures["trivial.100.narrow.more"]["value"], 60)
        self.assertIn("driver.both.iceberg", scale_figures.table(found))

    def test_pairs_say_whether_a_difference_may_be_chance(self):
        found = filled()
        scale_figures.add(found, 1)
        self.assertAlmostEqual(found.figures["trivial.100.narrow.vs.hdfs-time"]["value"], 1.6)
        self.assertIn("1.6 (?)", scale_figures.table(found))
        part = Part(found, part="trivial", size=100)
        for number in range(1, 6):
            for layout, seconds in (("hdfs-time", 0.1), ("mpsr", 0.16 + number / 1000)):
                part.add({"kind": "open", "layout": layout, "round": number, "seconds": 0.05})
                part.add(asked(layout, "narrow", number, seconds=seconds))
        scale_figures.add(found, 1)
        for name in ("more", "vs.hdfs-time"):
            figure = found.figures[f"trivial.100.narrow.{name}"]
            self.assertEqual((figure["probability"], figure["significant"]), (2 / 64, True))

    def test_right_plans_and_answers_are_no_problem(self):
        self.assertEqual(scale_figures.problems(filled()), [])

    def test_wrong_plans_are(self):
        for system, name, other, words in (
            ("mpsr", "signal", {"files": 11}, "11 files instead of 10"),
            ("mpsr", "signal", {"scans": ["FileScan parquet[mpsr time: 10 files]"]}, "another group than signal"),
            ("mpsr", "day", {"scans": ["FileScan parquet"]}, "EXPLAIN shows"),
            ("stock", "day", {"files": 9}, "9 files instead of 10"),
            ("iceberg", "device", {"files": 9}, "9 files instead of 3340"),
            ("iceberg", "signal", {"files": 0}, "no file"),
            ("catalog", "device", {"files": 9}, "9 files instead of 10"),
        ):
            found = filled()
            Part(found, part="planning", size=FILES).add(plan(system, name, 1, **other))
            with self.subTest(words):
                self.assertIn(words, "".join(scale_figures.problems(found)))

    def test_wrong_answers_are(self):
        found = filled()
        Part(found, part="trivial", size=100).add(asked("mpsr", "wide", 0))
        self.assertEqual(scale_figures.problems(found), ["trivial 100: wide on mpsr, round 0: stock has not answered it"])

    def test_a_part_forgets_its_own_runs_only(self):
        found = filled()
        Part(found, part="planning", size=FILES).forget()
        self.assertEqual({run["part"] for run in found.runs}, {"trivial"})

    def test_files_in_three_groups_are_commits(self):
        self.assertEqual([commits(files) for files in (1, 1_000, 2_000, 1_000_000)], [1, 1, 2, 998])

    def test_days_are_asked_for_whole(self):
        self.assertEqual(parameters(0)["day"], ["2013-10-29", 1383004800 * 10**9, 1383091200 * 10**9 - 1])

    def test_sizes_grow(self):
        self.assertEqual([size.records for size in rows_sizes(1).values()], [10**6, 10**7, 10**8])
        self.assertEqual([size.signals for size in signals_sizes(1).values()], [10**2, 10**3, 10**4, 10**5, 10**6])


class QueriesTest(unittest.TestCase):
    def test_scales(self):
        self.assertEqual(size_of(1), Size(100_000_000, 5_000, 100))
        self.assertEqual(size_of(0.01), Size(1_000_000, 200, 10))

    def test_each_query_is_held_against_its_best_group(self):
        found = Results("queries", 1, 1, Checkout(root_of()))
        for layout, seconds in (("hdfs-time", 4), ("mpsr-time", 2), ("mpsr-signal", 1), ("mpsr", 1.04)):
            if not layout.startswith("mpsr-"):
                load = {"kind": "load", "layout": layout, "seconds": 1, "cpuSeconds": 2, "hdfsCpuSeconds": 1}
                found.add({**load, "bytes": 1000, "files": 9})
            found.add(asked(layout, "narrow", 0, seconds=seconds))
        queries_figures.add(found, {"narrow": 1}, 1)
        best = found.figures["mpsr.narrow.vs.best-group"]
        self.assertEqual((best["layout"], best["goal"]), ("mpsr-signal", "≤ 1.05: met"))
        self.assertEqual(found.figures["narrow.files.mpsr"]["value"], 3)
        self.assertIn("1.04 (?)", layout_tables.text(found))
