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
"""Writes the layouts that MPSR is compared with, each from the same file of records."""

import peers_queries
from pyspark.sql import functions as F

CODEC = {"compression": "zstd", "parquet.compression.codec.zstd.level": "3"}
ICEBERG = {
    "write.parquet.compression-codec": "zstd",
    "write.parquet.compression-level": "3",
    "write.metadata.delete-after-commit.enabled": "true",
    "write.metadata.previous-versions-max": "1",
}
COLUMNS = (
    "signal string, device string, system string, timestamp_ns bigint, value double, fill bigint, mode string, day date"
)
ZORDER_FILES = 128


def write(session, layout, source, table):
    """Writes the records of ``source`` to the table in the layout: time, signal, iceberg or zorder."""
    records = session.read.parquet(source).withColumn("day", F.expr(peers_queries.DAY))
    records = records.select(*(column.split()[0] for column in COLUMNS.split(", ")))
    if layout in ("time", "signal"):
        _directories(records, table["path"], ["timestamp_ns"] if layout == "time" else ["signal", "timestamp_ns"])
    else:
        _iceberg(session, records, table["name"], layout == "zorder")


def _directories(records, path, order):
    """A directory for each system and day, with one file, sorted."""
    placed = records.repartition("system", "day").sortWithinPartitions("system", "day", *order)
    placed.write.mode("overwrite").options(**CODEC).partitionBy("system", "day").parquet(path)


def _iceberg(session, records, name, zorder):
    session.sql(f"DROP TABLE IF EXISTS {name} PURGE")
    properties = ", ".join(f"'{key}' = '{value}'" for key, value in ICEBERG.items())
    partitioned = "" if zorder else "PARTITIONED BY (day)"
    session.sql(f"CREATE TABLE {name} ({COLUMNS}) USING iceberg {partitioned} TBLPROPERTIES ({properties})")
    if not zorder:
        session.sql(f"ALTER TABLE {name} WRITE DISTRIBUTED BY PARTITION LOCALLY ORDERED BY signal, timestamp_ns")
    records.writeTo(name).append()
    if zorder:
        _zorder(session, name)


def _zorder(session, name):
    """Rewrites the whole table, unpartitioned, in about as many files as lets a query skip most of them."""
    catalog, table = name.split(".", 1)
    length = session.sql(f"SELECT sum(file_size_in_bytes) AS length FROM {name}.files").first().length
    options = f"map('rewrite-all', 'true', 'target-file-size-bytes', '{max(500_000, length // ZORDER_FILES)}')"
    session.sql(
        f"CALL {catalog}.system.rewrite_data_files(table => '{table}', strategy => 'sort',"
        f" sort_order => 'zorder(signal, timestamp_ns)', options => {options})"
    )
    session.sql(
        f"CALL {catalog}.system.expire_snapshots(table => '{table}', older_than => timestamp '2100-01-01', retain_last => 1)"
    )
