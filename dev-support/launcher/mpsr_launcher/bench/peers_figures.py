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
"""What the runs of 'peers' say: wrong answers, figures, plots, a table."""

from statistics import median

from mpsr_launcher import report
from mpsr_launcher.bench.statistics import TEST, compare

STOCK, OURS = "hdfs-time", "mpsr"
ICEBERG = ("iceberg-sorted", "iceberg-zorder")
GROUP = "mpsr-"
MEASURES = {"seconds": "s", "bytes": "B", "tasks": "tasks", "files": "files", "planSeconds": "s", "cpuSeconds": "s"}
GOALS = {"mpsr.vs.hdfs-time": 0.2, "mpsr.vs.iceberg": 0.5, "mpsr.worst.vs.hdfs-time": 1.05, "stored.mpsr.vs.hdfs-time": 1.1}
SINGLE_GOAL = 1.05


def problems(runs):
    """The answers that differ from those of stock Spark on stock's layout, and queries that MPSR took no part in."""
    asked = [run for run in runs if run["kind"] == "query"]
    right = {(run["query"], run["round"]): run for run in asked if run["layout"] == STOCK}
    found = []
    for run in asked:
        expected = right.get((run["query"], run["round"]))
        where = f"{run['query']} on {run['layout']}, round {run['round']}"
        if expected is None:
            found.append(f"{where}: stock has not answered it")
        elif run["digest"] != expected["digest"]:
            found.append(f"{where}: answered {run['sample']} instead of {expected['sample']}")
        if run["layout"].startswith(OURS) != any("parquet[mpsr " in scan for scan in run["scans"]):
            found.append(f"{where}: EXPLAIN shows {run['scans']}")
    return found


class Series:
    """The measured queries by layout, query and round; rounds that are not complete are left out."""

    def __init__(self, runs, shares):
        self.shares = shares
        self._values = {}
        for run in runs:
            if run["kind"] == "query":
                self._values[run["layout"], run["query"], run["round"]] = run
        self.layouts = list(dict.fromkeys(run["layout"] for run in runs if run["kind"] == "query"))
        whole = [(layout, query) for layout in self.layouts for query in shares]
        rounds = sorted({key[2] for key in self._values})
        self.rounds = [number for number in rounds if all((*each, number) in self._values for each in whole)]

    def of(self, layout, query, measure="seconds"):
        """One query's values on a layout, by round."""
        return [self._values[layout, query, number][measure] for number in self.rounds]

    def mix(self, layout, measure="seconds"):
        """The mean of the mix on a layout in each round: each query counts by its share."""
        whole = sum(self.shares.values())
        each = {query: self.of(layout, query, measure) for query in self.shares}
        return [
            sum(self.shares[query] * each[query][place] for query in self.shares) / whole
            for place in range(len(self.rounds))
        ]


def add(results, shares, seed):
    """Makes the figures and plots of the results."""
    series, layouts = common(results, shares, seed)
    _against(results, series, layouts, seed)
    results.notes += [
        "Seconds are of a query on an open table; 'open' is what opening it costs. planSeconds last until the first task.",
    ]


def common(results, shares, seed):
    """Makes the figures and plots that comparisons of layouts share; returns the queries and the layouts."""
    series = Series(results.runs, shares)
    layouts, groups = in_order(results, series)
    _costs(results, series, layouts)
    _single(results, series, groups, seed)
    _storage(results)
    results.plots = list(_plots(series, layouts))
    results.notes = [f"Ratios are of MPSR to the other, less than 1 is faster. Tested by: {TEST}."]
    return series, layouts


def in_order(results, series):
    """All layouts, those that were filled first; and MPSR's groups."""
    order = [run["layout"] for run in results.find(kind="load")]
    groups = sorted(name for name in series.layouts if name.startswith(GROUP))
    return [*[name for name in order if name != OURS], *groups, OURS], groups


def _costs(results, series, layouts):
    """Figures of the mix, of filling the layouts and of opening them."""
    for layout in layouts:
        for measure, unit in MEASURES.items():
            results.median(f"mix.{measure}.{layout}", series.mix(layout, measure), unit)
    for run in results.find(kind="load"):
        for measure, unit in (("seconds", "s"), ("cpuSeconds", "s"), ("hdfsCpuSeconds", "s"), ("bytes", "B"), ("files", "files")):
            results.figure(f"load.{measure}.{run['layout']}", run[measure], unit)
    for layout in dict.fromkeys(run["layout"] for run in results.find(kind="open")):
        opened = [run["seconds"] for run in results.find(kind="open", layout=layout)]
        results.median(f"open.seconds.{layout}", opened, "s")


def at_most(value, most):
    """A goal, and whether the value meets it."""
    return f"≤ {most:g}: {'met' if value <= most else 'missed'}"


