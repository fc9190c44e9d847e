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
"""The suite 'ingest': what it makes of what it has measured."""

import tempfile
import unittest
from pathlib import Path

from benchmarks.harness import svg
from benchmarks.suites.ingest import figures as ingest_figures, parts as ingest_parts, sinks as ingest_sinks, suite as ingest
from benchmarks.suites.ingest.sink_cluster import Stream, heap_used
from mpsr_launcher.errors import MpsrError

EXPECTED = {"records": 1000, "digest": "77"}


def run(system, number, seconds, digest="77", worker=2.0):
    return {
        "kind": "throughput",
        "system": system,
        "round": number,
        "records": 1000,
        "seconds": seconds,
        "cpuSeconds": {"worker": worker, "hdfs": 1.0, "broker": 0.5},
        "writtenBytes": 5000,
        "stored": {"files": 7, "bytes": 4000},
        "answers": {"all": {"records": 1000, "digest": digest}},
        "expected": EXPECTED,
    }


class FakeResults:
    """Holds runs and takes figures, as Results does."""

    def __init__(self, runs):
        self.runs = runs
        self.figures, self.plots, self.notes, self.problems = {}, [], [], []

    def find(self, **wanted):
        return [each for each in self.runs if all(each.get(key) == value for key, value in wanted.items())]

    def figure(self, name, value, unit, spread=None, **more):
        self.figures[name] = {"value": value, "unit": unit, "spread": spread or [value, value], **more}


class ThroughputTest(unittest.TestCase):
    def test_rounds_are_paired_and_the_warm_up_is_left_out(self):
        runs = [run("mpsr", -1, 1), run("iceberg", -1, 1)]
        runs += [run("mpsr", number, 10 + number) for number in range(3)]
        runs += [run("iceberg", number, 30 + 3 * number, worker=8.0) for number in range(2)]
        results = FakeResults(runs)
        ingest_figures.add(results, seed=1)
        self.assertEqual(results.problems, [])
        ratio = results.figures["throughput.mpsr.vs.iceberg"]
        self.assertEqual((ratio["value"], ratio["count"], ratio["goal"]), (3.0, 2, "≥ 2: met"))
        self.assertEqual(results.figures["workerCpu.mpsr.vs.iceberg"]["value"], 0.25)
        self.assertEqual(results.figures["throughput.mpsr"]["spread"], [1000 / 11, 100.0])
        self.assertEqual(results.figures["written.iceberg"]["value"], 5)
        self.assertIn("throughput.mpsr", ingest_figures.table(results))

    def test_cpu_time_below_its_clocks_tick_is_not_compared(self):
        results = FakeResults([run("mpsr", 0, 10, worker=0.0), run("iceberg", 0, 20)])
        ingest_figures.add(results, seed=1)
        self.assertIn("throughput.mpsr.vs.iceberg", results.figures)
        self.assertNotIn("workerCpu.mpsr.vs.iceberg", results.figures)

    def test_a_changed_record_is_a_problem_whenever_it_was_written(self):
        runs = [run("mpsr", 0, 10), run("iceberg", 1, 10, digest="78"), run("parquet", -1, 10, digest="79")]
        found = ingest_figures.problems(runs)
        self.assertEqual(len(found), 2)
        self.assertIn("throughput of iceberg, round 2: all has 1,000 records with the digest 78", found[0])
        self.assertIn("throughput of parquet, round 0", found[1])


class LatencyTest(unittest.TestCase):
    def test_a_record_is_seen_when_more_records_are_there_than_before_it(self):
        sent = [(0, 1000), (100, 1100), (200, 1200), (300, 1300)]
        seen = [(1500, 100), (1600, 201), (1900, 400)]
        self.assertEqual(ingest_parts.latencies(sent, seen, 0), [400, 500, 500, 600])
        self.assertEqual(ingest_parts.latencies(sent, seen, 200), [400, 600])
        with self.assertRaises(IndexError):
            ingest_parts.latencies([(400, 1000)], seen, 0)

    def test_percentiles_are_those_of_the_nearest_rank(self):
        values = list(range(1, 201))
        self.assertEqual([ingest_parts.percentile(values, share) for share in (0, 0.5, 0.99, 1)], [1, 100, 198, 200])

    def test_a_line_that_is_being_written_is_left_out(self):
        with tempfile.TemporaryDirectory() as directory:
            file = Path(directory) / "sent"
            self.assertEqual(ingest_parts.sent_times(file), [(-1, 0)])
            file.write_text("0 1000\n100 1200\n200 1")
            self.assertEqual(ingest_parts.sent_times(file), [(0, 1000), (100, 1200)])


