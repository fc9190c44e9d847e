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
"""What the runs of the suite 'queries' say."""

from mpsr_launcher import report
from mpsr_launcher.bench.peers_figures import OURS, STOCK, Series, common, in_order, problems, ratio, said
from mpsr_launcher.bench.statistics import compare

__all__ = ["add", "problems", "table"]
MEASURES = {"seconds": "s", "tasks": "tasks", "files": "files", "bytes": "B"}


def add(results, shares, seed):
    """Makes the figures and plots of the results."""
    series, layouts = common(results, shares, seed)
    for query in shares:
        for layout in layouts:
            for measure, unit in MEASURES.items():
                results.median(f"{query}.{measure}.{layout}", series.of(layout, query, measure), unit)
        ratio(results, f"{OURS}.{query}.vs.{STOCK}", compare(series.of(OURS, query), series.of(STOCK, query), seed))
    ratio(results, f"{OURS}.vs.{STOCK}", compare(series.mix(OURS), series.mix(STOCK), seed))
    results.notes += ["Each query counts alike in the mix. A single group is MPSR with spark.mpsr.group set to it."]


def table(results, shares):
    """The queries as lines of text, one table for each measure."""
    series = Series(results.runs, shares)
    layouts, _ = in_order(results, series)
    found = []
    for measure in MEASURES:
        rows = [(measure, *layouts, *([f"mpsr/{STOCK}", "mpsr/best group", "group"] if measure == "seconds" else []))]
        for query in shares:
            cells = [_number(results.figures[f"{query}.{measure}.{layout}"]) for layout in layouts]
            best = results.figures[f"{OURS}.{query}.vs.best-group"]
            more = [said(results.figures[f"{OURS}.{query}.vs.{STOCK}"]), said(best), best["layout"]]
            rows.append((query, *cells, *(more if measure == "seconds" else [])))
        found.append(report.aligned(rows))
    return "\n\n".join(found)


def _number(figure):
    value = figure["value"]
    return f"{value:.2f}" if figure["unit"] == "s" else f"{value:,.0f}"
