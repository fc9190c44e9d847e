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

import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from benchmarks.harness import data_layouts, layout_tables, page, results, svg
from benchmarks.harness.records import Size
from benchmarks.harness.results import Results
from benchmarks.suites.merged.suite import Merged
from benchmarks.suites.peers import figures as peers_figures
from benchmarks.suites.peers.suite import Peers, size_of
from benchmarks.suites.queries.suite import Queries
from mpsr_launcher.checkout.checkout import Checkout, root_of
from mpsr_launcher.cli.arguments import parser
from mpsr_launcher.errors import MpsrError

SHARES = {"narrow": 75, "wide": 25}
LAYOUTS = data_layouts.layouts("hdfs://nn")
LAYOUTS.append(data_layouts.through_iceberg(LAYOUTS[-1]))
SECONDS = {"catalog": 1.05, "hdfs-time": 4, "hdfs-signal": 3, "iceberg-sorted": 2, "iceberg-zorder": 3, "mpsr": 1}


def query(layout, name, number, **other):
    seconds = SECONDS.get(layout, 1.5) * (2 if name == "wide" else 1) * (1 + number / 100)
    group = layout.removeprefix("mpsr-").replace("mpsr", "signal")
    scan = f"FileScan parquet[mpsr {group}: 1 files]" if layout.startswith("mpsr") else "FileScan parquet [a]"
    run = {"kind": "query", "layout": layout, "query": name, "round": number, "seconds": seconds, "bytes": 1000}
    run.update({"tasks": 2, "files": 3, "planSeconds": 0.1, "cpuSeconds": 0.2, "digest": f"{name}{number}"})
    return {**run, "sample": [], "scans": [scan], **other}


def filled(rounds=7, directory=None):
    found = Results("peers", 1, 0.1, Checkout(root_of()), directory)
    for layout in LAYOUTS:
        if not layout.filled_by:
            size = 1100 if layout.name == "mpsr" else 1000
            load = {"kind": "load", "layout": layout.name, "seconds": 1, "cpuSeconds": 2, "hdfsCpuSeconds": 1}
            load |= {"rewriting": {"seconds": 0.75, "writtenBytes": 5}} if layout.rewritten else {}
            found.runs.append({**load, "bytes": size, "files": 9})
        opened = 0.25 if layout.session == "mpsr" else 0.5
        found.runs += [{"kind": "open", "layout": layout.name, "round": n, "seconds": opened} for n in range(rounds)]
        found.runs += [query(layout.name, name, number) for name in SHARES for number in range(rounds)]
    return found


