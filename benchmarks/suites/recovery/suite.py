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
"""The suite 'recovery': a DataNode dies; HDFS replicates three equal copies again, MPSR rebuilds the same amount from other groups."""

import contextlib
import time

from benchmarks.harness import data_layouts, datanodes, machines, records
from benchmarks.harness.data_layouts import OURS, STOCK, Layout
from benchmarks.harness.records import QUICK, Size
from benchmarks.harness.spark_workers import SparkWorkers
from benchmarks.harness.stage import Stage
from benchmarks.harness.suite import Suite
from benchmarks.suites.recovery import figures as recovery_figures
from mpsr_launcher import waiting
from mpsr_launcher.cluster import mpsr_cli
from mpsr_launcher.cluster.cluster import Cluster
from mpsr_launcher.cluster.webhdfs import WebHdfs
from mpsr_launcher.errors import MpsrError

NODES, QUICK_NODES, RACKS = 9, 6, 3
DISK_MIB, NETWORK_MIB = 0.5, 1
COMMITS = 20
QUERIES = "benchmarks.suites.paper.queries"
# A DataNode that says nothing for twelve seconds is dead.
SOON_DEAD = {"dfs.heartbeat.interval": "1", "dfs.namenode.heartbeat.recheck-interval": "1000"}
PATIENCE_SECONDS = 1_800
CLUSTERS = {OURS: {}, f"{OURS}-1": {"dfs.mpsr.segment.nodes": "1"}}
"""What a cluster of each of our systems is set to: the default, and one home for each segment."""
PARTS = (STOCK, *CLUSTERS)
COPIES = 3


def size_of(scale):
    """Scale 1 is 20 million records of 2,000 signals in 100 days."""
    return Size(round(20_000_000 * scale), max(200, round(2_000 * min(1.0, scale))), 100)


