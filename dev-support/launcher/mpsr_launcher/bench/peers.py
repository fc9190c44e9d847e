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
"""The suite 'peers': the same records in the layouts that a user would pick, and the same queries on each."""

from mpsr_launcher.bench import peers_figures, peers_layouts
from mpsr_launcher.bench.comparison import MOST_ROUNDS, Comparison
from mpsr_launcher.bench.peers_layouts import OURS, PEER, STOCK
from mpsr_launcher.bench.records import Size
from mpsr_launcher.bench.results import Results
from mpsr_launcher.cluster import Cluster


def size_of(scale):
    """Scale 1 is 20 million records of 10,000 signals in 400 days; other scales keep a day's records.

    There are never more than 400 days and 10,000 signals, nor fewer than 10 and 200.
    """
    share = min(1.0, scale)
    return Size(round(20_000_000 * scale), max(200, round(10_000 * share)), max(10, round(400 * share)))


class Peers:
    """One run. Subclasses compare other layouts or ask other queries."""

    suite = "peers"
    quick_scale = 0.005
    kinds = (STOCK, PEER, OURS)
    queries = "peers_queries"
    figures = peers_figures
    size_of = staticmethod(size_of)

    def __init__(self, layout, console, arguments):
        self._layout = layout
        self._console = console
        self._seed = arguments.seed
        self._rounds = 1 if arguments.quick else min(MOST_ROUNDS, arguments.rounds)
        self._quick = arguments.quick
        self._keep = arguments.keep
        scale = self.quick_scale if arguments.quick else arguments.scale
        self._size = self.size_of(scale)
        versions = {"iceberg": peers_layouts.ICEBERG_VERSION} if PEER in self.kinds else {}
        self._results = Results(self.suite, self._seed, scale, layout, arguments.json, arguments.resume, versions)
        self._cluster = Cluster(layout, f"bench-{self.suite}")
        self._shares = {}

    def layouts(self, fs_uri):
        """What is compared, stock first."""
        found = peers_layouts.layouts(fs_uri)
        return peers_layouts.short(found) if self._quick else found

    def run(self):
        """Runs all steps; returns the exit code: 1 when an answer was wrong."""
        jar = peers_layouts.iceberg_jar(self._layout, self._console) if PEER in self.kinds else None
        self._cluster.stop(self._console)
        if self._cluster.state is None:
            # Queries that were answered count all the same: the same seed makes the same records.
            self._results.runs = self._results.find(kind="query") + self._results.find(kind="open")
        elif not self._results.runs:
            self._cluster.wipe()
        done = False
        comparison = Comparison(self._cluster, self._console, self._seed, self._quick, self.kinds, self.queries)
        try:
            self._cluster.start(self._console, 3 if self._quick else 9, 3, kafka=False)
            layouts = self.layouts(self._cluster.state.fs_uri)
            comparison.start(jar)
            self._shares = comparison.shares
            comparison.load(self._results, layouts, self._size)
            comparison.measure(self._results, layouts, self._rounds, self._conclude)
            done = True
        finally:
            comparison.close()
            self._cluster.stop(self._console)
            if done and not self._keep:
                self._cluster.wipe()
        return self._show()

    def _conclude(self):
        """What all complete rounds say, kept after each, so that a run that is interrupted says something."""
        self._results.problems = self.figures.problems(self._results.runs)
        self.figures.add(self._results, self._shares, self._seed)
        self._results.save()

    def _show(self):
        problems = self._results.problems
        print(f"\n{self.figures.table(self._results, self._shares)}\n", flush=True)
        for problem in problems:
            self._console.say(f"PROBLEM {problem}")
        verdict = f"{len(problems)} problems" if problems else "every answer is equal to stock's"
        self._console.say(f"{self.suite}: {verdict}; {len(self._results.find(kind='query'))} queries")
        return 1 if problems else 0
