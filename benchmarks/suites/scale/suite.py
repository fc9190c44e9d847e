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
"""The suite 'scale': how cost grows with files, rows and signals, and what a trivial query costs."""

from benchmarks.harness import data_layouts
from benchmarks.harness.comparison import Comparison
from benchmarks.harness.data_layouts import OURS, PEER, STOCK, Layout
from benchmarks.harness.records import QUICK, Size
from benchmarks.harness.results import Part
from benchmarks.harness.stage import Stage
from benchmarks.harness.suite import Suite
from benchmarks.suites.scale import figures as scale_figures
from benchmarks.suites.scale.planning import Planning
from mpsr_launcher.cluster.cluster import Cluster
from mpsr_launcher.errors import MpsrError

PARTS = ("planning", "trivial", "rows", "signals")
FILES = (1_000, 10_000, 100_000, 1_000_000)
QUICK_FILES = (2_000,)
ROWS = (1, 10, 100)
SIGNALS = (100, 1_000, 10_000, 100_000, 1_000_000)
TRIVIAL = QUICK
TRIVIAL_ROUNDS = 30
TRIVIAL_QUERIES = ("one_signal_long", "window_many_signals", "full_scan")
QUICK_GROWN = Size(2_000, 100, 2, 20)
QUICK_QUERIES = ("one_signal_long", "full_scan")


def rows_sizes(scale):
    """Records x1, x10, x100 of the same 1,000 signals, 50 devices and 20 days; x1 is a million at scale 1."""
    return {factor: Size(max(1_000, round(1_000_000 * scale * factor)), 1_000, 20, 50) for factor in ROWS}


def signals_sizes(scale):
    """As many records, 5 million at scale 1, of ever more signals; 200 devices and 20 days always."""
    return {signals: Size(max(1_000, round(5_000_000 * scale)), signals, 20, 200) for signals in SIGNALS}


class Scale(Suite):
    """One run."""

    name = "scale"
    kinds = (STOCK, PEER, OURS)

    def __init__(self, checkout, console, arguments):
        self._parts = arguments.only.split(",") if arguments.only else PARTS
        if not set(self._parts) <= set(PARTS):
            raise MpsrError(f"--only {arguments.only}: the parts of scale are {', '.join(PARTS)}")
        versions = {"iceberg": data_layouts.ICEBERG_VERSION}
        super().__init__(checkout, console, arguments, versions, others=lambda run: run["part"] not in self._parts)
        self._scale = arguments.scale
        most = arguments.files or FILES[-1]
        self._files = QUICK_FILES if arguments.quick else [files for files in FILES if files < most] + [most]

    def run(self):
        """Runs all parts, those that need records on a cluster of their own; returns the exit code: 1 when an answer was wrong."""
        self._plan()
        sizes = [each for each in self._sizes() if not self.results.find(kind="done", part=each[0], size=each[1])]
        if sizes:
            cluster = Cluster(self._checkout, "bench-scale")
            cluster.stop(self._console)
            cluster.wipe()
            with Stage(cluster, self._console) as stage:
                stage.start(9, 3)
                stage.open({kind: data_layouts.settings(kind) for kind in (STOCK, OURS)})
                self._compare(stage, sizes)
        return self._end()

    def on(self, stage):
        """Runs all parts on a stage with sessions of these kinds; returns the exit code."""
        self._plan(stage)
        self._compare(stage, self._sizes())
        return self._end()

    def _plan(self, stage=None):
        if "planning" in self._parts:
            jar = data_layouts.iceberg_jar(self._checkout, self._console)
            planning = Planning(self._checkout, self._console, self._seed, self._rounds, self._quick, jar)
            for files in self._files:
                self._once(lambda part, files=files: planning.measure(part, files, stage), part="planning", size=files)

    def _once(self, measure, **values):
        """Measures what no earlier run has finished; what it has begun is begun anew."""
        part = Part(self.results, **values)
        if not part.find(kind="done"):
            part.forget()
            measure(part)
            part.add({"kind": "done"})
            self._conclude()

    def _sizes(self):
        """The parts that need records: name, what grows, how much data."""
        found = [("trivial", TRIVIAL.records, TRIVIAL)]
        if self._quick:
            found += [("rows", ROWS[0], QUICK_GROWN), ("signals", QUICK_GROWN.signals, QUICK_GROWN)]
        else:
            found += [("rows", factor, size) for factor, size in rows_sizes(self._scale).items()]
            found += [("signals", signals, size) for signals, size in signals_sizes(self._scale).items()]
        return [each for each in found if each[0] in self._parts]

    def _compare(self, stage, sizes):
        for name, grown, size in sizes:
            self._console.say(f"{name}: {size.records:,} records of {size.signals:,} signals")
            self._once(lambda part, n=name, s=size: self._measure(stage, part, n, s), part=name, size=grown)

    def _measure(self, stage, part, name, size):
        found = data_layouts.layouts(stage.cluster.state.fs_uri, size.root, groups=())
        stock, ours = found[0], found[-1]
        rounds, queries = self._rounds, QUICK_QUERIES if self._quick else None
        if name == "trivial":
            # The same files for both: the dataset's default group.
            stock = Layout(stock.name, STOCK, ours.table, ours.directory, filled_by=ours.name)
            rounds, queries = 1 if self._quick else max(rounds, TRIVIAL_ROUNDS), TRIVIAL_QUERIES
        comparison = Comparison(stage, self._console, self._seed, only=queries)
        comparison.load(part, [stock, ours], size)
        comparison.measure(part, [stock, ours], rounds)

    def _conclude(self):
        self.results.problems = scale_figures.problems(self.results)
        scale_figures.add(self.results, self._seed)
        self.results.save()

    def _end(self):
        self._conclude()
        return self._show(scale_figures.table(self.results), "every answer is right")
