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
"""How a cluster's process of maintenance is started and stopped."""

import io
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from mpsr_launcher.checkout.checkout import Checkout, root_of
from mpsr_launcher.cli.arguments import parser
from mpsr_launcher.cluster import maintenance
from mpsr_launcher.cluster.cluster import Cluster
from mpsr_launcher.console import Console


class MaintenanceTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.cluster = Cluster(Checkout(root_of(), Path(directory.name)))
        self.cluster.state = SimpleNamespace(address="127.0.0.1", fs_uri="hdfs://nn")

    def test_it_is_started_with_spark_at_hand(self):
        with mock.patch.object(self.cluster.processes, "start") as start:
            maintenance.start(self.cluster)
        (name, command, environment), _ = start.call_args
        self.assertEqual(name, "maintain")
        self.assertIn("maintain", command)
        self.assertEqual(environment["SPARK_CONF_DIR"], str(self.cluster.conf / "spark"))

    def test_only_who_asks_has_it(self):
        self.assertFalse(parser("v").parse_args(["cluster", "start"]).maintain)
        self.assertTrue(parser("v").parse_args(["cluster", "start", "--maintain"]).maintain)

    def test_it_ends_before_hdfs(self):
        stopped = []
        processes = self.cluster.processes
        names = ["connect", "dn1", "kafka", "maintain", "namenode"]
        with mock.patch.object(processes, "names", lambda: names), mock.patch.object(processes, "stop", stopped.append):
            self.cluster.stop(Console(io.StringIO()))
        self.assertEqual(stopped, [["connect", "maintain"], ["dn1", "kafka"], ["namenode"], []])
