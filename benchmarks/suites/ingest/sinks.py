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
"""The sinks that 'ingest' compares. All read the same messages; each is asked how many records its readers see."""

import json
import re

from benchmarks.harness.data_layouts import PEER, SCHEMA
from mpsr_launcher.cluster import mpsr_cli
from mpsr_launcher.cluster.ingest import Ingest

CONVERTER = "org.hadoopmpsr.benchmarks.ingest.MeasurementConverter"
BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter"
GROUPS = ("time", "signal", "device")
ROOT = "/ingest"
CATALOG = "sinks"


class Sink:
    """One run of a sink: its connector, and the place that it fills, which bear the run's name.

    ``flush`` is (records, milliseconds): what it commits at; Iceberg's sink knows the time only.
    """

    ours = False

    def __init__(self, stage, web, run, topic, tasks, flush):
        self._stage = stage
        self._cluster = stage.cluster
        self._web = web
        self.topic = topic
        self._tasks = tasks
        self._flush_records, self._flush_ms = flush
        self.run = run

    def prepare(self):
        """Makes what must be there before the connector."""

    def config(self):
        """The connector's configuration."""
        raise NotImplementedError

    def visible(self):
        """How many records readers see."""
        raise NotImplementedError

    def tables(self):
        """What Spark is to read, by name: each must have all records."""
        raise NotImplementedError

    def stored(self):
        """The files, and the bytes with all copies."""
        return self._web.summary(f"{ROOT}/{self.run}")

    def drop(self):
        """Deletes what was written."""
        self._web.delete(f"{ROOT}/{self.run}")

    def _common(self, connector, converter=CONVERTER):
        return {
            "connector.class": connector,
            "tasks.max": str(self._tasks),
            "topics": self.topic,
            "key.converter": BYTES,
            "value.converter": converter,
        }


class Mpsr(Sink):
    """Ours: three groups, a replica in each. It reads the messages' bytes."""

    name = "mpsr"
    ours = True

    def prepare(self):
        path = f"{ROOT}/{self.run}"
        self._ingest = Ingest(self._cluster, path, self.topic, self.run, self._tasks)
        self._id = mpsr_cli.ask(self._cluster, ["dataset", "create", path, "--schema", SCHEMA])["id"]

    def config(self):
        return self._ingest.config(self._flush_records, self._flush_ms)

    def visible(self):
        names = self._web.names(f"/.mpsr/datasets/{self._id}/offsets")
        return sum(int(name.split("=")[2]) for name in names)

    def tables(self):
        path = self._cluster.state.fs_uri + f"{ROOT}/{self.run}"
        return {group: {"path": path, "group": group} for group in GROUPS}

    def stored(self):
        parts = [self._web.summary(path) for path in (f"{ROOT}/{self.run}", f"/.mpsr/datasets/{self._id}")]
        return {key: sum(part[key] for part in parts) for key in parts[0]}

    def drop(self):
        mpsr_cli.ask(self._cluster, ["dataset", "drop", f"{ROOT}/{self.run}"])
        super().drop()


class MpsrConverted(Mpsr):
    """Ours behind the converter that the others need: what its own decoder is worth."""

    name = "mpsr-converted"

    def config(self):
        found = {key: value for key, value in super().config().items() if not key.startswith("mpsr.protobuf.")}
        return {**found, "mpsr.format": "connect", "value.converter": CONVERTER}


class Iceberg(Sink):
    """Iceberg's sink: one table partitioned by day, three HDFS replicas."""

    name = "iceberg"

    def prepare(self):
        self._stage.ask(PEER, "create", table=f"{CATALOG}.ingest.{self.run}")

    def config(self):
        return {
            **self._common("org.apache.iceberg.connect.IcebergSinkConnector"),
            "iceberg.catalog.type": "hadoop",
            "iceberg.catalog.warehouse": self._cluster.state.fs_uri,
            "iceberg.hadoop-conf-dir": str(self._cluster.conf),
            "iceberg.tables": f"ingest.{self.run}",
            "iceberg.control.topic": f"control-{self.run}",
            "iceberg.control.commit.interval-ms": str(self._flush_ms),
        }

    def visible(self):
        directory = f"{ROOT}/{self.run}/metadata"
        latest = latest_metadata(self._web.names(directory))
        if latest != getattr(self, "_seen", None):
            self._records = total_records(json.loads(self._web.read(f"{directory}/{latest}")))
            self._seen = latest
        return self._records

    def tables(self):
        return {"table": {"name": f"{CATALOG}.ingest.{self.run}"}}


class Plain(Sink):
    """The plain sink of this repository (benchmarks/java/ingest), as none for HDFS is published under a free licence."""

    name = "parquet"

    def config(self):
        return {
            **self._common("org.hadoopmpsr.benchmarks.ingest.ParquetSinkConnector"),
            "parquet.directory": self._cluster.state.fs_uri + f"{ROOT}/{self.run}",
            "parquet.hadoop.conf.dir": str(self._cluster.conf),
            "parquet.partition.field": "day",
            "parquet.flush.records": str(self._flush_records),
            "parquet.flush.interval.ms": str(self._flush_ms),
        }

    def visible(self):
        root = f"{ROOT}/{self.run}"
        return sum(records_by_name(self._web.names(f"{root}/{day}")) for day in self._web.names(root))

    def tables(self):
        return {"files": {"path": self._cluster.state.fs_uri + f"{ROOT}/{self.run}"}}


SINKS = {sink.name: sink for sink in (Mpsr, MpsrConverted, Iceberg, Plain)}


def latest_metadata(names):
    """The newest of the metadata files that Iceberg's Hadoop catalog numbers."""
    versions = [int(found.group(1)) for name in names if (found := re.fullmatch(r"v(\d+)\.metadata\.json", name))]
    return f"v{max(versions)}.metadata.json"


def total_records(metadata):
    """How many records the current snapshot of an Iceberg table has."""
    current = metadata.get("current-snapshot-id", -1)
    snapshots = {snapshot["snapshot-id"]: snapshot for snapshot in metadata.get("snapshots", [])}
    return int(snapshots[current]["summary"]["total-records"]) if current in snapshots else 0


def records_by_name(names):
    """How many records the plain sink's files have, by their names TOPIC+PARTITION+OFFSET+RECORDS.parquet."""
    return sum(int(name.removesuffix(".parquet").split("+")[3]) for name in names if name.endswith(".parquet"))
