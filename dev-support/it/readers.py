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
"""Prints the rows of the Parquet files below directories as one JSON object of engines and directories:

    readers.py ENGINE,... COLUMN:TYPE,... DIRECTORY ...

The engines are pyarrow, duckdb, spark (its vectorized reader) and parquet-java (Spark's other one). Dates
are days, timestamps microseconds since 1970; numbers with a fraction are hexadecimal.
"""

import json
import sys
from pathlib import Path


def pyarrow(files, columns):
    """Apache Arrow's C++ reader."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    numbers = {"date": pa.int32(), "timestamp": pa.int64()}
    for file in files:
        with pq.ParquetFile(file) as opened:
            table = opened.read(list(columns))
        for name, kind in columns.items():
            if kind in numbers:
                table = table.set_column(table.schema.get_field_index(name), name, table[name].cast(numbers[kind]))
        yield from zip(*(table[name].to_pylist() for name in columns))


def duckdb(files, columns):
    """DuckDB's reader."""
    import duckdb as db

    forms = {"date": "(\"{0}\" - DATE '1970-01-01')", "timestamp": 'epoch_us("{0}")'}
    selected = ", ".join(forms.get(kind, '"{0}"').format(name) for name, kind in columns.items())
    source = "read_parquet(?, hive_partitioning = false)"
    return db.execute(f"SELECT {selected} FROM {source}", [[str(file) for file in files]]).fetchall()


def spark(files, columns, vectorized=True):
    """Spark's vectorized reader, or without it parquet-java's."""
    from pyspark.sql import SparkSession

    session = SparkSession.builder.getOrCreate()
    session.conf.set("spark.sql.parquet.enableVectorizedReader", vectorized)
    forms = {"date": "unix_date({0})", "timestamp": "unix_micros({0})"}
    selected = [forms.get(kind, "{0}").format(name) for name, kind in columns.items()]
    return session.read.parquet(*(f"file:{file}" for file in files)).selectExpr(*selected).collect()


def _plain(value):
    return value.hex() if isinstance(value, float) else value


ENGINES = {
    "pyarrow": pyarrow,
    "duckdb": duckdb,
    "spark": spark,
    "parquet-java": lambda files, columns: spark(files, columns, vectorized=False),
}


def main(engines, typed, *directories):
    """Reads and prints."""
    columns = dict(pair.split(":") for pair in typed.split(","))
    found = {}
    for engine in engines.split(","):
        for directory in directories:
            files = sorted(Path(directory).rglob("*.parquet"))
            rows = [[_plain(value) for value in row] for row in ENGINES[engine](files, columns)]
            found.setdefault(engine, {})[Path(directory).name] = rows
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
