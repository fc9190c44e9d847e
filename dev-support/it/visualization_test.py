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
"""Pictures of VTK's files by several ranks, on local files; the suite 'visualization' has HDFS."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import shared
from benchmarks.suites.visualization.figures import LEAST_DRAWN, MOST_LEVELS, MOST_POINTS
from mpsr_launcher.checkout.setup import ensure_visualization
from mpsr_launcher.console import Console

RANKS, BLOCKS, POINTS = 3, 11, 12
PIECES = """
import sys
from vtkmodules.vtkIOXML import vtkXMLMultiBlockDataReader
reader = vtkXMLMultiBlockDataReader()
reader.SetFileName(sys.argv[1])
reader.UpdateInformation()
reader.UpdatePiece(int(sys.argv[2]), int(sys.argv[3]), 0)
read = reader.GetOutput()
blocks = [read.GetBlock(i) for i in range(read.GetNumberOfBlocks())]
print([block.GetOrigin() for block in blocks if block is not None and block.GetNumberOfPoints()])
"""
PIPELINE = """
import sys
from hadoop_mpsr.vtk import blocks
from hadoop_mpsr.vtk.reader import MultiBlockReader
paths = blocks(sys.argv[1])
reader = MultiBlockReader(paths, paths[2:4])
reader.Update()
read = reader.GetOutputDataObject(0)
print([i for i in range(read.GetNumberOfBlocks()) if read.GetBlock(i) is not None], read.GetBlock(3).GetNumberOfPoints())
"""
RECORDS = """
import os, sys
import numpy, pyarrow, pyarrow.parquet
os.makedirs(sys.argv[1])
drawn = numpy.random.default_rng(1)
for number in range(5):
    times = numpy.arange(number * 20000, (number + 1) * 20000) * 1000000
    names = numpy.where(times // 1000000 % 2 == 0, "A", "B")
    values = numpy.where(names == "A", numpy.sin(times / 6e9), numpy.cos(times / 8e9) / 2) + drawn.normal(0, 0.02, len(times))
    moments = pyarrow.array(times + 1600000000000000000).cast(pyarrow.timestamp("ns"))
    pyarrow.parquet.write_table(pyarrow.table({"timestamp": moments, "signal": names, "value": values}), f"{sys.argv[1]}/{number}.parquet")
"""


@shared.long
class VisualizationTest(unittest.TestCase):
    """VTK and an MPI from PyPI."""

    @classmethod
    def setUpClass(cls):
        cls.root = shared.checkout().root
        cls.bin = ensure_visualization(shared.checkout(), Console()) / "bin"
        cls.directory = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.field = str(cls.root / "benchmarks" / "suites" / "visualization" / "field.py")
        cls.file = str(cls.directory / "field" / "all.vtm")
        cls.python(cls.field, "make", str(cls.directory / "field"), str(BLOCKS), str(POINTS))
        cls.golden = cls.picture("alone")[0]

    @classmethod
    def python(cls, *arguments, ranks=0, expected=0):
        """Runs a program; returns what it prints, or as what it has failed."""
        environment = {**os.environ, "PYTHONPATH": str(cls.root / "python" / "src"), "DISPLAY": "", "MPSR_HOST": "here"}
        run = [str(cls.bin / "mpiexec"), "-n", str(ranks)] if ranks else []
        argv = [*run, str(cls.bin / "python"), *arguments]
        done = subprocess.run(argv, env=environment, capture_output=True, text=True, timeout=300, check=False)
        if done.returncode != expected:
            raise AssertionError(f"{argv} ended with {done.returncode}: {done.stdout} {done.stderr}")
        return done.stderr if expected else done.stdout

    @classmethod
    def picture(cls, name, *options, ranks=0):
        """Draws; returns the picture and what was told."""
        picture = str(cls.directory / f"{name}.png")
        told = cls.python("-m", "hadoop_mpsr.vtk", "render", cls.file, picture, "--field", "field", "--value", "0.3", "--json", *options, ranks=ranks)
        return picture, json.loads(told)

    def test_several_ranks_draw_what_one_draws(self):
        for assignment in ("rows", "static", "dynamic"):
            with self.subTest(assignment):
                picture, told = self.picture(assignment, "--assignment", assignment, ranks=RANKS)
                self.assertEqual(BLOCKS, sum(rank["blocks"] for rank in told["ranks"]))
                self.assertEqual(RANKS, len(told["ranks"]))
                compared = json.loads(self.python(self.field, "compare", self.golden, picture))
                self.assertGreater(compared["drawn"], LEAST_DRAWN)
                self.assertLessEqual(compared["most"], MOST_LEVELS)
                self.assertLessEqual(compared["differ"], MOST_POINTS)

    def test_several_ranks_draw_the_curves_that_one_draws(self):
        self.python("-c", RECORDS, str(self.directory / "records"))
        pictures = {ranks: str(self.directory / f"curves{ranks}.png") for ranks in (1, RANKS)}
        for ranks, picture in pictures.items():
            told = self.python("-m", "hadoop_mpsr.vtk", "curves", picture, str(self.directory / "records"), "--signals", "A,B,C", ranks=ranks)
            self.assertRegex(told, r"A: \d{4} points drawn\nB: \d{4} points drawn\nC: 0 points drawn\n")
        compared = json.loads(self.python(self.field, "compare", *pictures.values()))
        self.assertEqual((0, 0), (compared["differ"], compared["most"]))
        self.assertGreater(compared["drawn"], LEAST_DRAWN)

    def test_another_picture_is_seen_to_differ(self):
        other, _ = self.picture("other", "--value", "0.5")
        self.assertGreater(json.loads(self.python(self.field, "compare", self.golden, other))["differ"], MOST_POINTS)

    def test_one_rank_that_fails_ends_all(self):
        told = self.python("-m", "hadoop_mpsr.vtk", "render", self.file, "x.png", "--field", "none", "--value", "1", ranks=RANKS, expected=1)
        self.assertIn("a block has no field 'none'; it has field", told)

    def test_readers_of_vtk_give_each_process_as_many_blocks_in_a_row(self):
        ordered = self.directory / "ordered.vtm"
        ordered.write_text(self.python("-m", "hadoop_mpsr.vtk", "order", self.file, "--hosts", "a,b,c"))
        pieces = [self.python("-c", PIECES, str(ordered), str(piece), "3") for piece in range(3)]
        read = [json.loads(piece.replace("(", "[").replace(")", "]")) for piece in pieces]
        self.assertEqual(BLOCKS, len({tuple(origin) for piece in read for origin in piece}))
        self.assertEqual([3, 4, 4], sorted(map(len, read)))

    def test_a_pipeline_reads_the_blocks_of_this_process(self):
        self.assertEqual(f"[2, 3] {POINTS**3}\n", self.python("-c", PIPELINE, self.file))


if __name__ == "__main__":
    unittest.main()