class FiguresTest(unittest.TestCase):
    def setUp(self):
        self.results = filled()
        peers_figures.add(self.results, SHARES, 1)
        self.figures = self.results.figures

    def test_the_mix_counts_each_query_by_its_share(self):
        self.assertAlmostEqual(self.figures["mix.seconds.mpsr"]["value"], 1.25 * 1.03)
        self.assertEqual(self.figures["mix.seconds.mpsr"]["count"], 7)

    def test_mpsr_against_the_others(self):
        found = self.figures["mpsr.vs.hdfs-time"]
        self.assertAlmostEqual(found["value"], 0.25)
        self.assertEqual((found["goal"], found["significant"]), ("≤ 0.2: missed", True))
        self.assertEqual(self.figures["mpsr.vs.iceberg"]["layout"], "iceberg-sorted")
        self.assertEqual(self.figures["mpsr.vs.iceberg"]["goal"], "≤ 0.5: met")
        self.assertAlmostEqual(self.figures["mpsr.wide.vs.best-group"]["value"], 1 / 1.5)
        self.assertEqual(self.figures["mpsr.worst.vs.hdfs-time"]["goal"], "≤ 1.05: met")
        self.assertEqual(self.figures["stored.mpsr.vs.hdfs-time"]["goal"], "≤ 1.1: met")

    def test_mpsr_read_with_iceberg_alone(self):
        self.assertAlmostEqual(self.figures["catalog.vs.mpsr"]["value"], 1.05)
        self.assertEqual(self.figures["catalog.worst.vs.mpsr"]["goal"], "≤ 1.1: met")
        self.assertAlmostEqual(self.figures["catalog.vs.iceberg"]["value"], 1.05 / 2)
        self.assertEqual(self.figures["catalog.vs.iceberg"]["goal"], "≤ 0.5: missed")
        self.assertEqual(LAYOUTS[-1].table, {"name": "gateway.`bench`.`mpsr`"})

    def test_a_goal_that_the_interval_lies_about_may_be_chance(self):
        said = [peers_figures.at_most(*each) for each in ((1, 1.05, [0.9, 1.2]), (1.1, 1.05, [0.9, 1.2]), (1, 1.05, [0.9, 1.05]))]
        self.assertEqual(said, ["≤ 1.05: met, may be chance", "≤ 1.05: missed, may be chance", "≤ 1.05: met"])

    def test_each_measure_of_each_query_on_each_layout_is_a_figure(self):
        for name, unit in (("seconds", "s"), ("bytes", "B"), ("tasks", "tasks"), ("files", "files"), ("cpuSeconds", "s")):
            self.assertEqual(self.figures[f"narrow.{name}.iceberg-zorder"]["unit"], unit)
        self.assertEqual(self.figures["narrow.planSeconds.mpsr-time"]["value"], 0.1)

    def test_the_mix_with_opening_the_table(self):
        self.assertAlmostEqual(self.figures["mix.secondsWithOpening.mpsr"]["value"], 1.25 * 1.03 + 0.25)
        found = self.figures["mpsr.with-opening.vs.hdfs-time"]
        self.assertAlmostEqual(found["value"], (1.25 * 1.03 + 0.25) / (5 * 1.03 + 0.5))

    def test_in_the_geometric_mean_each_query_counts_alike(self):
        found = filled()
        for run in found.find(kind="query", layout="hdfs-time", query="wide"):
            run["seconds"] *= 4
        peers_figures.add(found, SHARES, 1)
        self.assertAlmostEqual(found.figures["mpsr.each-alike.vs.hdfs-time"]["value"], 0.125)

    def test_rewriting_is_told_by_itself(self):
        self.assertEqual(self.figures["rewriting.seconds.iceberg-zorder"]["value"], 0.75)
        self.assertNotIn("rewriting.seconds.iceberg-sorted", self.figures)
        self.assertEqual(self.results.tables[-1]["rows"][-1], ["megabytes written, all copies, of which rewriting", *["", "", ""], "0.00", ""])

    def test_the_tables_show_every_query_and_the_mix(self):
        titles = [table["title"] for table in self.results.tables]
        self.assertEqual((len(titles), titles[0], titles[-1]), (7, "Seconds on the clock (medians)", "Filling the layouts"))
        lines = layout_tables.text(self.results).splitlines()
        self.assertEqual([line.split()[0] for line in lines[3:8]], ["narrow", "wide", "mix", "mix", "geometric"])
        self.assertIn("0.27", lines[6])
        self.assertIn("75%", lines[3])
        self.assertIn("0.25", lines[3])

    def test_a_layout_that_is_asked_briefly_has_no_figures(self):
        found = filled()
        found.runs = [run for run in found.runs if (run["layout"], run.get("query")) != ("hdfs-signal", "wide")]
        peers_figures.add(found, SHARES, 1)
        self.assertNotIn("mix.seconds.hdfs-signal", found.figures)
        self.assertEqual(found.figures["mix.seconds.mpsr"]["count"], 7)

    def test_a_round_that_is_not_complete_does_not_count(self):
        found = filled()
        found.runs = [run for run in found.runs if (run.get("query"), run.get("layout"), run.get("round")) != ("wide", "mpsr", 2)]
        peers_figures.add(found, SHARES, 1)
        self.assertEqual(found.figures["mix.seconds.mpsr"]["count"], 6)

    def test_figures_of_fewer_rounds_do_not_stay(self):
        found = filled(rounds=3)
        peers_figures.add(found, SHARES, 1)
        self.assertIn("mpsr.wide.vs.iceberg-sorted", found.figures)
        for run in found.find(layout="iceberg-sorted", kind="query"):
            run["seconds"] *= 2
        peers_figures.add(found, SHARES, 1)
        self.assertIn("mpsr.wide.vs.iceberg-zorder", found.figures)
        self.assertNotIn("mpsr.wide.vs.iceberg-sorted", found.figures)

    def test_one_round_decides_nothing(self):
        found = filled(rounds=1)
        peers_figures.add(found, SHARES, 1)
        self.assertFalse(found.figures["mpsr.vs.hdfs-time"]["significant"])
        self.assertIn("0.25 (?)", layout_tables.text(found))