def ratio(results, name, found, goal=None):
    """A figure of a comparison; the goal is the most that it may be."""
    goals = {"goal": at_most(found.ratio, goal)} if goal else {}
    results.figure(name, found.ratio, "ratio", **found.as_json(), **goals)


def _against(results, series, layouts, seed):
    """MPSR against each other layout, in the mix and by query."""
    best = min((name for name in layouts if name in ICEBERG), key=lambda layout: median(series.mix(layout)))
    for layout in layouts:
        if layout != OURS:
            found = compare(series.mix(OURS), series.mix(layout), seed)
            ratio(results, f"mpsr.vs.{layout}", found, GOALS.get(f"mpsr.vs.{layout}"))
    ratio(results, "mpsr.vs.iceberg", compare(series.mix(OURS), series.mix(best), seed), GOALS["mpsr.vs.iceberg"])
    results.figures["mpsr.vs.iceberg"]["layout"] = best
    for other in (STOCK, best):
        worst = None
        for query in series.shares:
            found = compare(series.of(OURS, query), series.of(other, query), seed)
            ratio(results, f"mpsr.{query}.vs.{other}", found)
            worst = max(worst or (found.ratio, query, found), (found.ratio, query, found), key=lambda each: each[0])
        ratio(results, f"mpsr.worst.vs.{other}", worst[2], GOALS.get(f"mpsr.worst.vs.{other}"))
        results.figures[f"mpsr.worst.vs.{other}"]["query"] = worst[1]


def _single(results, series, groups, seed):
    """MPSR against the group that is the best for each query."""
    for query in series.shares:
        best = min(groups, key=lambda group: median(series.of(group, query)))
        found = compare(series.of(OURS, query), series.of(best, query), seed)
        ratio(results, f"mpsr.{query}.vs.best-group", found, SINGLE_GOAL)
        results.figures[f"mpsr.{query}.vs.best-group"]["layout"] = best


def _storage(results):
    """Figures of what is stored, against stock."""
    stored = {run["layout"]: run["bytes"] for run in results.find(kind="load")}
    for layout, size in stored.items():
        name = f"stored.{layout}.vs.{STOCK}"
        goal = {"goal": at_most(size / stored[STOCK], GOALS[name])} if name in GOALS else {}
        results.figure(name, size / stored[STOCK], "ratio", **goal)


def _plots(series, layouts):
    """Plots of the queries and the mix on all layouts."""
    rounds = f"{len(series.rounds)} rounds" if len(series.rounds) > 1 else "one round"
    for measure, title in (
        ("seconds", "Time of a query"),
        ("bytes", "Bytes read by a query"),
        ("cpuSeconds", "CPU time of a query's tasks"),
        ("planSeconds", "Time until a query's first task"),
    ):
        queries = list(series.shares)
        lines = []
        for layout in layouts:
            values = [series.of(layout, query, measure) for query in queries]
            mix = series.mix(layout, measure)
            each = [*values, mix]
            lines.append(
                {
                    "name": layout,
                    "values": [median(found) or None for found in each],
                    "low": [min(found) or None for found in each],
                    "high": [max(found) or None for found in each],
                }
            )
        yield {
            "name": measure,
            "title": f"{title}: median and range of {rounds}",
            "unit": MEASURES[measure],
            "log": True,
            "categories": [*queries, "mix"],
            "series": lines,
        }


def table(results, shares):
    """The queries as lines of text: median seconds on each layout, and what MPSR takes of stock's and of Iceberg's."""
    series = Series(results.runs, shares)
    layouts = [name.removeprefix("mix.seconds.") for name in results.figures if name.startswith("mix.seconds.")]
    best = results.figures["mpsr.vs.iceberg"]["layout"]
    rows = [("query", "share", *layouts, f"mpsr/{STOCK}", f"mpsr/{best}", "group")]
    for query, share in shares.items():
        seconds = [f"{median(series.of(layout, query)):.2f}" for layout in layouts]
        ratios = [said(results.figures[f"mpsr.{query}.vs.{other}"]) for other in (STOCK, best)]
        rows.append((query, f"{share} %", *seconds, *ratios, results.figures[f"mpsr.{query}.vs.best-group"]["layout"]))
    mix = [f"{results.figures[f'mix.seconds.{layout}']['value']:.2f}" for layout in layouts]
    ratios = [said(results.figures[f"mpsr.vs.{other}"]) for other in (STOCK, best)]
    rows.append(("mix", "100 %", *mix, *ratios, ""))
    return report.aligned(rows)


def said(figure):
    """A ratio, marked where it may be chance."""
    return f"{figure['value']:.2f}" + ("" if figure["significant"] else " (?)")
