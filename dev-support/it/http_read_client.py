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
"""The package hadoop-mpsr alone reads a dataset, planned by the NameNode's web server: http_read_client.py FILE.

The file has a JSON object. ``hosts`` is a file with the names of DataNodes. ``cluster`` is the address of the NameNode's web server
and ``user`` a user. ``dataset`` is read by as many random conditions as ``reads`` says, which follow from ``seed``. ``directory`` has
a copy of the files of the default group, in which DuckDB looks for the same.

Prints one JSON object: the reads that found something else, and how often which group was read.
"""

import json
import random
import sys
from pathlib import Path

import cluster_hosts
import duckdb
import pyarrow as pa
from pyiceberg_client import stored_records

import hadoop_mpsr

DEPTH = 3


def main(file):
    """Reads and prints."""
    asked = json.loads(Path(file).read_text(encoding="utf-8"))
    cluster_hosts.know(asked["hosts"])
    cluster = hadoop_mpsr.open(asked["cluster"], user=asked["user"])
    dataset = cluster.dataset(asked["dataset"])
    stored = stored_records(asked["directory"])
    shown = [name for name in stored.column_names if name in dataset.schema.names]
    lacking = sorted(set(dataset.schema.names) - set(shown))
    rng, wrong, groups = random.Random(asked["seed"]), [], {}
    for number in range(asked["reads"]):
        condition = _condition(rng, stored.select(shown), DEPTH if number % 2 else 0)
        group = rng.choice((None, None, *(each["name"] for each in dataset.description["groups"])))
        problem = _difference(dataset, stored, shown, condition, group, groups)
        if problem:
            wrong.append(f"read {number}, {condition} in {group}: {problem}")
    nothing = len(dataset.read(where=f"{shown[0]} IS NULL AND {shown[0]} IS NOT NULL"))
    listed = [each.path for each in cluster.datasets(asked["dataset"])]
    print(json.dumps({"wrong": wrong, "groups": groups, "lacking": lacking, "nothing": nothing, "listed": listed}))


def _difference(dataset, stored, shown, condition, group, groups):
    """What is wrong with what is read, in words; None if nothing is."""
    try:
        plan = dataset.plan(where=condition, group=group)
        found = dataset.read(shown, where=condition, group=group)
    except hadoop_mpsr.MpsrError as error:
        return f"{type(error).__name__}: {error}"
    groups[plan.group] = groups.get(plan.group, 0) + 1
    right = _found(stored, condition).select(shown)
    if found.num_rows != right.num_rows:
        return f"{found.num_rows} records instead of {right.num_rows}"
    return "other values" if _rows(found) != _rows(right) else None


def _found(stored, condition):
    """The records that pass, by their numbers: DuckDB's own tables would have other types."""
    connection = duckdb.connect()
    connection.execute("set timezone = 'UTC'")
    connection.register("stored", stored.append_column("row number", pa.array(range(len(stored)))))
    rows = connection.execute(f'select "row number" from stored where {condition} order by 1').fetchnumpy()["row number"]
    return stored.take(pa.array(rows, pa.int64()))


def _rows(table):
    return sorted(repr(tuple(row.values())) for row in table.to_pylist())


def _condition(rng, stored, levels):
    """A condition in words that DuckDB and hadoop_mpsr take for the same; NaN is the greatest number for both."""
    if levels and rng.random() < 0.7:
        left, right = _condition(rng, stored, levels - 1), _condition(rng, stored, levels - 1)
        return rng.choice((f"({left} AND {right})", f"({left} OR {right})", f"NOT ({left})"))
    for _ in range(1_000):
        name = rng.choice(stored.column_names)
        literal = _literal(rng.choice(stored[name]), rng)
        if literal is None:
            continue
        operator = rng.choice(("=", "<>", "<", "<=", ">", ">="))
        return rng.choice((f"{name} {operator} {literal}", f"{name} {operator} {literal}", f"{name} IN ({literal})", f"{name} IS NOT NULL"))
    raise AssertionError("no column has a value that a condition can name")


def _literal(value, rng):
    """A value of a column as SQL writes it, or a value beside it; None where it has no such text."""
    found, kind = value.as_py(), value.type
    if found is None:
        return None
    if pa.types.is_boolean(kind):
        return "true" if found else "false"
    if pa.types.is_integer(kind):
        return str(found + rng.choice((0, 0, 1))) if abs(found) < 2**62 else None
    if pa.types.is_floating(kind):
        return repr(found) if abs(found) < 1e15 and "e" not in repr(found) else None
    if pa.types.is_decimal(kind):
        return str(found)
    if pa.types.is_string(kind) and found.isprintable():
        return "'" + found.replace("'", "''") + "'"
    if pa.types.is_date(kind) and 1900 < found.year < 2200:
        return f"DATE '{found}'"
    if pa.types.is_timestamp(kind) and 1900 < found.year < 2200:
        return f"TIMESTAMP '{found:%Y-%m-%d %H:%M:%S.%f}'"
    return None


if __name__ == "__main__":
    main(sys.argv[1])
