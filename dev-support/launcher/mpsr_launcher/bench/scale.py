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

from dataclasses import replace

from mpsr_launcher.bench import peers_layouts, scale_figures
from mpsr_launcher.bench.comparison import MOST_ROUNDS, Comparison
from mpsr_launcher.bench.peers_layouts import OURS, STOCK, Layout
from mpsr_launcher.bench.records import Size
from mpsr_launcher.bench.results import Part, Results
from mpsr_launcher.bench.scale_planning import Planning
from mpsr_launcher.cluster import Cluster
from mpsr_launcher.errors import MpsrError

NAME = "bench-scale"
PARTS = ("planning", "trivial", "rows", "signals")
FILES = (1_000, 10_000, 100_000, 1_000_000)
QUICK_FILES = (2_000,)
ROWS = (1, 10, 100)
SIGNALS = (100, 1_000, 10_000, 100_000, 1_000_000)
QUICK_SIZES = (("rows", 10), ("signals", 100))
TRIVIAL = Size(10_000, 200, 4, 20)
TRIVIAL_ROUNDS = 30
TRIVIAL_QUERIES = ("one_signal_long", "window_many_signals", "full_scan")


def rows_sizes(scale):
    """Records x1, x10, x100 of the same 1,000 signals, 50 devices and 20 days; x1 is a million at scale 1."""
    return {factor: Size(max(1_000, round(1_000_000 * scale * factor)), 1_000, 20, 50) for factor in ROWS}


def signals_sizes(scale):
    """As many records, 5 million at scale 1, of ever more signals; 200 devices and 20 days always."""
    return {signals: Size(max(1_000, round(5_000_000 * scale)), signals, 20, 200) for signals in SIGNALS}


class Scale:
    """One run."""

    def __init__(self, layout, console, arguments):
        self._layout = layout
        self._console = console
        self._seed = arguments.seed
        self._rounds = 1 if arguments.quick else min(MOST_ROUNDS, arguments.rounds)
        self._quick = arguments.quick
        self._parts = arguments.only.split(",") if arguments.only else PARTS
        if not set(self._parts) <= set(PARTS):
            raise MpsrError(f"--only {arguments.only}: the parts of scale are {', '.join(PARTS)}")
        self._scale = 0.002 if arguments.quick else arguments.scale
        most = arguments.files or FILES[-1]
        self._files = QUICK_FILES if arguments.quick else [files for files in FILES if files < most] + [most]
        versions = {"iceberg": peers_layouts.ICEBERG_VERSION}
        self._results = Results("scale", self._seed, self._scale, layout, arguments.json, arguments.resume, versions)

    def run(self):
        """Runs all parts; returns the exit code: 1 when an answer was wrong."""
        if "planning" in self._parts:
            jar = peers_layouts.iceberg_jar(self._layout, self._console)
            planning = Planning(self._layout, self._console, self._seed, self._rounds, self._quick, jar)
            for files in self._files:
                self._once(lambda part, files=files: planning.measure(part, files), part="planning", size=files)
        sizes = [each for each in self._sizes() if not self._results.find(kind="done", part=each[0], size=each[1])]
        if sizes:
            self._compare(sizes)
        self._conclude()
        return self._show()

    def _once(self, measure, **values):
        """Measures what no earlier run has finished; what it has begun is begun anew."""
        part = Part(self._results, **values)
        if not part.find(kind="done"):
            part.forget()
            measure(part)
            part.add({"kind": "done"})
            self._conclude()

    def _sizes(self):
        """The parts that need records: name, what grows, how much data."""
        found = [("trivial", TRIVIAL.records, TRIVIAL)]
        found += [("rows", factor, size) for factor, size in rows_sizes(self._scale).items()]
        found += [("signals", signals, size) for signals, size in signals_sizes(self._scale).items()]
        if self._quick:
            few = [found[0], *[each for each in found if each[:2] in QUICK_SIZES]]
            found = [(name, grown, replace(size, signals=min(200, size.signals), days=4)) for name, grown, size in few]
        return [each for each in found if each[0] in self._parts]

    def _compare(self, sizes):
        cluster = Cluster(self._layout, NAME)
        cluster.stop(self._console)
        cluster.wipe()
        comparison = Comparison(cluster, self._console, self._seed, self._quick, (STOCK, OURS))
        try:
            cluster.start(self._console, 3 if self._quick else 9, 3, kafka=False)
            comparison.start()
            for name, grown, size in sizes:
                self._console.say(f"{name}: {size.records:,} records of {size.signals:,} signals")
                self._once(lambda part, n=name, g=grown, s=size: self._measure(comparison, part, n, g, s), part=name, size=grown)
        finally:
            comparison.close()
            cluster.stop(self._console)
            cluster.wipe()

    def _measure(self, comparison, part, name, grown, size):
        uri = comparison.cluster.state.fs_uri
        found = peers_layouts.layouts(uri, groups=(), root=f"/bench/{name}-{grown}")
        stock, ours = found[0], found[-1]
        rounds = self._rounds
        if name == "trivial":
            # The same files for both: the dataset's default group.
            stock = Layout(stock.name, STOCK, ours.table, ours.directory, filled_by=ours.name)
            rounds = 1 if self._quick else max(rounds, TRIVIAL_ROUNDS)
        layouts = [stock, ours]
        comparison.load(part, layouts, size)
        comparison.measure(part, layouts, rounds, lambda: None, TRIVIAL_QUERIES if name == "trivial" else None)

    def _conclude(self):
        self._results.problems = scale_figures.problems(self._results)
        scale_figures.add(self._results)
        self._results.save()

    def _show(self):
        print(f"\n{scale_figures.table(self._results)}\n", flush=True)
        for problem in self._results.problems:
            self._console.say(f"PROBLEM {problem}")
        verdict = f"{len(self._results.problems)} problems" if self._results.problems else "every answer is right"
        self._console.say(f"scale: {verdict}")
        return 1 if self._results.problems else 0
