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

PATH is the dataset that readers_test.py makes. Of each query the object has what EXPLAIN shows; "mpsr" and "stock"
have the schema and the rows too, as text in an order of their own.
"""

import contextlib
import io
import json
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

FILTER = "signal = 's3'"


def frames(spark, path):
    """Queries in SQL and of frames, and of both."""
    spark.read.parquet(path).createOrReplaceTempView("readers")
    join = f"SELECT a.*, b.s AS other FROM readers a JOIN readers b USING (timestamp_ns) WHERE a.{FILTER} AND b.{FILTER}"
    device = spark.read.parquet(path).where((F.col("device") == "d1") & F.col("i").isNotNull())
    return {
        "sql": spark.sql(f"SELECT * FROM parquet.`{path}` WHERE {FILTER}"),
        "frame": device.groupBy("day").agg(F.count("*"), F.max("tn")),
        "view": spark.sql(join),
    }


def answers(spark, path):
    """What the queries give."""
    return {
        name: {
            "schema": frame.schema.json(),
            "explain": explained(frame),
            # text tells -0.0 from 0.0
            "rows": sorted(repr(tuple(row)) for row in frame.collect()),
        }
        for name, frame in frames(spark, path).items()
    }


def choices(spark, path):
    """What is read where the user says which group."""
    frame = spark.read.parquet(path)
    found = {
        "hint": explained(spark.sql(f"SELECT /*+ MPSR(device) */ * FROM parquet.`{path}` WHERE {FILTER}")),
        "frame's hint": explained(frame.hint("mpsr", "device").where(FILTER)),
        "option": explained(spark.read.option("mpsr.group", "device").parquet(path).where(FILTER)),
    }
    spark.conf.set("spark.mpsr.group", "device")
    found["session"] = explained(frame.where(FILTER))
    spark.conf.unset("spark.mpsr.group")
    return found


def explained(frame):
    """What EXPLAIN prints."""
    with contextlib.redirect_stdout(io.StringIO()) as shown:
        frame.explain()
    return shown.getvalue()


def main(url, path):
    """Asks and prints."""
    spark = SparkSession.builder.remote(url).getOrCreate()
    found = {"mpsr": answers(spark, path), "choices": choices(spark, path)}
    spark.conf.set("spark.mpsr.enabled", "false")
    found["stock"] = answers(spark, path)
    print(json.dumps(found))
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
