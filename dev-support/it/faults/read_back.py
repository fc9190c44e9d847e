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
"""Reads Parquet files with PyArrow and compares their rows with those of a JSON file of columns, however they are sorted.

    read_back.py EXPECTED GROUP=DIRECTORY ...

Prints one JSON object: what is wrong with each group, by group; empty when all rows are equal.
"""

import collections
import json
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

EXAMPLES = 3


def rows(files, schema):
    """The rows of files in the order of their values; None without files."""
    parts = []
    for file in files:
        with pq.ParquetFile(file) as opened:
            parts.append(opened.read(schema.names).cast(schema))
    return ordered(pa.concat_tables(parts)) if parts else None


def ordered(table):
    """A table sorted by all columns."""
    return table.sort_by([(name, "ascending") for name in table.column_names]).combine_chunks()


def difference(expected, found):
    """What is wrong, in words; empty when nothing is."""
    if found is None:
        return f"no file, {expected.num_rows} rows expected"
    if expected.equals(found):
        return ""
    wanted, there = (collections.Counter(zip(*(c.to_pylist() for c in t.columns))) for t in (expected, found))
    lost, more = wanted - there, there - wanted
    doubled = sum(n for row, n in more.items() if row in wanted)
    return (
        f"{found.num_rows} rows, {expected.num_rows} expected: {lost.total()} lost, {doubled} there too often,"
        f" {more.total() - doubled} never sent; lost {list(lost)[:EXAMPLES]}, too many {list(more)[:EXAMPLES]}"
    )


def main(expected, groups):
    """Compares all groups."""
    wanted = ordered(pa.table(json.loads(Path(expected).read_text(encoding="utf-8"))))
    problems = {}
    for group in groups:
        name, _, directory = group.partition("=")
        problem = difference(wanted, rows(sorted(Path(directory).rglob("*.parquet")), wanted.schema))
        if problem:
            problems[name] = problem
    print(json.dumps(problems))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
