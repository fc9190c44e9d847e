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

import contextlib

from pyspark.sql import functions as F

from benchmarks.harness.spark.readings import DAY

# Pages of version 2 hold long numbers as differences, as MPSR's do.
PARQUET = {"compression": "zstd", "parquet.compression.codec.zstd.level": "3", "parquet.writer.version": "v2"}
ICEBERG = {
    "write.parquet.compression-codec": "zstd",
    "write.parquet.compression-level": "3",
    "write.parquet.page-version": "v2",
    # Iceberg's reader skips row groups, not pages.
    "write.parquet.row-group-size-bytes": str(1 << 20),
    "write.metadata.delete-after-commit.enabled": "true",
    "write.metadata.previous-versions-max": "1",
}
COLUMNS = (
    "signal string, device string, system string, timestamp_ns bigint, value double, fill bigint, mode string, day date"
)
ZORDER_FILES = 128
MORE_PARTS = 100


def write(session, layout, source, table, partitions):
    """Writes the records of ``source`` to the table in the layout: day, time, signal, sorted or zorder, which is to be
    rewritten then. What is sorted is sorted in so many partitions."""
    records = session.read.parquet(source).withColumn("day", F.expr(DAY))
    records = records.select(*(column.split()[0] for column in COLUMNS.split(", ")))
    if layout == "day":
        _directories(records, table["path"], ["day"], ["timestamp_ns"], partitions)
    elif layout in ("time", "signal"):
        order = ["timestamp_ns"] if layout == "time" else ["signal", "timestamp_ns"]
        _directories(records, table["path"], ["system", "day"], order, partitions)
    else:
        _iceberg(session, records, table["name"], layout == "sorted", partitions)


def _directories(records, path, names, order, partitions):
    """A directory for each value of the named columns, with one file, sorted."""
    placed = records.repartition(partitions, *names).sortWithinPartitions(*names, *order)
    placed.write.mode("overwrite").options(**PARQUET).partitionBy(*names).parquet(path)


def archive(session, source, path, first, end, rows_of_file, older):
    """Appends the records of a part of their time, from the share ``first`` to ``end``, to directories of their days, with so many
    in a file. Older writers knew no mode, and counted the fill in an int."""
    chosen = _of_time(session, source, first, end)
    if older:
        chosen = chosen.drop("mode").withColumn("fill", F.col("fill").cast("int"))
    chosen.write.mode("append").option("maxRecordsPerFile", rows_of_file).partitionBy("day").parquet(path)


def more(session, source, path, number):
    """Appends a few records to such directories, other ones for each number."""
    first = number % MORE_PARTS / MORE_PARTS
    chosen = _of_time(session, source, first, first + 0.001).coalesce(1)
    chosen.write.mode("append").partitionBy("day").parquet(path)


def _of_time(session, source, first, end):
    records = session.read.parquet(source).withColumn("day", F.expr(DAY))
    least, most = records.agg(F.min("timestamp_ns"), F.max("timestamp_ns")).first()
    span = most + 1 - least
    time = F.col("timestamp_ns")
    return records.where((time >= least + int(span * first)) & (time < least + int(span * end)))


def create_iceberg(session, name, partitioned):
    """Creates an empty Iceberg table, partitioned by day or not at all."""
    properties = ", ".join(f"'{key}' = '{value}'" for key, value in ICEBERG.items())
    partitions = "PARTITIONED BY (day)" if partitioned else ""
    session.sql(f"CREATE TABLE {name} ({COLUMNS}) USING iceberg {partitions} TBLPROPERTIES ({properties})")


def _iceberg(session, records, name, days, partitions):
    """A file for each day, sorted; or all records in files as they come."""
    session.sql(f"DROP TABLE IF EXISTS {name} PURGE")
    create_iceberg(session, name, partitioned=days)
    if days:
        session.sql(f"ALTER TABLE {name} WRITE DISTRIBUTED BY PARTITION LOCALLY ORDERED BY signal, timestamp_ns")
    # Adaptive execution would join partitions until none can be sorted in memory.
    with _set(session, {"spark.sql.shuffle.partitions": str(partitions), "spark.sql.adaptive.enabled": "false"}):
        records.writeTo(name).append()


@contextlib.contextmanager
def _set(session, settings):
    before = {key: session.conf.get(key) for key in settings}
    for key, value in settings.items():
        session.conf.set(key, value)
    try:
        yield
    finally:
        for key, value in before.items():
            session.conf.set(key, value)


def rewrite(session, table):
    """Rewrites a whole Iceberg table by z-order, unpartitioned, in about as many files as lets a query skip most of them."""
    name = table["name"]
    catalog, table = name.split(".", 1)
    length = session.sql(f"SELECT sum(file_size_in_bytes) AS length FROM {name}.files").first().length
    options = f"map('rewrite-all', 'true', 'target-file-size-bytes', '{max(500_000, length // ZORDER_FILES)}')"
    session.sql(
        f"CALL {catalog}.system.rewrite_data_files(table => '{table}', strategy => 'sort',"
        f" sort_order => 'zorder(signal, timestamp_ns)', options => {options})"
    )
    _expire(session, catalog, table)


def append(session, source, name, commits):
    """Writes the records to a new table by day in so many commits, each of about as much time, as a sink would: each day's
    records in a file, sorted."""
    session.sql(f"DROP TABLE IF EXISTS {name} PURGE")
    create_iceberg(session, name, partitioned=True)
    session.sql(f"ALTER TABLE {name} WRITE DISTRIBUTED BY PARTITION LOCALLY ORDERED BY signal, timestamp_ns")
    records = session.read.parquet(source).withColumn("day", F.expr(DAY))
    records = records.select(*(column.split()[0] for column in COLUMNS.split(", ")))
    first, last = records.agg(F.min("timestamp_ns"), F.max("timestamp_ns")).first()
    ends = [first + (last - first) * number // commits for number in range(commits)] + [last + 1]
    for start, end in zip(ends, ends[1:]):
        records.where((F.col("timestamp_ns") >= start) & (F.col("timestamp_ns") < end)).writeTo(name).append()


def merge(session, name):
    """Rewrites all files of a table sorted, as its commits are, and drops the replaced ones."""
    catalog, table = name.split(".", 1)
    session.sql(
        f"CALL {catalog}.system.rewrite_data_files(table => '{table}', strategy => 'sort',"
        " sort_order => 'signal, timestamp_ns', options => map('rewrite-all', 'true'))"
    )
    _expire(session, catalog, table)


def _expire(session, catalog, table):
    """Deletes the files of all states of a table but the present one."""
    session.sql(
        f"CALL {catalog}.system.expire_snapshots(table => '{table}', older_than => timestamp '2100-01-01', retain_last => 1)"
    )
