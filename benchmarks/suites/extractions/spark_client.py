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
"""A process with Spark and MPSR: extracts and draws what a file asks for, and prints what each took as one JSON object.

The file has ``dataset`` (with its scheme), and ``extractions`` as those of the Python client, ``warm`` of which are asked for first, then
``timed`` of them one after another, and then all by one job; or a ``chart`` with ``begin``, ``end`` (nanoseconds), ``width`` and ``rounds``.
"""

import json
import sys
import time
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from benchmarks.suites.extractions.answers import Canvas, digest

PART_RECORDS = 1_000_000


def main(file):
    """Asks and prints."""
    asked = json.loads(Path(file).read_text(encoding="utf-8"))
    session = SparkSession.builder.appName("extractions").getOrCreate()
    records = session.read.parquet(asked["dataset"])
    signals = records.groupBy("signal").agg(F.min("timestamp_ns"), F.max("timestamp_ns")) if asked.get("signals") else None
    if signals is not None:
        told = {"signals": sorted([row[0], row[1], row[2]] for row in signals.collect())}
    elif "chart" in asked:
        told = _chart(session, records, asked["chart"])
    else:
        for extraction in asked["extractions"][: asked["warm"]]:
            _extract(records, extraction)
        told = {"found": [_extract(records, extraction) for extraction in asked["extractions"][: asked["timed"]]]}
        told["all"] = _at_once(session, records, asked["extractions"])
    print("answer " + json.dumps(told), flush=True)


def _extract(records, extraction):
    begun = time.monotonic()
    time_ns = F.col("timestamp_ns")
    found = records.where((F.col("signal") == extraction["signal"]) & (time_ns >= extraction["start"]) & (time_ns < extraction["end"]))
    rows = found.select("timestamp_ns", "value").collect()
    return {"seconds": time.monotonic() - begun, **_answer(rows)}


def _answer(rows):
    times, values = zip(*rows, strict=True) if rows else ((), ())
    return {"rows": len(rows), "digest": digest(times, [float("nan") if each is None else each for each in values])}


def _at_once(session, records, extractions):
    """The answers to all extractions, by a join of all records with the ranges."""
    asked = [(number, each["signal"], each["start"], each["end"]) for number, each in enumerate(extractions)]
    ranges = session.createDataFrame(asked, "number int, of string, first bigint, next bigint")
    inside = (F.col("signal") == F.col("of")) & (F.col("timestamp_ns") >= F.col("first")) & (F.col("timestamp_ns") < F.col("next"))
    found = [[] for _ in asked]
    for number, *row in records.join(F.broadcast(ranges), inside).select("number", "timestamp_ns", "value").toLocalIterator():
        found[number].append(row)
    return [_answer(rows) for rows in found]


def _chart(session, records, chart):
    """The first one, those that follow, and the pixels of each, which are those of all records."""
    begin, end, width = chart["begin"], chart["end"], chart["width"]
    empty = getattr(getattr(session._jvm.scala.collection.immutable, "Nil$"), "MODULE$")
    reductions = session._jvm.org.hadoopmpsr.spark.reduction.MpsrReductions
    took = []
    for _ in range(chart["rounds"] + 1):
        begun = time.monotonic()
        frame = session.read.parquet(chart["dataset"])
        drawn = DataFrame(reductions.chart(frame._jdf, "timestamp_ns", "value", begin, end, width, empty), session)
        points = drawn.collect()
        took.append(time.monotonic() - begun)
    value, time_ns = F.col("value"), F.col("timestamp_ns")
    real = records.where(value.isNotNull() & ~F.isnan(value)).select("timestamp_ns", "value")
    count, low, high = real.agg(F.count("value"), F.min("value"), F.max("value")).collect()[0]
    shown, whole = (Canvas(begin, end, width, low, high) for _ in range(2))
    shown.add([row["time"] for row in points], [row["value"] for row in points])
    parts, drawn_records = -(-count // PART_RECORDS), 0
    for part in range(parts):
        first, after = (begin + (end - begin) * each // parts for each in (part, part + 1))
        table = real.where((time_ns >= first) & (time_ns < after)).toArrow()
        whole.add(table[0].to_numpy(), table[1].to_numpy())
        drawn_records += table.num_rows
    if drawn_records != count:
        raise ValueError(f"{drawn_records} records were drawn of {count}")
    differ = int((shown.pixels() != whole.pixels()).sum())
    return {"first": took[0], "warm": took[1:], "points": len(points), "records": count, "differ": differ}


if __name__ == "__main__":
    main(sys.argv[1])
