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

from benchmarks.harness import data_layouts, layout_tables
from benchmarks.harness.comparison import Comparison
from benchmarks.harness.data_layouts import CATALOG, GATEWAY, OURS, PEER, STOCK, WAREHOUSE
from benchmarks.harness.records import QUICK, Size
from benchmarks.harness.stage import Stage
from benchmarks.harness.suite import Suite
from benchmarks.suites.peers import figures as peers_figures
from mpsr_launcher.cluster.cluster import Cluster


def size_of(scale):
    """Scale 1 is 20 million records of 10,000 signals in 400 days; other scales keep a day's records.

    There are never more than 400 days and 10,000 signals, nor fewer than 10 and 200.
    """
    share = min(1.0, scale)
    return Size(round(20_000_000 * scale), max(200, round(10_000 * share)), max(10, round(400 * share)))


class Peers(Suite):
    """One run. Subclasses compare other layouts or ask other queries."""

    name = "peers"
    kinds = (STOCK, PEER, OURS)
    queries = "benchmarks.suites.peers.queries"
    quick_queries = None
    briefly = ("hdfs-signal", "iceberg-zorder")
    """Layouts that the short form asks one query only: it shows that they are filled and read."""
    figures = peers_figures
    size_of = staticmethod(size_of)

    def __init__(self, checkout, console, arguments):
        super().__init__(checkout, console, arguments, {"iceberg": data_layouts.ICEBERG_VERSION} if PEER in self.kinds else None)
        self._size = QUICK if arguments.quick else self.size_of(arguments.scale)
        self._shares = {}

    def layouts(self, fs_uri):
        """What is compared, stock first. The short form leaves out what the suite 'queries' compares."""
        found = data_layouts.layouts(fs_uri, self._size.root)
        found.append(data_layouts.through_iceberg(found[-1]))
        short = ("hdfs-time", "iceberg-sorted", "mpsr-signal", "catalog", "mpsr", *self.briefly)
        return [layout for layout in found if layout.name in short] if self._quick else found

    def run(self):
        """Runs all steps on a cluster of its own; returns the exit code: 1 when an answer was wrong."""
        jar = data_layouts.iceberg_jar(self._checkout, self._console) if PEER in self.kinds else None
        cluster = Cluster(self._checkout, f"bench-{self.name}")
        cluster.stop(self._console)
        if cluster.state is None:
            # Queries that were answered count all the same: the same seed makes the same records.
            self.results.runs = self.results.find(kind="query") + self.results.find(kind="open")
        elif not self.results.runs:
            cluster.wipe()
        with Stage(cluster, self._console, keep=self._keep) as stage:
            stage.start(9, 3)
            stage.open({kind: data_layouts.settings(kind, jar) for kind in self.kinds})
            return self.on(stage)

    def on(self, stage):
        """Runs all steps on a stage with sessions of these kinds; returns the exit code."""
        uri = stage.cluster.state.fs_uri
        if PEER in self.kinds:
            stage.catalog(CATALOG, uri + WAREHOUSE)
            stage.gateway(GATEWAY)
        comparison = Comparison(stage, self._console, self._seed, self.queries, self.quick_queries if self._quick else None)
        self._shares = comparison.shares
        layouts = self.layouts(uri)
        comparison.load(self.results, layouts, self._size)
        comparison.measure(self.results, layouts, self._rounds, self._conclude, self.briefly if self._quick else ())
        asked = len(self.results.find(kind="query"))
        return self._show(layout_tables.text(self.results), "every answer is equal to stock's", f"; {asked} queries")

    def _conclude(self):
        """What all complete rounds say, kept after each, so that a run that is interrupted says something."""
        self.results.problems = self.figures.problems(self.results.runs)
        self.figures.add(self.results, self._shares, self._seed)
        self.results.save()
