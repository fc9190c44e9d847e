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


def generate(cluster, console, session, size, seed, rounds):
    """Makes the records as a Parquet file; returns it, and what the queries of so many rounds ask of it."""
    source = cluster.directory / "records.parquet"
    rate = size.records / (size.days * 86_400)
    arguments = ["--parquet", str(source), "--records", str(size.records), "--signals", str(size.signals)]
    arguments += ["--data-rate", repr(rate), "--devices", str(size.devices or max(20, size.signals // 20)), "--seed", str(seed)]
    command = java.benchmark(cluster.layout.share, cluster.conf, "org.hadoopmpsr.benchmarks.Generate", arguments)
    code = cluster.processes.run("generate", command, on_line=console.update)
    if code != 0:
        raise MpsrError(f"the generator ended with {code}. Its log:\n{cluster.processes.tail('generate')}")
    found = session.ask("parameters", source=source.as_uri(), days=size.days, seed=seed, rounds=rounds)
    if found["records"] != size.records:
        raise MpsrError(f"the generator has made {found['records']} records of {size.records}")
    console.say(f"generated {size.records:,} records of {size.signals:,} signals in {size.days} days")
    return source, found["parameters"]


def fill(cluster, console, session, layout, source, records):
    """Writes the records in a layout; tells what that cost and what is stored."""
    before = cluster.processes.cpu_seconds()
    if layout.session == peers_layouts.OURS:
        cost = peers_layouts.load_mpsr(cluster, layout.directory, source, records)
        stored = peers_layouts.stored_mpsr(cluster, layout.directory)
    else:
        cost = session.ask("write", layout=layout.kind, source=source.as_uri(), table=layout.table)
        stored = session.ask("stored", path=cluster.state.fs_uri + layout.directory)
    after = cluster.processes.cpu_seconds()
    hdfs = sum(after[name] - before[name] for name in before if name.startswith(("dn", "namenode")))
    run = {"kind": "load", "layout": layout.name, **cost, "hdfsCpuSeconds": hdfs, **stored}
    console.say(
        f"loaded {layout.name} in {run['seconds']:.1f} s, {run['cpuSeconds']:.1f} s of CPU:"
        f" {run['files']:,} files, {run['bytes'] / 1e6:,.1f} MB"
    )
    return run
