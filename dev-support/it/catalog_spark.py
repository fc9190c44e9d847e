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
"""Asks a table of an Iceberg catalog and the directory of the dataset the same queries, with stock Spark:

    catalog_spark.py URI USER TABLE DIRECTORY

Prints one JSON object: for each condition the two answers, and the directories whose files the table's scan read.
"""

import json
import sys
from urllib.parse import urlsplit

from pyspark.sql import SparkSession

CONDITIONS = (
    "signal = '{signal}'",
    "device = '{device}' AND value > 0",
    "day = DATE'{day}'",
    "signal IN ('{signal}', 'none') OR value IS NULL",
    "system LIKE 'V%' AND NOT (mode = 'x')",
    "timestamp_ns % 7 = 3",
)
ASKED = (
    "count(*)",
    "count(value)",
    "sum(fill)",
    "min(timestamp_ns)",
    "max(timestamp_ns)",
    "count(DISTINCT device)",
    "max(day)",
)


def main(uri, user, table, directory):
    """Asks and prints."""
    catalog = "spark.sql.catalog.hdfs"
    settings = {
        catalog: "org.apache.iceberg.spark.SparkCatalog",
        f"{catalog}.type": "rest",
        f"{catalog}.uri": uri,
        f"{catalog}.io-impl": "org.apache.iceberg.hadoop.HadoopFileIO",
        f"{catalog}.rest.auth.type": "basic",
        f"{catalog}.rest.auth.basic.username": user,
        f"{catalog}.rest.auth.basic.password": "none",
    }
    builder = SparkSession.builder.master("local[2]")
    for key, value in settings.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    stock = session.read.parquet(directory)
    first = stock.selectExpr("min(signal) AS signal", "max(device) AS device", "min(day) AS day").first().asDict()
    found = {}
    for condition in (text.format(**first) for text in CONDITIONS):
        read = session.table(f"hdfs.{table}").where(condition)
        files = read.selectExpr("input_file_name() AS f").distinct().collect()
        found[condition] = {
            "catalog": [str(value) for value in read.selectExpr(*ASKED).first()],
            "stock": [str(value) for value in stock.where(condition).selectExpr(*ASKED).first()],
            "roots": sorted({_root(row.f, urlsplit(directory).path) for row in files}),
        }
    tables = session.sql(f"SHOW TABLES IN hdfs.{table.rpartition('.')[0]}").collect()
    print(json.dumps({"tables": [row.tableName for row in tables], "asked": found}))


def _root(file, directory):
    path = urlsplit(file).path
    return "default" if path.startswith(directory + "/") else path.split("/")[4]


if __name__ == "__main__":
    main(*sys.argv[1:])
