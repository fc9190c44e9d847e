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
"""Reads of datasets that are planned by HTTP: exact whatever is planned, and in as few bytes as files let one read."""

import contextlib
import csv
import datetime
import io
import os
import pickle
import random
import tempfile
import unittest
from decimal import Decimal
from pathlib import Path
from unittest import mock

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from fake_hdfs import Failure, FakeHdfs
from fake_mpsr import PATH, FakeMpsr, table

import hadoop_mpsr
from hadoop_mpsr import m4
from hadoop_mpsr import __main__ as program
from hadoop_mpsr.data import conditions, where
from hadoop_mpsr.data.conditions import Named

SEED = int(os.environ.get("MPSR_SEED", "20261128"))
FILTERS = int(os.environ.get("MPSR_FILTERS", "60"))
NS = 10**9
DAY = 86_400
NAN = float("nan")
COLUMNS = [
    ("signal", "signal", "string"),
    ("device", "device", "string"),
    ("t", "t", "timestamp_ns"),
    ("moment", "moment", "timestamp"),
    ("shown d", "d", "double"),
    ("f", "f", "float"),
    ("n", "n", "bigint"),
    ("late", "late", "int"),
    ("money", "money", "decimal(9,2)"),
    ("ok", "ok", "boolean"),
    ("pos", "pos", "struct<x:int,y:string>"),
]
STORED = [
    ("signal", pa.string()),
    ("device", pa.string()),
    ("t", pa.int64()),
    ("moment", pa.timestamp("us", tz="UTC")),
    ("d", pa.float64()),
    ("f", pa.float32()),
    ("n", pa.int64()),
    ("late", pa.int32()),
    ("money", pa.decimal128(9, 2)),
    ("ok", pa.bool_()),
    ("pos", pa.struct([("x", pa.int32()), ("y", pa.string())])),
    ("day", pa.date32()),
]


