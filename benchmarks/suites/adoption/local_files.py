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
"""Writes records as local Parquet files with PyArrow or DuckDB:

    local_files.py ENGINE SOURCE DIRECTORY FILES ROWS_OF_FILE SKIPPED_ROWS

The files lie in directories of their days, one after the other in the order of the source.
"""

import datetime
import sys
from pathlib import Path

DAY_NS = 86_400 * 10**9


def _slices(source, files, rows, skipped):
    """Tables of one day each, with the day."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    table = pq.read_table(source).slice(skipped, files * rows)
    for start in range(0, table.num_rows, rows):
        part = table.slice(start, rows)
        days = pc.divide(part["timestamp_ns"].cast("int64"), DAY_NS)
        for day in sorted(set(days.to_pylist())):
            yield datetime.date(1970, 1, 1) + datetime.timedelta(day), part.filter(pc.equal(days, day))


def pyarrow(table, file):
    """Writes one file."""
    import pyarrow.parquet as pq

    pq.write_table(table, file, compression="snappy")


def duckdb(table, file):
    """Writes one file."""
    import duckdb as db

    db.from_arrow(table).write_parquet(str(file), compression="zstd")


def main(engine, source, directory, files, rows, skipped):
    """Writes the files."""
    write = {"pyarrow": pyarrow, "duckdb": duckdb}[engine]
    for number, (day, table) in enumerate(_slices(source, int(files), int(rows), int(skipped))):
        place = Path(directory) / f"day={day}"
        place.mkdir(parents=True, exist_ok=True)
        write(table, place / f"{engine}-{number:06}.parquet")


if __name__ == "__main__":
    main(*sys.argv[1:])
