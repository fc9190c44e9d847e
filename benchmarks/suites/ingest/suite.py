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
"""The suite 'ingest': several sinks read the same topic on one cluster, one after the other, in turn."""

import random
import time
from dataclasses import dataclass

from benchmarks.harness.data_layouts import OURS, PEER, iceberg_jar, settings
from benchmarks.harness.stage import Stage
from benchmarks.harness.suite import Suite
from benchmarks.suites.ingest import figures as ingest_figures, parts as ingest_parts
from benchmarks.suites.ingest.sink_cluster import ICEBERG_VERSION, SinkCluster, Stream, prepare_plugins
from benchmarks.suites.ingest.sinks import CATALOG, SINKS
from mpsr_launcher.cluster import connect
from mpsr_launcher.cluster.webhdfs import WebHdfs
from mpsr_launcher.errors import MpsrError

BACKLOG = 10_000_000
WARMUP_SHARE = 0.1
RATE = 10_000
TRIES = 3
PARTS = ("throughput", "latency", "steady")


@dataclass(frozen=True)
class Size:
    """How much is done, for each part: records, signals, and (records, milliseconds) at which sinks commit; for latency and
    the steady run also the records a second."""

    backlog: Stream
    flush: tuple
    latency: Stream
    latency_rate: int
    latency_flush: tuple
    steady: Stream
    steady_rate: int
    steady_flush: tuple

    @staticmethod
    def of(scale, minutes, quick, seed):
        """Scale 1 is a backlog of 10 million records; the steady run takes so many minutes."""
        if quick:
            stream, flush = Stream(4_000, 20, seed), (1_000_000, 500)
            return Size(stream, flush, stream, 2000, flush, stream, 2000, flush)
        backlog = Stream(round(BACKLOG * scale), 10_000, seed)
        latency, steady = Stream(600_000, 1000, seed), Stream(round(RATE * 60 * minutes), 10_000, seed)
        flushes = [(10_000_000, milliseconds) for milliseconds in (20_000, 5000, 60_000)]
        return Size(backlog, flushes[0], latency, RATE, flushes[1], steady, RATE, flushes[2])


