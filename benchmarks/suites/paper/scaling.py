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
"""What the runs of 'paper' say of larger clusters, by simulation.

A cluster of so many times the nodes has so many times the records, of so many times the signals, in the same days, and as
many times the jobs arrive. Then a day's records grow with the cluster, and one signal's do not.

The simulation is calibrated on jobs that were measured one at a time on the largest cluster. What it says of the smaller
ones, and of the queue, stands beside what was measured there. All measured nodes share the machine's cores, which bounds
them from below; simulated ones have a core each.
"""

import random
from statistics import mean

from benchmarks.suites.paper.figures import ALL, OURS, STOCK, seconds
from benchmarks.suites.paper.simulation import calibrated, simulate

NODES = (10, 30, 100, 300, 1000)
COPIES = 3
# The groups that a job reads with MPSR: of a day, or of one signal.
BY_DAY = ("time",)
JOBS = 400
DRAWS = 5  # Of the places of files, for a job that runs alone.
LOAD = 1.25  # As in the measured queue: more than stock can do.


def add(results, rates, seed, cores, jobs=JOBS):
    """Makes the figures, the plot and the table, all named as simulated; nothing where the largest cluster was not measured,
    whose nodes share so many cores."""
    measured = max((run["nodes"] for run in results.find(kind="job")), default=0)
    if measured != NODES[0] or not results.find(kind="capacity"):
        return
    scaling = Scaling(results, measured, rates, seed, cores)
    _check(results, scaling, measured)
    choice = random.Random(seed)
    drawn = [choice.choice(scaling.jobs) for _ in range(jobs)]
    series = {STOCK: [], OURS: []}
    for nodes in NODES:
        stock = scaling.queue(STOCK, drawn, nodes, 0.0)
        interval = max(end for _, _, end in stock) / len(stock) / LOAD
        for layout, line in series.items():
            line.append(mean(scaling.alone(layout, job, nodes) for job in scaling.jobs))
            waits = [began - arrived for arrived, began, _ in scaling.queue(layout, drawn, nodes, interval)]
            results.figure(f"simulated.seconds.{nodes}.{layout}", line[-1], "s")
            results.figure(f"simulated.wait.{nodes}.{layout}", mean(waits), "s")
        less = 1 - series[OURS][-1] / series[STOCK][-1]
        results.figure(f"simulated.less.{nodes}", less, "of stock's mean")
    title = "Simulated, not measured: mean execution time of all jobs; records, signals and nodes grow alike"
    lines = [{"name": layout, "values": values} for layout, values in series.items()]
    categories = [f"{nodes} nodes" for nodes in NODES]
    results.plots.append({"name": "simulated", "title": title, "unit": "s", "log": True, "categories": categories, "series": lines})


def _check(results, scaling, measured):
    """What is simulated beside what was measured: jobs alone on the same records, and the queue."""
    rows = [["nodes", "layout", "what", "measured", "simulated"]]
    found = []
    for nodes in sorted({run["nodes"] for run in results.find(kind="job")}):
        for layout in (STOCK, OURS):
            told = mean(scaling.alone_measured(layout, job, nodes) for job in scaling.jobs)
            found.append(("seconds", nodes, layout, "a job's mean seconds", mean(seconds(results.runs, nodes, ALL, layout)), told))
    for run in results.find(kind="queue", nodes=measured):
        simulated = scaling.queue(run["layout"], run["asked"], measured, run["intervalSeconds"])
        waits = [mean(job[1] - job[0] for job in jobs) for jobs in (run["jobs"], simulated)]
        found.append(("wait", measured, run["layout"], "a job's mean wait in the queue", *waits))
    for name, nodes, layout, what, seen, told in found:
        results.figure(f"checked.{name}.{nodes}.{layout}", told, "s", measured=seen)
        rows.append([str(nodes), layout, what, f"{seen:.2f}", f"{told:.2f}"])
    title = "How well the simulation tells what was measured; it is calibrated on the first of the largest cluster"
    results.tables.append({"title": title, "rows": rows})


class Scaling:
    """Jobs that were measured on a cluster, simulated on others. Each number of nodes counts the NameNode's, which holds no
    data."""

    def __init__(self, results, measured, rates, seed, cores):
        self._measured = measured
        self._rates = rates
        self._seed = seed
        self._cores = cores
        runs = {}
        for run in results.find(kind="job", nodes=measured):
            runs.setdefault((run["layout"], run["job"]), []).append(run)
        self.jobs = sorted({job for _, job in runs})
        self._kinds = {
            (layout, job): calibrated(each, lambda kind, at=(layout, job): self._on_cores(kind, *at, measured))
            for (layout, job), each in runs.items()
        }

    def alone(self, layout, job, nodes):
        """The seconds of a job by itself, on as many more records as there are more nodes."""
        return self._alone(self._grown(layout, job, nodes), layout, job, nodes)

    def alone_measured(self, layout, job, nodes):
        """The seconds of a job by itself on the records that were measured, where all nodes share the machine's cores."""
        return self._on_cores(self._kinds[layout, job], layout, job, nodes)

    def queue(self, layout, jobs, nodes, interval):
        """When jobs that arrive one after the other arrive, begin and end, on as many more records as there are more nodes."""
        each = {job: (self._grown(layout, job, nodes), _copies(layout, job, nodes - 1)) for job in set(jobs)}
        return simulate([each[job] for job in jobs], nodes - 1, interval, self._rates, self._seed)

    def _grown(self, layout, job, nodes):
        kind = self._kinds[layout, job]
        return kind.grown((nodes - 1) / (self._measured - 1)) if layout == STOCK or job in BY_DAY else kind

    def _on_cores(self, kind, layout, job, nodes):
        return max(self._alone(kind, layout, job, nodes), kind.fixed + kind.tasks * kind.cpu / self._cores)

    def _alone(self, kind, layout, job, nodes):
        placed = [(kind, _copies(layout, job, nodes - 1))]
        seeds = range(self._seed, self._seed + DRAWS)
        return mean(simulate(placed, nodes - 1, 0.0, self._rates, seed)[0][2] for seed in seeds)


def _copies(layout, job, nodes):
    """Where a file lies: three copies anywhere; with MPSR one, on a node of the group."""
    if layout == STOCK:
        return lambda choice: [choice.randrange(nodes) for _ in range(COPIES)]
    group = [node for node in range(nodes) if node % COPIES == (0 if job in BY_DAY else 1)]
    return lambda choice: [choice.choice(group)]
