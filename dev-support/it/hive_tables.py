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
"""Reads a dataset through tables of a Hive metastore, with MPSR and without, and prints one JSON object of what it answers:

    hive_tables.py PATH

PATH is the dataset that readers_test.py makes. The metastore is Derby in the directory that spark-submit is given. Of each
table the object has what EXPLAIN shows and the rows with MPSR and without, as text in an order of their own.
"""

import contextlib
import io
import json
import sys

from pyspark.sql import SparkSession

QUERIES = {
    "signal": "SELECT signal, timestamp_ns, s, i, dt FROM {0} WHERE signal = 's3'",
    "day": "SELECT count(*), max(tn) FROM {0} WHERE year(day) = 2017 AND month(day) = 7",
}


def tables(spark, path):
    """The names of tables over the directory: of Hive's own kind, and of Spark's."""
    columns = [f for f in spark.read.parquet(path).schema.fields if f.name != "day"]
    ddl = ", ".join(f"{f.name} {f.dataType.simpleString()}" for f in columns)
    spark.sql(f"CREATE EXTERNAL TABLE stored ({ddl}) PARTITIONED BY (day date) STORED AS PARQUET LOCATION '{path}'")
    spark.sql(f"CREATE TABLE used USING parquet LOCATION '{path}'")
    spark.sql(
        f"CREATE EXTERNAL TABLE compressed ({ddl}) PARTITIONED BY (day date) STORED AS PARQUET LOCATION '{path}' "
        "TBLPROPERTIES ('parquet.compression' = 'ZSTD')"
    )
    for name in ("stored", "used", "compressed"):
        spark.sql(f"MSCK REPAIR TABLE {name}")
        yield name


def answer(spark, query, enabled):
    """What EXPLAIN shows, and the rows."""
    spark.conf.set("spark.mpsr.enabled", enabled)
    frame = spark.sql(query)
    with contextlib.redirect_stdout(io.StringIO()) as shown:
        frame.explain()
    return {"explain": shown.getvalue(), "rows": sorted(repr(tuple(row)) for row in frame.collect())}


def main(path):
    """Asks and prints."""
    spark = SparkSession.builder.enableHiveSupport().getOrCreate()
    found = {
        f"{table} by {name}": {
            "mpsr": answer(spark, query.format(table), "true"),
            "stock": answer(spark, query.format(table), "false"),
        }
        for table in list(tables(spark, path))
        for name, query in QUERIES.items()
    }
    print(json.dumps({"catalog": spark.conf.get("spark.sql.catalogImplementation"), "answers": found}))


if __name__ == "__main__":
    main(*sys.argv[1:])
