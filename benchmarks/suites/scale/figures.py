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
"""What the runs of the suite 'scale' say."""

from statistics import median

from benchmarks.harness.data_layouts import OURS, PEER, STOCK
from benchmarks.harness.statistics import LEVEL, TEST, compare, wilcoxon
from benchmarks.suites.peers import figures as peers_figures
from benchmarks.suites.scale.planning import DAYS, GROUPS, THROUGH_CATALOG, commits
from mpsr_launcher.tables import aligned

SYSTEMS = (STOCK, PEER, OURS, THROUGH_CATALOG)
COMPARED = ("trivial", "rows", "signals")
SERVER_MS, GATEWAY_MORE_MS, DRIVER_MS, TRIVIAL_MS = 100, 100, 300, 50
SERVER = (*GROUPS, "all", "stock")


def problems(results):
    """Plans that are not what they must be, and answers that differ from stock's."""
    found = []
    for run in results.find(part="planning", kind="plan"):
        wrong = _wrong_plan(run)
        if wrong:
            found.append(f"planning {run['query']} by {run['system']}, {run['size']:,} files, round {run['round']}: {wrong}")
    for run in results.find(part="planning", kind="gateway"):
        if run["files"] != commits(run["size"]):
            found.append(f"a plan of the gateway, {run['size']:,} files, round {run['round']}: {run['files']} files instead of {commits(run['size'])}")
    for part in COMPARED:
        for size in _sizes(results, part):
            runs = results.find(part=part, size=size)
            found += [f"{part} {size}: {problem}" for problem in peers_figures.problems(runs)]
    return found


def _wrong_plan(run):
    each, planned = commits(run["size"]), run["files"]
    system, query = run["system"], run["query"]
    group = f"parquet[mpsr {GROUPS[query]}"
    if (system == OURS) != any("parquet[mpsr " in scan for scan in run["scans"]):
        return f"EXPLAIN shows {run['scans']}"
    if system == OURS and not any(group in scan for scan in run["scans"]):
        return f"another group than {GROUPS[query]}: {run['scans']}"
    if system in (OURS, THROUGH_CATALOG) or query == "day":
        return "" if planned == each else f"{planned} files instead of {each}"
    if query == "device":
        return "" if planned == each * DAYS else f"{planned} files instead of {each * DAYS}"
    return "" if planned >= 1 else "no file"


def _sizes(results, part):
    return sorted({run["size"] for run in results.find(part=part, kind="done")})


def add(results, seed):
    """Makes the figures and plots of what is finished; ``seed`` is of the intervals."""
    results.figures, results.plots = {}, []
    for files in _sizes(results, "planning"):
        _planning(results, files)
    for part in COMPARED:
        for size in _sizes(results, part):
            _compared(results, part, size, seed)
    results.plots = [_plot(results, part) for part in ("planning", "rows", "signals") if _sizes(results, part)]
    results.notes = [
        "planning: the files exist in the NameNode's memory only, and queries are planned and not run. Stock and MPSR read"
        " the same directory; Iceberg's table has as many files as that directory, a third of all, partitioned by day and"
        " sorted by signal. server: what a client of the NameNode waits for the plan; gateway: what a client of Iceberg's protocol"
        " waits for one of a signal, and how much more that is; driver: Spark's planning of a query on"
        " an open table, from the query to its tasks; open: opening it, which for stock and MPSR is Spark's listing.",
        "trivial: milliseconds of opening and querying, MPSR less stock on the same directory, pairs of each round.",
        f"vs.{peers_figures.STOCK}: seconds of MPSR / stock's, pairs of each round. Tested by: {TEST}; what may be chance is"
        " marked (?).",
    ]


def _planning(results, files):
    prefix = f"planning.{files}"
    (server,) = results.find(part="planning", size=files, kind="server")
    for name in SERVER:
        told = server["figures"][f"planning.{name}"]
        _figure(results, f"{prefix}.server.{name}", told["value"], "ms", told["spread"], told["count"], name in GROUPS and SERVER_MS)
    asked = [run["seconds"] * 1000 for run in _measured(results, files, "gateway")]
    _spread(results, f"{prefix}.gateway.signal", asked)
    more = median(asked) - server["figures"]["planning.signal"]["value"]
    _figure(results, f"{prefix}.gateway.more", more, "ms", [more, more], len(asked), GATEWAY_MORE_MS)
    for name in ("stock", "published", "more"):
        told = server["figures"].get(f"heap.{name}")
        if told:
            results.figure(f"{prefix}.heap.{name}", told["value"], told["unit"])
    for system in SYSTEMS:
        opened = [run["seconds"] * 1000 for run in _measured(results, files, "open", system=system)]
        _spread(results, f"{prefix}.open.{system}", opened)
        for query in GROUPS:
            values = [run["seconds"] * 1000 for run in _measured(results, files, "plan", system=system, query=query)]
            _spread(results, f"{prefix}.driver.{query}.{system}", values, DRIVER_MS if system == OURS else None)


