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
"""What the runs of 'paper' say: wrong answers, figures, plots, tables."""

from statistics import mean

from benchmarks.harness.statistics import TEST, compare_means

STOCK, OURS = "hdfs-day", "mpsr"
ALL = "all"
GOAL = 0.42
POINTS = 25
PAPER = {"name": (0.21, 0.42), "time": (0.19, 0.35), "both": (0.15, 0.34)}
"""How much less the paper itself reports for each workload, least and most of its settings."""


def problems(runs):
    """Answers that differ from those of stock, and jobs that MPSR took no part in."""
    found = []
    right = {(run["nodes"], run["job"], run["round"]): run["digest"] for run in _of(runs, "job", STOCK)}
    for run in _of(runs, "job", OURS):
        where = f"job by {run['job']}, round {run['round']}, {run['nodes']} nodes"
        if run["digest"] != right.get((run["nodes"], run["job"], run["round"])):
            found.append(f"{where}: answered {run['sample']}, other than stock")
        if not any("parquet[mpsr " in scan for scan in run["scans"]):
            found.append(f"{where}: EXPLAIN shows {run['scans']}")
    for ours in _of(runs, "queue", OURS):
        for stock in _of(runs, "queue", STOCK):
            pairs = zip(stock["jobs"], ours["jobs"], strict=True)
            wrong = sum(one[3] != other[3] for one, other in pairs) if stock["nodes"] == ours["nodes"] else 0
            if wrong:
                found.append(f"{wrong} jobs of the queue have another answer than stock's")
    return found


def _of(runs, kind, layout):
    return [run for run in runs if run["kind"] == kind and run["layout"] == layout]


def seconds(runs, nodes, job, layout, measure="seconds"):
    """The seconds of a job in each round, or another measure; of all jobs together their mean in each round."""
    found = [run for run in _of(runs, "job", layout) if run["nodes"] == nodes and job in (ALL, run["job"])]
    rounds = sorted({run["round"] for run in found})
    return [mean(run[measure] for run in found if run["round"] == number) for number in rounds]


def queued(jobs, at):
    """How many jobs have arrived before a time and not begun; jobs are [arrived, began, ended, answer]."""
    return sum(job[0] < at < job[1] for job in jobs)


def add(results, seed, limits):
    """Makes the figures and plots of the results."""
    runs = results.runs
    results.figures.clear()
    results.plots = []
    for nodes in _nodes(runs):
        for job in _jobs(runs):
            stock, ours = (seconds(runs, nodes, job, layout) for layout in (STOCK, OURS))
            for layout, values in ((STOCK, stock), (OURS, ours)):
                results.figure(f"seconds.{nodes}.{job}.{layout}", mean(values), "s", [min(values), max(values)], count=len(values))
                results.figure(f"cpuSeconds.{nodes}.{job}.{layout}", mean(seconds(runs, nodes, job, layout, "cpuSeconds")), "s")
            found = compare_means(ours, stock, seed)
            more = {**found.as_json(), "spread": [1 - found.high, 1 - found.low]}
            more |= {"paper": PAPER[job]} if job in PAPER else {}
            if nodes == 10 and job == ALL:
                more["goal"] = f"≥ {GOAL:g}: {'met' if 1 - found.ratio >= GOAL else 'missed'}"
            results.figure(f"less.{nodes}.{job}", 1 - found.ratio, "of stock's mean", **more)
    results.plots += [_times(results), _less(results)]
    _queues(results)
    results.tables = [_executions(results), *_waiting(results)]
    results.notes = [
        f"Each node but the NameNode's: {limits}. 'less' is 1 - MPSR's mean seconds / stock's, with the bootstrap's interval of"
        " that; beside it what the paper reports for such jobs, least and most of its settings.",
        f"Tested by: {TEST}; of 'less' it is the ratio of the means.",
        "All nodes share the machine's cores. cpuSeconds are those of a job's tasks: as many as seconds times cores would be all.",
    ]


def _nodes(runs):
    return sorted({run["nodes"] for run in runs if run["kind"] == "job"})


def _jobs(runs):
    return [*dict.fromkeys(sorted(run["job"] for run in runs if run["kind"] == "job")), ALL]


