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
"""What the runs of 'peers' say: wrong answers, figures, plots, tables."""

from statistics import geometric_mean, median

from benchmarks.harness import layout_tables
from benchmarks.harness.layout_tables import COSTS, MEASURES, OPENING
from benchmarks.harness.statistics import TEST, compare

STOCK, OURS = "hdfs-time", "mpsr"
ICEBERG = ("iceberg-sorted", "iceberg-zorder")
GROUP = "mpsr-"
THROUGH_ICEBERG = "catalog"
"""MPSR's layout, read by Spark with Iceberg alone."""
GOALS = {"mpsr.vs.hdfs-time": 0.2, "mpsr.vs.iceberg": 0.5, "mpsr.worst.vs.hdfs-time": 1.05, "stored.mpsr.vs.hdfs-time": 1.1}
SINGLE_GOAL = 1.05
CATALOG_GOALS = {"catalog.vs.iceberg": 0.5, "catalog.worst.vs.mpsr": 1.1}


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
        if not _read_as(run["layout"], run["scans"]):
            found.append(f"{where}: EXPLAIN shows {run['scans']}")
    return found


def _read_as(layout, scans):
    """Whether EXPLAIN shows that MPSR read its layouts and no others, and of those of one group that group."""
    group = layout[len(GROUP) :] + ":" if layout.startswith(GROUP) else ""
    ours = ["parquet[mpsr " + group in scan for scan in scans]
    return bool(scans) and all(ours) if layout.startswith(OURS) else not any(ours)


class Series:
    """The measured queries by layout, query and round. Layouts that were not asked all of them are left out, and so are rounds
    that are not complete."""

    def __init__(self, runs, shares):
        self.shares = shares
        self._values = {}
        for run in runs:
            if run["kind"] == "query":
                self._values[run["layout"], run["query"], run["round"]] = run
        asked = {key[:2] for key in self._values}
        names = dict.fromkeys(layout for layout, _ in asked)
        self.layouts = [layout for layout in names if all((layout, query) in asked for query in shares)]
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

    def each_alike(self, layout, measure="seconds"):
        """The geometric mean of all queries on a layout in each round: a query that takes twice as long counts no more."""
        each = [self.of(layout, query, measure) for query in self.shares]
        return [geometric_mean(values) for values in zip(*each)]


def add(results, shares, seed):
    """Makes the figures and plots of the results."""
    series, layouts = common(results, shares, seed)
    best = _against(results, series, layouts, seed)
    results.tables = layout_tables.tables(results, shares, layouts, [STOCK, best])
    results.notes += [
        "Seconds are of a query on an open table; 'open' is what opening it costs. planSeconds last until the first task.",
    ]


def common(results, shares, seed):
    """Makes the figures and plots that comparisons of layouts share; returns the queries and the layouts."""
    series = Series(results.runs, shares)
    layouts, groups = in_order(results, series)
    # those of fewer rounds name other layouts, when another of Iceberg's was the best
    results.figures = {}
    _costs(results, series, layouts)
    _opening(results, series, layouts, seed)
    _single(results, series, groups, seed)
    _storage(results)
    results.plots = list(_plots(series, layouts))
    results.notes = [f"Ratios are of MPSR to the other, less than 1 is faster. Tested by: {TEST}."]
    return series, layouts


def in_order(results, series):
    """All layouts, those that were filled first; and MPSR's groups."""
    order = [run["layout"] for run in results.find(kind="load") if run["layout"] in series.layouts]
    groups = sorted(name for name in series.layouts if name.startswith(GROUP))
    through = [name for name in series.layouts if name == THROUGH_ICEBERG]
    return [*[name for name in order if name != OURS], *groups, *through, OURS], groups


