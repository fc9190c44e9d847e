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
"""One dataset filled from Kafka: dataset, topic, connector, producer."""

import time

from mpsr_launcher.checkout import java
from mpsr_launcher.cluster import mpsr_cli
from mpsr_launcher.cluster.connect import patiently
from mpsr_launcher.errors import MpsrError

SCHEMA = (
    "signal string not null, device string not null, system string not null,"
    " timestamp_ns timestamp_ns not null, value double"
)
PRODUCER = "org.hadoopmpsr.benchmarks.generator.ParquetToKafka"


class Ingest:
    """Fills one dataset of a cluster from one topic through one connector."""

    def __init__(self, cluster, dataset="/cals/meas", topic="measurements", connector="meas", partitions=2):
        self._cluster = cluster
        self.dataset = dataset
        self._topic = topic
        self._connector = connector
        self._partitions = partitions

    def create_dataset(self):
        """Creates the dataset."""
        mpsr_cli.ask(self._cluster, ["dataset", "create", self.dataset, "--schema", SCHEMA])

    def create_connector(self, flush_records, flush_interval_ms):
        """Creates the connector. Its topic must exist."""
        self._cluster.connect.create(self._connector, self.config(flush_records, flush_interval_ms))

    def config(self, flush_records, flush_interval_ms):
        """The connector's configuration."""
        descriptor = self._cluster.checkout.benchmarks / "data" / "measurement.desc"
        return {
            "connector.class": "org.hadoopmpsr.ingest.MpsrSinkConnector",
            "tasks.max": str(self._partitions),
            "topics": self._topic,
            "key.converter": "org.apache.kafka.connect.converters.ByteArrayConverter",
            "value.converter": "org.apache.kafka.connect.converters.ByteArrayConverter",
            "mpsr.dataset": self.dataset,
            "mpsr.fs.uri": self._cluster.state.fs_uri,
            "mpsr.hadoop.conf.dir": str(self._cluster.conf),
            "consumer.override.bootstrap.servers": self._cluster.state.bootstrap,
            "mpsr.format": "protobuf",
            "mpsr.protobuf.descriptor": str(descriptor),
            "mpsr.protobuf.message": "org.hadoopmpsr.benchmarks.Measurement",
            "mpsr.flush.records": str(flush_records),
            "mpsr.flush.interval.ms": str(flush_interval_ms),
        }

    def produce(self, file, limit=None, on_progress=lambda count: None):
        """Sends a Parquet file's rows to the topic, which is created if need be; returns how many were sent."""
        arguments = ["--file", str(file), "--bootstrap", self._cluster.state.bootstrap, "--topic", self._topic]
        arguments += ["--partitions", str(self._partitions), "--format", "protobuf"]
        arguments += ["--limit", str(limit)] if limit else []
        sent = []

        def read(line):
            word, _, count = line.partition(" ")
            if word == "progress" and count.isdigit():
                on_progress(int(count))
            elif word == "sent" and count.isdigit():
                sent.append(int(count))

        checkout, processes = self._cluster.checkout, self._cluster.processes
        code = processes.run("producer", java.benchmark(checkout.share, self._cluster.conf, PRODUCER, arguments), on_line=read)
        if code != 0 or not sent:
            raise MpsrError(f"the producer ended with {code}. The end of its log:\n{processes.tail('producer')}")
        return sent[-1]

    def reported(self):
        """How many messages the connector says are committed; it lags a little behind."""
        return sum(self._cluster.connect.offsets(self._connector).values())

    def committed(self):
        """How many messages the NameNode says are committed: the sum of the ends of all partitions."""
        return sum(offset["end"] for offset in self.show()["offsets"])

    def show(self):
        """The dataset as the NameNode describes it."""
        return mpsr_cli.ask(self._cluster, ["dataset", "show", self.dataset])

    def require_healthy(self):
        """Raises when the worker has died or a task has failed."""
        self._cluster.processes.require_alive("connect")
        failures = []
        # A worker that has just taken the connector has no status of it yet.
        patiently(lambda: failures.extend(self._cluster.connect.failures(self._connector)), 60)
        if failures:
            raise MpsrError(f"the connector '{self._connector}' has failed:\n{failures[0]}")

    def await_reported(self, condition, what, timeout_seconds, on_progress=lambda count: None):
        """Waits until the condition holds for the number of messages that the connector reports; returns it."""
        deadline = time.monotonic() + timeout_seconds
        while True:
            count = self.reported()
            on_progress(count)
            if condition(count):
                return count
            self.require_healthy()
            if time.monotonic() > deadline:
                raise MpsrError(f"{what}: {count} messages after {timeout_seconds} s. See 'bin/mpsr cluster logs connect'.")
            time.sleep(1)  # Connect makes an admin client for each answer.

    def await_committed(self, sent, timeout_seconds=600, on_progress=lambda count: None):
        """Waits until the NameNode has committed exactly as many messages as were sent."""
        self.await_reported(lambda count: count >= sent, f"committing {sent} messages", timeout_seconds, on_progress)
        committed = self.committed()
        if committed != sent:
            raise MpsrError(f"the NameNode has committed {committed} messages, but {sent} were sent")
