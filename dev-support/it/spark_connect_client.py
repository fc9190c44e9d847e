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
"""Asks a Spark Connect server as a remote client does, and prints one JSON object of what it answers:

    spark_connect_client.py URL PATH

The queries are of the dataset that readers_test.py makes. Of each the object has what EXPLAIN shows, the rows
with the extension, and those without, as text in an order of their own.
"""

import contextlib
import io
import json
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

FILTER = "signal = 's3'"
COLUMNS = "signal, device, timestamp_ns, s, i, l, f, d, b, dt, ts, tn"


def queries(spark, path):
    """By name a function that makes the query anew, and the session's settings for it."""
    table = f"parquet.`{path}`"

    def frame():
        return spark.read.parquet(path).where((F.col("signal") == "s3") & F.col("i").isNotNull())

    def by_day():
        return spark.read.parquet(path).where(F.col("device") == "d1").groupBy("day").agg(F.count("*"), F.max("tn"))

    def view():
        spark.read.parquet(path).createOrReplaceTempView("readers")
        return spark.sql(f"SELECT a.l, b.s FROM readers a JOIN readers b USING (timestamp_ns) WHERE a.{FILTER} AND b.{FILTER}")

    return {
        "sql": (lambda: spark.sql(f"SELECT {COLUMNS} FROM {table} WHERE {FILTER}"), {}),
        "frame": (frame, {}),
        "aggregate": (by_day, {}),
        "view": (view, {}),
        "hint": (lambda: spark.sql(f"SELECT /*+ MPSR(device) */ {COLUMNS} FROM {table} WHERE {FILTER}"), {}),
        "frame's hint": (lambda: spark.read.parquet(path).hint("mpsr", "device").where(FILTER), {}),
        "option": (lambda: spark.read.option("mpsr.group", "device").parquet(path).where(FILTER), {}),
        "session": (frame, {"spark.mpsr.group": "time"}),
    }


def explained(frame):
    """What EXPLAIN prints."""
    with contextlib.redirect_stdout(io.StringIO()) as shown:
        frame.explain()
    return shown.getvalue()


def rows(frame):
    """The rows as text, sorted; text tells -0.0 from 0.0."""
    return sorted(repr(tuple(row)) for row in frame.collect())


def answer(spark, query, settings):
    """One query with its settings, and without MPSR."""
    for name, value in settings.items():
        spark.conf.set(name, value)
    found = {"schema": query().schema.json(), "explain": explained(query()), "rows": rows(query())}
    for name in settings:
        spark.conf.unset(name)
    spark.conf.set("spark.mpsr.enabled", "false")
    stock = {"schema": query().schema.json(), "explain": explained(query()), "rows": rows(query())}
    spark.conf.unset("spark.mpsr.enabled")
    return {"mpsr": found, "stock": stock}


def main(url, path):
    """Asks and prints."""
    spark = SparkSession.builder.remote(url).getOrCreate()
    print(json.dumps({name: answer(spark, *query) for name, query in queries(spark, path).items()}))
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
