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
"""What the runs of 'extractions' say: answers that differ, figures, a table."""

from mpsr_launcher.tables import aligned

PYTHON, SPARK = "python", "spark"
P95_SECONDS, RATE, CHART_SECONDS = 0.2, 58, 0.3
LATE_SECONDS = 1.0


def percentile(seconds, share):
    """The least of the times within which a share of them, in percent, lies."""
    return sorted(seconds)[max(0, -(-len(seconds) * share // 100) - 1)]


def p95(seconds):
    """The 95th percentile."""
    return percentile(seconds, 95)


def _pairs(runs):
    """Extractions of the Python client, and of Spark: one after another, and all by one job."""
    ours = {run["number"]: run for run in runs if run["kind"] == "extraction" and run["client"] == PYTHON}
    theirs = [run for run in runs if run["kind"] == "answer" or (run["kind"] == "extraction" and run["client"] == SPARK)]
    return [(ours[run["number"]], run) for run in theirs if run["number"] in ours]


def problems(runs):
    """Extractions and charts that Spark answers otherwise."""
    found = [
        f"extraction {ours['number']}: {ours['rows']} records in Python, {theirs['rows']} in Spark"
        for ours, theirs in _pairs(runs)
        if ours["digest"] != theirs["digest"]
    ]
    return found + [f"{run['differ']} pixels of the chart differ" for run in runs if run["kind"] == "chart" and run["differ"]]


def compared(runs):
    """How many extractions both have answered, and how many records they have."""
    both = {ours["number"]: ours["rows"] for ours, _ in _pairs(runs)}
    return len(both), sum(both.values())


def _goal(figure, wanted, met):
    return {"goal": f"{figure} {wanted}: {'met' if met else 'missed'}"}


def add(results):
    """Makes the figures and the table."""
    results.figures.clear()
    rows = [["", "number", "p50 ms", "p95 ms"]]
    for client in (PYTHON, SPARK):
        seconds = [run["seconds"] for run in results.find(kind="extraction", client=client)]
        if seconds:
            goal = _goal("≤", f"{P95_SECONDS} s", p95(seconds) <= P95_SECONDS) if client == PYTHON else {}
            results.figure(f"p95.{client}", p95(seconds), "s", [min(seconds), max(seconds)], **goal)
            rows.append([f"one after another, {client}", str(len(seconds)), *_ms(seconds)])
    for run in results.find(kind="rate"):
        seconds = run["latencies"]
        done = len(seconds) / run["seconds"]
        results.figure(f"rate.{run['asked']}", done, "extractions/s", **_goal("≥", f"{run['asked']}", sustained(run)))
        rows.append([f"{run['asked']} a second in {run['processes']} processes: {done:.1f} a second", str(len(seconds)), *_ms(seconds)])
    for run in results.find(kind="chart"):
        results.figure("chart.p95", p95(run["warm"]), "s", **_goal("≤", f"{CHART_SECONDS} s", p95(run["warm"]) <= CHART_SECONDS))
        results.figure("chart.share", run["share"], "share", **_goal("≤", "1 %", run["share"] <= 0.01))
        rows.append([f"chart of {run['records']:,} records, after the first one of {run['first']:.1f} s", str(len(run["warm"])), *_ms(run["warm"])])
    results.tables = [{"title": "Extractions of one signal over a day, and charts of one signal", "rows": rows}]
    for run in results.find(kind="rate"):
        cpu = ", ".join(f"{name} {seconds:.1f}" for name, seconds in run["cpuSeconds"].items())
        results.notes.append(f"CPU seconds at {run['asked']} a second, of {run['seconds']:.1f} s: {cpu}; an extraction itself took {_ms(run['own'])[0]} ms (p50).")


def sustained(run):
    """Whether extractions do not queue: the last ones end as soon after they are due as the others."""
    return run["seconds"] <= len(run["latencies"]) / run["asked"] + LATE_SECONDS


def _ms(seconds):
    return [f"{percentile(seconds, share) * 1000:,.0f}" for share in (50, 95)]


def text(results):
    """The table as lines of text."""
    return "\n\n".join([*(f"{table['title']}\n{aligned(table['rows'])}" for table in results.tables), *results.notes])