def _times(results):
    runs = results.runs
    categories = [(nodes, job) for nodes in _nodes(runs) for job in _jobs(runs)]
    series = []
    for layout in (STOCK, OURS):
        figures = [results.figures[f"seconds.{nodes}.{job}.{layout}"] for nodes, job in categories]
        line = {"name": layout, "values": [figure["value"] for figure in figures]}
        line |= {"low": [figure["spread"][0] for figure in figures], "high": [figure["spread"][1] for figure in figures]}
        series.append(line)
    named = [f"{nodes} nodes {job}" for nodes, job in categories]
    return {"name": "times", "title": "Execution time: mean and range", "unit": "s", "log": False, "categories": named, "series": series}


def _less(results):
    """What MPSR saves, on each cluster, beside what the paper reports."""
    runs = results.runs
    jobs = [job for job in _jobs(runs) if job in PAPER]
    named = {"categories": [f"by {job}" for job in jobs]}
    papers = [PAPER[job] for job in jobs]
    series = [{"name": "the paper, middle and range", "values": [100 * sum(each) / 2 for each in papers]}]
    series[0] |= {"low": [100 * low for low, _ in papers], "high": [100 * high for _, high in papers]}
    for nodes in _nodes(runs):
        found = [results.figures[f"less.{nodes}.{job}"] for job in jobs]
        line = {"name": f"{nodes} nodes", "values": [max(0, 100 * each["value"]) for each in found]}
        ends = ([max(0, 100 * each["spread"][end]) for each in found] for end in (0, 1))
        series.append(line | dict(zip(("low", "high"), ends)))
    title = "Less average execution time than stock, percent"
    return {"name": "less", "title": title, "unit": "%", "log": False, **named, "series": series}


def _queues(results):
    queues = {run["layout"]: run for run in results.runs if run["kind"] == "queue"}
    if len(queues) < 2:
        return
    interval = queues[STOCK]["intervalSeconds"]
    last = interval * (len(queues[STOCK]["jobs"]) - 1)
    times = [last * number / POINTS for number in range(1, POINTS + 1)]
    series = []
    for layout in (STOCK, OURS):
        jobs = queues[layout]["jobs"]
        sizes = [queued(jobs, job[0]) for job in jobs]
        results.figure(f"queue.mean.{layout}", mean(sizes), "jobs", [min(sizes), max(sizes)], count=len(sizes))
        results.figure(f"queue.last.{layout}", queued(jobs, last), "jobs")
        results.figure(f"queue.done.{layout}", max(job[2] for job in jobs), "s")
        series.append({"name": layout, "values": [queued(jobs, at) for at in times]})
    results.figure("queue.interval", interval, "s")
    for run in results.find(kind="capacity"):
        results.figure(f"queue.capacity.{run['layout']}", run["perSecond"], "jobs/s")
    title = f"Jobs that wait, by seconds; {len(queues[STOCK]['jobs'])} jobs arrive, one every {interval:.2f} s"
    categories = [f"{at:.0f}" for at in times]
    results.plots.append({"name": "queue", "title": title, "unit": "jobs", "log": False, "categories": categories, "series": series})


def _executions(results):
    """Mean seconds of each job on each cluster, and how much less MPSR takes; beside it the paper's figure."""
    rows = [["nodes", "job", STOCK, OURS, "less", "interval", "the paper"]]
    for nodes in _nodes(results.runs):
        for job in _jobs(results.runs):
            each = [f"{results.figures[f'seconds.{nodes}.{job}.{layout}']['value']:.2f}" for layout in (STOCK, OURS)]
            less = results.figures[f"less.{nodes}.{job}"]
            said = f"{less['value']:.0%}" + ("" if less["significant"] else " (?)")
            rows.append([str(nodes), job, *each, said, _range(less["spread"]), _range(less.get("paper"))])
    return {"title": "Mean execution time in seconds", "rows": rows}


def _range(ends):
    return f"{ends[0]:.0%} to {ends[1]:.0%}" if ends else ""


def _waiting(results):
    if "queue.interval" not in results.figures:
        return []
    rows = [["queue", "mean", "at the end", "all done after"]]
    for layout in (STOCK, OURS):
        mean_size, last, done = (results.figures[f"queue.{what}.{layout}"]["value"] for what in ("mean", "last", "done"))
        rows.append([layout, f"{mean_size:.1f}", str(last), f"{done:.0f} s"])
    return [{"title": "Jobs that wait", "rows": rows}]
