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
"""How a cluster's gateway is started."""

import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from mpsr_launcher.checkout.checkout import Checkout, root_of
from mpsr_launcher.cli.arguments import parser
from mpsr_launcher.cluster import catalog
from mpsr_launcher.cluster.cluster import Cluster


class CatalogTest(unittest.TestCase):
    def test_it_finds_its_jars_and_says_where_it_is(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        cluster = Cluster(Checkout(root_of(), Path(directory.name)))
        cluster.state = SimpleNamespace(address="127.0.0.1", fs_uri="hdfs://nn")
        with mock.patch.object(cluster.processes, "start") as start, mock.patch.object(catalog, "answers", lambda port: True):
            address = catalog.start(cluster, "--page-files", "7")
        (name, command, environment), _ = start.call_args
        self.assertEqual((name, command[-2:]), ("catalog", ["--page-files", "7"]))
        self.assertEqual(address, f"http://127.0.0.1:{command[command.index('--port') + 1]}")
        self.assertEqual(environment["MPSR_HOME"], str(cluster.checkout.dist))

    def test_only_who_asks_has_it(self):
        self.assertFalse(parser("v").parse_args(["cluster", "start"]).catalog)
        self.assertTrue(parser("v").parse_args(["cluster", "start", "--catalog"]).catalog)
