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
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from benchmarks.harness import stage
from benchmarks.harness.data_layouts import OURS, PEER, STOCK, layouts
from benchmarks.harness.records import QUICK
from mpsr_launcher.errors import MpsrError


class FakeCluster:
    """Remembers whether it was stopped and wiped."""

    directory = Path("/nowhere")

    def __init__(self):
        self.ended = []

    def start(self, *arguments, **options):
        self.state = "of this run"

    def stop(self, console):
        self.ended.append("stopped")

    def wipe(self):
        self.ended.append("wiped")


class FakeConsole:
    """Says nothing."""

    def say(self, text):
        pass


class FakeSession:
    """Answers with its name."""

    def __init__(self, cluster, name, stock, settings, quick):
        self.name = name
        self.hello = {"spark": "4", "extensions": settings.get("spark.sql.extensions", "")}
        self.closed = False

    def await_ready(self):
        pass

    def ask(self, op, **request):
        return self.name

    def close(self):
        self.closed = True


OUR_EXTENSION = {"spark.sql.extensions": "org.hadoopmpsr.spark.MpsrExtensions"}


class StageTest(unittest.TestCase):
    def setUp(self):
        patch = mock.patch.object(stage, "SparkSession", FakeSession)
        patch.start()
        self.addCleanup(patch.stop)
        self.cluster = FakeCluster()
        self.stage = stage.Stage(self.cluster, FakeConsole())

    def test_stocks_own_session_answers_for_it_else_the_one_with_iceberg(self):
        self.stage.open({PEER: {}, OURS: OUR_EXTENSION})
        self.assertEqual([self.stage.ask(kind, "open") for kind in (STOCK, PEER, OURS)], [PEER, PEER, OURS])
        self.stage.open({STOCK: {}})
        self.assertEqual(self.stage.ask(STOCK, "open"), STOCK)

    def test_a_session_has_mpsr_only_where_it_must(self):
        for kind, settings in ((STOCK, OUR_EXTENSION), (OURS, {})):
            with self.subTest(kind), self.assertRaisesRegex(MpsrError, f"in the session '{kind}'"):
                stage.Stage(self.cluster, FakeConsole()).open({kind: settings})

    def test_a_layout_is_filled_once(self):
        one, other = layouts("hdfs://nn", QUICK.root)[:2]
        with mock.patch.object(stage.records, "fill", side_effect=lambda s, c, layout, *more: {"layout": layout.name}) as fill:
            found = [self.stage.fill(layout, QUICK)["layout"] for layout in (one, other, one)]
        self.assertEqual((found, fill.call_count), (["hdfs-time", "hdfs-signal", "hdfs-time"], 2))

    def test_a_cluster_that_has_a_state_may_hold_what_an_earlier_run_has_left(self):
        for state in (None, SimpleNamespace(ports={"namenode": 1234})):
            self.cluster.state = state
            with mock.patch.object(stage, "is_free", side_effect=[False, True]) as is_free:
                self.stage.start(3, 3)
            self.assertEqual(self.stage.resumed, state is not None)
            # ports of processes that were killed a moment ago
            self.assertEqual(is_free.call_count, 2 if state else 0)

    def test_data_is_deleted_at_the_end_but_kept_where_something_failed(self):
        with self.stage:
            pass
        self.assertEqual(self.cluster.ended, ["stopped", "wiped"])
        failed = FakeCluster()
        with self.assertRaises(ValueError), stage.Stage(failed, FakeConsole()):
            raise ValueError
        with stage.Stage(failed, FakeConsole(), keep=True):
            pass
        self.assertEqual(failed.ended, ["stopped", "stopped"])