def records(count):
    """Some records, the same each time."""
    rng = random.Random(SEED)
    found = []
    for number in range(count):
        t = 1_398_902_400 * NS + number * 997 * NS + rng.randrange(NS)
        day = datetime.datetime.fromtimestamp(t // NS, datetime.timezone.utc)
        found.append(
            {
                "signal": f"s{number % 7}",
                "device": rng.choice(("a", "b", "b'ö")),
                "t": t,
                "moment": None if rng.random() < 0.1 else day.replace(microsecond=rng.randrange(10**6)),
                "d": rng.choice((None, NAN, 0.0, -0.0, 1.5, float("inf"), rng.random())),
                "f": rng.choice((None, NAN, 0.5, 0.1, -0.0)),
                "n": rng.choice((None, 0, 1, 2**62, -(2**62), rng.randrange(10))),
                "late": rng.choice((None, rng.randrange(5))) if number >= count // 2 else None,
                "money": rng.choice((None, Decimal("1.50"), Decimal("-0.01"))),
                "ok": rng.choice((None, True, False)),
                "pos": rng.choice((None, {"x": 1, "y": "u"}, {"x": None, "y": None})),
                "day": day.date(),
            }
        )
    return found


class ReadTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.enterContext(mock.patch.dict(os.environ, clear=False))
        os.environ.pop("HADOOP_CONF_DIR", None)

    def dataset(self, count=200, namenodes=1, patience=5):
        """A dataset of so many records, in both groups; the earlier half of its files lack a column, and one is narrower there."""
        hdfs = FakeHdfs(namenodes)
        self.addCleanup(hdfs.close)
        hdfs.mpsr = mpsr = FakeMpsr(hdfs, COLUMNS)
        self.records = records(count)
        small = {"n": pa.int32()}
        for half, some in enumerate((self.records[: count // 2], self.records[count // 2 :])):
            stored = [(name, kind) for name, kind in STORED if half or name != "late"]
            for signal in sorted({record["signal"] for record in some}):
                own = [record for record in some if record["signal"] == signal]
                narrow = all(record["n"] is None or abs(record["n"]) < 2**31 for record in own)
                kinds = [(name, small.get(name, kind) if narrow else kind) for name, kind in stored]
                mpsr.add("signal", f"{signal}-{half}", table(kinds, own))
            for key in sorted({(record["day"], record["device"]) for record in some}):
                own = [record for record in some if (record["day"], record["device"]) == key]
                kinds = [(name, kind) for name, kind in stored if name not in ("day", "device")]
                mpsr.add("time", f"c-{half}", table(kinds, own), {"day": str(key[0]), "device": key[1]})
        cluster = hadoop_mpsr.open(hdfs.addresses(), user="joe", patience_seconds=patience)
        return hdfs, mpsr, cluster.dataset(PATH)

    def rows(self, found):
        """The records of a table in the order of their times."""
        return sorted(found.to_pylist(), key=lambda record: record["t"])

    def expected(self, condition="true"):
        """What DuckDB, which compares NaN as Spark does, finds with a condition in its words."""
        stored = table(STORED, self.records).rename_columns(["shown d" if name == "d" else name for name, _ in STORED])
        self.assertIsNotNone(stored)
        connection = duckdb.connect()
        connection.execute("set timezone = 'UTC'")
        connection.register("stored", stored)
        return connection.execute(f"select t from stored where {condition} order by t").fetchnumpy()["t"].tolist()

    def test_all_records_are_read_from_either_group_with_the_columns_of_the_dataset(self):
        hdfs, mpsr, dataset = self.dataset()
        kinds = dict(STORED)
        expected = table([(stored, kinds[stored]) for _, stored, _ in COLUMNS], self.records)
        expected = expected.rename_columns([name for name, _, _ in COLUMNS]).to_pylist()
        for group in ("signal", "time"):
            for page in (1, 3, 1_000):
                mpsr.page = page
                found = dataset.read(group=group)
                self.assertEqual(found.schema, dataset.schema)
                self.assertEqual(repr(self.rows(found)), repr(expected), f"{group} {page}")
        self.assertEqual(dataset.schema.field("n").type, pa.int64())
        self.assertEqual(dataset.schema.names, [name for name, _, _ in COLUMNS])
        days = dataset.read(["day", "t"], group="time")
        self.assertEqual([record["day"] for record in self.rows(days)], [record["day"] for record in self.records])
        self.assertEqual(days, dataset.read(["DAY", "T"], group="time"))
        self.assertEqual(dataset.read([], group="time").num_columns, 0)
        batches = list(dataset.to_batches(["t"], group="signal"))
        self.assertEqual(sorted(pa.Table.from_batches(batches)["t"].to_pylist()), [record["t"] for record in self.records])

    def test_random_conditions_are_those_of_sql(self):
        hdfs, mpsr, dataset = self.dataset()
        rng = random.Random(SEED)
        for number in range(FILTERS):
            text = self.condition(rng, 3)
            group = rng.choice(("signal", "time"))
            found = dataset.read(["t"], where=text.replace('"shown d"', "`shown d`"), group=group)
            said = f"MPSR_SEED={SEED} MPSR_FILTERS={number + 1}: {text} in {group}"
            self.assertEqual(sorted(found["t"].to_pylist()), self.expected(text), said)
            self.check_sent(mpsr.asked[-1]["filter"], self.expected(text), said)

    def condition(self, rng, levels):
        """A condition that DuckDB and we take for the same."""
        if levels and rng.random() < 0.6:
            left, right = self.condition(rng, levels - 1), self.condition(rng, levels - 1)
            return rng.choice((f"({left} AND {right})", f"({left} OR {right})", f"NOT ({left})"))
        operator = rng.choice(("=", "<>", "<", "<=", ">", ">="))
        return rng.choice(
            (
                f"signal {operator} 's{rng.randrange(7)}'",
                f"device {operator} '{rng.choice(('a', 'b', 'b' + chr(39) * 2 + 'ö'))}'",
                f"\"shown d\" {operator} {rng.choice(('0.0', '1.5', '0.3', '-1'))}",
                f"f {operator} {rng.choice(('0.5', '0', '-3.25'))}",
                f"n {operator} {rng.choice(('0', '1', '3.5', '4611686018427387904', '-1'))}",
                f"late {operator} {rng.randrange(5)}",
                f"money {operator} {rng.choice(('1.5', '1', '-0.01'))}",
                f"ok = {rng.choice(('true', 'false'))}",
                f"moment {operator} TIMESTAMP '2014-05-0{rng.randrange(1, 4)} 06:00:00.000001'",
                f"day {operator} DATE '2014-05-0{rng.randrange(1, 4)}'",
                f"t {operator} {rng.choice(self.records)['t']}",
                f"{rng.choice(('signal', 'n', 'f', 'late', 'pos'))} IS {rng.choice(('', 'NOT '))}NULL",
                f"n {rng.choice(('', 'NOT '))}IN (0, {rng.randrange(10)}, 4611686018427387904)",
                f"\"shown d\" {rng.choice(('', 'NOT '))}IN (0.0, 1.5)",
                f"late {rng.choice(('', 'NOT '))}BETWEEN 1 AND 3",
                f"signal {rng.choice(('', 'NOT '))}LIKE '{rng.choice(('s', 's1', 'x'))}%'",
            )
        )

    def check_sent(self, sent, times, said):
        """No record that passes the condition fails the filter that was sent."""
        for record in self.records:
            if record["t"] in times:
                self.assertIsNot(_passes(sent, record), False, f"{said}: {sent} of {record}")

    def test_equalities_and_times(self):
        hdfs, mpsr, dataset = self.dataset()
        self.assertEqual(self.times(dataset, signal="s3"), self.expected("signal = 's3'"))
        self.assertEqual(self.times(dataset, signal=["s3", "s1"], ok=None), self.expected("signal in ('s1', 's3') and ok is null"))
        self.assertEqual(self.times(dataset, equal={"shown d": 1.5}, n=np.int64(1)), self.expected("\"shown d\" = 1.5 and n = 1"))
        first, second = self.records[20]["t"], self.records[120]["t"]
        self.assertEqual(self.times(dataset, start=first, end=second, time="t"), self.expected(f"t >= {first} and t < {second}"))
        start = datetime.datetime(2014, 5, 1, 6)
        for given in (
            start,
            start.replace(tzinfo=datetime.timezone.utc),
            datetime.datetime(2014, 5, 1, 8, tzinfo=datetime.timezone(datetime.timedelta(hours=2))),
            np.datetime64("2014-05-01T06:00:00"),
            "2014-05-01T06:00:00Z",
            "2014-05-01 08:00+02:00",
        ):
            for time, number in (("t", f"t >= {1_398_924_000 * NS}"), ("moment", "moment >= '2014-05-01 06:00:00'")):
                self.assertEqual(self.times(dataset, start=given, time=time), self.expected(number), f"{given} {time}")
        many = [-1, *range(5, 20_000), 2**62]
        self.assertEqual(self.times(dataset, n=many), self.expected("n = -1 or n between 5 and 19999 or n = 4611686018427387904"))
        self.assertEqual(self.times(dataset, where=f"NOT n IN ({', '.join(map(str, many))})"), self.expected("n < 5 and n <> -1"))
        self.assertEqual(self.times(dataset, equal={"shown d": [0, 1.5]}), self.expected('"shown d" in (0.0, 1.5)'))
        at = self.records[0]["moment"] or self.records[1]["moment"]
        later = f"{at:%Y-%m-%dT%H:%M:%S.%f}001Z"
        self.assertEqual(self.times(dataset, where=f"moment >= '{later}'"), self.expected(f"moment > '{at}'"))
        self.assertEqual(self.times(dataset, where=f"moment = '{later}'"), [])
        self.assertEqual(self.times(dataset, where=f"NOT moment <> '{later}'"), [])
        self.assertEqual(self.times(dataset, end=datetime.date(2014, 5, 2), time="t"), self.expected(f"t < {1_398_988_800 * NS}"))
        self.assertEqual(self.times(dataset, start="2014-05-02"), self.expected("t >= 1398988800000000000"), "by which a group is partitioned")

    def times(self, dataset, **asked):
        """The times of the records that pass."""
        return sorted(dataset.read(["t"], **asked)["t"].to_pylist())

    def test_only_the_columns_and_row_groups_that_are_needed_are_read(self):
        hdfs, mpsr, dataset = self.dataset(2)
        rng = random.Random(SEED)
        some = [{"t": number, "signal": f"x{number:06}", "n": rng.getrandbits(60), "d": rng.random()} for number in range(200_000)]
        sink = io.BytesIO()
        kinds = [("t", pa.int64()), ("signal", pa.string()), ("n", pa.int64()), ("d", pa.float64())]
        pq.write_table(table(kinds, some), sink, row_group_size=20_000, compression="none", use_dictionary=False)
        path = mpsr.planned["signal"][0]["path"]
        hdfs.files[path] = sink.getvalue()
        mpsr.planned["signal"] = [{**mpsr.planned["signal"][0], "length": len(sink.getvalue())}]
        hdfs.asked.clear()
        found = dataset.read(["t"], signal="x100001")
        self.assertEqual(found["t"].to_pylist(), [100_001])
        self.assertLess(sum(length for _, length in hdfs.reads()), len(sink.getvalue()) / 5)
        self.assertNotIn("GETFILESTATUS", {op for _, op, _ in hdfs.asked}, "the plan has the length")
        self.assertEqual(mpsr.asked[-1]["columns"], ["t"])
        self.assertEqual(mpsr.asked[-1]["filter"]["parts"], [{"op": "=", "column": "signal", "value": "x100001"}])

    def test_a_chart_shows_what_all_records_show(self):
        hdfs, mpsr, dataset = self.dataset(400)
        for seed in range(SEED, SEED + 30):
            with self.subTest(MPSR_SEED=seed):
                rng = random.Random(seed)
                start, end = sorted(rng.sample([record["t"] for record in self.records], 2))
                width, signal = rng.randrange(1, 60), rng.choice(["s1", "s3", ["s1", "s2", "s5"]])
                value = rng.choice(["shown d", "n"])
                all_of_them = dataset.read(["t", value], start=start, end=end, time="t", signal=signal, where=f"NOT `{value}` IS NULL")
                times, values = all_of_them["t"].to_numpy(), all_of_them[value].to_numpy()
                kept = m4.shown(times, values, start, end, width)
                found = dataset.series(value, width, start=start, end=end, time="t", signal=signal)
                self.assertEqual(found.column_names, ["t", value])
                self.assertEqual(self.outline(found, start, end, width), self.outline(all_of_them.take(kept), start, end, width))
                self.assertLessEqual(found.num_rows, 4 * width)

    def outline(self, table, start, end, width):
        """Of each column of pixels the first and the last time, and the lowest and the highest value."""
        step = -(-(end - start) // width)
        columns = {}
        for time, value in zip(table[0].to_pylist(), table[1].to_pylist(), strict=True):
            columns.setdefault((time - start) // step, []).append((time, value))
        return {
            column: (min(points)[0], max(points)[0], min(value for _, value in points), max(value for _, value in points))
            for column, points in columns.items()
        }

    def test_charts_that_make_no_sense_are_refused(self):
        hdfs, mpsr, dataset = self.dataset()
        day = {"start": "2014-05-01", "end": "2014-05-02"}
        for asked, problem in (
            ({"value": "device", "width": 10, **day}, "has no numbers"),
            ({"value": "n", "width": 0, **day}, "0 pixels wide"),
            ({"value": "n", "width": 10, "start": "2014-05-02", "end": "2014-05-01"}, "give a later end"),
            ({"value": "none", "width": 10, **day}, "no column 'none'"),
        ):
            with self.subTest(problem), self.assertRaisesRegex(hadoop_mpsr.Refused, problem):
                dataset.series(**asked, time="t")

    def test_files_of_ordinary_writers_are_read_besides(self):
        hdfs, mpsr, dataset = self.dataset()
        own = [{**self.records[0], "t": 7, "device": "z"}]
        path = f"{PATH}/day=2014-05-01/device=z/own.parquet"
        mpsr.put(path, table([("t", pa.int64()), ("signal", pa.string())], own))
        mpsr.untracked = [{"path": path, "partition": {"day": "2014-05-01", "device": "z"}}]
        found = dataset.read(["t", "device", "n"], device="z")
        self.assertEqual(found.to_pylist(), [{"t": 7, "device": "z", "n": None}])
        mpsr.untracked[0]["partition"] = None
        with self.assertRaisesRegex(hadoop_mpsr.Unplannable, "directories of .*own.parquet do not name"):
            dataset.read()

    def test_what_is_gone_is_planned_again_once(self):
        hdfs, mpsr, dataset = self.dataset()
        old = mpsr.planned["signal"][0]["path"]
        moved = f"{old}.moved"
        hdfs.files[moved] = hdfs.files.pop(old)

        def compact(body):
            if sum("page" not in each for each in mpsr.asked) == 2:
                mpsr.planned["signal"][0]["path"] = moved

        mpsr.before = compact
        self.assertEqual(self.times(dataset), [record["t"] for record in self.records])
        mpsr.before = lambda body: None
        del hdfs.files[moved]
        mpsr.asked.clear()
        with self.assertRaisesRegex(hadoop_mpsr.FilesGone, "cannot read the dataset /cals/meas: .*moved") as raised:
            dataset.read()
        self.assertEqual(sum("page" not in body for body in mpsr.asked), 2)
        self.assertIn("Ask again", raised.exception.fix)
        self.assertEqual(str(pickle.loads(pickle.dumps(raised.exception))), str(raised.exception))
        mpsr.planned["signal"] = mpsr.planned["signal"][1:] + mpsr.planned["signal"][:1]
        mpsr.asked.clear()
        given = []
        with self.assertRaises(hadoop_mpsr.FilesGone):
            given.extend(dataset.to_batches())
            self.fail("it must not end well")
        self.assertEqual(sum("page" not in body for body in mpsr.asked), 1, "what was given cannot be taken back")

    def test_columns_that_change_are_asked_for_anew(self):
        hdfs, mpsr, dataset = self.dataset()
        mpsr.columns = [("ok", "d", "double") if name == "shown d" else column for column in COLUMNS for name in column[:1] if name != "ok"]
        self.assertEqual(self.times(dataset, equal={"ok": 1.5}), self.expected('"shown d" = 1.5'))
        self.assertEqual(mpsr.asked[-1]["filter"]["parts"][0]["column"], "d")
        mpsr.columns = [("n" if name == "late" else "late" if name == "n" else name, stored, kind) for name, stored, kind in COLUMNS]
        self.assertEqual(self.times(dataset, n=3), self.expected("late = 3"))
        with self.assertRaisesRegex(hadoop_mpsr.Refused, "there is no column 'none'"):
            dataset.read(["none"], as_of="yesterday")

    def test_the_active_namenode_is_found(self):
        hdfs, mpsr, dataset = self.dataset(namenodes=3)
        hdfs.active = hdfs.namenodes[2]
        self.assertEqual(len(dataset.read()), len(self.records))
        hdfs.namenodes[2].stop()
        hdfs.active = hdfs.namenodes[1]
        self.assertEqual(len(dataset.read()), len(self.records))

    def test_failures_have_types(self):
        hdfs, mpsr, dataset = self.dataset(patience=0.2)
        cluster = hadoop_mpsr.open([hdfs.addresses()], user="joe", patience_seconds=0.2)
        self.assertEqual([each.path for each in cluster.datasets("/cals")], [PATH])
        self.assertEqual(cluster.datasets("/none"), [])
        self.assertEqual(cluster.status(), {"state": "ready"})
        with self.assertRaisesRegex(hadoop_mpsr.NotADataset, "the dataset /none: there is no dataset at /datasets/none"):
            cluster.dataset("/none")
        mpsr.stock = "MPSR is not ready"
        with self.assertRaisesRegex(hadoop_mpsr.Unplannable, "MPSR is not ready"):
            dataset.read()
        mpsr.stock = None
        for asked, said in (
            ({"columns": ["none"]}, "there is no column 'none'. There are signal, device"),
            ({"columns": "signal"}, r"Give a list: \['signal'\]"),
            ({"nothing": 1}, "there is no column 'nothing'"),
            ({"n": "x"}, "the column 'n' of type bigint cannot be compared with 'x': give a number"),
            ({"n": 2**70}, "give a number of 64 bits"),
            ({"f": NAN}, "NaN compares with nothing"),
            ({"start": "yesterday"}, "write a time such as 2014-05-01"),
            ({"start": "2014-02-30"}, "write a time such as 2014-05-01"),
            ({"where": "n >"}, "at character 4 there is the end, not a value to compare 'n' with"),
            ({"where": "n = 1 2"}, "at character 7 there is 2, not AND, OR or the end"),
            ({"where": "n ~ 1"}, "at character 3 there is ~"),
            ({"where": "("}, "there is the end, not the name of a column"),
            ({"where": "(" * 200 + "n = 1" + ")" * 200}, "more than 100 levels"),
            ({"where": "signal LIKE '%a'"}, "only patterns such as 'tmp%' can"),
            ({"where": "n LIKE 'a%'"}, "the column 'n' of type bigint has no LIKE"),
        ):
            with self.subTest(str(asked)[:80]), self.assertRaisesRegex(hadoop_mpsr.Refused, said):
                dataset.read(**asked)
        for status, name, kind in (
            (403, "AccessControlException", hadoop_mpsr.Denied),
            (403, "IOException", hadoop_mpsr.Unplannable),
            (400, "IllegalArgumentException", hadoop_mpsr.Refused),
            (403, "OversizeMessageException", hadoop_mpsr.Refused),
            (403, "RetriableException", hadoop_mpsr.NoAnswer),
            (500, "RuntimeException", hadoop_mpsr.NoAnswer),
        ):

            def fail(body, status=status, name=name):
                raise Failure(status, name, "said so")

            mpsr.before = fail
            with self.subTest(name), self.assertRaisesRegex(kind, "said so"):
                dataset.read()
        mpsr.before = lambda body: None
        hdfs.denied.add(mpsr.planned["signal"][0]["path"])
        with self.assertRaisesRegex(hadoop_mpsr.Denied, "Permission denied: user=joe"):
            dataset.read()
        hdfs.mpsr = None
        with self.assertRaisesRegex(hadoop_mpsr.NotADataset, "the web server has no /mpsr/v1/plan"):
            dataset.read()
        hdfs.namenodes[0].other = b"<html>"
        with self.assertRaisesRegex(hadoop_mpsr.NoAnswer, "the answer is none of MPSR"):
            dataset.read()

    def test_a_plan_that_changes_between_its_pages_is_begun_anew(self):
        hdfs, mpsr, dataset = self.dataset()
        failures = iter([True, False, True])

        def change(body):
            if "page" in body and next(failures, False):
                raise Failure(403, "PlanChangedException", "plan again")

        mpsr.before = change
        self.assertEqual(len(dataset.read()), len(self.records))

    def test_where_the_namenodes_are(self):
        directory = self.enterContext(tempfile.TemporaryDirectory())
        pairs = {"fs.defaultFS": "hdfs://ns", "dfs.nameservices": "ns", "dfs.ha.namenodes.ns": "a,b"}
        pairs |= {f"dfs.namenode.http-address.ns.{name}": f"h{name}:9870" for name in "ab"}
        text = "".join(f"<property><name>{key}</name><value>{value}</value></property>" for key, value in pairs.items())
        Path(directory, "hdfs-site.xml").write_text(f"<configuration>{text}</configuration>", encoding="utf-8")
        with self.assertRaisesRegex(ValueError, "nobody says where the NameNodes of the cluster are"):
            hadoop_mpsr.open()
        os.environ["HADOOP_CONF_DIR"] = directory
        from hadoop_mpsr.data.client import addresses_of

        both = ["http://ha:9870", "http://hb:9870"]
        for cluster in (None, "hdfs://ns", "http://ha:9870, http://hb:9870", both):
            self.assertEqual(addresses_of(cluster), both)
        with self.assertRaisesRegex(ValueError, "NameNodes of hdfs://other are"):
            hadoop_mpsr.open("hdfs://other")

    def test_long_filters_are_cut_off_and_exclude_nothing(self):
        column = Named("n", "n", "bigint")
        self.assertEqual(conditions.sent(conditions.among(column, range(10_001))), {"op": "unknown"})
        deep = where.parse("n = 1" + " OR (n = 2 AND (n = 3" * 40 + "))" * 40, lambda name: column)
        self.assertLess(str(conditions.sent(deep)).count("{"), 100)
        text = Named("s", "s", "string")
        self.assertEqual(conditions.sent(conditions.equal(text, "x" * 5_000)), {"op": "unknown"})

    def test_the_program_writes_files(self):
        hdfs, mpsr, dataset = self.dataset()
        directory = Path(self.enterContext(tempfile.TemporaryDirectory()))
        common = [PATH, "--cluster", hdfs.addresses(), "--user", "joe", "--columns", "t, signal", "--where", "signal = 's3'"]
        self.assertEqual(program.get([*common, "--to", str(directory / "x.parquet")]), 0)
        self.assertEqual(sorted(pq.read_table(directory / "x.parquet")["t"].to_pylist()), self.expected("signal = 's3'"))
        self.assertEqual(program.get([*common, "--to", str(directory / "x.csv"), "--group", "time"]), 0)
        with (directory / "x.csv").open(encoding="utf-8", newline="") as file:
            self.assertEqual(sorted(int(row["t"]) for row in csv.DictReader(file)), self.expected("signal = 's3'"))
        none = [*common[:-1], "signal = 'none'", "--to", str(directory / "none.csv")]
        self.assertEqual(program.get(none), 0)
        self.assertEqual((directory / "none.csv").read_text(encoding="utf-8"), '"t","signal"\n')
        day = ["--start", "2014-05-01", "--end", "2014-05-02", "--time", "t"]
        chart = [*common[:5], *day, "--chart", "n", "--width", "5", "--to", str(directory / "chart.csv")]
        self.assertEqual(program.get(chart), 0)
        with (directory / "chart.csv").open(encoding="utf-8", newline="") as file:
            shown = [(int(row["t"]), int(row["n"])) for row in csv.DictReader(file)]
        series = dataset.series("n", 5, start="2014-05-01", end="2014-05-02", time="t")
        self.assertEqual(shown, list(zip(*series.to_pydict().values(), strict=True)))
        self.assertGreater(len(shown), 0)
        (directory / "chart.csv").unlink()
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            self.assertEqual(program.get([*chart[:7], *chart[11:]]), 1)
            self.assertEqual(program.get([*common, "--to", str(directory / "x.txt")]), 1)
            self.assertEqual(program.get(["/none", *common[1:]]), 1)
        self.assertIn("--chart n needs --end", said.getvalue())
        self.assertIn("let it end with .parquet or .csv", said.getvalue())
        self.assertIn("there is no dataset", said.getvalue())
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            self.assertEqual(program.main(["datasets", "--cluster", hdfs.addresses()]), 0)
        self.assertEqual(out.getvalue(), f"{PATH}\n")
        self.assertEqual(sorted(path.name for path in directory.iterdir()), ["none.csv", "x.csv", "x.parquet"])


def _passes(found, record):
    """Whether a record passes a filter, in SQL's logic; None where that is not known."""
    op = found["op"]
    if op in ("and", "or"):
        parts = [_passes(part, record) for part in found["parts"]]
        decided = op == "or"
        return decided if decided in parts else None if None in parts else not decided
    if op == "not":
        part = _passes(found["part"], record)
        return None if part is None else not part
    if op == "unknown":
        return None
    value = _comparable(record[found["column"]])
    if op == "is-null":
        return value is None
    if value is None:
        return None
    if op == "starts-with":
        return value.startswith(found["value"])
    if op == "in":
        return any(value == each for each in found["values"])
    other = found["value"]
    nan = isinstance(value, float) and value != value
    return {
        "=": value == other,
        "<": not nan and value < other,
        "<=": not nan and value <= other,
        ">": nan or value > other,
        ">=": nan or value >= other,
    }[op]


def _comparable(value):
    """The value as filters have it."""
    if isinstance(value, datetime.datetime):
        return (value - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)) // datetime.timedelta(microseconds=1)
    return (value - datetime.date(1970, 1, 1)).days if isinstance(value, datetime.date) else value
