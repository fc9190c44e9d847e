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
"""What comparisons of layouts say, as tables for people: on the page, and as lines of text."""

from mpsr_launcher.tables import aligned

MEASURES = {
    "seconds": ("s", "Seconds on the clock"),
    "cpuSeconds": ("s", "CPU seconds of the tasks"),
    "planSeconds": ("s", "Seconds until the first task"),
    "bytes": ("B", "Megabytes read"),
    "tasks": ("tasks", "Tasks"),
    "files": ("files", "Files read"),
}
"""What is measured of each query: its unit, and what it is called."""

COSTS = {
    "seconds": ("s", "seconds"),
    "cpuSeconds": ("s", "CPU seconds of the writer"),
    "hdfsCpuSeconds": ("s", "CPU seconds of HDFS"),
    "writtenBytes": ("B", "megabytes written, all copies"),
    "bytes": ("B", "megabytes stored, all copies"),
    "files": ("files", "files"),
}
"""What filling a layout costs; the same of rewriting it, where that is told by itself."""

OPENING = "secondsWithOpening"
MPSR = "mpsr"


def tables(results, shares, layouts, others):
    """The queries and the mix on all layouts, a table for each measure, as {"title", "rows"} with the head as first row;
    for the time also MPSR's share of what others take. Then what filling costs. All of the results' figures."""
    found = [_queries(results, shares, layouts, measure, others) for measure in MEASURES]
    return [*found, _filling(results)]


def text(results):
    """The tables as lines of text."""
    return "\n\n".join(f"{table['title']}\n{aligned(table['rows'])}" for table in results.tables)


def said(figure):
    """A ratio, marked where it may be chance."""
    return f"{figure['value']:.2f}" + ("" if figure["significant"] else " (?)")


def _queries(results, shares, layouts, measure, others):
    figures = results.figures
    others = others if measure == "seconds" else []
    rows = [["query", "share", *layouts, *(f"{MPSR}/{other}" for other in others), *(["group"] if others else [])]]
    whole = sum(shares.values())
    for query, share in {**shares, "mix": whole}.items():
        cells = [_number(figures[f"{query}.{measure}.{layout}"]) for layout in layouts]
        ratios = _ratios(figures, f"{MPSR}.{query}.vs.".replace(".mix.", "."), others)
        best = figures.get(f"{MPSR}.{query}.vs.best-group", {}).get("layout", "")
        rows.append([query, f"{share / whole:.0%}", *cells, *ratios, *([best] if others else [])])
    if measure == "seconds" and f"mix.{OPENING}.{MPSR}" in figures:
        cells = [_number(figures[f"mix.{OPENING}.{layout}"]) for layout in layouts]
        rows.append(["mix with opening the table", "", *cells, *_ratios(figures, f"{MPSR}.with-opening.vs.", others), ""])
    alike = _ratios(figures, f"{MPSR}.each-alike.vs.", others)
    if any(alike):
        rows.append(["geometric mean of the queries", "", *("" for _ in layouts), *alike, ""])
    return {"title": f"{MEASURES[measure][1]} (medians)", "rows": rows}


def _ratios(figures, name, others):
    found = [figures.get(name + other) for other in others]
    return [said(ratio) if ratio else "" for ratio in found]


def _filling(results):
    loads = results.find(kind="load")
    rows = [["filling", *(load["layout"] for load in loads)]]
    for kind, of in (("load", ""), ("rewriting", ", of which rewriting")):
        for cost, (_, name) in COSTS.items():
            cells = [results.figures.get(f"{kind}.{cost}.{load['layout']}") for load in loads]
            if any(cells):
                rows.append([name + of, *(_number(cell) if cell else "" for cell in cells)])
    return {"title": "Filling the layouts", "rows": rows}


def _number(figure):
    value = figure["value"]
    return {"s": f"{value:,.2f}", "B": f"{value / 1e6:,.2f}"}.get(figure["unit"], f"{value:,.0f}")
