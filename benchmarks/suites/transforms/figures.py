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
"""What the runs of 'transforms' say: values that are not there or too far off, ratios to plain pages, bytes of levels, tables and a plot."""

from math import log10

from benchmarks.suites.transforms import whole
from mpsr_launcher.tables import aligned

OURS, PLAIN = "mpsr", "plain"
GOALS = {"bytes": 0.85, "cpu": 1.15}
"""What the wind farm's values may take of what plain pages of the same codec take."""
SZ3_GOAL = 1.5
"""How many bytes a lossy group may take of what SZ3 takes; not of a smooth simulation, which SZ3 predicts."""
READ_GOALS = {("lorenz96", "planes:16,16,32", "all"): 1.6, ("lorenz96", "planes:16,16,32", "1"): 0.9, ("lorenz96", "approximate", "1"): 0.6}
"""The CPU time of reading, to that of plain pages, by values, transform, and columns that are read."""
WITH_GOALS = (("lhb", "signal"), ("lhb", "time"), ("lhb", "month"))


def problems(runs):
    """Values that were read otherwise than they were written."""
    places = {(run["data"], run["order"], run["form"]): None for run in runs if run["kind"] == "values" and not run["exact"]}
    wrong = [f"{data} by {order}, {form}: a value is not as it was written" for data, order, form in places]
    far = {(run["data"], run["transform"], run["columns"]): run for run in runs if run["kind"] == "level" and run["greatest"] > run["error"]}
    wrong += [
        f"{data}, {transform}, {columns} columns: an error of {run['greatest']}, above {run['error']}"
        for (data, transform, columns), run in far.items()
    ]
    return wrong + whole.problems(runs)


def add(results):
    """Makes the figures and the table. Other work on the machine makes runs slower, never faster: the fastest one counts."""
    results.figures.clear()
    head = ["values", "order", "bits, plain", "bits", "bytes to plain", "ns of CPU, plain", "ns of CPU", "CPU to plain"]
    rows = [head]
    for data, order in dict.fromkeys((run["data"], run["order"]) for run in results.find(kind="values")):
        found = {form: _least(results.find(data=data, order=order, form=form)) for form in (PLAIN, OURS)}
        bits, ns = ([found[form][place] for form in (PLAIN, OURS)] for place in (0, 1))
        ratios = {"bytes": bits[1] / bits[0], "cpu": ns[1] / ns[0]}
        for name, value in ratios.items():
            goal = GOALS[name]
            met = {"goal": f"≤ {goal}: {'met' if value <= goal else 'missed'}"} if (data, order) in WITH_GOALS else {}
            results.figure(f"{name}.{data}.{order}", value, "ratio", **met)
        numbers = [f"{bits[0]:.1f}", f"{bits[1]:.1f}", f"{ratios['bytes']:.2f}", f"{ns[0]:.0f}", f"{ns[1]:.0f}", f"{ratios['cpu']:.2f}"]
        rows.append([data, order, *numbers])
    results.tables = [{"title": "Bits and nanoseconds per value", "rows": rows}]
    _add_levels(results)
    _add_reads(results)
    _add_sz3(results)
    _add_choices(results)
    whole.add_copies(results)
    whole.add_encodings(results)
    results.notes = [
        "Plain pages are written by Parquet's own writer, with the same codec and bounds. CPU time is that of the thread that writes.",
    ]
    if not results.find(kind="sz3"):
        results.notes.append("SZ3 was not measured: the package pysz is not there.")


def _add_levels(results):
    """The bytes of transforms and of their levels, in the order by signal, and a plot of errors against them."""
    head = ["values", "transform", "bits", "bytes to plain", "CPU to plain", "columns read", "greatest error", "bits read", "to plain", "ns to join"]
    rows, lines = [head], {}
    levels = results.find(kind="level")
    for data, transform in dict.fromkeys((run["data"], run["transform"]) for run in levels):
        plain, plain_ns = _least(results.find(data=data, order="signal", form=PLAIN))
        bits, ns = _least(results.find(data=data, order="signal", form=transform))
        name = transform.split(":")[0] if transform.startswith("approximate") else transform
        whole = [data, transform, f"{bits:.1f}", f"{bits / plain:.2f}", f"{ns / plain_ns:.2f}"]
        results.figure(f"cpu.{data}.{transform}", ns / plain_ns, "ratio")
        found = results.find(kind="level", data=data, transform=transform)
        for counted, error in dict.fromkeys((run["counted"], run["error"]) for run in found):
            runs = [run for run in found if (run["counted"], run["error"]) == (counted, error)]
            read, joined = _least(runs)
            text = "none" if counted == "exact" else f"{error:.2g}{' of the value' if counted == 'relative' else ''}"
            rows.append([*whole, str(runs[0]["columns"]), text, f"{read:.1f}", f"{read / plain:.2f}", f"{joined:.1f}"])
            whole = [""] * len(whole)
            results.figure(f"level.{data}.{transform}.{text.split()[0]}", read / plain, "ratio")
            if counted == "relative":
                lines.setdefault(f"{data}, {name}", []).append((read, -log10(error)))
    results.tables.append({"title": "Transforms and what is read of them, by signal", "rows": rows})
    results.plots = [
        {
            "name": "levels",
            "title": "Digits that a level of planes gives, against the bits of a value that are read",
            "unit": "decimal digits",
            "xUnit": "bits",
            "series": [
                {"name": name, "x": [0.0, *(x for x, _ in points)], "values": [0.0, *(y for _, y in points)]}
                for name, points in lines.items()
                if name.endswith("16,8,8,32")
            ],
        }
    ]
    if not levels:
        results.tables.pop()
        results.plots = []


