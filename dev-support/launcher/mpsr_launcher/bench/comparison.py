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
"""Layouts of the same records on one cluster of processes, asked the same queries by Spark sessions that run side by side."""

import random

from mpsr_launcher.bench import peers_layouts
from mpsr_launcher.bench.peers_layouts import OURS
from mpsr_launcher.bench.records import fill, generate
from mpsr_launcher.bench.spark_session import SparkSession
from mpsr_launcher.errors import MpsrError

MOST_ROUNDS = 50  # Asked for once, so that a run that goes on with more rounds asks the same in the first.


class Comparison:
    """The sessions of a cluster that runs, and what they are asked. To be closed."""

    def __init__(self, cluster, console, seed, quick, kinds, queries="peers_queries"):
        """``kinds`` of sessions: stock, Iceberg, MPSR. Quick: nothing is warmed up. ``queries`` is what can be asked."""
        self.cluster = cluster
        self._console = console
        self._seed = seed
        self._quick = quick
        self._sessions = {}
        self._kinds = kinds
        self._queries = queries

    def start(self, jar=None):
        """Starts the sessions; ``jar`` is Iceberg's."""
        for kind in self._kinds:
            settings = peers_layouts.settings(kind, self.cluster.state.fs_uri, jar, self._quick)
            self._sessions[kind] = SparkSession(self.cluster, kind, kind != OURS, settings, self._quick, self._queries)
        for kind, session in self._sessions.items():
            session.await_ready()
            if ("org.hadoopmpsr" in session.hello["extensions"]) != (kind == OURS):
                raise MpsrError(f"spark.sql.extensions is '{session.hello['extensions']}' in the session '{kind}'")
        version = self._sessions[self._kinds[0]].hello["spark"]
        self._console.say(f"Spark {version} is up in {len(self._kinds)} sessions: {', '.join(self._kinds)}")

    def close(self):
        """Ends the sessions."""
        for session in self._sessions.values():
            session.close()

    @property
    def shares(self):
        """The share of each query."""
        return self._sessions[self._kinds[0]].hello["shares"]

    def load(self, results, layouts, size):
        """Makes the records and fills the layouts, but for what the results say is there."""
        source = self.cluster.directory / "records.parquet"
        if not results.find(kind="generate"):
            session = self._sessions[self._kinds[0]]
            source, parameters = generate(self.cluster, self._console, session, size, self._seed, MOST_ROUNDS)
            results.add({"kind": "generate", "records": size.records, "parameters": parameters})
        for layout in layouts:
            if not layout.filled_by and not results.find(kind="load", layout=layout.name):
                session = self._sessions[layout.session]
                results.add(fill(self.cluster, self._console, session, layout, source, size.records))

    def measure(self, results, layouts, rounds, conclude, queries=None):
        """Opens all layouts and asks the queries (all of them) in each round, in random order; then calls ``conclude``."""
        (generated,) = results.find(kind="generate")
        queries = list(queries or self.shares)
        if not self._quick:
            self._warm_up(layouts, queries, generated["parameters"][0])
        for number, parameters in enumerate(generated["parameters"][:rounds]):
            # The same seed, the same order, whatever was done before.
            choice = random.Random(self._seed * 1_000_003 + number)
            for layout in choice.sample(layouts, len(layouts)):
                if not results.find(kind="open", layout=layout.name, round=number):
                    opened = self._sessions[layout.session].ask("open", table=layout.table)
                    results.add({"kind": "open", "layout": layout.name, "round": number, **opened})
            for query in choice.sample(queries, len(queries)):
                for layout in choice.sample(layouts, len(layouts)):
                    if not results.find(kind="query", layout=layout.name, query=query, round=number):
                        self._console.update(f"round {number + 1}: {query} on {layout.name}")
                        found = self._query(layout, query, parameters)
                        results.add({"kind": "query", "layout": layout.name, "query": query, "round": number, **found})
            self._console.say(f"round {number + 1} of {rounds} is measured")
            conclude()

    def _warm_up(self, layouts, queries, parameters):
        """Runs every query as often in every session, so that none has an older JVM than another."""
        of = {kind: [layout for layout in layouts if layout.session == kind] for kind in self._kinds}
        times = max(len(each) for each in of.values())
        for kind, mine in of.items():
            for turn in range(times):
                for query in queries:
                    self._query(mine[turn % len(mine)], query, parameters)
            self._console.say(f"warmed up: {kind}")

    def _query(self, layout, query, parameters):
        asked = {"table": layout.table, "query": query, "parameters": parameters}
        return self._sessions[layout.session].ask("query", **asked)
