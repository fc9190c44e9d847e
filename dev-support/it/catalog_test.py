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
"""Spark with Iceberg alone reads a dataset through a gateway, and answers as stock Spark does."""

import unittest

import catalog_clients
import shared
from mpsr_launcher.cluster import catalog
from mpsr_launcher.console import Console

DATASET = "/it/catalog/meas"
QUERIES, SEED = 100 if shared.LONG else 10, 1


class CatalogTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = shared.cluster()
        catalog_clients.load(cls.cluster, Console(), DATASET)
        cls.addClassCleanup(lambda: cls.cluster.processes.stop([catalog.PROCESS], 10))
        cls.uri = catalog.start(cls.cluster, "--page-files", "7")

    def test_spark_with_iceberg_alone_reads_the_cheapest_group_and_answers_as_stock(self):
        found = catalog_clients.SparkClient(self.cluster, Console()).ask(self.uri, DATASET, QUERIES, SEED)
        self.assertEqual(found["tables"], ["meas"])
        roots = []
        for condition, asked in found["asked"].items():
            with self.subTest(condition):
                self.assertEqual(asked["catalog"], asked["stock"])
                self.assertGreater(int(asked["stock"][0]), 0)
                roots.append(asked["roots"])
        self.assertEqual(roots[:3], [["signal"], ["device"], ["default"]])
        appended = found["appended"]
        self.assertGreater(appended["count"], 0)
        self.assertEqual(appended["after"], appended["before"] + appended["count"])
        self.assertEqual(len(set(appended["digests"].values())), 1, appended["digests"])
        self.assertEqual(found["random"]["differing"], {})
        self.assertGreater(found["random"]["withRecords"], QUERIES / 4)
