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
"""The suite 'paper': the experiments of Boychenko et al. (ICALEPCS 2017, THPHA036) on machines with limited disks."""

import contextlib
import random

from benchmarks.harness import data_layouts, layout_tables, machines
from benchmarks.harness.data_layouts import Layout
from benchmarks.harness.records import QUICK, Size
from benchmarks.harness.spark_workers import SparkWorkers
from benchmarks.harness.stage import Stage
from benchmarks.harness.suite import Suite
from benchmarks.suites.paper import figures as paper_figures, scaling as paper_scaling
from benchmarks.suites.paper.figures import OURS, STOCK
from benchmarks.suites.paper.simulation import Rates
from mpsr_launcher.checkout import surroundings
from mpsr_launcher.cluster.cluster import Cluster
from mpsr_launcher.private import make_private

NODES, QUICK_NODES = (4, 7, 10), (4,)
DISK_MIB, NETWORK_MIB = 1, 2
QUICK_JOBS = 6
BURST = 3
QUERIES = "benchmarks.suites.paper.queries"
DATASET = "/bench/mpsr"
# The paper has no systems; jobs ask for a time over all signals, and HDFS's copies by day are sorted by it too.
SORTED_BY_TIME = {"dfs.mpsr.replica.group.time.sort": "timestamp_ns, signal"}


def size_of(scale):
    """Scale 1 is 10 million records of 2,000 signals in 100 days; other scales keep the days."""
    return Size(round(10_000_000 * scale), max(200, round(2_000 * min(1.0, scale))), 100)


