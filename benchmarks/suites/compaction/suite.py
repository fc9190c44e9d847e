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
"""The suite 'compaction': the same records in as many commits, merged by MPSR and by Iceberg's rewrite_data_files."""

from benchmarks.harness import data_layouts, datanodes, records
from benchmarks.harness.data_layouts import CATALOG, OURS, PEER, WAREHOUSE
from benchmarks.harness.records import QUICK, Size
from benchmarks.harness.stage import Stage
from benchmarks.harness.suite import Suite
from benchmarks.suites.compaction import figures as compaction_figures
from mpsr_launcher.cluster import mpsr_cli
from mpsr_launcher.cluster.cluster import Cluster

COMMITS, QUICK_COMMITS = 20, 4
QUERIES = "benchmarks.suites.peers.queries"
TABLE = f"{CATALOG}.bench.merged"


def size_of(scale):
    """Scale 1 is 20 million records of 10,000 signals of 500 devices in two days; scale 10 has commits of 10 million."""
    return Size(round(20_000_000 * scale), max(200, round(10_000 * min(1.0, scale))), 2, 500)


class Compaction(Suite):
    """One run."""

    name = "compaction"
    kinds = (PEER, OURS)

    def __init__(self, checkout, console, arguments):
        super().__init__(checkout, console, arguments, {"iceberg": data_layouts.ICEBERG_VERSION})
        self._size = QUICK if arguments.quick else size_of(arguments.scale)
        self._commits = QUICK_COMMITS if arguments.quick else COMMITS
        self._stage = None

    def run(self):
        """Runs on a cluster of its own; returns the exit code: 1 when a merge has lost, doubled or changed a record."""
        jar = data_layouts.iceberg_jar(self._checkout, self._console)
        cluster = Cluster(self._checkout, f"bench-{self.name}")
        cluster.stop(self._console)
        cluster.wipe()
        with Stage(cluster, self._console, keep=self._keep) as stage:
            stage.start(9, 3)
            stage.open({kind: data_layouts.settings(kind, jar) for kind in self.kinds})
            return self.on(stage)

    def on(self, stage):
        """Runs on a stage with sessions of these kinds; returns the exit code."""
        self._stage = stage
        uri = stage.cluster.state.fs_uri
        stage.catalog(CATALOG, uri + WAREHOUSE)
        stage.parameters(QUERIES, self._size, self._seed, 1)
        for number in range(self._rounds):
            for system, measure in ((compaction_figures.PEER, self._iceberg), (compaction_figures.OURS, self._ours)):
                if not self.results.find(kind="merge", system=system, round=number):
                    self.results.add({"kind": "merge", "system": system, "round": number, **measure(number)})
            self._conclude()
        return self._show(compaction_figures.text(self.results), "every record is there, once")

    def _ours(self, number):
        cluster = self._stage.cluster
        dataset = f"{self._size.root}/merged-{number}"
        records.require_space(cluster.directory, "filling the dataset", self._size.records, records.FILLED_BYTES)
        if self._stage.resumed:
            data_layouts.drop_mpsr(cluster, dataset)
        most = -(-self._size.records // self._commits)
        told = data_layouts.load_mpsr(cluster, dataset, self._stage.source, self._size.records, most)
        table = {"path": cluster.state.fs_uri + dataset}
        found = self._merged(OURS, table, lambda: data_layouts.stored_mpsr(cluster, dataset), "compact", table["path"])
        mpsr_cli.ask(cluster, ["dataset", "drop", dataset, "--now"])
        return {"commits": told["commits"], **found}

    def _iceberg(self, _number):
        uri = self._stage.cluster.state.fs_uri
        source = self._stage.source.as_uri()
        self._stage.ask(PEER, "append", table=TABLE, source=source, commits=self._commits)
        table = {"name": TABLE}
        directory = f"{uri}{WAREHOUSE}/bench/merged/data"
        found = self._merged(PEER, table, lambda: self._stored(directory), "merge", TABLE)
        self._stage.ask(PEER, "drop", table=TABLE)
        return {"commits": self._commits, **found}

    def _stored(self, directory):
        """Bytes of one copy."""
        found = self._stage.ask(PEER, "stored", path=directory)
        return {"files": found["files"], "bytes": found["bytes"] // compaction_figures.COPIES}

    def _merged(self, kind, table, stored, op, name):
        """Merges; tells what that cost, and what there was before and after."""
        cluster = self._stage.cluster
        before, contents = stored(), self._contents(kind, table)
        cpu, written = cluster.processes.cpu_seconds(), datanodes.written(cluster, fresh=not self._stage.quick)
        cost = self._stage.ask(kind, op, table=name)
        hdfs = sum(value - cpu[each] for each, value in cluster.processes.cpu_seconds().items() if each.startswith(("dn", "namenode")))
        bytes_written = datanodes.written(cluster, not self._stage.quick) - written
        after = stored()
        self._console.say(
            f"{kind}: {before['files']:,} files became {after['files']:,} in {cost['seconds']:.1f} s, {cost['cpuSeconds']:.1f} s of CPU"
        )
        return {
            **cost,
            "hdfsCpuSeconds": hdfs,
            "writtenBytes": bytes_written,
            "filesBefore": before["files"],
            "bytesBefore": before["bytes"],
            "filesAfter": after["files"],
            "bytesAfter": after["bytes"],
            "before": contents,
            "after": self._contents(kind, table),
        }

    def _contents(self, kind, table):
        return self._stage.ask(kind, "contents", table=table)

    def _conclude(self):
        self.results.problems = compaction_figures.problems(self.results.runs)
        compaction_figures.add(self.results)
        self.results.save()