class Recovery(Suite):
    """One run: in each round every system loses a DataNode, another one each round, and recovers while nothing else runs."""

    name = "recovery"

    def __init__(self, checkout, console, arguments):
        self._unlimited = "the short form" if arguments.quick else machines.missing()
        quick = (STOCK, OURS) if arguments.quick else PARTS
        self._parts = arguments.only.split(",") if arguments.only else quick
        if set(self._parts) - set(PARTS):
            raise MpsrError(f"--only {arguments.only}: the parts of recovery are {', '.join(PARTS)}")
        super().__init__(
            checkout,
            console,
            arguments,
            options={"limits": not self._unlimited},
            others=lambda run: run["system"] not in self._parts,
        )
        self._size = QUICK if arguments.quick else size_of(arguments.scale)
        self._nodes = QUICK_NODES if arguments.quick else NODES
        self._rounds = min(self._rounds, self._nodes)
        self._stage = None
        self._workers = None

    def run(self):
        """Runs on a cluster of its own; returns the exit code: 1 when records were lost or changed, or stayed without a copy."""
        if self._unlimited:
            self._console.say(f"left out: limits of the nodes' disks and network: {self._unlimited}")
        for ours, settings in CLUSTERS.items():
            systems = [system for system in self._parts if system in (STOCK if ours == OURS else ours, ours)]
            if systems:
                self._run(Cluster(self._checkout, f"bench-{self.name}", {**SOON_DEAD, **settings}), systems)
        return self._show(recovery_figures.text(self.results), "every record is there, once, in every copy")

    def _run(self, cluster, systems):
        cluster.stop(self._console)
        cluster.wipe()
        network = None if self._unlimited else machines.Machines(self._nodes, NETWORK_MIB, cluster.directory)
        with network or contextlib.nullcontext(), Stage(cluster, self._console, self._quick, self._keep) as stage:
            self._stage = stage
            stage.start(self._nodes, RACKS, machines=network)
            settings = data_layouts.settings(OURS, quick=self._quick)
            shared = dict(settings)
            if network:
                self._workers = SparkWorkers(cluster, self._nodes, applications=1)
                self._workers.start()
                shared.update(self._workers.settings())
            stage.open({STOCK: settings, OURS: shared})
            stage.parameters(QUERIES, self._size, self._seed, 1)
            self._measure(network, systems)

    def _measure(self, network, systems):
        if network:
            for directory in (self._checkout.spark_home(), self._checkout.share, self._stage.cluster.directory):
                network.keep_jars(directory)
        for number in range(self._rounds):
            for system in systems:
                if network:
                    network.limit_disks(DISK_MIB)
                found = self._stock(number, network) if system == STOCK else self._ours(number, network)
                self.results.add({"kind": "recovery", "system": system, "round": number, **found})
                self._console.say(
                    f"{system}: dn{found['node']} is dead; {found['lostBytes'] / 1e6:,.1f} MB are there again after {found['seconds']:.1f} s"
                )
            self._conclude()

    def _conclude(self):
        self.results.problems = recovery_figures.problems(self.results.runs)
        limits = self._unlimited or f"{DISK_MIB} MiB/s from disk, {NETWORK_MIB} MiB/s over the network"
        recovery_figures.add(self.results, limits)
        self.results.save()

    def _stock(self, number, network):
        """HDFS by itself: it replicates what has two copies left."""
        cluster = self._stage.cluster
        layout = Layout("hdfs-day", STOCK, {"path": f"{cluster.state.fs_uri}/bench/day"}, "/bench/day", "day")
        records.fill(self._stage, self._console, layout, self._stage.source, self._size.records)

        def whole():
            return all(len(copies) >= COPIES for copies in datanodes.copies(cluster, layout.directory))

        def recover():
            waiting.until(whole, "three copies of each block", PATIENCE_SECONDS)

        before = self._contents(STOCK, layout.table)
        found = self._recovered(number, network, recover)
        # What is written again was read once.
        found["readBytes"] = found["writtenBytes"]
        after = self._contents(STOCK, layout.table)
        self._back(found["node"])
        WebHdfs(cluster).delete(layout.directory)
        return {**found, "before": before, "after": after, "lacking": 0}

    def _ours(self, number, network):
        """The job that maintenance would start."""
        cluster = self._stage.cluster
        layout = Layout("mpsr", OURS, {"path": f"{cluster.state.fs_uri}/bench/mpsr"}, "/bench/mpsr")
        most = -(-self._size.records // COMMITS)
        data_layouts.load_mpsr(cluster, layout.directory, self._stage.source, self._size.records, most)
        before = self._contents(OURS, layout.table)
        found = self._recovered(number, network, lambda: self._stage.ask(OURS, "rebuild", table=layout.table["path"]))
        groups = list(mpsr_cli.ask(cluster, ["dataset", "show", layout.directory])["groups"])
        contents = [self._contents(OURS, {**layout.table, "group": group}) for group in groups]
        after = next((each for each in contents if each != before), before)
        (known,) = mpsr_cli.ask(cluster, ["rebuild", layout.directory, "--dry-run"])["datasets"]
        lacking = sum(damage["recordsMissing"] for damage in known["damaged"])
        self._back(found["node"])
        data_layouts.drop_mpsr(cluster, layout.directory)
        return {**found, "before": before, "after": after, "lacking": lacking}

    def _holder(self, number):
        """A DataNode that has blocks: another one in each round."""
        cluster = self._stage.cluster
        holding = set().union(*datanodes.copies(cluster, "/"))
        found = [node for node in range(1, self._nodes + 1) if datanodes.address(cluster, node) in holding]
        return found[(self._seed + number) % len(found)]

    def _recovered(self, number, network, recover):
        """What it costs to recover from the death of a node, from the moment that the NameNode takes it for dead."""
        cluster, node = self._stage.cluster, self._holder(number)
        waiting.until(lambda: not self._state("PendingDeletionBlocks"), "the deletion of what is not measured", 300)
        lost = datanodes.used(cluster, node)
        left = [number for number in range(1, self._nodes + 1) if number != node]
        before = datanodes.traffic(cluster, left, not self._quick)
        address = datanodes.address(cluster, node)

        def dead():
            return not any(address in copies for copies in datanodes.copies(cluster, "/"))

        if network:
            network.forget_files()
        if self._workers:
            cluster.processes.kill(f"spark-worker{node}")
        cluster.processes.kill(f"dn{node}")
        waiting.until(dead, "the NameNode to see that a DataNode is dead", 120)
        cpu = self._cpu_seconds()
        start = time.monotonic()
        driver = recover() or {"cpuSeconds": 0}
        seconds = time.monotonic() - start
        used = {name: value - cpu.get(name, 0) for name, value in self._cpu_seconds().items()}
        after = datanodes.traffic(cluster, left, not self._quick)
        return {
            "node": node,
            "lostBytes": lost,
            "seconds": seconds,
            "cpuSeconds": sum(used.values()) + driver["cpuSeconds"],
            "readBytes": after.read - before.read,
            "writtenBytes": after.written - before.written,
        }

    def _cpu_seconds(self):
        """Of HDFS, and of all that Spark runs."""
        found = self._stage.cluster.processes.cpu_seconds()
        if self._workers:
            found.update(self._workers.executors_cpu_seconds())
        return found

    def _state(self, name):
        """A number of the NameNode's; 0 while it does not answer."""
        bean = self._stage.cluster.hdfs.bean("Hadoop:service=NameNode,name=FSNamesystem")
        return bean[name] if bean else 0

    def _contents(self, kind, table):
        return self._stage.ask(kind, "contents", table=table)

    def _back(self, node):
        """Lets a node come back with all it has."""
        cluster = self._stage.cluster
        cluster.hdfs.start_datanodes()
        if self._workers:
            self._workers.start_missing()
        waiting.until(lambda: cluster.hdfs.live_nodes() == self._nodes, f"dn{node} to come back", 120)
