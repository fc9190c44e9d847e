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

from benchmarks.harness.data_layouts import STOCK
from benchmarks.harness.suite import Suite

WARM_UPS = 8
"""For so many rounds more is drawn what queries ask for: warming up asks what is never measured."""


class Comparison:
    """What the sessions of a stage are asked."""

    def __init__(self, stage, console, seed, queries="benchmarks.suites.peers.queries", only=None):
        """``queries`` is the module that has what can be asked, ``only`` names some of its queries."""
        self._stage = stage
        self._console = console
        self._seed = seed
        self._queries = queries
        shares = stage.ask(STOCK, "shares", queries=queries)["shares"]
        self.shares = {query: shares[query] for query in only or shares}
        """The queries, and the share of each."""

    def load(self, results, layouts, size):
        """Makes the records and fills the layouts, but for what the results say is there."""
        if not results.find(kind="generate"):
            parameters = self._stage.parameters(self._queries, size, self._seed, Suite.most_rounds + WARM_UPS)
            results.add({"kind": "generate", "records": size.records, "parameters": parameters})
        for layout in layouts:
            if not layout.filled_by and not results.find(kind="load", layout=layout.name):
                results.add(self._stage.fill(layout, size))

    def measure(self, results, layouts, rounds, conclude=lambda: None, briefly=()):
        """Opens all layouts and asks the queries in each round, in random order; then calls ``conclude``. Those layouts that
        are named in ``briefly`` are asked the first query only."""
        (generated,) = results.find(kind="generate")
        queries = list(self.shares)
        if not self._stage.quick:
            self._warm_up(layouts, queries, generated["parameters"])
        for number, parameters in enumerate(generated["parameters"][:rounds]):
            # The same seed, the same order, whatever was done before.
            choice = random.Random(self._seed * 1_000_003 + number)
            for layout in choice.sample(layouts, len(layouts)):
                if not results.find(kind="open", layout=layout.name, round=number):
                    opened = self._stage.ask(layout.session, "open", table=layout.table)
                    results.add({"kind": "open", "layout": layout.name, "round": number, **opened})
            for query in choice.sample(queries, len(queries)):
                for layout in choice.sample(layouts, len(layouts)):
                    if layout.name in briefly and query != queries[0]:
                        continue
                    if not results.find(kind="query", layout=layout.name, query=query, round=number):
                        self._console.update(f"round {number + 1}: {query} on {layout.name}")
                        found = self._query(layout, query, parameters)
                        results.add({"kind": "query", "layout": layout.name, "query": query, "round": number, **found})
            self._console.say(f"round {number + 1} of {rounds} is measured")
            conclude()

    def _warm_up(self, layouts, queries, parameters):
        """Runs every query as often in every session, so that none has an older JVM than another, each time for
        something else, which is not measured."""
        kinds = dict.fromkeys(layout.session for layout in layouts)
        of = {kind: [layout for layout in layouts if layout.session == kind] for kind in kinds}
        times = max(len(each) for each in of.values())
        for kind, mine in of.items():
            for turn in range(times):
                for query in queries:
                    self._query(mine[turn % len(mine)], query, parameters[-1 - turn])
            self._console.say(f"warmed up: {kind}")

    def _query(self, layout, query, parameters):
        asked = {"table": layout.table, "query": query, "parameters": parameters}
        return self._stage.ask(layout.session, "query", queries=self._queries, **asked)