def _add_reads(results):
    """The CPU time of reading, in the order by signal."""
    rows = [["values", "form", "columns read", "greatest error", "ns, plain", "ns", "CPU to plain"]]
    runs = results.find(kind="values", order="signal")
    for data, form in dict.fromkeys((run["data"], run["form"]) for run in runs if "readNs" in run):
        plain = _read(results.find(data=data, order="signal", form=PLAIN))
        ways = [("all", "none", _read(results.find(data=data, order="signal", form=form)))]
        levels = [run for run in results.find(kind="level", data=data, transform=form) if run.get("readNs", 0) > 0]
        for columns, error in dict.fromkeys((run["columns"], run["error"]) for run in levels if run["counted"] != "exact"):
            ways.append((str(columns), f"{error:.2g}", _read([run for run in levels if (run["columns"], run["error"]) == (columns, error)])))
        for columns, error, ns in ways if form != PLAIN and not form.startswith("lossy") else []:
            rows.append([data, form, columns, error, f"{plain:.1f}", f"{ns:.1f}", f"{ns / plain:.2f}"])
            name = "approximate" if form.startswith("approximate") else form
            goal = READ_GOALS.get((data, name, columns))
            met = {"goal": f"≤ {goal}: {'met' if ns / plain <= goal else 'missed'}"} if goal else {}
            results.figure(f"read.{data}.{form}.{columns}", ns / plain, "ratio", **met)
    if len(rows) > 1:
        results.tables.append({"title": "CPU time of reading, by signal", "rows": rows})


def _read(runs):
    """Nanoseconds per value."""
    return min(run["readNs"] for run in runs) / runs[0]["values"]


def lossy_errors(runs):
    """The data sets and the errors with which they were rounded to multiples."""
    levels = [run for run in runs if run["kind"] == "level" and run["transform"].startswith("lossy:abs=")]
    return list(dict.fromkeys((run["data"], run["error"]) for run in levels))


def _add_sz3(results):
    """The bytes of rounded values against those of SZ3, which predicts values from their neighbours."""
    rows = [["values", "greatest error", "bits, SZ3", "bits, lossy", "to SZ3", "bits, packed", "to SZ3"]]
    for run in results.find(kind="sz3"):
        theirs = run["bytes"] * 8 / run["values"]
        row = [run["data"], f"{run['error']:.2g}", f"{theirs:.2f}"]
        for packed in (False, True):
            levels = results.find(kind="level", data=run["data"], error=run["error"])
            ours = next(_least([x])[0] for x in levels if x["transform"].startswith("lossy:") and x["transform"].endswith(",packed") == packed)
            name = "packed" if packed else "lossy"
            goal = {"goal": f"≤ {SZ3_GOAL}: {'met' if ours / theirs <= SZ3_GOAL else 'missed'}"} if packed and run["data"] != "lorenz96" else {}
            results.figure(f"sz3.{run['data']}.{run['error']:.2g}.{name}", ours / theirs, "ratio", **goal)
            row += [f"{ours:.2f}", f"{ours / theirs:.2f}"]
        rows.append(row)
    if len(rows) > 1:
        results.tables.append({"title": "Rounded values and SZ3, pages of 20,000, by signal", "rows": rows})


def _add_choices(results):
    """How far the codec auto is from the best one, at each rate of the network."""
    runs = results.find(kind="codec")
    if not runs:
        return
    rows = [["values", "MB/s", "best", "chosen at the end", "latency to the best", "zstd:3 to the best", "changes", "sampling"]]
    for run in runs:
        ratios = [f"{run['steady']:.2f}", f"{run['standard']:.2f}", str(run["changes"]), f"{run['sampling']:.3f}"]
        rows.append([run["data"], f"{run['mbPerSecond']:.0f}", run["best"], run["chosen"], *ratios])
    results.tables.append({"title": "The codec auto, in the second half of its passes", "rows": rows})
    steady = [run["steady"] for run in runs]
    for name, value, unit, met, goal in (
        ("codec.near", sum(ratio <= 1.1 for ratio in steady), "cases", lambda found: found >= 18, "≥ 18 of 21"),
        ("codec.mean", sum(steady) / len(steady), "ratio", lambda found: found <= 1.05, "≤ 1.05"),
        ("codec.sampling", max(run["sampling"] for run in runs), "ratio", lambda found: found <= 0.03, "≤ 0.03"),
    ):
        results.figure(name, value, unit, goal=f"{goal}: {'met' if met(value) else 'missed'}")


def _least(runs):
    """Bits and nanoseconds per value."""
    return runs[0]["bytes"] * 8 / runs[0]["values"], min(run["cpuNs"] for run in runs) / runs[0]["values"]


def text(results):
    """The table as lines of text."""
    return "\n\n".join(f"{table['title']}\n{aligned(table['rows'])}" for table in results.tables)
