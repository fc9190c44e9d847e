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
"""What the sink has written is read alike by everybody: PyArrow, DuckDB, Spark and parquet-java, column type by type, and by
remote sessions of Spark."""

import json
import random
import subprocess
import unittest
from pathlib import Path

import kafka_requests
import odd_values
import shared
import spark_connect
from mpsr_launcher import waiting
from mpsr_launcher.checkout.setup import ensure_readers
from mpsr_launcher.cluster import mpsr_cli
from mpsr_launcher.cluster.ingest import Ingest
from mpsr_launcher.cluster.webhdfs import WebHdfs
from mpsr_launcher.console import Console

DATASET = "/it/readers"
TOPIC = "readers"
ROWS = 400
SEED = 20261122
GROUPS = ("time", "signal", "device")
KEYS = {"signal": "string", "device": "string", "system": "string", "timestamp_ns": "timestamp_ns"}
COLUMNS = {
    **KEYS,
    **{"s": "string", "i": "int", "l": "bigint", "f": "float", "d": "double"},
    **{"b": "boolean", "dt": "date", "ts": "timestamp", "tn": "timestamp_ns"},
}


def rows():
    """The rows, the same each time."""
    rng = random.Random(SEED)
    for number in range(ROWS):
        keys = (f"s{number % 7}", f"d{number % 3}", "x", 1_500_000_000_000_000_000 + number * 86_400 * 10**8)
        yield (*keys, *(odd_values.value(kind, rng) for name, kind in COLUMNS.items() if name not in KEYS))


class ReadersTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        ensure_readers(shared.checkout(), Console())
        cls.cluster = shared.cluster()
        cls.local = shared.checkout().run / "readers"
        cls.expected = [[v.hex() if isinstance(v, float) else v for v in row] for row in rows()]
        dataset = cls._ingest()
        hdfs = WebHdfs(cls.cluster)
        hdfs.fetch(DATASET, cls.local / "time")
        for group in GROUPS[1:]:
            hdfs.fetch(f"/.mpsr/datasets/{dataset}/{group}", cls.local / group)

    @classmethod
    def _ingest(cls):
        schema = ", ".join(f"{name} {kind}{' not null' if name in KEYS else ''}" for name, kind in COLUMNS.items())
        created = mpsr_cli.ask(cls.cluster, ["dataset", "create", DATASET, "--schema", schema])
        bootstrap = cls.cluster.state.bootstrap
        kafka_requests.create_topic(bootstrap, TOPIC, 1)
        kafka_requests.produce(bootstrap, TOPIC, [odd_values.message(dict(zip(COLUMNS, row))) for row in rows()])
        ingest = Ingest(cls.cluster, DATASET, TOPIC, TOPIC, 1)
        config = {**ingest.config(ROWS, 500), "mpsr.format": "json"}
        config["mpsr.columns"] = odd_values.units(COLUMNS)
        cls.cluster.connect.create(TOPIC, config)
        waiting.until(lambda: ingest.committed() == ROWS, "the rows", 90, ingest.require_healthy, 0.5)
        cls.cluster.connect.delete(TOPIC)
        return created["id"]

    def test_every_engine_reads_every_column_of_every_group_as_it_was_sent(self):
        done = self._python(*self._arguments("pyarrow,duckdb"))
        self._check(done, ["pyarrow", "duckdb"])
        done = shared.mpsr("spark-submit", "--stock", *self._arguments("spark,parquet-java"))
        self._check(done, ["spark", "parquet-java"])

    def test_a_remote_session_reads_what_the_connect_server_finds_cheapest(self):
        server = spark_connect.SparkConnect(self.cluster)
        self.addCleanup(server.stop)
        server.start()
        client = str(Path(__file__).with_name("spark_connect_client.py"))
        done = self._python(client, server.url, self.cluster.state.fs_uri + DATASET)
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        found = json.loads(done.stdout.splitlines()[-1])
        self.assertEqual(list(found["mpsr"]), list(found["stock"]))
        for name, group in (("sql", "signal"), ("frame", "device"), ("view", "signal")):
            with self.subTest(query=name):
                ours, stock = found["mpsr"][name], found["stock"][name]
                self.assertIn(f"parquet[mpsr {group}: ", ours.pop("explain"))
                self.assertNotIn("[mpsr", stock.pop("explain"))
                self.assertTrue(stock["rows"])
                self.assertEqual(ours, stock)
        for name, explained in found["choices"].items():
            with self.subTest(choice=name):
                self.assertIn("parquet[mpsr device: ", explained)

    def test_tables_of_a_hive_metastore_are_redirected(self):
        metastore = self.local / "metastore"
        derby = f"jdbc:derby:;databaseName={metastore};create=true"
        program = str(Path(__file__).with_name("hive_tables.py"))
        conf = ["--conf", f"spark.hadoop.javax.jdo.option.ConnectionURL={derby}"]
        done = shared.mpsr("spark-submit", *conf, program, self.cluster.state.fs_uri + DATASET)
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        found = json.loads(done.stdout.splitlines()[-1])
        self.assertEqual(found["catalog"], "hive")
        self.assertEqual(len(found["answers"]), 6)
        for name, answers in found["answers"].items():
            with self.subTest(read=name):
                self.assertRegex(answers["mpsr"]["explain"], r"\[mpsr |records of \d+ files of ")
                self.assertNotIn("mpsr stock", answers["mpsr"]["explain"])
                self.assertNotIn("[mpsr", answers["stock"]["explain"])
                self.assertTrue(answers["stock"]["rows"])
                self.assertEqual(answers["mpsr"]["rows"], answers["stock"]["rows"])

    def _python(self, *arguments):
        """Runs a program with the Python that has the readers."""
        python = str(shared.checkout().work / "readers" / "bin" / "python")
        return subprocess.run([python, *arguments], capture_output=True, text=True, check=False)

    def _arguments(self, engines):
        types = ",".join(f"{name}:{kind}" for name, kind in COLUMNS.items())
        return [str(Path(__file__).with_name("readers.py")), engines, types, *(str(self.local / group) for group in GROUPS)]

    def _check(self, done, engines):
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        found = json.loads(done.stdout.splitlines()[-1])
        self.assertEqual(list(found), engines)
        for engine, groups in found.items():
            for group in GROUPS:
                with self.subTest(engine=engine, group=group):
                    self.assertEqual(len(groups[group]), ROWS)
                    for expected, row in zip(self.expected, sorted(groups[group], key=lambda row: row[3])):
                        self.assertEqual(row, expected)
