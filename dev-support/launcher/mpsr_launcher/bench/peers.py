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
"""The suite 'peers': the same records in several layouts of equal storage, asked the same mix of queries."""

import random
from dataclasses import dataclass

from mpsr_launcher import java
from mpsr_launcher.bench import peers_figures, peers_layouts
from mpsr_launcher.bench.peers_layouts import OURS, STOCK
from mpsr_launcher.bench.results import Results
from mpsr_launcher.bench.spark_session import SparkSession
from mpsr_launcher.cluster import Cluster
from mpsr_launcher.errors import MpsrError

NAME = "bench-peers"
QUICK_SCALE = 0.005
MOST_ROUNDS = 50  # Asked for once, so that a run that goes on with more rounds asks the same in the first.
SESSIONS = (STOCK, peers_layouts.PEER, OURS)


@dataclass(frozen=True)
class Size:
    """How much data: scale 1 is 20 million records of 10,000 signals in 400 days; other scales keep a day's records."""

    records: int
    signals: int
    days: int

    @staticmethod
    def of(scale):
        """The size of a scale. There are never more than 400 days and 10,000 signals, nor fewer than 10 and 200."""
        share = min(1.0, scale)
        return Size(round(20_000_000 * scale), max(200, round(10_000 * share)), max(10, round(400 * share)))


