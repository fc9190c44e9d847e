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
"""A gateway answers as its OpenAPI document says, to requests that are right and to those that are not."""

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

    def test_every_answer_is_one_that_the_document_has(self):
        program = self.cluster.checkout.root / "dev-support" / "catalog-openapi"
        done = subprocess.run(
            [sys.executable, program, self.uri, "--examples", str(EXAMPLES)], capture_output=True, text=True, check=False
        )
        self.assertEqual(done.returncode, 0, (done.stdout + done.stderr)[-5000:])
