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
"""Stock Spark with Iceberg reads a dataset through a gateway, without a jar of MPSR."""

import getpass
import json
import subprocess
import unittest
from pathlib import Path

import shared
from benchmarks.harness import data_layouts, records
from benchmarks.harness.records import Size
from mpsr_launcher.cluster import catalog
from mpsr_launcher.cluster.spark import Spark
from mpsr_launcher.console import Console

DATASET = "/it/catalog/meas"
SIZE = Size(20_000, 200, 4, 20)


class CatalogTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = shared.cluster()
        source = cls.cluster.directory / "catalog.parquet"
        records.generate(cls.cluster, Console(), source, SIZE, 1)
        data_layouts.load_mpsr(cls.cluster, DATASET, source, SIZE.records)
        cls.addClassCleanup(lambda: cls.cluster.processes.stop([catalog.PROCESS], 10))
        cls.uri = catalog.start(cls.cluster, "--page-files", "7")

    def test_spark_with_iceberg_alone_reads_the_cheapest_group_and_answers_as_stock(self):
        jar = data_layouts.iceberg_jar(self.cluster.checkout, Console())
        program = str(Path(__file__).with_name("catalog_spark.py"))
        spark = Spark(self.cluster)
        path = self.cluster.state.fs_uri + DATASET
        command = [spark.program("spark-submit"), "--jars", str(jar), program, self.uri, getpass.getuser(), "it.catalog.meas", path]
        done = subprocess.run(
            command, env=spark.environment(stock=True), cwd=self.cluster.directory, capture_output=True, text=True, check=False
        )
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        found = json.loads(done.stdout.splitlines()[-1])
        self.assertEqual(found["tables"], ["meas"])
        roots = []
        for condition, asked in found["asked"].items():
            with self.subTest(condition):
                self.assertEqual(asked["catalog"], asked["stock"])
                self.assertGreater(int(asked["stock"][0]), 0)
                roots.append(asked["roots"])
        self.assertEqual(roots[:3], [["signal"], ["device"], ["default"]])
