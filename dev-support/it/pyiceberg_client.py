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
"""Stock PyIceberg with the package hadoop-mpsr reads a dataset through a gateway: pyiceberg_client.py FILE.

The file has a JSON object. ``hosts`` is a file with the names of DataNodes. ``catalog`` has the properties of the catalog, and
``token`` may name a file of ``hdfs fetchdt`` for one more. ``table`` is read: by the filters ``named``, with each library; by the
filters ``own``, of which errors are told; and by as many random ``filters``, which follow from ``seed``, ``keys`` and ``lacking``
(see pyiceberg_filters.py). ``append`` has records that are appended first. ``directory`` has a copy of the files of the default group. ``files`` are locations that are opened.

Prints one JSON object: what each read found. Logs all that there is to log.
"""

import json
import logging
import math
import random
import sys
from pathlib import Path

import cluster_hosts
import duckdb
import polars
import pyarrow as pa
import pyarrow.parquet as pq
from pyiceberg import expressions
from pyiceberg.catalog import load_catalog
from pyiceberg_filters import Filters

from hadoop_mpsr import delegation_token

DEPTH = 3


def main(file):
    """Reads and prints."""
    asked = json.loads(Path(file).read_text(encoding="utf-8"))
    cluster_hosts.know(asked["hosts"])
    logging.basicConfig(level=logging.DEBUG)
    properties = asked["catalog"]
    if "token" in asked:
        properties["token"] = delegation_token(asked["token"])
    catalog = load_catalog("hdfs", **properties)
    table = catalog.load_table(asked["table"])
    if "append" in asked:
        print(json.dumps(_appended(catalog, table, asked["append"], asked["named"])))
        return
    stored = stored_records(asked["directory"])
    columns = {"table": [field.name for field in table.schema().fields], "stored": stored.column_names}
    stored = stored.select([name for name in stored.column_names if name in columns["table"]])
    found = {
        "io": f"{type(table.io).__module__}.{type(table.io).__name__}",
        "columns": columns,
        "named": {name: _named(table, stored, text) for name, text in asked.get("named", {}).items()},
        "own": {text: _own(table, stored, text) for text in asked.get("own", ())},
        "location": next(iter(table.scan().plan_files())).file.file_path,
        "files": {location: _opened(table.io, location) for location in asked.get("files", ())},
    }
    print(json.dumps({**found, **(_random(table, stored, asked) if "filters" in asked else {})}))


def _named(table, stored, text):
    """What a filter that is read by each library finds."""
    scan = table.scan(row_filter=text)
    arrow = scan.to_arrow()
    return {
        "groups": _groups(scan),
        "pandas": len(scan.to_pandas()),
        "count": scan.count(),
        "polars": polars.from_arrow(arrow).height,
        "duckdb": _counted(arrow, "true"),
        "stored": _counted(stored, text),
    }


def _appended(catalog, table, records, filters):
    """Appends the records; the groups and the number of records that filters find afterwards."""
    schema = table.schema().as_arrow()
    table.append(pa.Table.from_pylist(records, schema=schema))
    new = catalog.load_table(table.name())
    scans = {name: new.scan(row_filter=text) for name, text in filters.items()}
    return {
        "own": table.scan().to_arrow().num_rows,
        "named": {name: [_groups(scan), sorted(scan.to_arrow().to_pylist(), key=repr)] for name, scan in scans.items()},
        "left": sorted(table.properties[name] for name in ("write.data.path", "write.metadata.path")),
    }


def _own(table, stored, text):
    """How many records a filter finds, and how many in SQL; or the error."""
    try:
        found = table.scan(row_filter=_NAMED_FILTERS.get(text, text)).to_arrow().num_rows
    except Exception as error:  # whatever a library raises is what a user sees
        return f"{type(error).__name__}: {error}"
    return found, _counted(stored, text)


_NAMED_FILTERS = {"infinity": expressions.LessThan("d", math.inf)}


def _counted(table, condition):
    return duckdb.sql(f'SELECT count(*) FROM "table" WHERE {condition}').fetchall()[0][0]


def _opened(files, location):
    try:
        with files.new_input(location).open() as stream:
            return len(stream.read())
    except Exception as error:  # whatever a library raises is what a user sees
        return f"{type(error).__name__}: {error}"


def _random(table, stored, asked):
    """What is wrong, and the groups that were read, by how many filters."""
    rng = random.Random(asked["seed"])
    filters, wrong, groups = Filters(stored, rng, asked["keys"], asked["lacking"]), [], {}
    for number in range(asked["filters"]):
        each = filters.some(DEPTH) if number % 2 else filters.of_a_key(DEPTH - 1)
        problem = _difference(table, stored, each, rng, groups)
        if problem:
            wrong.append(f"filter {number}, {each.text or each.iceberg}: {problem}")
    return {"wrong": wrong, "groups": groups}


def _difference(table, stored, asked, rng, groups):
    """What is wrong with what PyIceberg reads by a filter, in words; None if nothing is."""
    columns = tuple(rng.sample(stored.column_names, rng.randint(1, 4))) if rng.random() < 0.5 else ("*",)
    row_filter = asked.text if asked.text and rng.random() < 0.5 else asked.iceberg
    try:
        scan = table.scan(row_filter=row_filter, selected_fields=columns)
        found = scan.to_arrow()
        for group in _groups(scan):
            groups[group] = groups.get(group, 0) + 1
        count = scan.count() if rng.random() < 0.2 else found.num_rows
    except Exception as error:  # whatever a library raises is what a user sees
        return f"{type(error).__name__}: {error}"
    right = stored.filter(asked.arrow)
    right = right if columns == ("*",) else right.select(columns)
    if count != right.num_rows:
        return f"{count} records instead of {right.num_rows}"
    if set(found.column_names) != set(right.column_names):
        return f"columns {found.column_names} instead of {right.column_names}"
    differs = _rows(found.select(right.column_names)) != _rows(right)
    return "other values" if differs else None


def _rows(table):
    return sorted(repr(tuple(row.values())) for row in table.to_pylist())


def _groups(scan):
    """The replica groups whose files a scan reads: files of others than the default one lie in the store."""
    paths = [task.file.file_path for task in scan.plan_files()]
    return sorted({path.split("/")[6] if path.split("/")[3] == ".mpsr" else "default" for path in paths})


def stored_records(directory):
    """All records of the default group's files, as Arrow reads them."""
    files = sorted(Path(directory).rglob("*.parquet"))
    tables = [pq.ParquetFile(file).read() for file in files]
    return pa.concat_tables(tables, promote_options="default").combine_chunks()


if __name__ == "__main__":
    main(sys.argv[1])
