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
"""NameNodes that die in the middle of the ingest: another one goes on, and nothing is lost or there twice."""

import os
import random
import time
import unittest

import shared
from mpsr_launcher import mpsr_cli, waiting
from mpsr_launcher.cluster import Cluster
from mpsr_launcher.console import Console
from mpsr_launcher.ingest import Ingest
from mpsr_launcher.layout import Layout
from mpsr_launcher.quickstart import SHIPPED

RECORDS = 120_000
FLUSH_RECORDS = 4_000
KILLS = 2


class FailoverTest(unittest.TestCase):
    def setUp(self):
        layout = shared.layout()
        self.cluster = Cluster(Layout(layout.root, layout.run.parent / "ha"))
        self.cluster.stop(Console())
        self.cluster.wipe()
        self.cluster.start(Console(), 3, 3, ha=True)
        self.addCleanup(self.cluster.stop, Console())
        self.ingest = Ingest(self.cluster, "/it/ha", topic="ha", connector="ha")

    def test_sigkill_of_the_active_namenode_loses_and_doubles_nothing(self):
        seed = int(os.environ.get("MPSR_SEED", "20261121"))
        rng = random.Random(seed)
        source = self.cluster.layout.benchmarks / "data" / SHIPPED
        self.ingest.create_dataset()
        self.assertEqual(self.ingest.produce(source, limit=RECORDS), RECORDS)
        allocation = self._allocation()
        staging = f"/.mpsr/datasets/{self.ingest.show()['id']}/staging"

        self.ingest.create_connector(FLUSH_RECORDS, flush_interval_ms=60_000)
        for kill in range(KILLS):
            self._kill_active_after(staging, rng.uniform(0, 0.5), f"seed {seed}, kill {kill}")
        self.ingest.await_committed(RECORDS, timeout_seconds=240)

        known = self.ingest.show()["groups"]
        self.assertEqual({RECORDS}, {group["records"] for group in known.values()}, f"seed {seed}")
        self.assertEqual(1, len({group["contentHash"] for group in known.values()}), f"seed {seed}")
        self.assertEqual(allocation, self._allocation())
        verified = shared.mpsr("verify", self.ingest.dataset, env=self._environment())
        self.assertEqual(verified.returncode, 0, verified.stderr)

    def _kill_active_after(self, staging, seconds, context):
        """Kills the active NameNode that long after files of a commit are seen being written, and starts it again when
        the other one is active."""
        active = waiting.until(self.cluster.hdfs.active, f"an active NameNode, {context}", 60)
        watch = self.ingest.require_healthy
        waiting.until(lambda: shared.listing(staging, self.cluster), f"staged files, {context}", 120, watch, 0.02)
        time.sleep(seconds)
        self.cluster.processes.kill(active)
        waiting.until(lambda: self.cluster.hdfs.active() not in (None, active), f"the failover, {context}", 90)
        self.cluster.hdfs.start_namenode(active)

    def _allocation(self):
        return {group["name"]: group["nodes"] for group in mpsr_cli.ask(self.cluster, ["groups"])["groups"]}

    def _environment(self):
        return shared.environment(MPSR_RUN_DIR=str(self.cluster.layout.run))
