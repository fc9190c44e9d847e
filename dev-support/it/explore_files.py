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
"""Parquet files of all forms that the page of pictures may meet: explore_files.py DIRECTORY CASES SEED, with a Python that has PyArrow.

Writes the files, and ``cases.json``: of each case the plan that a NameNode answers, what is asked, and the records that are to be found.
"""

import json
import math
import random
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

NAMES = ["a", "b", "a.b", "\u00e9\U0001f600", "z" * 90]
BEGIN = 1_493_596_800 * 10**9
UNITS = {"timestamp_ns": 1, "timestamp": 1_000, "date": 86_400 * 10**9}
NUMBERS = {"double": pa.float64(), "float": pa.float32(), "int": pa.int32(), "bigint": pa.int64(), "smallint": pa.int16()}


def value(kind, rng):
    """A value of a column of numbers, or None."""
    if rng.random() < 0.1:
        return None
    if kind == "double":
        return rng.choice((math.nan, math.inf, -0.0, 1.5, rng.uniform(-1e9, 1e9)))
    if kind == "float":
        return rng.choice((math.nan, 0.5, float(rng.randrange(100)) / 4))
    return rng.randrange(-1000, 1000)


def times_of(kind, times):
    """Whole numbers of the unit as Parquet's column of the type."""
    if kind == "timestamp_ns":
        return pa.array(times, pa.int64())
    if kind == "date":
        return pa.array(times, pa.int32()).cast(pa.date32())
    return pa.array(times, pa.int64()).cast(pa.timestamp("us", tz="UTC"))


def write(file, records, kinds, rng, directory):
    """Writes records in a random form."""
    time, number = kinds
    columns = {"t": times_of(time, [each[1] for each in records]), "v": pa.array([each[2] for each in records], NUMBERS[number])}
    if not directory:
        columns["K" if rng.random() < 0.2 else "k"] = pa.array([each[0] for each in records], pa.string())
    table = pa.table({name: columns[name] for name in rng.sample(sorted(columns), len(columns))})
    dictionary = rng.choice((True, False, ["v"]))
    encoding = None
    if dictionary is False and rng.random() < 0.5:
        encoding = {"t": "DELTA_BINARY_PACKED"} if time != "date" else {}
        encoding["v"] = "BYTE_STREAM_SPLIT" if number in ("double", "float") else "DELTA_BINARY_PACKED"
    pq.write_table(
        table,
        file,
        row_group_size=rng.choice((1, 50, 1000)) if len(records) < 100 else rng.choice((50, 1000)),
        use_dictionary=dictionary,
        column_encoding=encoding,
        compression=rng.choice(("zstd", "snappy", "gzip", "lz4", "none")),
        compression_level=None,
        data_page_size=rng.choice((64, 1 << 20)),
        write_batch_size=rng.choice((10, 1024)),
        data_page_version=rng.choice(("1.0", "2.0")),
        write_page_index=rng.random() < 0.7,
        write_statistics=rng.random() < 0.9,
    )


def case(number, directory, seed):
    """A plan of some files, what is asked of them, and what is to be found."""
    rng = random.Random(seed * 1_000_003 + number)
    kinds = rng.choice(sorted(UNITS)), rng.choice(sorted(NUMBERS))
    unit = UNITS[kinds[0]]
    begin = BEGIN // unit
    span = rng.choice((10, 1000, 10**6)) if kinds[0] != "date" else 40
    signals = rng.sample(NAMES, rng.randrange(1, 4))
    low = begin + rng.randrange(-span // 4, span)
    high = low + 1 + rng.randrange(span)
    files, found = [], {name: [] for name in signals}
    for at in range(rng.randrange(1, 4)):
        alone = rng.choice(NAMES) if rng.random() < 0.3 else None
        records = [(alone or rng.choice(NAMES), begin + rng.randrange(span), value(kinds[1], rng)) for _ in range(rng.randrange(1, 300))]
        records.sort(key=rng.choice((lambda each: each[:2], lambda each: each[1])))
        path = f"/{number}-{at}.parquet"
        write(f"{directory}{path}", records, kinds, rng, alone)
        length = Path(f"{directory}{path}").stat().st_size
        partition = {"k": alone} if alone else {}
        files.append({"path": path, "length": length, "modificationTime": 0, "records": len(records), "part": 0, "partition": partition})
        for name, time, each in records:
            if name in found and low <= time < high and each is not None and not math.isnan(each):
                found[name].append((time, each))
    # of equal times in the order of the files' first records; compared as sets of pairs
    told = {name: sorted([str(time), repr(float(each) + 0.0)] for time, each in pairs) for name, pairs in found.items()}
    plan = {"stock": False, "group": "g", "reason": "r", "candidates": [], "files": files, "untracked": [], "nextPage": None}
    return {"plan": plan, "unit": str(unit), "signals": signals, "begin": str(low), "end": str(high), "found": told}


def main(directory, cases, seed):
    """Writes all."""
    made = [case(number, directory, seed) for number in range(cases)]
    (Path(directory) / "cases.json").write_text(json.dumps(made), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
