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
"""What the runs of 'recovery' say: lost records, figures, a table."""

from mpsr_launcher.tables import aligned

STOCK = "stock"
GOAL = 1.2
COLUMNS = {
    "lostBytes": ("MB lost", 1e6, ",.1f"),
    "seconds": ("seconds", 1, ",.1f"),
    "secondsPerLost": ("seconds per 100 MB lost", 1, ",.1f"),
    "readPerLost": ("bytes read / lost", 1, ",.2f"),
    "writtenPerLost": ("bytes written / lost", 1, ",.2f"),
    "cpuPerLost": ("CPU s per 100 MB lost", 1, ",.1f"),
}


def problems(runs):
    """Records that a recovery has lost, doubled or changed, and those that still lack a copy."""
    found = []
    for run in runs:
        where = f"{run['system']}, round {run['round']}"
        if run["before"] != run["after"]:
            found.append(f"{where}: the records were {run['before']} and are {run['after']}")
        if run["lacking"]:
            found.append(f"{where}: {run['lacking']} records lack a copy")
    return found


def measures(run):
    """What follows from a run. A node has not as many bytes of one system as of the other: costs are for each byte that is lost."""
    lost = run["lostBytes"]
    return {
        **run,
        "secondsPerLost": run["seconds"] / lost * 1e8,
        "readPerLost": run["readBytes"] / lost,
        "writtenPerLost": run["writtenBytes"] / lost,
        "cpuPerLost": run["cpuSeconds"] / lost * 1e8,
    }


def add(results, limits):
    """Makes the figures and the table."""
    results.figures.clear()
    runs = [measures(run) for run in results.find(kind="recovery")]
    rows = [["recovering", *(name for name, _, _ in COLUMNS.values())]]
    for system in sorted({run["system"] for run in runs}, key=lambda system: (system != STOCK, system)):
        mine = [run for run in runs if run["system"] == system]
        for measure in COLUMNS:
            results.median(f"{measure}.{system}", [run[measure] for run in mine], "")
        cells = [format(results.figures[f"{name}.{system}"]["value"] / unit, form) for name, (_, unit, form) in COLUMNS.items()]
        rows.append([system, *cells])
        if system != STOCK:
            read = results.figures[f"readPerLost.{system}"]["value"]
            results.figure(f"read.{system}.vs.lost", read, "ratio", goal=_goal(read))
            if f"secondsPerLost.{STOCK}" in results.figures:
                ours, stock = (results.figures[f"secondsPerLost.{each}"]["value"] for each in (system, STOCK))
                results.figure(f"seconds.{system}.vs.stock", ours / stock, "ratio", goal=_goal(ours / stock))
    results.tables = [{"title": "Recovering from the death of a DataNode (medians)", "rows": rows}]
    results.notes = [
        f"Limits of each node: {limits}. Time runs from the moment that the NameNode takes the node for dead: for stock until each block"
        " has three copies again, for MPSR until its job has ended. CPU seconds are of HDFS and of Spark."
    ]


def _goal(ratio):
    return f"≤ {GOAL}: {'met' if ratio <= GOAL else 'missed'}"


def text(results):
    """The table as lines of text."""
    return "\n\n".join(f"{table['title']}\n{aligned(table['rows'])}" for table in results.tables)
