# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
"""What the runs of 'visualization' say: wrong pictures, figures, a table."""

from statistics import median

from mpsr_launcher.tables import aligned

ROWS, STATIC, DYNAMIC = "rows", "static", "dynamic"
ASSIGNMENTS = [ROWS, STATIC, DYNAMIC]
"""Equally many blocks in a row for each rank, as VTK's own readers have it; by place, before anybody reads; by place, on demand."""
FASTER = 10
MOST_LEVELS, MOST_POINTS = 16, 0.001
"""Two blocks that meet have the same points there, and the normals of one of them decide how light a point is, of 255 levels. A block that
is missing differs by more, in more points."""
LEAST_DRAWN = 0.05


def problems(runs):
    """Pictures that differ from the one that was drawn without HDFS, or are empty."""
    return [
        f"{run['assignment']}, round {run['round']}: {run['differ']:.2%} of the points differ, by up to {run['most']}; {run['drawn']:.0%} are drawn"
        for run in runs
        if run["most"] > MOST_LEVELS or run["differ"] > MOST_POINTS or run["drawn"] < LEAST_DRAWN
    ]


def local_share(run):
    """The share of the bytes that ranks read on their own machine."""
    return sum(rank["localBytes"] for rank in run["ranks"]) / sum(rank["bytes"] for rank in run["ranks"])


def read_seconds(run):
    """The time of the rank that reads longest."""
    return max(rank["readSeconds"] for rank in run["ranks"])


def line(run):
    """One line about a run."""
    return f"{run['assignment']}: {local_share(run):.0%} local, {read_seconds(run):.2f} s to read, {run['seconds']:.2f} s until the picture"


def add(results, limits, nodes, blocks):
    """Makes the figures and the table."""
    results.figures.clear()
    rows = [["assignment", "bytes local", "MiB over the network", "read step (s)", "until the picture (s)"]]
    for assignment in ASSIGNMENTS:
        runs = results.find(kind="picture", assignment=assignment)
        if not runs:
            continue
        results.median(f"local.{assignment}", [local_share(run) for run in runs], "share")
        results.median(f"read.{assignment}", [read_seconds(run) for run in runs], "s")
        results.median(f"picture.{assignment}", [run["seconds"] for run in runs], "s")
        crossed = [run["crossedBytes"] for run in runs if run["crossedBytes"] is not None]
        if crossed:
            results.median(f"crossed.{assignment}", crossed, "bytes")
        cells = [results.figures[f"{name}.{assignment}"]["value"] for name in ("local", "read", "picture")]
        rows.append([assignment, f"{cells[0]:.0%}", f"{median(crossed) / (1 << 20):,.1f}" if crossed else "", f"{cells[1]:.2f}", f"{cells[2]:.2f}"])
    for assignment in (STATIC, DYNAMIC):
        if {f"read.{ROWS}", f"read.{assignment}"} <= results.figures.keys():
            ratio = results.figures[f"read.{ROWS}"]["value"] / results.figures[f"read.{assignment}"]["value"]
            goals = {"goal": f"≥ {FASTER}: {'met' if ratio >= FASTER else 'missed'}"} if assignment == STATIC else {}
            results.figure(f"faster.{assignment}", ratio, "ratio", **goals)
    if f"local.{STATIC}" in results.figures:
        share = results.figures[f"local.{STATIC}"]["value"]
        results.figures[f"local.{STATIC}"]["goal"] = f"100 %: {'met' if share == 1 else 'missed'}"
    results.tables = [{"title": f"{blocks} blocks with one copy each, {nodes} ranks (medians)", "rows": rows}]
    results.notes = [f"Limits of each node: {limits}. The read step is that of the rank that reads longest."]


def text(results):
    """The table as lines of text."""
    return "\n\n".join(f"{table['title']}\n{aligned(table['rows'])}" for table in results.tables)
