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
import threading

from mpsr_launcher.bench import machines, paper_figures, paper_scaling
from mpsr_launcher.bench.paper_figures import OURS, STOCK
from mpsr_launcher.bench.peers_layouts import DATASET, Layout
from mpsr_launcher.bench.records import Size, fill, generate
from mpsr_launcher.bench.results import Results
from mpsr_launcher.bench.simulation import Rates
from mpsr_launcher.bench.spark_session import SparkSession
from mpsr_launcher.bench.spark_workers import SparkWorkers
from mpsr_launcher.cluster import Cluster
from mpsr_launcher.errors import MpsrError

NAME = "bench-paper"
NODES, QUICK_NODES = (4, 7, 10), (4,)
DISK_MIB, NETWORK_MIB = 4, 8
QUICK_SCALE = 0.02
MOST_ROUNDS = 100  # Asked for once, so that a run that goes on with more rounds asks the same in the first.
BURST = 3


def size_of(scale):
    """Scale 1 is 10 million records of 2,000 signals in 100 days; other scales keep the days."""
    return Size(round(10_000_000 * scale), max(200, round(2_000 * min(1.0, scale))), 100 if scale > QUICK_SCALE else 10)


class Paper:
    """One run: the same jobs on clusters of several sizes, on each with HDFS partitioned by day and with MPSR."""

    def __init__(self, layout, console, arguments):
        self._layout = layout
        self._console = console
        self._seed = arguments.seed
        self._quick = arguments.quick
        self._rounds = 1 if arguments.quick else min(MOST_ROUNDS, arguments.rounds)
        scale = QUICK_SCALE if arguments.quick else arguments.scale
        self._size = size_of(scale)
        self._jobs = 12 if arguments.quick else arguments.jobs
        self._nodes = QUICK_NODES if arguments.quick else NODES
        self._results = Results("paper", self._seed, scale, layout, arguments.json, arguments.resume)
        self._unlimited = machines.missing()

    def run(self):
        """Runs all steps; returns the exit code: 1 when an answer was wrong."""
        if self._unlimited:
            self._console.say(f"disks and network of the nodes are not limited, and they share an address: {self._unlimited}")
        for nodes in self._nodes:
            if not self._results.find(kind="done", nodes=nodes):
                self._results.runs = [run for run in self._results.runs if run["nodes"] != nodes]
                self._on(nodes)
                self._results.add({"kind": "done", "nodes": nodes})
            self._conclude()
        return self._show()

    def _conclude(self):
        self._results.problems = paper_figures.problems(self._results.runs)
        limits = "" if self._unlimited else f"{DISK_MIB} MiB/s from disk, {NETWORK_MIB} MiB/s over the network"
        paper_figures.add(self._results, self._seed, limits or f"no limits: {self._unlimited}")
        if not self._unlimited:
            paper_scaling.add(self._results, Rates(DISK_MIB, NETWORK_MIB), self._seed)
        self._results.save()

    def _on(self, nodes):
        """All experiments with so many nodes, one of them the NameNode's."""
        cluster = Cluster(self._layout, NAME)
        cluster.stop(self._console)
        cluster.wipe()
        cluster.directory.mkdir(parents=True)
        network = None if self._unlimited else machines.Machines(nodes - 1, NETWORK_MIB, cluster.directory)
        sessions = {}
        with network or contextlib.nullcontext():
            try:
                cluster.start(self._console, nodes - 1, min(3, nodes - 1), kafka=False, machines=network)
                workers = SparkWorkers(cluster, applications=2)
                workers.start()
                sessions = self._start_sessions(cluster, workers)
                layouts, parameters = self._load(cluster, sessions, nodes)
                self._warm_up(layouts, sessions, parameters)
                if network:
                    network.limit_disks(DISK_MIB)
                self._measure(layouts, sessions, parameters, nodes, network)
                if nodes == max(self._nodes):
                    self._queue(layouts, sessions, parameters, nodes, network)
            finally:
                for session in sessions.values():
                    session.close()
                cluster.stop(self._console)
        cluster.wipe()

    def _start_sessions(self, cluster, workers):
        settings = {**workers.settings(), "spark.driver.memory": "1g"}
        sessions = {
            name: SparkSession(cluster, name, name == STOCK, settings, self._quick, "paper_queries") for name in (STOCK, OURS)
        }
        for session in sessions.values():
            session.await_ready()
        if "org.hadoopmpsr" in sessions[STOCK].hello["extensions"]:
            raise MpsrError("the stock session has MPSR's extensions")
        return sessions

    def _load(self, cluster, sessions, nodes):
        source, parameters = generate(cluster, self._console, sessions[STOCK], self._size, self._seed, MOST_ROUNDS)
        uri = cluster.state.fs_uri
        layouts = [
            Layout(STOCK, STOCK, {"path": f"{uri}/bench/day"}, "/bench/day", "day"),
            Layout(OURS, OURS, {"path": uri + DATASET}, DATASET),
        ]
        for layout in layouts:
            run = fill(cluster, self._console, sessions[layout.session], layout, source, self._size.records)
            self._results.add({**run, "nodes": nodes})
        source.unlink()
        return layouts, parameters

    @staticmethod
    def _warm_up(layouts, sessions, parameters):
        for layout in layouts:
            for number in range(3):
                for job in sessions[STOCK].hello["shares"]:
                    sessions[layout.session].ask("query", table=layout.table, query=job, parameters=parameters[-1 - number])

    def _measure(self, layouts, sessions, parameters, nodes, network):
        """Each job of each round on each layout, in random order, and each from disk."""
        for number in range(self._rounds):
            choice = random.Random(self._seed * 1_000_003 + number)
            jobs = list(sessions[STOCK].hello["shares"])
            for job in choice.sample(jobs, len(jobs)):
                for layout in choice.sample(layouts, len(layouts)):
                    if network:
                        network.forget_files()
                    found = sessions[layout.session].ask(
                        "query", table=layout.table, query=job, parameters=parameters[number]
                    )
                    told = {"layout": layout.name, "job": job, "round": number, "nodes": nodes}
                    self._results.add({"kind": "job", **told, **found})
            self._console.say(f"{nodes} nodes: round {number + 1} of {self._rounds} is measured")

    def _queue(self, layouts, sessions, parameters, nodes, network):
        """Jobs of all kinds that arrive faster than stock can do them: by a quarter."""
        workers = nodes - 1
        choice = random.Random(self._seed)
        kinds = list(sessions[STOCK].hello["shares"])
        jobs = [[choice.choice(kinds), choice.choice(parameters)] for _ in range(self._jobs)]
        capacity = {}
        for layout in layouts:
            burst = self._run_queue(layout, sessions, jobs[: BURST * workers], 0.0, workers, network)
            capacity[layout.name] = len(burst) / max(job[2] for job in burst)
            self._results.add({"kind": "capacity", "layout": layout.name, "nodes": nodes, "perSecond": capacity[layout.name]})
        interval = 1 / (paper_scaling.LOAD * capacity[STOCK])
        self._console.say(f"{len(jobs)} jobs arrive, one every {interval:.2f} s")
        for layout in layouts:
            found = self._run_queue(layout, sessions, jobs, interval, workers, network)
            self._results.add(
                {"kind": "queue", "layout": layout.name, "nodes": nodes, "intervalSeconds": interval, "jobs": found}
            )
            self._console.say(f"{layout.name}: {len(found)} jobs are done after {max(job[2] for job in found):.0f} s")

    @staticmethod
    def _run_queue(layout, sessions, jobs, interval, workers, network):
        with _forgetting(network):
            asked = {"table": layout.table, "jobs": jobs, "intervalSeconds": interval, "workers": workers}
            return sessions[layout.session].ask("queue", **asked)["jobs"]

    def _show(self):
        print(f"\n{paper_figures.table(self._results)}\n", flush=True)
        for problem in self._results.problems:
            self._console.say(f"PROBLEM {problem}")
        verdict = f"{len(self._results.problems)} problems" if self._results.problems else "every answer is equal to stock's"
        self._console.say(f"paper: {verdict}; {len(self._results.find(kind='job'))} jobs measured")
        return 1 if self._results.problems else 0


@contextlib.contextmanager
def _forgetting(network):
    """Drops cached files all the time, so that jobs that overlap read from disk, too."""
    if not network:
        yield
        return
    ended = threading.Event()

    def forget():
        while not ended.wait(0.5):
            network.forget_files()

    thread = threading.Thread(target=forget)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
