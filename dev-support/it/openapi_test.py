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
"""A gateway, and the NameNode's web server, answer as their OpenAPI documents say, to requests that are right and to those that are not."""

import subprocess
import sys
import unittest

import catalog_clients
import shared
from benchmarks.harness.records import Size
from mpsr_launcher.cluster import catalog
from mpsr_launcher.console import Console

DATASET = "/cals/meas"
SIZE = Size(2_000, 20, 4, 5)
EXAMPLES = 20


class OpenApiTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = shared.cluster()
        catalog_clients.load(cls.cluster, Console(), DATASET, SIZE)
        cls.addClassCleanup(lambda: cls.cluster.processes.stop([catalog.PROCESS], 10))
        cls.uri = catalog.start(cls.cluster, "--page-files", "3")

    def check(self, *arguments):
        """Every answer of a server is one that its document has."""
        program = self.cluster.checkout.root / "dev-support" / "catalog-openapi"
        command = [sys.executable, program, *arguments, "--examples", str(EXAMPLES)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, (done.stdout + done.stderr)[-5000:])

    def test_every_answer_of_the_gateway_is_one_that_the_document_has(self):
        self.check(self.uri)

    def test_every_answer_of_the_namenode_is_one_that_the_document_has(self):
        sources = self.cluster.checkout.root / "hadoop-mpsr-namenode" / "src" / "main" / "resources"
        state = self.cluster.state
        active = self.cluster.hdfs.active() or "namenode"
        address = f"http://{state.address}:{state.ports[f'{active}.http']}"
        self.check(address, "--document", str(sources / "org" / "hadoopmpsr" / "namenode" / "http" / "openapi.json"))
