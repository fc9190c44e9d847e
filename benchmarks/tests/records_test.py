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
"""How records are written in layouts."""

import unittest
from collections import namedtuple
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from benchmarks.harness import data_layouts, datanodes, records
from mpsr_launcher.errors import MpsrError

Usage = namedtuple("Usage", "total used free")
LAYOUTS = {layout.name: layout for layout in data_layouts.layouts("hdfs://nn")}
SOURCE = Path("/somewhere/records.parquet")


class Processes:
    """Take one CPU second more each time they are asked."""

    def __init__(self):
        self._seconds = 0

    def cpu_seconds(self):
        self._seconds += 1
        return {"dn1": self._seconds, "namenode": self._seconds, "spark-stock": 100 * self._seconds}


class Stage:
    """Writes at a cost of its own."""

    quick = False

    cluster = SimpleNamespace(directory=Path("/"), processes=Processes(), state=SimpleNamespace(fs_uri="hdfs://nn"))

    def __init__(self, resumed=False):
        self.resumed = resumed
        self.asked = []

    def ask(self, kind, op, **request):
        self.asked.append((op, request))
        return {"files": 7, "bytes": 9} if op == "stored" else {"seconds": 2, "cpuSeconds": 3}


class FillTest(unittest.TestCase):
    def fill(self, stage, name, count=2_500_000):
        written = iter(range(0, 100, 10))
        with mock.patch.object(records.datanodes, "written", side_effect=lambda cluster, fresh: next(written)):
            return records.fill(stage, SimpleNamespace(say=lambda text: None), LAYOUTS[name], SOURCE, count)

    def test_writing_costs_the_writer_and_hdfs(self):
        stage = Stage()
        found = self.fill(stage, "hdfs-time")
        cost = {"seconds": 2, "cpuSeconds": 3, "hdfsCpuSeconds": 2, "writtenBytes": 10}
        self.assertEqual(found, {"kind": "load", "layout": "hdfs-time", **cost, "files": 7, "bytes": 9})

    def test_partitions_stay_so_small_that_they_are_sorted_in_memory(self):
        for count, partitions in ((1000, 4), (2_500_000, 4), (200_000_000, 200)):
            stage = Stage()
            with mock.patch.object(records, "require_space"):
                self.fill(stage, "hdfs-signal", count)
            self.assertEqual(stage.asked[0][1]["partitions"], partitions)

    def test_rewriting_is_told_by_itself_and_in_the_whole(self):
        stage = Stage()
        found = self.fill(stage, "iceberg-zorder")
        self.assertEqual([op for op, _ in stage.asked], ["write", "rewrite", "stored"])
        self.assertEqual((found["cpuSeconds"], found["writtenBytes"]), (6, 20))
        self.assertEqual((found["rewriting"]["cpuSeconds"], found["rewriting"]["writtenBytes"]), (3, 10))

    def test_what_an_earlier_run_has_left_of_a_dataset_goes_first(self):
        for resumed in (False, True):
            with mock.patch.object(records.data_layouts, "drop_mpsr") as drop:
                with mock.patch.object(records.data_layouts, "load_mpsr", return_value={"seconds": 1, "cpuSeconds": 1}):
                    with mock.patch.object(records.data_layouts, "stored_mpsr", return_value={"files": 1, "bytes": 1}):
                        self.fill(Stage(resumed), "mpsr")
            self.assertEqual([call.args[1] for call in drop.call_args_list], ["/bench/mpsr"] if resumed else [])


class WrittenTest(unittest.TestCase):
    def test_fresh_is_newer_than_what_was_shown_at_the_call(self):
        shown = [(5, 100), (5, 100), (5, 100), (7, 300), (6, 400)]
        cluster = SimpleNamespace(state=SimpleNamespace(datanodes=2))

        def activity(cluster, number):
            heartbeats, written = shown.pop(0)
            return {"HeartbeatsNumOps": heartbeats, "BytesWritten": written, "BytesRead": written // 10, "RemoteBytesRead": written // 20}

        with mock.patch.object(datanodes, "_activity", activity), mock.patch.object(datanodes.waiting.time, "sleep"):
            self.assertEqual(datanodes.written(cluster, fresh=True), 700)
            self.assertEqual(shown, [])
            shown += [(5, 100), (5, 200)]
            self.assertEqual(datanodes.written(cluster, fresh=False), 300)
            shown += [(5, 200)]
            self.assertEqual(datanodes.traffic(cluster, [2], fresh=False), datanodes.Traffic(200, 20, 10))


class DropTest(unittest.TestCase):
    def drop(self, *paths):
        asked, deleted = [], []

        def ask(cluster, arguments):
            asked.append(arguments[:2])
            return {"datasets": [{"path": path} for path in paths]}

        web = SimpleNamespace(delete=deleted.append)
        with mock.patch.object(data_layouts.mpsr_cli, "ask", ask):
            with mock.patch.object(data_layouts, "WebHdfs", lambda cluster: web):
                data_layouts.drop_mpsr(None, "/bench/mpsr")
        self.assertEqual(deleted, ["/bench/mpsr"])
        return asked

    def test_a_dataset_is_dropped_with_all_its_files(self):
        self.assertEqual(self.drop("/bench/mpsr", "/other"), [["dataset", "list"], ["dataset", "drop"]])

    def test_a_directory_that_is_none_is_deleted_all_the_same(self):
        self.assertEqual(self.drop("/other"), [["dataset", "list"]])


class SpaceTest(unittest.TestCase):
    def test_a_disk_that_could_become_full_is_refused(self):
        records.require_space("/d", "filling", 10, 100, lambda directory: Usage(0, 0, 1000))
        with self.assertRaisesRegex(MpsrError, "/d has 2.0 GB free, and filling with 200,000,000 records may take 20.0 GB"):
            records.require_space("/d", "filling", 200_000_000, 100, lambda directory: Usage(0, 0, 2 * 10**9))
