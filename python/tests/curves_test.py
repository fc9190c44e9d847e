# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
"""Curves of signals: which points a chart needs."""

import os
import tempfile
import unittest
from pathlib import Path

import numpy
import pyarrow
import pyarrow.parquet
from ranks import Ranks

from hadoop_mpsr import m4
from hadoop_mpsr.vtk import curves
from hadoop_mpsr.vtk.parquet_files import parquet_files

SEED = int(os.environ.get("MPSR_SEED", "0"))
START = 1_600_000_000_000_000_000


def wanted(**other):
    default = {"time": "timestamp", "value": "value", "signal": "signal", "signals": ("A",), "begin": None, "end": None, "width": 50}
    return curves.Wanted(**{**default, **other})


def drawn(rng, most=400):
    """Points in no order, some at equal times, some without a number."""
    count = int(rng.integers(0, most))
    times = START + rng.integers(0, 3 * most, count)
    values = numpy.where(rng.random(count) < 0.1, numpy.nan, numpy.round(rng.normal(0, 2, count), 1))
    return times, values


class ShownTest(unittest.TestCase):
    def test_each_column_has_its_first_last_lowest_and_highest_point(self):
        for seed in range(SEED, SEED + 60):
            with self.subTest(MPSR_SEED=seed):
                rng = numpy.random.default_rng(seed)
                times, values = drawn(rng)
                begin, end, width = START + int(rng.integers(-50, 300)), START + int(rng.integers(400, 1300)), int(rng.integers(1, 80))
                kept = m4.shown(times, values, begin, end, width)
                step = -(-(end - begin) // width)
                self.assertTrue((numpy.diff(times[kept]) >= 0).all())
                self.assertLessEqual(len(kept), 4 * width)
                for column in range(width):
                    there = [i for i in range(len(times)) if begin + column * step <= times[i] < min(end, begin + (column + 1) * step) and values[i] == values[i]]
                    mine = [i for i in kept if i in there]
                    self.assertEqual(bool(there), bool(mine))
                    for best in (min, max):
                        for of in (times, values):
                            self.assertEqual(best((of[i] for i in there), default=0), best((of[i] for i in mine), default=0))

    def test_ranks_together_show_the_same_line(self):
        for seed in range(SEED, SEED + 20):
            with self.subTest(MPSR_SEED=seed):
                rng = numpy.random.default_rng(seed)
                times = START + numpy.arange(500)
                values = rng.normal(0, 1, 500)
                parts = numpy.array_split(rng.permutation(500), 3)
                (alone, span), *_ = Ranks(1).run(lambda comm: curves.of_all(comm, {"A": [(times, values)]}, wanted()))
                split = [{"A": [(times[part], values[part])]} for part in parts]
                (together, other), *_ = Ranks(3).run(lambda comm: curves.of_all(comm, split[comm.rank], wanted()))
                self.assertEqual(span, other)
                self.assertEqual(alone["A"][0].tolist(), together["A"][0].tolist())
                self.assertEqual(alone["A"][1].tolist(), together["A"][1].tolist())

    def test_a_range_without_records_is_told_on_all_ranks(self):
        for error in Ranks(2).run(lambda comm: curves.of_all(comm, {}, wanted())):
            self.assertIn("no file has a record of A", str(error))


class ReadTest(unittest.TestCase):
    def setUp(self):
        self.directory = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def file(self, name="a.parquet", **columns):
        path = self.directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        pyarrow.parquet.write_table(pyarrow.table(columns), path)
        return str(path)

    def test_points_of_signals_in_the_range(self):
        moments = pyarrow.array([START, START + 1, START + 2, None, START + 4]).cast(pyarrow.timestamp("ns", "UTC"))
        path = self.file(timestamp=moments, value=[1, 2, None, 4, 5], signal=["A", "B", "A", "A", "A"])
        found = curves.read(path, wanted(signals=("A", "B", "C"), begin=START + 1))
        self.assertEqual(["A", "B"], sorted(found))
        self.assertEqual([[START + 4], [5.0]], [each.tolist() for each in found["A"]])
        self.assertEqual([[START + 1], [2.0]], [each.tolist() for each in found["B"]])

    def test_what_cannot_be_drawn_is_told(self):
        path = self.file(timestamp=["x"], value=["y"], signal=["A"])
        with self.assertRaisesRegex(ValueError, "no column time; it has timestamp, value, signal"):
            curves.read(path, wanted(time="time"))
        with self.assertRaisesRegex(ValueError, "the column timestamp is string"):
            curves.read(path, wanted())
        with self.assertRaisesRegex(ValueError, "the column value has no numbers"):
            curves.read(self.file(timestamp=[1], value=["y"], signal=["A"]), wanted())

    def test_files_below_directories(self):
        inside = [self.file(name, value=[1]) for name in ("day=1/b.parquet", "day=1/a.parquet")]
        for name in ("_temporary/c.parquet", "day=1/.d.parquet"):
            self.file(name, value=[1])
        self.assertEqual(sorted(inside), parquet_files([str(self.directory)]))
        self.assertEqual([inside[0]], parquet_files([inside[0]]))
        with self.assertRaisesRegex(FileNotFoundError, "no Parquet file"):
            parquet_files([tempfile.mkdtemp(dir=self.directory)])


if __name__ == "__main__":
    unittest.main()
