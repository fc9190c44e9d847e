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

from dataclasses import dataclass

from mpsr_launcher import java
from mpsr_launcher.bench import peers_layouts
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


def generate(cluster, console, source, size, seed):
    """Makes the records as a Parquet file."""
    rate = size.records / (size.days * 86_400)
    arguments = ["--parquet", str(source), "--records", str(size.records), "--signals", str(size.signals)]
    arguments += ["--data-rate", repr(rate), "--devices", str(size.devices or max(20, size.signals // 20)), "--seed", str(seed)]
    command = java.benchmark(cluster.layout.share, cluster.conf, "org.hadoopmpsr.benchmarks.Generate", arguments)
    code = cluster.processes.run("generate", command, on_line=console.update)
    if code != 0:
        raise MpsrError(f"the generator ended with {code}. Its log:\n{cluster.processes.tail('generate')}")
    console.say(f"generated {size.records:,} records of {size.signals:,} signals in {size.days} days")


def fill(stage, console, layout, source, count):
    """Writes the records in a layout; tells what that cost and what is stored."""
    cluster = stage.cluster
    before = cluster.processes.cpu_seconds()
    if layout.session == peers_layouts.OURS:
        cost = peers_layouts.load_mpsr(cluster, layout.directory, source, count)
        stored = peers_layouts.stored_mpsr(cluster, layout.directory)
    else:
        cost = stage.ask(layout.session, "write", layout=layout.kind, source=source.as_uri(), table=layout.table)
        stored = stage.ask(layout.session, "stored", path=cluster.state.fs_uri + layout.directory)
    after = cluster.processes.cpu_seconds()
    hdfs = sum(after[name] - before[name] for name in before if name.startswith(("dn", "namenode")))
    run = {"kind": "load", "layout": layout.name, **cost, "hdfsCpuSeconds": hdfs, **stored}
    console.say(
        f"loaded {layout.name} in {run['seconds']:.1f} s, {run['cpuSeconds']:.1f} s of CPU:"
        f" {run['files']:,} files, {run['bytes'] / 1e6:,.1f} MB"
    )
    return run
