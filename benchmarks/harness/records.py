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
"""The records that layouts are compared with: made once by the generator, and written in each layout."""

import shutil
from dataclasses import dataclass

from benchmarks.harness import data_layouts, datanodes
from mpsr_launcher.checkout import java
from mpsr_launcher.errors import MpsrError


@dataclass(frozen=True)
class Size:
    """How much data. There are 20 signals to a device, where nothing else is said."""

    records: int
    signals: int
    days: int
    devices: int = 0

    @property
    def root(self):
        """The directory of the layouts that hold so much."""
        return f"/bench/{self.records}-{self.signals}-{self.days}-{self.devices}"


QUICK = Size(10_000, 200, 4, 20)
"""What the short forms compare layouts with."""


GENERATED_BYTES = 40
FILLED_BYTES = 100
"""The disk that a record may take: in the file that is generated; in one layout, with three copies, what Spark shuffles and
what a rewrite replaces."""

LEAST_PARTITIONS, PARTITION_RECORDS = 4, 1_000_000
"""Spark sorts in so many partitions, or in as many as keep them so small that they are sorted in memory."""


def require_space(directory, what, records, record_bytes, usage=shutil.disk_usage):
    """Raises when the disk could become full by so many records."""
    free, needed = usage(directory).free, records * record_bytes
    if free < needed:
        raise MpsrError(
            f"the disk of {directory} has {free / 1e9:,.1f} GB free, and {what} with {records:,} records may take"
            f" {needed / 1e9:,.1f} GB for a while: free as much, or take a smaller --scale. With --json what is finished"
            " stays, and --resume goes on from there"
        )


def generate(cluster, console, source, size, seed):
    """Makes the records as a Parquet file."""
    require_space(cluster.directory, "the file of all records", size.records, GENERATED_BYTES)
    rate = size.records / (size.days * 86_400)
    arguments = ["--parquet", str(source), "--records", str(size.records), "--signals", str(size.signals)]
    arguments += ["--data-rate", repr(rate), "--devices", str(size.devices or max(20, size.signals // 20)), "--seed", str(seed)]
    command = java.benchmark(cluster.checkout.share, cluster.conf, "org.hadoopmpsr.benchmarks.generator.Generate", arguments)
    code = cluster.processes.run("generate", command, on_line=console.update)
    if code != 0:
        raise MpsrError(f"the generator ended with {code}. Its log:\n{cluster.processes.tail('generate')}")
    console.say(f"generated {size.records:,} records of {size.signals:,} signals in {size.days} days")


def fill(stage, console, layout, source, count):
    """Writes the records in a layout, instead of what may be there; tells what that cost and what is stored."""
    cluster = stage.cluster
    require_space(cluster.directory, f"filling {layout.name}", count, FILLED_BYTES)
    if layout.session == data_layouts.OURS:
        if stage.resumed:
            data_layouts.drop_mpsr(cluster, layout.directory)
        cost = _loaded(stage, layout, source, count)
        stored = data_layouts.stored_mpsr(cluster, layout.directory)
    else:
        cost = _written(stage, layout, source, count)
        stored = stage.ask(layout.session, "stored", path=cluster.state.fs_uri + layout.directory)
    run = {"kind": "load", "layout": layout.name, **cost, **stored}
    console.say(
        f"loaded {layout.name} in {run['seconds']:.1f} s, {run['cpuSeconds']:.1f} s of CPU:"
        f" {run['files']:,} files, {run['bytes'] / 1e6:,.1f} MB"
    )
    return run


def _loaded(stage, layout, source, count):
    """What loading a dataset costs; of one that is merged after it, all of that, and the merging by itself."""
    if not layout.merged:
        return _measured(stage, lambda: data_layouts.load_mpsr(stage.cluster, layout.directory, source, count))
    most = -(-count // layout.merged)
    cost = _measured(stage, lambda: data_layouts.load_mpsr(stage.cluster, layout.directory, source, count, most))
    merging = _measured(stage, lambda: stage.ask(layout.session, "compact", table=layout.table["path"]))
    return {**{key: cost[key] + merging.get(key, 0) for key in cost}, "rewriting": merging}


def _written(stage, layout, source, count):
    """What Spark's writing costs; of a layout that is rewritten after it, all of that, and the rewriting by itself."""
    asked = {"layout": layout.kind, "table": layout.table}
    partitions = max(LEAST_PARTITIONS, -(-count // PARTITION_RECORDS))
    source = source.as_uri()
    cost = _measured(stage, lambda: stage.ask(layout.session, "write", source=source, partitions=partitions, **asked))
    if not layout.rewritten:
        return cost
    rewriting = _measured(stage, lambda: stage.ask(layout.session, "rewrite", **asked))
    return {**{key: cost[key] + rewriting[key] for key in cost}, "rewriting": rewriting}


def _measured(stage, write):
    """What writing says that it cost, and what it cost HDFS."""
    cluster = stage.cluster
    before, written = cluster.processes.cpu_seconds(), datanodes.written(cluster, fresh=False)
    cost = write()
    after = cluster.processes.cpu_seconds()
    hdfs = sum(after[name] - before[name] for name in before if name.startswith(("dn", "namenode")))
    return {**cost, "hdfsCpuSeconds": hdfs, "writtenBytes": datanodes.written(cluster, not stage.quick) - written}