class Paper(Suite):
    """One run: the same jobs on clusters of several sizes, on each with HDFS partitioned by day and with MPSR."""

    name = "paper"
    most_rounds = 100

    def __init__(self, checkout, console, arguments):
        self._unlimited = machines.missing()
        options = {"jobs": arguments.jobs, "limits": not self._unlimited}
        super().__init__(checkout, console, arguments, options=options)
        self._size = QUICK if arguments.quick else size_of(arguments.scale)
        self._jobs = QUICK_JOBS if arguments.quick else arguments.jobs
        self._nodes = QUICK_NODES if arguments.quick else NODES
        self._kinds = []

    def run(self):
        """Runs all steps; returns the exit code: 1 when an answer was wrong."""
        if self._unlimited:
            self._console.say(
                "left out: limits of the nodes' disks and network, addresses of their own, and with them the simulation of"
                f" larger clusters, which is calibrated on limited nodes: {self._unlimited}"
            )
        for nodes in self._nodes:
            if not self.results.find(kind="done", nodes=nodes):
                self.results.runs = [run for run in self.results.runs if run["nodes"] != nodes]
                self._on(nodes)
                self.results.add({"kind": "done", "nodes": nodes})
            self._conclude()
        jobs = len(self.results.find(kind="job"))
        return self._show(layout_tables.text(self.results), "every answer is equal to stock's", f"; {jobs} jobs measured")

    def _conclude(self):
        self.results.problems = paper_figures.problems(self.results.runs)
        limits = "" if self._unlimited else f"{DISK_MIB} MiB/s from disk, {NETWORK_MIB} MiB/s over the network"
        paper_figures.add(self.results, self._seed, limits or f"no limits: {self._unlimited}")
        if self._unlimited:
            self.results.notes.append("Without limits nothing is simulated: larger clusters are left out.")
        else:
            paper_scaling.add(self.results, Rates(DISK_MIB, NETWORK_MIB), self._seed, surroundings.machine()["cores"])
        self.results.save()

    def _on(self, nodes):
        """All experiments with so many nodes, one of them the NameNode's."""
        cluster = Cluster(self._checkout, "bench-paper", SORTED_BY_TIME)
        cluster.stop(self._console)
        cluster.wipe()
        make_private(cluster.directory)
        network = None if self._unlimited else machines.Machines(nodes - 1, NETWORK_MIB, cluster.directory)
        with network or contextlib.nullcontext(), Stage(cluster, self._console, self._quick) as stage:
            stage.start(nodes - 1, min(3, nodes - 1), machines=network)
            workers = SparkWorkers(cluster, 1 if self._quick else nodes - 1, applications=2, quick=self._quick)
            workers.start()
            quick = data_layouts.settings(OURS, quick=True) if self._quick else {}
            settings = {**quick, **workers.settings(), "spark.driver.memory": "1g"}
            stage.open({data_layouts.STOCK: settings, data_layouts.OURS: settings})
            self._kinds = list(stage.ask(data_layouts.STOCK, "shares", queries=QUERIES)["shares"])
            layouts, parameters = self._load(stage, nodes)
            if not self._quick:
                self._warm_up(stage, layouts, parameters)
            if network:
                for directory in (self._checkout.spark_home(), self._checkout.share, cluster.directory):
                    network.keep_jars(directory)
                network.limit_disks(DISK_MIB)
                network.forget_files()
            # Others need what is cached: the short form, which measures nothing, leaves it.
            forgetting = None if self._quick else network
            self._measure(stage, layouts, parameters, nodes, forgetting)
            if nodes == max(self._nodes):
                self._queue(stage, layouts, parameters, nodes, forgetting)

    def _load(self, stage, nodes):
        parameters = stage.parameters(QUERIES, self._size, self._seed, self.most_rounds)
        uri = stage.cluster.state.fs_uri
        layouts = [
            Layout(STOCK, data_layouts.STOCK, {"path": f"{uri}/bench/day"}, "/bench/day", "day"),
            Layout(OURS, data_layouts.OURS, {"path": uri + DATASET}, DATASET),
        ]
        for layout in layouts:
            self.results.add({**stage.fill(layout, self._size), "nodes": nodes})
        return layouts, parameters

    def _warm_up(self, stage, layouts, parameters):
        """Asks each session as often, of its own layout and of stock's many files: so every worker has read before. One
        that is met first by a job of a single file would load its classes from the limited disk while that is measured."""
        for layout in layouts:
            for number in range(3):
                for table in (layout.table, layouts[0].table):
                    for job in self._kinds:
                        self._ask(stage, layout.session, table, job, parameters[-1 - number])

    @staticmethod
    def _ask(stage, session, table, job, parameters):
        return stage.ask(session, "query", queries=QUERIES, table=table, query=job, parameters=parameters)

    def _measure(self, stage, layouts, parameters, nodes, network):
        """Each job of each round on each layout, in random order, and each from disk."""
        for number in range(self._rounds):
            choice = random.Random(self._seed * 1_000_003 + number)
            for job in choice.sample(self._kinds, len(self._kinds)):
                for layout in choice.sample(layouts, len(layouts)):
                    if network:
                        network.forget_files()
                    found = self._ask(stage, layout.session, layout.table, job, parameters[number])
                    told = {"layout": layout.name, "job": job, "round": number, "nodes": nodes}
                    self.results.add({"kind": "job", **told, **found})
            self._console.say(f"{nodes} nodes: round {number + 1} of {self._rounds} is measured")

    def _queue(self, stage, layouts, parameters, nodes, network):
        """Jobs of all kinds that arrive faster than stock can do them: by a quarter."""
        workers = nodes - 1
        choice = random.Random(self._seed)
        jobs = [[choice.choice(self._kinds), choice.choice(parameters)] for _ in range(self._jobs)]
        capacity = {}
        for layout in layouts:
            burst = self._run_queue(stage, layout, jobs[: BURST * workers], 0.0, workers, network)
            capacity[layout.name] = len(burst) / max(job[2] for job in burst)
            self.results.add({"kind": "capacity", "layout": layout.name, "nodes": nodes, "perSecond": capacity[layout.name]})
        interval = 1 / (paper_scaling.LOAD * capacity[STOCK])
        self._console.say(f"{len(jobs)} jobs arrive, one every {interval:.2f} s")
        for layout in layouts:
            found = self._run_queue(stage, layout, jobs, interval, workers, network)
            told = {"layout": layout.name, "nodes": nodes, "intervalSeconds": interval, "asked": [job for job, _ in jobs]}
            self.results.add({"kind": "queue", **told, "jobs": found})
            self._console.say(f"{layout.name}: {len(found)} jobs are done after {max(job[2] for job in found):.0f} s")

    @staticmethod
    def _run_queue(stage, layout, jobs, interval, workers, network):
        with network.forgetting() if network else contextlib.nullcontext():
            asked = {"table": layout.table, "jobs": jobs, "intervalSeconds": interval, "workers": workers}
            return stage.ask(layout.session, "queue", queries=QUERIES, **asked)["jobs"]
