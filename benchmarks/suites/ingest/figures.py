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
"""What the runs of 'ingest' say: wrong answers, figures, plots, a table."""

from math import sqrt
from statistics import median

from benchmarks.harness.statistics import TEST, compare
from mpsr_launcher.tables import aligned

OURS, PEER = "mpsr", "iceberg"
GOAL = 2.0
_HOUR = 3600


def problems(runs):
    """The runs in which a sink has lost, doubled or changed a record: what Spark reads must be what was generated."""
    found = []
    for run in runs:
        for name, answer in run.get("answers", {}).items():
            if answer != run["expected"]:
                where = f"{run['kind']} of {run['system']}" + (f", round {run['round'] + 1}" if "round" in run else "")
                found.append(f"{where}: {name} has {_said(answer)}; {_said(run['expected'])} were sent")
    return found


def _said(answer):
    return f"{answer['records']:,} records with the digest {answer['digest']}"


def measured(runs):
    """The throughput runs that count, by sink, in the order of the rounds that all sinks have run."""
    found = {}
    for run in runs:
        if run["kind"] == "throughput" and run["round"] >= 0:
            found.setdefault(run["system"], {})[run["round"]] = run
    rounds = sorted(set.intersection(*(set(each) for each in found.values()))) if found else []
    return {system: [found[system][number] for number in rounds] for system in sorted(found)} if rounds else {}


MEASURES = {
    "throughput": ("records/s", lambda run: run["records"] / run["seconds"]),
    "workerCpu": ("s/million", lambda run: run["cpuSeconds"]["worker"] / run["records"] * 1e6),
    "hdfsCpu": ("s/million", lambda run: run["cpuSeconds"]["hdfs"] / run["records"] * 1e6),
    "brokerCpu": ("s/million", lambda run: run["cpuSeconds"]["broker"] / run["records"] * 1e6),
    "written": ("B/record", lambda run: run["writtenBytes"] / run["records"]),
    "stored": ("B/record", lambda run: run["stored"]["bytes"] / run["records"]),
    "files": ("files", lambda run: run["stored"]["files"]),
}


def add(results, seed):
    """Makes problems, figures and plots of the results."""
    results.problems = problems(results.runs)
    results.figures, results.plots = {}, []
    series = measured(results.runs)
    for name, (unit, value) in MEASURES.items():
        for system, runs in series.items():
            values = [value(run) for run in runs]
            results.figure(f"{name}.{system}", median(values), unit, [min(values), max(values)], count=len(values))
    _against(results, series, seed)
    for run in results.find(kind="latency"):
        for share in (50, 99):
            spread = [run["percentilesMs"][0], run["percentilesMs"][100]]
            results.figure(f"latency.p{share}.{run['system']}", run["percentilesMs"][share], "ms", spread, count=run["samples"])
    for run in results.find(kind="steady"):
        _steady(results, run)
    results.plots += _plots(results, series)
    results.notes = [
        f"Ratios are of MPSR to the other. Tested by: {TEST}.",
        "The spread of a latency is its least and most, of a slope its 95 % interval.",
        *(f"Tried again: {run['what']}." for run in results.find(kind="stalled")),
    ]


def _against(results, series, seed):
    for other in series:
        if OURS in series and other != OURS:
            for name in ("throughput", "workerCpu", "hdfsCpu", "written"):
                value = MEASURES[name][1]
                ours, theirs = ([value(run) for run in series[system]] for system in (OURS, other))
                if min(ours + theirs) == 0:
                    continue  # So short that the clock of CPU time has not moved.
                found = compare(ours, theirs, seed)
                goal = {}
                if (name, other) == ("throughput", PEER):
                    goal = {"goal": f"≥ {GOAL:g}: {'met' if found.ratio >= GOAL else 'missed'}"}
                results.figure(f"{name}.mpsr.vs.{other}", found.ratio, "ratio", **found.as_json(), **goal)


def settled(samples):
    """The samples without the first tenth of the time, in which the JVM still grows."""
    last = samples[-1]["seconds"] if samples else 0
    return [sample for sample in samples if sample["seconds"] >= last / 10]