class ProblemsTest(unittest.TestCase):
    def problems(self, **other):
        layout = other.pop("layout", "mpsr")
        return peers_figures.problems([query("hdfs-time", "wide", 0), query(layout, "wide", 0, **other)])

    def test_equal_answers_are_none(self):
        self.assertEqual(peers_figures.problems(filled().runs), [])

    def test_another_answer(self):
        (found,) = self.problems(digest="other", sample=["x"])
        self.assertIn("wide on mpsr, round 0: answered ['x'] instead of []", found)

    def test_mpsr_must_take_part_and_only_where_it_is_asked_to(self):
        self.assertIn("EXPLAIN shows", self.problems(scans=["FileScan parquet [a]"])[0])
        self.assertIn("EXPLAIN shows", self.problems(layout="hdfs-signal", scans=["FileScan parquet[mpsr time: 1]"])[0])
        self.assertIn("EXPLAIN shows", self.problems(scans=["FileScan parquet[mpsr time: 1]", "FileScan parquet [a]"])[0])
        self.assertIn("EXPLAIN shows", self.problems(scans=[])[0])

    def test_a_group_alone_must_be_that_group(self):
        self.assertEqual(self.problems(layout="mpsr-time"), [])
        self.assertIn("EXPLAIN shows", self.problems(layout="mpsr-time", scans=["FileScan parquet[mpsr signal: 1]"])[0])

    def test_what_stock_has_not_answered(self):
        (found,) = peers_figures.problems([query("mpsr", "wide", 0)])
        self.assertIn("stock has not answered it", found)


class LayoutsTest(unittest.TestCase):
    def test_all_are_read_by_their_session_and_filled_once(self):
        self.assertEqual([layout.name for layout in LAYOUTS][0], "hdfs-time")
        loads = [layout.name for layout in LAYOUTS if not layout.filled_by]
        self.assertEqual(loads, ["hdfs-time", "hdfs-signal", "iceberg-sorted", "iceberg-zorder", "mpsr"])
        forced = {layout.name: layout.table.get("group") for layout in LAYOUTS if layout.session == "mpsr"}
        self.assertEqual(forced, {"mpsr-time": "time", "mpsr-signal": "signal", "mpsr-device": "device", "mpsr": None})

    def test_the_short_forms_have_all_groups_between_them(self):
        arguments = parser("v").parse_args(["bench", "--quick"])
        peers, queries = (suite(Checkout(root_of()), None, arguments).layouts("hdfs://nn") for suite in (Peers, Queries))
        self.assertEqual([layout.name for layout in peers], [
            "hdfs-time", "hdfs-signal", "iceberg-sorted", "iceberg-zorder", "mpsr-signal", "mpsr", "catalog"
        ])
        names = ["hdfs-time", "mpsr-time", "mpsr-signal", "mpsr-device", "mpsr"]
        self.assertEqual([layout.name for layout in queries], names)
        # What both compare is filled once.
        directories = {layout.name: layout.directory for layout in peers}
        self.assertEqual([layout.directory for layout in queries if layout.name in directories], [
            directories["hdfs-time"], directories["mpsr"], directories["mpsr"]
        ])

    def test_a_merged_dataset_is_compared_with_one_that_was_loaded_at_once(self):
        arguments = parser("v").parse_args(["bench", "merged"])
        found = {layout.name: layout for layout in Merged(Checkout(root_of()), None, arguments).layouts("hdfs://nn")}
        self.assertEqual(list(found), ["hdfs-time", "mpsr-time", "mpsr-signal", "mpsr-device", "mpsr", "mpsr_at_once"])
        self.assertEqual((found["mpsr"].merged, found["mpsr_at_once"].merged), (20, 0))
        self.assertNotEqual(found["mpsr"].directory, found["mpsr_at_once"].directory)

    def test_only_iceberg_gets_its_jar(self):
        self.assertIn("spark.jars", data_layouts.settings("iceberg", "/i.jar"))
        for kind in ("stock", "mpsr"):
            self.assertNotIn("spark.sql.extensions", data_layouts.settings(kind, "/i.jar"))

    def test_scales(self):
        self.assertEqual(size_of(1), Size(20_000_000, 10_000, 400))
        self.assertEqual(size_of(10), Size(200_000_000, 10_000, 400))
        self.assertEqual(size_of(0.1), Size(2_000_000, 1_000, 40))
        self.assertEqual(size_of(0.01), Size(200_000, 200, 10))


class ResultsTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)

    def again(self, seed=1):
        return Results("peers", seed, 0.1, Checkout(root_of()), self.directory, resume=True)

    def test_runs_are_found_again(self):
        first = Results("peers", 1, 0.1, Checkout(root_of()), self.directory)
        first.add({"kind": "query", "round": 0})
        self.assertEqual(self.again().find(kind="query"), [{"kind": "query", "round": 0}])
        self.assertEqual(Results("peers", 1, 0.1, Checkout(root_of()), self.directory).runs, [])

    def test_parts_that_are_not_measured_again_stay_with_their_date(self):
        first = Results("scale", 1, 0.1, Checkout(root_of()), self.directory)
        first.runs = [{"part": "rows", "kind": "done"}, {"part": "signals", "kind": "done"}]
        first.save()
        date = results.read(self.directory / "scale.json")["date"]

        def others(scale):
            found = Results("scale", 1, scale, Checkout(root_of()), self.directory, others=lambda run: run["part"] != "rows")
            return found.runs, found.as_json()["notes"]

        kept = [{"date": date, "part": "signals", "kind": "done"}]
        self.assertEqual(others(0.1), (kept, [f"Measured earlier, {date}: signals."]))
        self.assertEqual(others(0.2), ([], []))

    def test_runs_of_other_options_are_refused(self):
        Results("paper", 1, 0.1, Checkout(root_of()), self.directory, options={"limits": True}).save()
        with self.assertRaisesRegex(MpsrError, "holds runs of options"):
            Results("paper", 1, 0.1, Checkout(root_of()), self.directory, resume=True, options={"limits": False})

    def test_the_commits_of_all_runs_are_told(self):
        first = Results("peers", 1, 0.1, Checkout(root_of()), self.directory)
        first.add({"kind": "query"})
        file = self.directory / "peers.json"
        results.write(file, {**results.read(file), "commits": ["abc"]})
        self.assertEqual(self.again().as_json()["commits"][0], "abc")
        self.assertEqual(len(self.again().as_json()["commits"]), 2)

    def test_runs_of_another_seed_are_refused(self):
        Results("peers", 1, 0.1, Checkout(root_of()), self.directory).save()
        with self.assertRaisesRegex(MpsrError, "holds runs of seed 1, not of seed 2"):
            self.again(seed=2)

    def test_a_file_of_something_else_is_refused(self):
        (self.directory / "peers.json").write_text("{}")
        with self.assertRaisesRegex(MpsrError, "holds no results of a suite"):
            self.again()
        (self.directory / "peers.json").write_text("{")
        with self.assertRaisesRegex(MpsrError, "is no JSON"):
            self.again()

    def test_the_report_shows_all_suites_and_needs_nothing_else(self):
        found = filled(directory=self.directory)
        peers_figures.add(found, SHARES, 1)
        found.problems = ["wide on <mpsr>"]
        found.save()
        other = '{"suite": "namenode", "seed": 0, "scale": "full", "runs": [], "figures": {"heap": %s}}'
        (self.directory / "namenode.json").write_text(other % '{"value": 443, "unit": "bytes", "spread": [443, 443]}')
        results.complete(self.directory / "namenode.json", Checkout(root_of()))
        text = page.write(self.directory).read_text(encoding="utf-8")
        for part in ("<h2>namenode</h2>", "<h2>peers</h2>", "mpsr.vs.hdfs-time", "<svg", "443", "wide on &lt;mpsr&gt;", "cores", "Megabytes read"):
            self.assertIn(part, text)
        for outside in ("<script", "href=", "src=", "url("):
            self.assertNotIn(outside, text)
        self.assertTrue((self.directory / "peers-seconds.svg").is_file())

    def test_an_empty_directory_has_no_report(self):
        with self.assertRaisesRegex(MpsrError, "holds no results"):
            page.write(self.directory)


class SvgTest(unittest.TestCase):
    def bars(self, values, log, **spread):
        plot = {"title": "a < b", "unit": "s", "log": log, "categories": ["one", "two"]}
        root = ElementTree.fromstring(svg.bars({**plot, "series": [{"name": "x", "values": values, **spread}]}))
        found = [rect for rect in root.iter("{http://www.w3.org/2000/svg}rect") if len(rect)]
        return [float(rect.get("height")) for rect in found]

    def test_heights_follow_the_values(self):
        one, two = self.bars([1, 2], log=False)
        self.assertAlmostEqual(two, 2 * one, delta=0.2)

    def test_a_logarithmic_scale_shows_ratios(self):
        one, two = self.bars([20, 200], log=True, low=[19, 190], high=[21, 210])
        plain = svg.HEIGHT - svg.TOP - svg.BOTTOM
        self.assertAlmostEqual(two - one, plain / 2, delta=0.2)

    def test_what_was_not_measured_has_no_bar(self):
        self.assertEqual(len(self.bars([None, 3], log=True)), 1)
        self.assertEqual(len(self.bars([None, None], log=True)), 0)
