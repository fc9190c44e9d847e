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
"""The suite 'elastic': a queue of jobs of which most ask for a few signals and days, without further copies and with them."""

import contextlib
import random

from benchmarks.harness import data_layouts, datanodes, layout_tables, machines
from benchmarks.harness.data_layouts import OURS, STOCK, Layout
from benchmarks.harness.records import QUICK
from benchmarks.harness.spark_workers import SparkWorkers
from benchmarks.harness.stage import Stage
from benchmarks.harness.suite import Suite
from benchmarks.suites.elastic import figures as elastic_figures
from benchmarks.suites.paper.suite import DATASET, DISK_MIB, NETWORK_MIB, size_of
from mpsr_launcher import waiting
from mpsr_launcher.cluster import mpsr_cli
from mpsr_launcher.cluster.cluster import Cluster
from mpsr_launcher.errors import MpsrError
from mpsr_launcher.private import make_private

NODES = 9
BUDGET = 20
QUERIES_PER_COPY = 3
QUERIES = "benchmarks.suites.elastic.queries"
QUICK_JOBS, MOST_JOBS = 40, 1000
LOAD = 0.9
"""The rate at which jobs arrive, as a share of what the nodes do without further copies."""


class Elastic(Suite):
    """One run: the same jobs at the same rate on a cluster without further copies, and on one that makes them."""

    name = "elastic"

    def __init__(self, checkout, console, arguments):
        self._unlimited = "the short form" if arguments.quick else machines.missing()
        self._jobs = QUICK_JOBS if arguments.quick else min(MOST_JOBS, arguments.jobs)
        super().__init__(checkout, console, arguments, options={"jobs": self._jobs, "limits": not self._unlimited})
        self._size = QUICK if arguments.quick else size_of(arguments.scale)
        self._interval = None

    def run(self):
        """Runs all steps; returns the exit code: 1 when an answer was wrong."""
        if self._unlimited:
            self._console.say(f"left out: limits of the nodes' disks and network: {self._unlimited}")
        for budget in (BUDGET,) if self._quick else (0, BUDGET):
            self._on(budget)
        self.results.problems = elastic_figures.problems(self.results.runs)
        limits = f"no limits: {self._unlimited}" if self._unlimited else f"{DISK_MIB} MiB/s from disk, {NETWORK_MIB} MiB/s over the network"
        elastic_figures.add(self.results, limits)
        self.results.save()
        return self._show(layout_tables.text(self.results), "the answers are equal with further copies and without", f"; {self._jobs} jobs")

    def _on(self, budget):
        own = {"dfs.mpsr.elastic.budget.percent": budget, "dfs.mpsr.elastic.queries.per.copy": QUERIES_PER_COPY}
        own |= {"dfs.mpsr.elastic.mb.per.second": 100, "dfs.mpsr.health.interval.seconds": 5}
        cluster = Cluster(self._checkout, "bench-elastic", own)
        cluster.stop(self._console)
        cluster.wipe()
        make_private(cluster.directory)
        network = None if self._unlimited else machines.Machines(NODES, NETWORK_MIB, cluster.directory)
        with network or contextlib.nullcontext(), Stage(cluster, self._console, self._quick) as stage:
            stage.start(NODES, 3, machines=network)
            stage.open({STOCK: data_layouts.settings(STOCK, quick=True), OURS: self._settings(cluster)})
            parameters = stage.parameters(QUERIES, self._size, self._seed, MOST_JOBS)
            layout = Layout("mpsr", OURS, {"path": stage.cluster.state.fs_uri + DATASET}, DATASET)
            self.results.add({**stage.fill(layout, self._size), "budget": budget})
            choice = random.Random(self._seed)
            kinds = list(stage.ask(OURS, "shares", queries=QUERIES)["shares"])
            jobs = [[choice.choice(kinds), each] for each in parameters[: self._jobs]]
            heated = self._queue(stage, layout, jobs, 0.0)
            copies = self._copies(stage, budget)
            if network:
                for directory in (self._checkout.spark_home(), self._checkout.share, cluster.directory):
                    network.keep_jars(directory)
                network.limit_disks(DISK_MIB)
            if self._interval is None:
                burst = jobs[: max(NODES, len(jobs) // 4)]  # enough for all nodes to work
                ended = max(job[2] for job in self._queue(stage, layout, burst, 0.0, network))
                self._interval = ended / len(burst) / LOAD
                self._console.say(f"{len(jobs)} jobs arrive, one every {self._interval:.2f} s")
            before = datanodes.traffic(cluster, range(1, NODES + 1), fresh=True)
            found = self._queue(stage, layout, jobs, self._interval, network)
            after = datanodes.traffic(cluster, range(1, NODES + 1), fresh=True)
            told = {"kind": "queue", "budget": budget, "intervalSeconds": self._interval, "jobs": found, "copies": copies, "before": [job[3] for job in heated]}
            self.results.add({**told, "bytesRead": after.read - before.read, "bytesRemote": after.read_by_others - before.read_by_others})

    def _settings(self, cluster):
        """Of a session with an executor on each node; in the short form with none."""
        if self._quick:
            return data_layouts.settings(OURS, quick=True)
        workers = SparkWorkers(cluster, NODES, applications=1)
        workers.start()
        return {**workers.settings(), "spark.driver.memory": "1g"}

    @staticmethod
    def _copies(stage, budget):
        """What further copies there are when all are made that the jobs asked for."""
        found = {}

        def made():
            found.update(mpsr_cli.ask(stage.cluster, ["status"], failure_allowed=True).get("furtherCopies", {}))
            return not budget or found.get("copies", 0) > 0 and found["waiting"] == 0

        try:
            waiting.until(made, "further copies of what was asked for most", 120)
        except MpsrError as error:
            raise MpsrError(f"{error} A file gets one when {QUERIES_PER_COPY} queries read it: take more --jobs.") from error
        return found

    @staticmethod
    def _queue(stage, layout, jobs, interval, network=None):
        asked = {"table": layout.table, "jobs": jobs, "intervalSeconds": interval, "workers": NODES}
        with network.forgetting() if network else contextlib.nullcontext():
            return stage.ask(layout.session, "queue", queries=QUERIES, **asked)["jobs"]