class Peers:
    """One run."""

    def __init__(self, layout, console, arguments):
        self._layout = layout
        self._console = console
        self._seed = arguments.seed
        self._rounds = 1 if arguments.quick else min(MOST_ROUNDS, arguments.rounds)
        self._quick = arguments.quick
        self._keep = arguments.keep
        scale = QUICK_SCALE if arguments.quick else arguments.scale
        self._size = Size.of(scale)
        versions = {"iceberg": peers_layouts.ICEBERG_VERSION}
        self._results = Results("peers", self._seed, scale, layout, arguments.json, arguments.resume, versions)
        self._cluster = Cluster(layout, NAME)
        self._sessions = {}
        self._layouts = []
        self._shares = {}

    def run(self):
        """Runs all steps; returns the exit code: 1 when an answer was wrong."""
        jar = peers_layouts.iceberg_jar(self._layout, self._console)
        self._cluster.stop(self._console)
        if self._cluster.state is None:
            # Queries that were answered count all the same: the same seed makes the same records.
            self._results.runs = self._results.find(kind="query") + self._results.find(kind="open")
        elif not self._results.runs:
            self._cluster.wipe()
        done = False
        try:
            self._cluster.start(self._console, 9, 3, kafka=False)
            layouts = peers_layouts.layouts(self._cluster.state.fs_uri)
            self._layouts = peers_layouts.short(layouts) if self._quick else layouts
            self._start_sessions(jar)
            self._load()
            self._measure()
            done = True
        finally:
            for session in self._sessions.values():
                session.close()
            self._cluster.stop(self._console)
            if done and not self._keep:
                self._cluster.wipe()
        return self._show()

    def _start_sessions(self, jar):
        for kind in SESSIONS:
            settings = peers_layouts.settings(kind, self._cluster.state.fs_uri, jar, self._quick)
            self._sessions[kind] = SparkSession(self._cluster, kind, kind != OURS, settings, self._quick)
        for kind, session in self._sessions.items():
            session.await_ready()
            if ("org.hadoopmpsr" in session.hello["extensions"]) != (kind == OURS):
                raise MpsrError(f"spark.sql.extensions is '{session.hello['extensions']}' in the session '{kind}'")
        self._console.say(f"Spark {self._sessions[STOCK].hello['spark']} is up in three sessions: {', '.join(SESSIONS)}")

    def _load(self):
        source = self._cluster.directory / "records.parquet"
        if not self._results.find(kind="generate"):
            self._generate(source)
        for layout in self._layouts:
            if not layout.filled_by and not self._results.find(kind="load", layout=layout.name):
                self._fill(layout, source)

    def _generate(self, source):
        size = self._size
        rate = size.records / (size.days * 86_400)
        arguments = ["--parquet", str(source), "--records", str(size.records), "--signals", str(size.signals)]
        arguments += ["--data-rate", repr(rate), "--devices", str(max(20, size.signals // 20)), "--seed", str(self._seed)]
        main = "org.hadoopmpsr.benchmarks.Generate"
        command = java.benchmark(self._layout.share, self._cluster.conf, main, arguments)
        code = self._cluster.processes.run("generate", command, on_line=self._console.update)
        if code != 0:
            raise MpsrError(f"the generator ended with {code}. Its log:\n{self._cluster.processes.tail('generate')}")
        asked = {"source": source.as_uri(), "days": size.days, "seed": self._seed, "rounds": MOST_ROUNDS}
        found = self._sessions[STOCK].ask("parameters", **asked)
        if found["records"] != size.records:
            raise MpsrError(f"the generator has made {found['records']} records of {size.records}")
        self._console.say(f"generated {size.records:,} records of {size.signals:,} signals in {size.days} days")
        self._results.add({"kind": "generate", "records": size.records, "parameters": found["parameters"]})

    def _fill(self, layout, source):
        before = self._cluster.processes.cpu_seconds()
        if layout.session == OURS:
            cost = peers_layouts.load_mpsr(self._cluster, source, self._size.records)
            stored = peers_layouts.stored_mpsr(self._cluster)
        else:
            session = self._sessions[layout.session]
            asked = {"layout": layout.kind, "source": source.as_uri(), "table": layout.table}
            cost = session.ask("write", **asked)
            stored = session.ask("stored", path=self._cluster.state.fs_uri + layout.directory)
        after = self._cluster.processes.cpu_seconds()
        hdfs = sum(after[name] - before[name] for name in before if name.startswith(("dn", "namenode")))
        run = {"kind": "load", "layout": layout.name, **cost, "hdfsCpuSeconds": hdfs, **stored}
        self._results.add(run)
        self._console.say(
            f"loaded {layout.name} in {run['seconds']:.1f} s, {run['cpuSeconds']:.1f} s of CPU:"
            f" {run['files']:,} files, {run['bytes'] / 1e6:,.1f} MB"
        )

    def _measure(self):
        (generated,) = self._results.find(kind="generate")
        rounds = generated["parameters"][: self._rounds]
        shares = self._shares = self._sessions[STOCK].hello["shares"]
        if not self._quick:
            self._warm_up(shares, rounds[0])
        for number, parameters in enumerate(rounds):
            # The same seed, the same order, whatever was done before.
            choice = random.Random(self._seed * 1_000_003 + number)
            for layout in choice.sample(self._layouts, len(self._layouts)):
                if not self._results.find(kind="open", layout=layout.name, round=number):
                    opened = self._sessions[layout.session].ask("open", table=layout.table)
                    self._results.add({"kind": "open", "layout": layout.name, "round": number, **opened})
            for query in choice.sample(list(shares), len(shares)):
                for layout in choice.sample(self._layouts, len(self._layouts)):
                    if not self._results.find(kind="query", layout=layout.name, query=query, round=number):
                        self._ask(layout, query, number, parameters)
            self._console.say(f"round {number + 1} of {len(rounds)} is measured")
            self._conclude()

    def _warm_up(self, shares, parameters):
        """Runs every query as often in every session, so that none has an older JVM than another."""
        times = max(len(self._of(kind)) for kind in SESSIONS)
        for kind in SESSIONS:
            mine = self._of(kind)
            for turn in range(times):
                for query in shares:
                    self._query(mine[turn % len(mine)], query, parameters)
            self._console.say(f"warmed up: {kind}")

    def _of(self, kind):
        return [layout for layout in self._layouts if layout.session == kind]

    def _ask(self, layout, query, number, parameters):
        self._console.update(f"round {number + 1}: {query} on {layout.name}")
        found = self._query(layout, query, parameters)
        self._results.add({"kind": "query", "layout": layout.name, "query": query, "round": number, **found})

    def _query(self, layout, query, parameters):
        asked = {"table": layout.table, "query": query, "parameters": parameters}
        return self._sessions[layout.session].ask("query", **asked)

    def _conclude(self):
        """What all complete rounds say, kept after each, so that a run that is interrupted says something."""
        self._results.problems = peers_figures.problems(self._results.runs)
        peers_figures.add(self._results, self._shares, self._seed)
        self._results.save()

    def _show(self):
        problems = self._results.problems
        print(f"\n{peers_figures.table(self._results, self._shares)}\n", flush=True)
        for problem in problems:
            self._console.say(f"PROBLEM {problem}")
        verdict = f"{len(problems)} problems" if problems else "every answer is equal to stock's"
        self._console.say(f"peers: {verdict}; {len(self._results.find(kind='query'))} queries")
        return 1 if problems else 0