class SteadyTest(unittest.TestCase):
    def test_a_slope_is_that_of_the_least_squares_line(self):
        found, (low, high) = ingest_figures.slope([0, 1, 2, 3], [5, 7, 9, 11])
        self.assertEqual((found, low, high), (2, 2, 2))
        found, (low, high) = ingest_figures.slope([0, 1, 2, 3], [1, -1, 1, -1])
        self.assertAlmostEqual(found, -0.4)
        self.assertTrue(low < 0 < high)

    def test_files_are_counted_by_stretches_of_time(self):
        samples = [{"seconds": 60 * minute, "files": 10 * minute} for minute in range(61)]
        rates = ingest_figures.file_rates(samples)
        self.assertEqual([at for at, _ in rates], [600, 1200, 1800, 2400, 3000, 3600])
        self.assertEqual({round(rate) for _, rate in rates}, {600})

    def test_figures_and_plots_say_what_grows(self):
        samples = [
            {"seconds": 36 * at, "sent": at, "lag": 5, "heapBytes": 1e6 * (100 + at), "files": at} for at in range(101)
        ]
        results = FakeResults([{"kind": "steady", "system": "mpsr", "seconds": 3600, "samples": samples}])
        ingest_figures.add(results, seed=1)
        self.assertAlmostEqual(results.figures["steady.heap.slope"]["value"], 100)
        self.assertAlmostEqual(results.figures["steady.lag.slope"]["value"], 0)
        self.assertAlmostEqual(results.figures["steady.files"]["value"], 100)
        drawn = svg.draw(results.plots[0])
        self.assertIn("<polyline", drawn)
        self.assertIn("Heap of the worker", drawn)

    def test_the_heap_is_both_generations(self):
        text = " def new generation   total 78656K, used 1000K [0x1, 0x2)\n  eden space 69952K,   5% used\n"
        text += " tenured generation   total 174784K, used 24K [0x3)\n Metaspace       used 4136K, committed 4352K\n"
        self.assertEqual(heap_used(text), 1024 * 1024)
        with self.assertRaisesRegex(MpsrError, "two generations"):
            heap_used("garbage-first heap total 1K, used 1K")


class SinksTest(unittest.TestCase):
    def test_what_readers_of_iceberg_see_is_in_the_newest_metadata(self):
        names = ["v9.metadata.json", "v10.metadata.json", "version-hint.text", "snap-99.avro", "v11.metadata.json.tmp"]
        self.assertEqual(ingest_sinks.latest_metadata(names), "v10.metadata.json")
        self.assertEqual(ingest_sinks.total_records({"current-snapshot-id": -1, "snapshots": []}), 0)
        snapshots = [{"snapshot-id": at, "summary": {"total-records": str(at * 10)}} for at in (1, 2)]
        self.assertEqual(ingest_sinks.total_records({"current-snapshot-id": 2, "snapshots": snapshots}), 20)

    def test_the_plain_sinks_files_say_what_they_hold(self):
        names = ["t+0+0+40.parquet", "t+1+0+2.parquet", ".t-0-40.part"]
        self.assertEqual(ingest_sinks.records_by_name(names), 42)


class SuiteTest(unittest.TestCase):
    def test_parts_are_checked(self):
        self.assertEqual(ingest.parts(None), ["throughput", "latency", "steady"])
        self.assertEqual(ingest.parts("steady"), ["steady"])
        with self.assertRaisesRegex(MpsrError, "no part 'heap'"):
            ingest.parts("latency,heap")

    def test_a_stream_takes_three_days_whatever_its_size(self):
        arguments = Stream(2_592_000, 1000, 4).arguments()
        self.assertEqual(arguments[arguments.index("--data-rate") + 1], "10.0")
        self.assertEqual(arguments[arguments.index("--devices") + 1], "50")


if __name__ == "__main__":
    unittest.main()
