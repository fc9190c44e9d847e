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

The file has ``dataset`` (with its scheme), and ``extractions`` as those of the Python client, ``warm`` of which are asked for first; or a
``chart`` with ``begin``, ``end`` (nanoseconds), ``width`` and ``rounds``.
"""

import json
import sys
import time
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from benchmarks.suites.extractions.answers import digest, pixels


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
        told = {"found": [_extract(records, extraction) for extraction in asked["extractions"]]}
    print("answer " + json.dumps(told), flush=True)


def _extract(records, extraction):
    begun = time.monotonic()
    time_ns = F.col("timestamp_ns")
    found = records.where((F.col("signal") == extraction["signal"]) & (time_ns >= extraction["start"]) & (time_ns < extraction["end"]))
    rows = found.select("timestamp_ns", "value").collect()
    seconds = time.monotonic() - begun
    times, values = zip(*rows, strict=True) if rows else ((), ())
    return {"seconds": seconds, "rows": len(rows), "digest": digest(times, [float("nan") if each is None else each for each in values])}


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
    shown = pixels([row["time"] for row in points], [row["value"] for row in points], begin, end, width)
    rows = records.where(F.col("value").isNotNull()).select("timestamp_ns", "value")
    table = rows.toArrow()
    whole = pixels(table[0].to_numpy(), table[1].to_numpy(), begin, end, width)
    return {"first": took[0], "warm": took[1:], "points": len(points), "records": table.num_rows, "differ": int((shown != whole).sum())}


if __name__ == "__main__":
    main(sys.argv[1])