class IngestSuite(Suite):
    """One run."""

    name = "ingest"
    kinds = (PEER, OURS)
    most_rounds = 10_000

    def __init__(self, checkout, console, arguments):
        self._parts = parts(arguments.only)
        versions = {"iceberg": ICEBERG_VERSION}
        super().__init__(checkout, console, arguments, versions, others=lambda run: run["kind"] not in self._parts)
        self._size = Size.of(arguments.scale, arguments.minutes, arguments.quick, arguments.seed)
        self.tasks = 1 if arguments.quick else ingest_parts.TASKS
        self.cluster = None
        self.web = None
        self._stage = None
        self._number = 0

    def run(self):
        """Runs all parts on a cluster of their own; returns the exit code: 1 when a sink has lost, doubled or changed a record."""
        jar = iceberg_jar(self._checkout, self._console)
        prepare_plugins(self._checkout, self._console)
        cluster = SinkCluster(self._checkout, "bench-ingest", quick=False)
        cluster.stop(self._console)
        cluster.wipe()
        with Stage(cluster, self._console, keep=self._keep) as stage:
            stage.start(9, 3, kafka=True)
            stage.open({kind: settings(kind, jar) for kind in self.kinds})
            return self.on(stage)

    def on(self, stage):
        """Runs all parts on a stage with Kafka and sessions of these kinds; returns the exit code."""
        self._stage = stage
        self.cluster = stage.cluster
        self.web = WebHdfs(self.cluster)
        stage.catalog(CATALOG, self.cluster.state.fs_uri)
        self.cluster.await_worker(self._console)
        if "throughput" in self._parts:
            self._throughput()
        if "latency" in self._parts:
            for name in ("mpsr",) if self._quick else ("mpsr", "iceberg", "parquet"):
                self._once("latency", name, ingest_parts.latency)
        if "steady" in self._parts:
            self._once("steady", "mpsr", ingest_parts.steady)
        return self._show(ingest_figures.table(self.results), "every record is there, once")

    def sink(self, name, topic, tasks, flush):
        """A new run of a sink. Without a topic it gets one of its own name."""
        self._number += 1
        run = f"{name.replace('-', '_')}_{self._number}"
        return SINKS[name](self._stage, self.web, run, topic or run, tasks, flush)

    def expected(self, stream):
        """How many records a stream has, and their digest, as Spark finds them in a file of the generator's."""
        known = self.results.find(kind="expected", records=stream.records, signals=stream.signals, seed=stream.seed)
        if not known:
            file = self.cluster.directory / f"expected-{stream.records}.parquet"
            self.cluster.generate("expected", ["--parquet", str(file), *stream.arguments()])
            found = self._contents({"path": file.as_uri()})
            if found["records"] != stream.records:
                raise MpsrError(f"the generator has made {found['records']} records of {stream.records}")
            file.unlink()
            known = [{"kind": "expected", "signals": stream.signals, "seed": stream.seed, **found}]
            self.results.add(known[0])
        return {key: known[0][key] for key in ("records", "digest")}

    def start_connector(self, sink):
        """Creates the connector, as soon as Connect takes it: not while it still ends another one."""
        connect.patiently(lambda: self.cluster.connect.create(sink.run, sink.config()), 60)

    def require_healthy(self, sink):
        """Raises when a process has died or a task has failed."""
        self.cluster.processes.require_alive("connect")
        self.cluster.hdfs.require_alive()
        failures = self.cluster.connect.failures(sink.run)
        if failures:
            raise MpsrError(f"the connector '{sink.run}' has failed:\n{failures[0]}")

    def finish(self, sink, stream):
        """Ends the connector, reads all that it has written, and deletes it; returns what there was."""
        self.cluster.connect.delete(sink.run)
        stored = sink.stored()
        answers = {name: self._contents(table) for name, table in sink.tables().items()}
        sink.drop()
        return {"stored": stored, "answers": answers, "expected": self.expected(stream)}

    def _contents(self, table):
        """How many records Spark finds in a table, and their digest."""
        return self._stage.ask(PEER if "name" in table else OURS, "contents", table=table)

    def say(self, text):
        """Tells what was done."""
        self._console.say(text)

    @property
    def size(self):
        """How much is done."""
        return self._size

    def _throughput(self):
        stream = self._size.backlog
        names = [name for name in SINKS if not (self._quick and name == "mpsr-converted")]
        # The first round is for the JVMs of worker, broker and HDFS, with fewer records; the short form has none.
        rounds = range(0 if self._quick else -1, self._rounds)
        left = [number for number in rounds if len(self.results.find(kind="throughput", round=number)) < len(names)]
        if not left:
            return
        self._fill(stream, "backlog")
        warmup = Stream(round(stream.records * WARMUP_SHARE), stream.signals, stream.seed)
        if rounds[0] < 0:
            self._fill(warmup, "warmup")
        for number in left if left[0] == rounds[0] else [rounds[0], *left]:
            order = random.Random(self._seed * 1_000_003 + number).sample(names, len(names))
            for name in order:
                if number < 0:
                    self._measure(ingest_parts.throughput, name, number, warmup, "warmup", self._size.latency_flush)
                elif not self.results.find(kind="throughput", system=name, round=number):
                    self._measure(ingest_parts.throughput, name, number, stream, "backlog", self._size.flush)
            self._conclude()

    def _fill(self, stream, topic):
        start = time.monotonic()
        self.cluster.generate("producer", [*self.cluster.to_topic(topic, ingest_parts.PARTITIONS), *stream.arguments()])
        self.say(f"the topic {topic} has {stream.records:,} records, made in {time.monotonic() - start:.0f} s")
        self.expected(stream)

    def _once(self, kind, name, measure):
        if not self.results.find(kind=kind, system=name):
            self._measure(measure, name)
            self._conclude()

    def _measure(self, measure, name, *arguments):
        """Measures, and keeps the run. A sink of others that stands still is tried again, and that is kept, too."""
        for tries in range(1, TRIES + 1):
            try:
                self.results.add(measure(self, name, *arguments))
                return
            except ingest_parts.Stalled as stalled:
                if SINKS[name].ours or tries == TRIES:
                    raise
                self.say(f"{stalled}; trying again")
                self.results.add({"kind": "stalled", "system": name, "what": str(stalled)})
                self.cluster.connect.delete(stalled.connector)

    def _conclude(self):
        """What the runs so far say, kept after each, so that a run that is interrupted says something."""
        ingest_figures.add(self.results, self._seed)
        self.results.save()


def parts(only):
    """The parts that --only names, or all."""
    found = only.split(",") if only else list(PARTS)
    unknown = [part for part in found if part not in PARTS]
    if unknown:
        raise MpsrError(f"--only {only}: ingest has no part '{unknown[0]}'; it has {', '.join(PARTS)}")
    return found