def _costs(results, series, layouts):
    """Figures of the queries and the mix, of filling the layouts and of opening them."""
    for layout in layouts:
        for measure, (unit, _) in MEASURES.items():
            for query in series.shares:
                results.median(f"{query}.{measure}.{layout}", series.of(layout, query, measure), unit)
            results.median(f"mix.{measure}.{layout}", series.mix(layout, measure), unit)
    for run in results.find(kind="load"):
        for kind, costs in (("load", run), ("rewriting", run.get("rewriting", {}))):
            for cost, (unit, _) in COSTS.items():
                if cost in costs:
                    results.figure(f"{kind}.{cost}.{run['layout']}", costs[cost], unit)
    for layout in dict.fromkeys(run["layout"] for run in results.find(kind="open")):
        opened = [run["seconds"] for run in results.find(kind="open", layout=layout)]
        results.median(f"open.seconds.{layout}", opened, "s")


def _opening(results, series, layouts, seed):
    """Figures of the mix for someone who opens the table for each query; each round opens all tables."""
    opened = {(run["layout"], run["round"]): run["seconds"] for run in results.find(kind="open")}
    if any((layout, number) not in opened for layout in layouts for number in series.rounds):
        return
    whole = {
        layout: [mix + opened[layout, number] for mix, number in zip(series.mix(layout), series.rounds)] for layout in layouts
    }
    for layout in layouts:
        results.median(f"mix.{OPENING}.{layout}", whole[layout], "s")
        if layout != OURS:
            ratio(results, f"{OURS}.with-opening.vs.{layout}", compare(whole[OURS], whole[layout], seed))


def at_most(value, most, interval=None):
    """A goal, and whether the value meets it; where its interval, [low, high], lies on both sides that may be chance."""
    open_yet = ", may be chance" if interval and interval[0] <= most < interval[1] else ""
    return f"≤ {most:g}: {'met' if value <= most else 'missed'}{open_yet}"


def ratio(results, name, found, goal=None):
    """A figure of a comparison; the goal is the most that it may be."""
    goals = {"goal": at_most(found.ratio, goal, [found.low, found.high])} if goal else {}
    results.figure(name, found.ratio, "ratio", **found.as_json(), **goals)


def _against(results, series, layouts, seed):
    """MPSR against each other layout, in the mix and by query; returns the best of Iceberg's."""
    best = min((name for name in layouts if name in ICEBERG), key=lambda layout: median(series.mix(layout)))
    for layout in layouts:
        if layout != OURS:
            found = compare(series.mix(OURS), series.mix(layout), seed)
            ratio(results, f"mpsr.vs.{layout}", found, GOALS.get(f"mpsr.vs.{layout}"))
            alike = compare(series.each_alike(OURS), series.each_alike(layout), seed)
            ratio(results, f"mpsr.each-alike.vs.{layout}", alike)
    ratio(results, "mpsr.vs.iceberg", compare(series.mix(OURS), series.mix(best), seed), GOALS["mpsr.vs.iceberg"])
    results.figures["mpsr.vs.iceberg"]["layout"] = best
    for other in (STOCK, best):
        _each(results, series, OURS, other, seed, GOALS)
    if THROUGH_ICEBERG in layouts:
        through = series.mix(THROUGH_ICEBERG)
        ratio(results, "catalog.vs.mpsr", compare(through, series.mix(OURS), seed))
        ratio(results, "catalog.vs.iceberg", compare(through, series.mix(best), seed), CATALOG_GOALS["catalog.vs.iceberg"])
        _each(results, series, THROUGH_ICEBERG, OURS, seed, CATALOG_GOALS)
    return best


def _each(results, series, layout, other, seed, goals):
    """One layout against another by query, and which query is the worst."""
    worst = None
    for query in series.shares:
        found = compare(series.of(layout, query), series.of(other, query), seed)
        ratio(results, f"{layout}.{query}.vs.{other}", found)
        worst = max(worst or (found.ratio, query, found), (found.ratio, query, found), key=lambda each: each[0])
    name = f"{layout}.worst.vs.{other}"
    ratio(results, name, worst[2], goals.get(name))
    results.figures[name]["query"] = worst[1]


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
            "unit": MEASURES[measure][0],
            "log": True,
            "categories": [*queries, "mix"],
            "series": lines,
        }
