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
from benchmarks.suites.transforms import figures
from mpsr_launcher.checkout.checkout import Checkout, root_of


def values(form, number, size, cpu, **other):
    return {
        "kind": "values",
        "data": "lhb",
        "order": "time",
        "form": form,
        "round": number,
        "values": 1000,
        "bytes": size,
        "cpuNs": cpu,
        "exact": True,
        **other,
    }


class TransformsTest(unittest.TestCase):
    def test_the_fastest_runs_are_compared(self):
        found = Results("transforms", 1, 1, Checkout(root_of()))
        for run in (
            values("plain", 0, 2000, 90_000),
            values("mpsr", 0, 1600, 60_000),
            values("plain", 1, 2000, 50_000),
            values("mpsr", 1, 1600, 70_000),
        ):
            found.add(run)
        figures.add(found)
        self.assertEqual(found.figures["bytes.lhb.time"]["value"], 0.8)
        self.assertEqual(found.figures["bytes.lhb.time"]["goal"], "≤ 0.85: met")
        self.assertEqual(found.figures["cpu.lhb.time"]["value"], 1.2)
        self.assertEqual(found.figures["cpu.lhb.time"]["goal"], "≤ 1.15: missed")
        self.assertIn("bytes to plain", figures.text(found))

    def test_rounded_values_are_compared_with_sz3(self):
        found = Results("transforms", 1, 1, Checkout(root_of()))
        level = {"kind": "level", "data": "lhb", "values": 1000, "cpuNs": 9000, "columns": 1, "counted": "absolute", "error": 0.01, "greatest": 0.009}
        for run in (
            values("plain", 0, 2000, 90_000, order="signal"),
            values("mpsr", 0, 2000, 90_000, order="signal"),
            values("lossy:abs=0.01", 0, 1000, 90_000, order="signal"),
            values("lossy:abs=0.01,packed", 0, 600, 90_000, order="signal"),
            {**level, "transform": "lossy:abs=0.01", "bytes": 1000},
            {**level, "transform": "lossy:abs=0.01,packed", "bytes": 600},
            {"kind": "sz3", "data": "lhb", "error": 0.01, "values": 1000, "bytes": 500},
        ):
            found.add(run)
        self.assertEqual(figures.lossy_errors(found.runs), [("lhb", 0.01)])
        figures.add(found)
        self.assertEqual(found.figures["sz3.lhb.0.01.lossy"]["value"], 2.0)
        self.assertEqual(found.figures["sz3.lhb.0.01.packed"]["goal"], "≤ 1.5: met")
        self.assertEqual(found.tables[-1]["rows"][1], ["lhb", "0.01", "4.00", "8.00", "2.00", "4.80", "1.20"])

    def test_reading_is_compared_with_plain_pages(self):
        found = Results("transforms", 1, 1, Checkout(root_of()))
        level = {"kind": "level", "data": "lorenz96", "transform": "planes:16,16,32", "values": 1000, "cpuNs": 9000, "bytes": 400}
        series = {"data": "lorenz96", "order": "signal"}
        for run in (
            values("plain", 0, 2000, 90_000, **series, readNs=10_000),
            values("plain", 1, 2000, 90_000, **series, readNs=12_000),
            values("mpsr", 0, 2000, 90_000, **series, readNs=10_000),
            values("planes:16,16,32", 0, 1800, 90_000, **series, readNs=17_000),
            {**level, "columns": 1, "counted": "relative", "error": 0.03125, "greatest": 0.03, "readNs": 5_000},
            {**level, "columns": 3, "counted": "exact", "error": 0.0, "greatest": 0.0, "readNs": 16_000},
        ):
            found.add(run)
        figures.add(found)
        self.assertEqual(found.figures["read.lorenz96.planes:16,16,32.all"]["value"], 1.7)
        self.assertEqual(found.figures["read.lorenz96.planes:16,16,32.all"]["goal"], "≤ 1.6: missed")
        self.assertEqual(found.figures["read.lorenz96.planes:16,16,32.1"]["goal"], "≤ 0.9: met")
        self.assertEqual(found.tables[-1]["rows"][-1], ["lorenz96", "planes:16,16,32", "1", "0.031", "10.0", "5.0", "0.50"])

    def test_a_value_that_changed_is_a_problem(self):
        runs = [values("plain", 0, 1, 1), values("mpsr", 0, 1, 1, exact=False), values("mpsr", 1, 1, 1, exact=False)]
        self.assertEqual(figures.problems(runs), ["lhb by time, mpsr: a value is not as it was written"])

    def test_the_codec_auto_is_compared_with_the_best(self):
        found = Results("transforms", 1, 1, Checkout(root_of()))
        case = {"kind": "codec", "data": "lhb", "best": "zstd:3", "chosen": "zstd:3", "changes": 1, "standard": 1.0}
        for rate, steady, sampling in ((5, 1.0, 0.01), (50, 1.2, 0.02)):
            found.add({**case, "mbPerSecond": rate, "steady": steady, "sampling": sampling})
        figures.add(found)
        self.assertEqual(found.figures["codec.near"]["value"], 1)
        self.assertEqual(found.figures["codec.near"]["goal"], "≥ 18 of 21: missed")
        self.assertAlmostEqual(found.figures["codec.mean"]["value"], 1.1)
        self.assertEqual(found.figures["codec.sampling"]["goal"], "≤ 0.03: met")
        self.assertIn("chosen at the end", figures.text(found))

    def test_whole_records_are_compared_with_the_default_and_with_stock(self):
        found = Results("transforms", 1, 1, Checkout(root_of()))
        copy = {"kind": "copy", "data": "lhb", "records": 1000, "round": 0, "cpuNs": 50, "readNs": 40, "exact": True}
        for form, sizes in (("stock", (2000, 4000)), ("mpsr", (1000, 2000)), ("auto", (900, 1800))):
            for group, size in zip(("time", "signal"), sizes, strict=True):
                found.add({**copy, "form": form, "group": group, "bytes": size})
        figures.add(found)
        self.assertEqual(found.figures["copies.lhb.auto"]["value"], 0.45)
        self.assertEqual(found.tables[-1]["rows"][-1], ["lhb", "auto", "7.2", "14.4", "0.90", "0.45", "1.00", "1.00"])
        self.assertEqual(figures.problems(found.runs), [])
        found.runs[-1]["exact"] = False
        self.assertEqual(figures.problems(found.runs), ["lhb in group signal, auto: the records are not as they were written"])

    def test_encodings_are_compared_with_the_best_that_a_file_may_have(self):
        found = Results("transforms", 1, 1, Checkout(root_of()))
        chunk = {"kind": "encoding", "rows": 20_000, "other": 10_000, "distinct": 100, "entries": 960, "numbers": 8_000}
        for data, size in (("lhb by time, values", 9_000), ("gen by time, values", 9_900), ("walk over 2", 18_000)):
            found.add({**chunk, "data": data, "bytes": size})
        found.add({**chunk, "data": "gen by time, times", "bytes": 10_040, "distinct": 10_000})
        found.add({**chunk, "data": "small by time", "bytes": 900, "other": 100})
        figures.add(found)
        self.assertAlmostEqual(found.figures["encoding.measured.mean"]["value"], (1.0 + 1.1 + 1.0) / 3)
        self.assertEqual(found.figures["encoding.measured.worst"]["goal"], "≤ 1.25: met")
        self.assertEqual(found.figures["encoding.drawn.worst"]["goal"], "≤ 1.25: missed")
        self.assertEqual(found.tables[-1]["rows"][-1][:4], ["drawn", "1", "2.000", "2.000"])

    def test_levels_have_bytes_and_errors(self):
        found = Results("transforms", 1, 1, Checkout(root_of()))
        level = {"kind": "level", "data": "lhb", "transform": "planes:16,8,8,32", "values": 1000, "cpuNs": 9000}
        for run in (
            values("plain", 0, 2000, 90_000, order="signal"),
            values("mpsr", 0, 2000, 90_000, order="signal"),
            values("planes:16,8,8,32", 0, 1800, 90_000, order="signal"),
            {**level, "columns": 1, "counted": "relative", "error": 0.03125, "greatest": 0.03, "bytes": 400},
            {**level, "columns": 4, "counted": "exact", "error": 0.0, "greatest": 0.0, "bytes": 1800},
        ):
            found.add(run)
        figures.add(found)
        self.assertEqual(found.figures["level.lhb.planes:16,8,8,32.0.031"]["value"], 0.2)
        self.assertEqual(found.figures["cpu.lhb.planes:16,8,8,32"]["value"], 1.0)
        self.assertEqual(found.plots[0]["series"][0]["x"], [0.0, 3.2])
        self.assertEqual(figures.problems(found.runs), [])
        found.runs[-1]["greatest"] = 1e-300
        self.assertEqual(figures.problems(found.runs), ["lhb, planes:16,8,8,32, 4 columns: an error of 1e-300, above 0.0"])
