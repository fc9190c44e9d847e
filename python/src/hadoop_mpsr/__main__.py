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
"""Reads a dataset into a file, or shows which datasets there are:

    python -m hadoop_mpsr get /cals/meas --where "signal = 'LHC.B1'" --start 2014-05-01 --end 2014-05-02 --to day.parquet
    python -m hadoop_mpsr datasets
"""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

import hadoop_mpsr
from hadoop_mpsr.data.client import Cluster
from hadoop_mpsr.data.dataset import Dataset

_FAILED = 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the program; returns 0, or 1 after a failure, of which it says the reason on standard error."""
    asked = _parser().parse_args(arguments)
    try:
        token = hadoop_mpsr.delegation_token(asked.token_file) if asked.token_file else None
        cluster = hadoop_mpsr.open(asked.cluster, token=token, user=asked.user, kerberos=asked.kerberos, verify=asked.ca_file)
        return asked.run(cluster, asked)
    except (hadoop_mpsr.MpsrError, OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return _FAILED


def get(arguments: Sequence[str] | None = None) -> int:
    """The program ``mpsr-get``: as ``python -m hadoop_mpsr get``."""
    return main(["get", *(sys.argv[1:] if arguments is None else arguments)])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m hadoop_mpsr", description="Reads datasets of hadoop-mpsr.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--cluster", metavar="ADDRESS", help="http://nn:9870, several with commas, or hdfs://service; the default of HADOOP_CONF_DIR without it")
    common.add_argument("--token-file", metavar="FILE", help="a file with a delegation token, which 'hdfs fetchdt FILE' has written")
    common.add_argument("--kerberos", action="store_true", help="the ticket of this process says who asks, as kinit gives it")
    common.add_argument("--user", help="the user on a cluster without Kerberos")
    common.add_argument("--ca-file", metavar="FILE", help="certificates of authorities for https")
    one = commands.add_parser("get", parents=[common], help="read the records of a dataset")
    one.add_argument("path", metavar="PATH", help="the dataset")
    one.add_argument("--columns", metavar="NAMES", help="with commas between them; all without it")
    one.add_argument("--where", metavar="CONDITION", help="in SQL's words: \"value > 1.5 AND device IN ('a', 'b')\"")
    one.add_argument("--start", metavar="TIME", help="from then on, such as 2014-05-01T06:00:00Z; without a zone in UTC")
    one.add_argument("--end", metavar="TIME", help="until then, exclusive")
    one.add_argument("--time", metavar="COLUMN", help="which --start and --end are about, where there are several times")
    one.add_argument("--group", help="the replica group to read; the cheapest without it")
    one.add_argument("--as-of", metavar="STATE", help="an earlier state: the number of a change, a day, a time, or a tag")
    one.add_argument("--chart", metavar="COLUMN", help="only what a line chart of this column shows, with --width, --start and --end")
    one.add_argument("--width", metavar="PIXELS", type=int, help="of the chart")
    one.add_argument("--to", metavar="FILE", default="-", help="a file that ends with .parquet or .csv; - for CSV on standard output, the default")
    one.set_defaults(run=_get)
    those = commands.add_parser("datasets", parents=[common], help="show the datasets that you may read")
    those.add_argument("path", metavar="PATH", nargs="?", default="/", help="at or below which they are")
    those.set_defaults(run=_datasets)
    return parser


def _datasets(cluster: Cluster, asked: argparse.Namespace) -> int:
    for dataset in cluster.datasets(asked.path):
        print(dataset.path)
    return 0


def _get(cluster: Cluster, asked: argparse.Namespace) -> int:
    kind = "csv" if asked.to == "-" else Path(asked.to).suffix[1:]
    if kind not in ("csv", "parquet"):
        raise ValueError(f"--to {asked.to} names no kind of file: let it end with .parquet or .csv, or be -")
    dataset = cluster.dataset(asked.path)
    columns = [name.strip() for name in asked.columns.split(",")] if asked.columns else None
    given = {name: getattr(asked, name) for name in ("where", "start", "end", "time", "group", "as_of")}
    conditions = {name: value for name, value in given.items() if value is not None}
    batches = _chart(dataset, asked, conditions) if asked.chart else dataset.to_batches(columns, **conditions)
    first = next(batches, None)
    # without a record, the columns as they are now
    schema = first.schema if first is not None else _names(dataset.schema, columns)
    if asked.to == "-":
        with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as out:
            _write(out, kind, schema, first, batches)
        return 0
    part = Path(f"{asked.to}.part")
    try:
        with part.open("wb") as out:
            _write(out, kind, schema, first, batches)
        part.replace(asked.to)
    finally:
        part.unlink(missing_ok=True)
    return 0


def _chart(dataset: Dataset, asked: argparse.Namespace, conditions: dict[str, str]) -> Iterator[pa.RecordBatch]:
    missing = [f"--{name}" for name in ("width", "start", "end") if getattr(asked, name) is None]
    if missing or asked.columns:
        raise ValueError(f"--chart {asked.chart} needs {', '.join(missing) or 'no --columns'}: say from when to when the chart is, and how wide")
    table = dataset.series(asked.chart, asked.width, **conditions)
    return iter(table.to_batches() or table.schema.empty_table().to_batches())


def _names(schema: pa.Schema, columns: Sequence[str] | None) -> pa.Schema:
    if columns is None:
        return schema
    by_name = {field.name.lower(): field for field in schema}
    return pa.schema([by_name[name.lower()] for name in columns if name.lower() in by_name])


def _write(out, kind: str, schema: pa.Schema, first: pa.RecordBatch | None, batches: Iterator[pa.RecordBatch]) -> None:
    writer = pq.ParquetWriter(out, schema) if kind == "parquet" else pyarrow.csv.CSVWriter(out, schema)
    with writer:
        if first is not None:
            writer.write_batch(first)
        for batch in batches:
            writer.write_batch(batch)


if __name__ == "__main__":
    sys.exit(main())
