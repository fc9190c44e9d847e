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
"""Queries over a table of measurements, as a user would write them: plain PySpark on a plain path.

    spark-submit spark_queries.py --path hdfs://.../cals/meas --source file:///.../data.parquet --output answers.json

What the queries ask for (which signal, device, system, days) is worked out from the source file, from which the table
was filled, or taken from the output of an earlier run. Each query is asked once of a single day before any is timed: what a JVM
loads and compiles at its first query is no query's cost. For each query the output holds the answer's digest, the seconds, what Spark says it read (files, bytes) and the scans of EXPLAIN.
"""

import argparse
import hashlib
import json
import time
from datetime import timedelta
from pathlib import Path

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from mpsr_launcher.quickstart import spark_metrics


def derive_parameters(source):
    """Picks what the queries ask for: signals in the middle of the list, a day in the middle of the time."""
    return pick(*signals_and_days(source), lambda found: found[len(found) // 2])


def signals_and_days(source):
    """The 1,000 signals that log most, with device and system, and all days."""
    signals = (
        source.groupBy("signal")
        .agg(F.count("*").alias("n"), F.min("device").alias("device"), F.min("system").alias("system"))
        .orderBy(F.desc("n"), "signal")
        .limit(1000)
        .collect()
    )
    seconds = (F.col("timestamp_ns") / 10**9).cast("bigint")
    days = source.select(F.timestamp_seconds(seconds).cast("date").alias("day")).groupBy("day").count()
    return signals, [row.day for row in days.orderBy("day").collect()]


def pick(signals, days, choose):
    """What the queries ask for, where ``choose`` takes one of a list."""
    first = choose(signals)
    other = next((row for row in signals if row.device == first.device and row.signal != first.signal), first)
    day = choose(days)
    month = day.replace(day=1)
    noon = int((day - type(day)(1970, 1, 1)).total_seconds() + 12 * 3600) * 10**9
    return {
        "signal": first.signal,
        "otherSignal": other.signal,
        "signals": sorted({row.signal for row in (signals[0], first, signals[-1])}),
        "device": first.device,
        "system": first.system,
        "day": str(day),
        "monthStart": str(month),
        "monthEnd": str((month + timedelta(days=31)).replace(day=1) - timedelta(days=1)),
        "weekStart": str(day),
        "weekEnd": str(day + timedelta(days=6)),
        "fromNs": noon,
        "toNs": noon + 6 * 3600 * 10**9,
    }


def average():
    """The mean, rounded: the last digits of a sum of doubles depend on the order of the records."""
    return F.round(F.avg("value"), 6)


def queries(meas, p, average=average):
    """The queries by name."""
    one_signal = meas.filter(F.col("signal") == p["signal"])
    day = F.col("day")
    mean = average().alias("mean")
    extent = [F.count("*").alias("n"), F.min("value").alias("low"), F.max("value").alias("high")]
    month = day.between(F.lit(p["monthStart"]).cast("date"), F.lit(p["monthEnd"]).cast("date"))
    week = day.between(F.lit(p["weekStart"]).cast("date"), F.lit(p["weekEnd"]).cast("date"))
    left = one_signal.select("timestamp_ns", F.col("value").alias("left"))
    right = meas.filter(F.col("signal") == p["otherSignal"]).select("timestamp_ns", F.col("value").alias("right"))
    return {
        "one_signal_all_time": one_signal.agg(*extent, mean),
        "three_signals": meas.filter(F.col("signal").isin(p["signals"])).groupBy("signal").agg(*extent, mean),
        "one_day_all_signals": meas.filter(day == F.lit(p["day"]).cast("date")).groupBy("signal").agg(*extent),
        "six_hours_by_timestamp": meas.filter(F.col("timestamp_ns").between(p["fromNs"], p["toNs"]))
        .groupBy("device")
        .agg(*extent, mean),
        "one_device_in_a_month": meas.filter((F.col("device") == p["device"]) & month).groupBy("signal").agg(*extent),
        "one_system_in_a_week": meas.filter((F.col("system") == p["system"]) & week)
        .groupBy("device", "signal")
        .agg(*extent, mean),
        "one_device_all_time": meas.filter(F.col("device") == p["device"]).groupBy("system").agg(*extent, mean),
        "two_signals_joined": left.join(right, "timestamp_ns").agg(
            F.count("*").alias("n"), F.round(F.corr("left", "right"), 6).alias("correlation")
        ),
        "full_scan": meas.groupBy("device", "system").agg(*extent, mean, F.countDistinct("day").alias("days")),
    }


def run(session, name, query):
    """Runs one query and tells what it answered, how long it took and what was read for it."""
    before = spark_metrics.last_execution(session)
    start = time.monotonic()
    rows = query.collect()
    seconds = time.monotonic() - start
    answer = spark_metrics.answer_lines(rows)
    read = spark_metrics.what_was_read(session, before)
    return {
        "name": name,
        "seconds": round(seconds, 3),
        "rows": len(answer),
        "digest": hashlib.sha256("\n".join(answer).encode()).hexdigest(),
        "sample": answer[:3],
        "files": read["files"],
        "bytes": read["bytes"],
        "scans": spark_metrics.scans(query),
    }


def step(text):
    """Says what is done now, to whoever has called this."""
    print(f"step {text}", flush=True)


def warm_up(session, meas, p):
    """Asks each query of a single day, so that the session has planned and run all of it once."""
    day = meas.filter(F.col("day") == F.lit(p["day"]).cast("date"))
    for name, query in queries(day, p).items():
        step(f"warming up: {name}")
        run(session, name, query)


def main():
    """Reads the arguments, runs every query, writes the output."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--path", required=True, help="directory of the measurements")
    parser.add_argument("--output", required=True, type=Path, help="JSON file to write")
    asked = parser.add_mutually_exclusive_group(required=True)
    asked.add_argument("--source", help="Parquet file that the table was filled from")
    asked.add_argument("--like", type=Path, help="output of an earlier run, to ask for the same")
    arguments = parser.parse_args()
    session = SparkSession.builder.appName("measurements").getOrCreate()
    step("opening the table")
    start = time.monotonic()
    meas = session.read.parquet(arguments.path)
    opening = round(time.monotonic() - start, 3)
    if arguments.like:
        parameters = json.loads(arguments.like.read_text(encoding="utf-8"))["parameters"]
    else:
        step("choosing what to ask")
        parameters = derive_parameters(session.read.parquet(arguments.source))
    warm_up(session, meas, parameters)
    results = []
    for name, query in queries(meas, parameters).items():
        results.append(run(session, name, query))
        step(f"{name} {results[-1]['seconds']:.2f} s")
    extensions = session.conf.get("spark.sql.extensions", "")
    output = {"extensions": extensions, "openSeconds": opening, "parameters": parameters, "queries": results}
    arguments.output.write_text(json.dumps(output, indent=2), encoding="utf-8")
    session.stop()


if __name__ == "__main__":
    main()