def slope(xs, ys):
    """The slope of the least squares line and its 95 % interval, taking residuals as independent; flat below 3 points."""
    if len(xs) < 3:
        return 0.0, [0.0, 0.0]
    x_mean, y_mean = sum(xs) / len(xs), sum(ys) / len(ys)
    square = sum((x - x_mean) ** 2 for x in xs)
    found = sum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys)) / square
    rest = sum((y - y_mean - found * (x - x_mean)) ** 2 for x, y in zip(xs, ys))
    half = 1.96 * sqrt(rest / (len(xs) - 2) / square)
    return found, [found - half, found + half]


def file_rates(samples, windows=6):
    """New files an hour in as many equal stretches of the time, as (seconds at the stretch's end, files an hour)."""
    found = []
    first = samples[0]
    length = (samples[-1]["seconds"] - first["seconds"]) / windows
    for sample in samples[1:]:
        if sample["seconds"] >= first["seconds"] + length * 0.999:
            took = sample["seconds"] - first["seconds"]
            found.append((sample["seconds"], (sample["files"] - first["files"]) / took * _HOUR))
            first = sample
    return found


def _steady(results, run):
    samples = settled(run["samples"])
    if len(samples) < 3:
        return
    hours = [sample["seconds"] / _HOUR for sample in samples]
    for name, unit, values in (
        ("heap", "MB", [sample["heapBytes"] / 1e6 for sample in samples]),
        ("lag", "records", [sample["lag"] for sample in samples]),
    ):
        results.figure(f"steady.{name}", median(values), unit, [min(values), max(values)], count=len(values))
        found, interval = slope(hours, values)
        results.figure(f"steady.{name}.slope", found, f"{unit}/h", interval, count=len(values))
    rates = file_rates(samples)
    values = [rate for _, rate in rates]
    results.figure("steady.files", median(values), "files/h", [min(values), max(values)], count=len(values))
    found, interval = slope([at / _HOUR for at, _ in rates], values)
    results.figure("steady.files.slope", found, "files/h/h", interval, count=len(values))
    results.figure("steady.seconds", run["seconds"], "s")
    minutes = [sample["seconds"] / 60 for sample in run["samples"]]
    for key, title, unit, factor in (
        ("heapBytes", "Heap of the worker after a full collection", "MB", 1e-6),
        ("files", "Files", "files", 1),
        ("lag", "Records sent and not visible", "records", 1),
    ):
        line = {"name": run["system"], "x": minutes, "values": [sample[key] * factor for sample in run["samples"]]}
        results.plots.append({"name": f"steady-{key}", "title": title, "unit": unit, "xUnit": "min", "series": [line]})


def _plots(results, series):
    if series:
        for name, title in (("throughput", "Records a second"), ("workerCpu", "CPU time of the worker")):
            yield _bars(results, name, title, MEASURES[name][0], [name], list(series))
    systems = [run["system"] for run in results.find(kind="latency")]
    if systems:
        yield _bars(results, "latency", "From produce to visible", "ms", ["latency.p50", "latency.p99"], systems)


def _bars(results, name, title, unit, figures, systems):
    lines = []
    for system in systems:
        found = [results.figures[f"{figure}.{system}"] for figure in figures]
        low, high = ([figure["spread"][end] for figure in found] for end in (0, 1))
        lines.append({"name": system, "values": [figure["value"] for figure in found], "low": low, "high": high})
    return {"name": name, "title": title, "unit": unit, "log": False, "categories": figures, "series": lines}


def table(results):
    """All figures as lines of text."""
    rows = [("figure", "value", "unit", "least", "most", "goal")]
    for name, figure in results.figures.items():
        numbers = [f"{value:,.3f}" if abs(value) < 100 else f"{value:,.0f}" for value in (figure["value"], *figure["spread"])]
        rows.append((name, numbers[0], figure["unit"], *numbers[1:], figure.get("goal", "")))
    return aligned(rows)
