# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
"""Stock PyIceberg with the package hadoop-mpsr reads a dataset through a gateway, by random filters."""

import getpass
import math
import os
import random
import unittest
from typing import ClassVar

import kafka_requests
import odd_values
import shared
from mpsr_launcher import waiting
from mpsr_launcher.cluster import catalog, mpsr_cli
from mpsr_launcher.cluster.ingest import Ingest
from mpsr_launcher.cluster.webhdfs import WebHdfs
from pyiceberg_reader import PyIceberg

DATASET = "/it/python/meas"
TOPIC = "python"
ROWS = 600
SEED = int(os.environ.get("MPSR_SEED", "20261128"))
FILTERS = int(os.environ.get("MPSR_FILTERS", "500" if shared.LONG else "40"))
KEYS = {"signal": "string", "device": "string", "system": "string", "timestamp_ns": "timestamp_ns"}
COLUMNS = {
    **KEYS,
    **{"s": "string", "ti": "tinyint", "si": "smallint", "i": "int", "l": "bigint", "f": "float", "d": "double"},
    **{"c": "decimal(9,2)", "b": "boolean", "bin": "binary", "dt": "date", "ts": "timestamp", "tz": "timestamp_ntz"},
    **{"tn": "timestamp_ns", "t": "time_ns", "pos": "struct<x:int,y:string>", "tags": "array<string>", "m": "map<string,double>"},
}
ADDED = "added"
APPENDED_TO = "/it/python/appended"
APPENDED = {**KEYS, "d": "double", "i": "int", "s": "string"}


def records(first, end):
    """Some of the records, the same each time; the later half has a column more."""
    for number in range(first, end):
        rng = random.Random(SEED * 1_000_003 + number)
        record = {"signal": f"s{number % 7}", "device": f"d/{number % 3}", "system": "x %"}
        record["timestamp_ns"] = 1_500_000_000_000_000_000 + number * 86_400 * 10**8
        for name, kind in COLUMNS.items():
            if name not in record and kind in odd_values.EDGES:
                record[name] = odd_values.value(kind, rng)
        for name in ("f", "d"):
            record[name] = float("nan") if rng.random() < 0.1 else record[name]
        record["pos"] = rng.choice((None, {}, {"x": rng.randint(0, 9)}, {"x": rng.randint(0, 9), "y": rng.choice("abc")}))
        record["tags"] = rng.choice((None, [], ["a", None]))
        record["m"] = rng.choice((None, {"k": 1.5}))
        if first:
            record[ADDED] = odd_values.value("double", rng)
        yield record


