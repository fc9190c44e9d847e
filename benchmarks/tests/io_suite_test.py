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
"""Reads with known classes, and what the suite 'io' makes of them."""

import tempfile
import unittest
from pathlib import Path

from benchmarks.harness.results import Results
from benchmarks.suites.io import figures as io_figures
from mpsr_launcher.checkout.checkout import Checkout, root_of

HEAD = "bytes,nanos,host,disk,reader,at,turn"


class IoFiguresTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)

    def file(self, name, *lines):
        path = self.directory / name
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path

    def test_reads_have_the_class_of_their_place_and_turn(self):
        local = self.file("local", HEAD, "10,5,a,,a,7,first", "10,1,a,,a,8,again")
        slow = self.file("slow", HEAD, "10,50,a,,a,9,first")
        reads = io_figures.labelled([("local", local), ("throttled", slow)])
        self.assertEqual([read["truth"] for read in reads], ["local disk", "cached", "slow or throttled disk"])
        every = self.directory / "every"
        io_figures.write(reads, every)
        self.assertEqual(len(every.read_text(encoding="utf-8").splitlines()), 4)
        got = self.file("classes", "bytes,class", "10,local disk", "10,local disk", "10,slow or throttled disk")
        found = io_figures.classes(reads, got)
        self.assertEqual(found["cached"], {"reads": 1, "right": 0, "notApart": {}, "others": {"local disk": 1}})
        self.assertEqual(found["local disk"]["right"], 1)

    def test_a_class_of_several_causes_holds_each_of_them_and_no_other(self):
        local = self.file("local", HEAD, "10,5,a,,a,7,first", "10,1,a,,a,8,again")
        slow = self.file("slow", HEAD, "10,50,a,,a,9,first")
        reads = io_figures.labelled([("local", local), ("throttled", slow)])
        got = self.file("classes", "bytes,class", "10,cached or local disk", "10,cached on another host or local disk", "10,cached or slow or throttled disk")
        found = io_figures.classes(reads, got)
        self.assertEqual(found["local disk"]["notApart"], {"cached or local disk": 1})
        self.assertEqual(found["cached"]["others"], {"cached on another host or local disk": 1})
        self.assertEqual(found["slow or throttled disk"]["notApart"], {"cached or slow or throttled disk": 1})

    def test_a_host_is_named_whatever_its_port(self):
        line = " is 9.1 times as slow as the others from 2026-11-29T18:00:00Z to 2026-11-29T18:00:30Z: 3 reads, sure to 99.99 %\n"
        self.assertEqual(io_figures.named("dn3.mpsr.local:9866" + line), "dn3.mpsr.local")
        self.assertEqual(io_figures.named("dn3.mpsr.local" + line), "dn3.mpsr.local")
        self.assertIsNone(io_figures.named("no host, disk or time is slower than the others\n"))

    def test_figures_are_shares_of_all_reads(self):
        found = Results("io", 1, 1, Checkout(root_of()))
        apart = {"notApart": {}, "others": {}}
        disk = {"reads": 10, "right": 5, "notApart": {"cached or local disk": 1}, "others": {"cached": 4}}
        found.add({"kind": "classes", "costs": "measured", "classes": {"cached": {"reads": 30, "right": 30, **apart}, "local disk": disk}})
        found.add({"kind": "live", "host": "dn3", "named": False, "seconds": 110.0, "namedBefore": ["dn1"]})
        io_figures.add(found, "1 MiB/s")
        self.assertEqual(found.figures["right"]["value"], 35 / 40)
        self.assertEqual(found.figures["notApart"]["value"], 1 / 40)
        self.assertAlmostEqual(found.figures["wrong"]["value"], 4 / 40)
        self.assertEqual(found.figures["named"]["value"], -1)
        self.assertIn(["local disk", "10", "5", "cached or local disk 1", "cached 4"], found.tables[0]["rows"])
        self.assertIn(["dn3", "not named in 110 s; before: dn1"], found.tables[1]["rows"])
