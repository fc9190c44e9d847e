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
"""What the runs of 'compaction' say: lost records, figures, a table."""

from mpsr_launcher.tables import aligned

OURS, PEER = "mpsr", "iceberg"
COPIES = 3
"""The copies that a merge writes of each record: MPSR's in its three groups, Iceberg's as HDFS replicates its files."""
GOAL = 3
COLUMNS = {
    "seconds": ("seconds", 1, ",.1f"),
    "cpuSeconds": ("CPU s", 1, ",.1f"),
    "hdfsCpuSeconds": ("CPU s of HDFS", 1, ",.1f"),
    "perCpuSecond": ("records / CPU s", 1, ",.0f"),
    "copiesPerCpuSecond": ("merged copies of records / CPU s", 1, ",.0f"),
    "readPerSecond": ("MB/s read", 1e6, ",.1f"),
    "writtenBytes": ("MB written, all copies", 1e6, ",.1f"),
    "filesBefore": ("files before", 1, ",.0f"),
    "filesAfter": ("files after", 1, ",.0f"),
}


def problems(runs):
    """Records that a merge has lost, doubled or changed, and merges that left as many files."""
    found = []
    for run in (run for run in runs if run["kind"] == "merge"):
        where = f"{run['system']}, round {run['round']}"
        if run["before"] != run["after"]:
            found.append(f"{where}: the records were {run['before']} and are {run['after']}")
        if run["filesAfter"] >= run["filesBefore"]:
            found.append(f"{where}: {run['filesBefore']} files became {run['filesAfter']}")
    return found


def measures(run):
    """What follows from a run. Iceberg merges each record once, MPSR in each of its groups: each by itself, sorted its way."""
    records = run["before"]["records"]
    merged = COPIES if run["system"] == OURS else 1
    return {
        **run,
        "perCpuSecond": records / run["cpuSeconds"],
        "copiesPerCpuSecond": records * merged / run["cpuSeconds"],
        "readPerSecond": run["bytesBefore"] / run["seconds"],
    }


def add(results):
    """Makes the figures and the table."""
    results.figures.clear()
    runs = [measures(run) for run in results.find(kind="merge")]
    rows = [["merging", *(name for name, _, _ in COLUMNS.values())]]
    for system in dict.fromkeys(run["system"] for run in runs):
        mine = [run for run in runs if run["system"] == system]
        for measure in COLUMNS:
            results.median(f"{measure}.{system}", [run[measure] for run in mine], "")
        cells = [format(results.figures[f"{name}.{system}"]["value"] / unit, form) for name, (_, unit, form) in COLUMNS.items()]
        rows.append([system, *cells])
    if all(f"copiesPerCpuSecond.{system}" in results.figures for system in (OURS, PEER)):
        ours, peer = (results.figures[f"copiesPerCpuSecond.{system}"]["value"] for system in (OURS, PEER))
        results.figure("copies.vs.iceberg", ours / peer, "ratio", goal=f"≥ {GOAL}: {'met' if ours / peer >= GOAL else 'missed'}")
    results.tables = [{"title": "Merging (medians)", "rows": rows}]
    results.notes = [
        "A merged copy of a record is one that is read, sorted and written with statistics: MPSR merges three, each partitioned"
        " and sorted differently, Iceberg one, of which HDFS then keeps three copies. CPU seconds are of the Spark process.",
    ]


def text(results):
    """The table as lines of text."""
    return "\n\n".join(f"{table['title']}\n{aligned(table['rows'])}" for table in results.tables)