class PythonClientTest(unittest.TestCase):
    maxDiff = None
    basic: ClassVar = {"type": "basic", "basic": {"username": getpass.getuser(), "password": "none"}}

    @classmethod
    def setUpClass(cls):
        cls.cluster = shared.cluster()
        cls.pyiceberg = PyIceberg(cls.cluster)
        cls._ingest()
        cls.pyiceberg.copy(DATASET)
        cls.addClassCleanup(lambda: cls.cluster.processes.stop([catalog.PROCESS], 10))
        cls.uri = catalog.start(cls.cluster, "--page-files", "5")

    @classmethod
    def _ingest(cls):
        schema = ", ".join(f"{name} {kind}{' not null' if name in KEYS else ''}" for name, kind in COLUMNS.items())
        mpsr_cli.ask(cls.cluster, ["dataset", "create", DATASET, "--schema", schema])
        bootstrap = cls.cluster.state.bootstrap
        kafka_requests.create_topic(bootstrap, TOPIC, 1)
        ingest = Ingest(cls.cluster, DATASET, TOPIC, TOPIC, 1)
        config = {**ingest.config(ROWS // 2, 500), "mpsr.format": "json", "mpsr.columns": odd_values.units(COLUMNS)}
        cls.cluster.connect.create(TOPIC, config)
        for first in (0, ROWS // 2):
            if first:
                mpsr_cli.ask(cls.cluster, ["dataset", "alter", DATASET, "add-column", f"{ADDED} double"])
            sent = list(records(first, first + ROWS // 2))
            kafka_requests.produce(bootstrap, TOPIC, [odd_values.message(record) for record in sent])
            total = first + len(sent)
            waiting.until(lambda total=total: ingest.committed() == total, "the records", 90, ingest.require_healthy, 0.5)
        cls.cluster.connect.delete(TOPIC)

    def ask(self, **asked):
        """What the client says of these reads."""
        return self.pyiceberg.ask(self.uri, DATASET, {"auth": self.basic}, **asked)[0]

    def test_the_package_alone_reads_the_cheapest_group_into_pandas_polars_and_duckdb(self):
        named = {
            "signal": "signal = 's3'",
            "device": "device = 'd/1'",
            "default": "timestamp_ns >= 1500864000000000000 and timestamp_ns < 1500900000000000000",
        }
        found = self.ask(named=named)
        self.assertEqual(found["io"], "hadoop_mpsr.pyiceberg.WebHdfsFileIO")
        self.assertEqual(found["columns"]["table"], [name for name in found["columns"]["stored"] if COLUMNS.get(name) != "time_ns"])
        for group, read in found["named"].items():
            with self.subTest(group):
                self.assertEqual(read.pop("groups"), [group])
                self.assertGreater(read["stored"], 0)
                self.assertEqual(set(read.values()), {read["stored"]})

    def test_random_filters_read_what_the_default_group_has(self):
        found = self.ask(filters=FILTERS, seed=SEED, keys=["signal", "device", "timestamp_ns"], lacking=[ADDED])
        said = f"seed {SEED}; MPSR_SEED={SEED} and MPSR_FILTERS={FILTERS} ask the same again"
        self.assertEqual(found["wrong"], [], said)
        self.assertLessEqual({"signal", "device", "default"}, set(found["groups"]), said)

    def test_an_append_is_in_all_groups_once(self):
        schema = ", ".join(f"{name} {kind}{' not null' if name in KEYS else ''}" for name, kind in APPENDED.items())
        mpsr_cli.ask(self.cluster, ["dataset", "create", APPENDED_TO, "--schema", schema])
        rng = random.Random(SEED)
        day = 86_400 * 10**9
        sent = [
            {
                "signal": f"s{rng.randrange(7)}",
                "device": f"d/{rng.randrange(3)}",
                "system": "x %",
                "timestamp_ns": rng.randrange(1_000 * day, 1_004 * day),
                "d": rng.choice((None, rng.random())),
                "i": rng.choice((None, rng.randrange(100))),
                "s": rng.choice((None, "", "é")),
            }
            for _ in range(ROWS)
        ]
        named = {
            "signal": ("signal = 's3'", lambda record: record["signal"] == "s3"),
            "device": ("device = 'd/1'", lambda record: record["device"] == "d/1"),
            "default": (f"timestamp_ns < {1_001 * day}", lambda record: record["timestamp_ns"] < 1_001 * day),
        }
        texts = {name: text for name, (text, _) in named.items()}
        for times in (1, 2):
            found = self.pyiceberg.ask(self.uri, APPENDED_TO, {"auth": self.basic}, append=sent, named=texts)[0]
            self.assertEqual(found["own"], times * ROWS)
            for group, (groups, records) in found["named"].items():
                with self.subTest(group, times=times):
                    self.assertEqual(groups, [group])
                    wanted = [record for record in sent if named[group][1](record)] * times
                    self.assertEqual(records, sorted(wanted, key=repr))
        shown = mpsr_cli.ask(self.cluster, ["dataset", "show", APPENDED_TO])["groups"]
        self.assertEqual({group["records"] for group in shown.values()}, {2 * ROWS})
        left = [WebHdfs(self.cluster).names(path.removeprefix(self.cluster.state.fs_uri)) for path in found["left"]]
        self.assertEqual(left[0], [], "data files that were appended")

    def test_reads_that_are_planned_by_http_find_what_the_default_group_has(self):
        found = self.pyiceberg.read(DATASET, reads=FILTERS, seed=SEED)
        said = f"seed {SEED}; MPSR_SEED={SEED} and MPSR_FILTERS={FILTERS} ask the same again"
        self.assertEqual(found["wrong"], [], said)
        self.assertLessEqual({"signal", "device"}, set(found["groups"]), said)
        self.assertEqual((found["lacking"], found["nothing"], found["listed"]), ([], 0, [DATASET]))

    def test_what_is_not_as_in_sql_is_as_the_page_says(self):
        """The page is docs/catalog.md. What PyIceberg has changed fails here."""
        sent = [*records(0, ROWS // 2), *records(ROWS // 2, ROWS)]
        more = {
            "i not in (0, -1)": sum(record["i"] is None for record in sent),
            f"{ADDED} != 0.1": ROWS // 2,
            "f > 0.0": -sum(math.isnan(record["f"] or 0) for record in sent),
            "d in (0.0, 0.25)": -sum(record["d"] == 0 and math.copysign(1, record["d"]) < 0 for record in sent),
            "s like 'a\tb%'": -sum((record["s"] or "").startswith("a\tb") for record in sent),
            "s like '__'": -sum(len(record["s"] or "") == 2 for record in sent),
        }
        errors = {"d > 1e2": "ParseException", "i > 0.5": "type int: 0.5", "infinity": "missing field: value"}
        found = self.ask(own=[*more, *errors])["own"]
        for text, count in more.items():
            with self.subTest(text):
                self.assertNotEqual(count, 0)
                self.assertEqual(found[text][0] - found[text][1], count)
        for text, error in errors.items():
            with self.subTest(text):
                self.assertIn(error, found[text])