def _measured(results, files, kind, **wanted):
    found = results.find(part="planning", size=files, kind=kind, **wanted)
    return [run for run in found if run["round"] >= 0]


def _compared(results, part, size, seed):
    runs = results.find(part=part, size=size, kind="query")
    opened = {(run["layout"], run["round"]): run["seconds"] for run in results.find(part=part, size=size, kind="open")}
    for query in sorted({run["query"] for run in runs}):
        by = {(run["layout"], run["round"]): run["seconds"] for run in runs if run["query"] == query}
        rounds = sorted({number for _, number in by})
        if part == "trivial":
            whole = {key: 1000 * (by[key] + opened[key]) for key in by}
            more = [whole[OURS, number] - whole[peers_figures.STOCK, number] for number in rounds]
            name, probability = f"trivial.{size}.{query}.more", wilcoxon(more)
            _spread(results, name, more, TRIVIAL_MS)
            results.figures[name] |= {"probability": probability, "significant": probability < LEVEL}
        stock, ours = ([by[layout, number] for number in rounds] for layout in (peers_figures.STOCK, OURS))
        for layout, values in ((peers_figures.STOCK, stock), (OURS, ours)):
            results.median(f"{part}.{size}.{query}.{layout}", values, "s")
        found = compare(ours, stock, seed)
        peers_figures.ratio(results, f"{part}.{size}.{query}.vs.{peers_figures.STOCK}", found)
    for layout in (peers_figures.STOCK, OURS):
        _spread(results, f"{part}.{size}.open.{layout}", [1000 * value for (name, _), value in opened.items() if name == layout])
    for load in results.find(part=part, size=size, kind="load"):
        for measure, unit in (("seconds", "s"), ("bytes", "B"), ("files", "files")):
            results.figure(f"{part}.{size}.load.{measure}.{load['layout']}", load[measure], unit)


def _spread(results, name, values, most=None):
    _figure(results, name, median(values), "ms", [min(values), max(values)], len(values), most)


def _figure(results, name, value, unit, spread, count, most=None):
    goal = {"goal": peers_figures.at_most(value, most)} if most else {}
    results.figure(name, value, unit, spread, count=count, **goal)


def _plot(results, part):
    sizes = _sizes(results, part)
    if part == "planning":
        names = ["server.signal", *[f"driver.signal.{system}" for system in SYSTEMS]]
        title, unit = "Planning a query of one signal, by files in three groups", "ms"
    else:
        queries = sorted({run["query"] for run in results.find(part=part, kind="query")})
        names = [f"{query}.{OURS}" for query in queries]
        title, unit = f"Time of each query with MPSR, by {part}", "s"
    series = []
    for name in names:
        found = [results.figures[f"{part}.{size}.{name}"] for size in sizes]
        low, high = ([each["spread"][end] or None for each in found] for end in (0, 1))
        series.append({"name": name, "values": [each["value"] or None for each in found], "low": low, "high": high})
    return {"name": part, "title": title, "unit": unit, "log": True, "categories": [f"{s:,}" for s in sizes], "series": series}


def _said(figure):
    return f"{figure['value']:,.4g}" + ("" if figure.get("significant", True) else " (?)")


def table(results):
    """What grows, as lines of text: a table for each part."""
    found = []
    for part in ("planning", *COMPARED):
        sizes = _sizes(results, part)
        if sizes:
            rows = [(part, *[f"{size:,}" for size in sizes], "unit", "goal")]
            names = [name for name in results.figures if name.startswith(f"{part}.{sizes[0]}.")]
            for name in names:
                _, _, rest = name.split(".", 2)
                figures = [results.figures.get(f"{part}.{size}.{rest}") for size in sizes]
                values = [_said(figure) if figure else "" for figure in figures]
                rows.append((rest, *values, figures[-1]["unit"], figures[-1].get("goal", "")))
            found.append(aligned(rows))
    return "\n\n".join(found)
