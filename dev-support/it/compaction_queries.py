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
"""Asks a dataset, with MPSR and as stock Spark does, and prints the answers as JSON: spark-submit compaction_queries.py PATH."""

import json
import sys

from pyspark.sql import SparkSession

QUERIES = {
    "all": "SELECT count(*), sum(fill), min(timestamp_ns), max(timestamp_ns), count(DISTINCT signal) FROM meas",
    "signal": "SELECT signal, count(*), min(value), max(value) FROM meas WHERE signal = (SELECT min(signal) FROM meas) GROUP BY signal",
    "device": "SELECT device, mode, count(*) FROM meas WHERE device LIKE '%1%' GROUP BY device, mode ORDER BY device, mode",
    "days": "SELECT day, count(*), count(DISTINCT device) FROM meas GROUP BY day ORDER BY day",
    "hash": "SELECT sum(cast(xxhash64(signal, device, system, timestamp_ns, value, fill, mode) AS decimal(38, 0))) FROM meas",
}


def main():
    """Prints {"mpsr": answers, "stock": answers}; each answer is a list of rows as text."""
    session = SparkSession.builder.getOrCreate()
    found = {}
    for name, enabled in (("mpsr", "true"), ("stock", "false")):
        session.conf.set("spark.mpsr.enabled", enabled)
        session.read.parquet(sys.argv[1]).createOrReplaceTempView("meas")
        found[name] = {query: [str(row) for row in session.sql(text).collect()] for query, text in QUERIES.items()}
    print(json.dumps(found), flush=True)


main()
