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
"""

import random
from statistics import mean

from mpsr_launcher.bench.paper_figures import OURS, STOCK
from mpsr_launcher.bench.simulation import calibrated, simulate

NODES = (10, 30, 100, 300, 1000)
COPIES = 3
# The groups that a job reads with MPSR: of a day, or of one signal.
BY_DAY = ("time",)
JOBS = 400
LOAD = 1.25  # As in the measured queue: more than stock can do.


def add(results, rates, seed, jobs=JOBS):
    """Makes the figures and the plot, all named as simulated; nothing where the largest cluster was not measured."""
    measured = max((run["nodes"] for run in results.find(kind="job")), default=0)
    if measured != NODES[0] or not results.find(kind="capacity"):
        return
    kinds = _kinds(results, measured, rates)
    names = sorted({job for _, job in kinds})
    choice = random.Random(seed)
    drawn = [choice.choice(names) for _ in range(jobs)]
    series = {STOCK: [], OURS: []}
    for nodes in NODES:
        data = nodes - 1
        stock = _run(kinds, STOCK, drawn, data, measured - 1, 0.0, rates, seed)
        interval = max(end for _, _, end in stock) / len(stock) / LOAD
        for layout, line in series.items():
            alone = [_alone(kinds[layout, job], layout, job, data, measured - 1, rates, seed) for job in names]
            queued = _run(kinds, layout, drawn, data, measured - 1, interval, rates, seed)
            line.append(mean(alone))
            results.figure(f"simulated.seconds.{nodes}.{layout}", mean(alone), "s")
            results.figure(f"simulated.wait.{nodes}.{layout}", mean(job[1] - job[0] for job in queued), "s")
        less = 1 - series[OURS][-1] / series[STOCK][-1]
        results.figure(f"simulated.less.{nodes}", less, "of stock's mean")
    title = "Simulated, not measured: mean execution time of all jobs; records, signals and nodes grow alike"
    lines = [{"name": layout, "values": values} for layout, values in series.items()]
    categories = [f"{nodes} nodes" for nodes in NODES]
    results.plots.append({"name": "simulated", "title": title, "unit": "s", "log": True, "categories": categories, "series": lines})


def _kinds(results, measured, rates):
    found = {}
    for run in results.find(kind="job", nodes=measured):
        found.setdefault((run["layout"], run["job"]), []).append(run)
    return {key: calibrated(runs, measured - 1, rates) for key, runs in found.items()}


def _grown(kind, layout, job, nodes, measured):
    return kind.grown(nodes / measured) if layout == STOCK or job in BY_DAY else kind


def _copies(layout, job, nodes):
    """Where a file lies: three copies anywhere; with MPSR one, on a node of the group."""
    if layout == STOCK:
        return lambda choice: [choice.randrange(nodes) for _ in range(COPIES)]
    group = [node for node in range(nodes) if node % COPIES == (0 if job in BY_DAY else 1)]
    return lambda choice: [choice.choice(group)]


def _placed(kind, layout, job, nodes, measured):
    return _grown(kind, layout, job, nodes, measured), _copies(layout, job, nodes)


def _alone(kind, layout, job, nodes, measured, rates, seed):
    ((_, _, ended),) = simulate([_placed(kind, layout, job, nodes, measured)], nodes, 0.0, rates, seed)
    return ended


def _run(kinds, layout, jobs, nodes, measured, interval, rates, seed):
    each = {job: _placed(kinds[layout, job], layout, job, nodes, measured) for job in set(jobs)}
    return simulate([each[job] for job in jobs], nodes, interval, rates, seed)
