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

    catalog_spark.py URI USER TABLE DIRECTORY QUERIES SEED

Prints one JSON object: for each condition the two answers, and the directories whose files the table's scan read; then how many
random conditions were asked, and those for which the answers differ, each with the seed that draws it.
"""

import json
import random
import sys
from urllib.parse import urlsplit

from catalog_queries import ASKED, CONDITIONS, condition
from pyspark.sql import SparkSession

DIGEST = "sum(cast(xxhash64(signal, device, system, timestamp_ns, value, fill, mode, day) AS decimal(38, 0)))"
GROUPS = ("time", "signal", "device")


def _random(session, table, stock, queries, seed):
    """How many of some random conditions give any record, and those for which the answers differ."""
    rows = [row.asDict() for row in stock.orderBy("timestamp_ns", "signal").limit(300).collect()]
    found, differing = 0, {}
    for number in range(seed, seed + queries):
        draw = random.Random(number)
        text = condition(draw, rows)
        session.conf.set("spark.sql.ansi.enabled", draw.choice(("true", "false")))
        asked = draw.sample(ASKED, 2)
        answers = [
            [str(value) for value in read.where(text).selectExpr(DIGEST, "count(*)", *asked).first()]
            for read in (stock, session.table(f"hdfs.{table}"))
        ]
        found += answers[0][1] != "0"
        if answers[0] != answers[1]:
            differing[number] = [text, *answers]
    return {"asked": queries, "withRecords": found, "differing": differing}


def _append(session, table, directory, first):
    """Appends with SQL; how many records there were, were appended, and are there, and the digests of all groups and of stock."""

    def stock():
        return session.read.parquet(directory)

    names, before = stock().columns, stock().count()
    group = f"hdfs.{table.rpartition('.')[0]}.`{table.rpartition('.')[2]}${{}}`"
    columns = [column.name for column in session.table(f"hdfs.{table}").schema]
    picked = ", ".join(f"{name} + 1" if name == "timestamp_ns" else name for name in columns)
    chosen = "signal = '{signal}' OR device = '{device}'".format(**first)
    count = session.table(f"hdfs.{table}").where(chosen).count()
    session.sql(f"INSERT INTO hdfs.{table} SELECT {picked} FROM hdfs.{table} WHERE {chosen}")
    reads = {name: session.table(group.format(name)) for name in GROUPS}
    reads.update({"table": session.table(f"hdfs.{table}"), "stock": stock().select(names)})
    digests = {name: str(read.selectExpr(DIGEST).first()[0]) for name, read in reads.items()}
    return {"before": before, "count": count, "after": stock().count(), "digests": digests}


def main(uri, user, table, directory, queries, seed):
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
    for text in (each.format(**first) for each in CONDITIONS):
        read = session.table(f"hdfs.{table}").where(text)
        files = read.selectExpr("input_file_name() AS f").distinct().collect()
        found[text] = {
            "catalog": [str(value) for value in read.selectExpr(*ASKED).first()],
            "stock": [str(value) for value in stock.where(text).selectExpr(*ASKED).first()],
            "roots": sorted({_root(row.f, urlsplit(directory).path) for row in files}),
        }
    tables = session.sql(f"SHOW TABLES IN hdfs.{table.rpartition('.')[0]}").collect()
    drawn = _random(session, table, stock, int(queries), int(seed))
    appended = _append(session, table, directory, first)
    print(json.dumps({"appended": appended, "tables": [row.tableName for row in tables], "asked": found, "random": drawn}))


def _root(file, directory):
    path = urlsplit(file).path
    return "default" if path.startswith(directory + "/") else path.split("/")[4]


if __name__ == "__main__":
    main(*sys.argv[1:])
