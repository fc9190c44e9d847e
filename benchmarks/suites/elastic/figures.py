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
"""What the runs of 'elastic' say: wrong answers, figures, a table."""

from statistics import mean, quantiles


def problems(runs):
    """Jobs whose answers differ with further copies, and copies that were not made."""
    queues = [run for run in runs if run["kind"] == "queue"]
    found = []
    for run in queues[1:]:
        wrong = sum(one[3] != other[3] for one, other in zip(queues[0]["jobs"], run["jobs"], strict=True))
        if wrong:
            found.append(f"{wrong} jobs have another answer with further copies than without")
    for run in queues:
        wrong = sum(job[3] != before for job, before in zip(run["jobs"], run["before"], strict=True))
        if wrong:
            found.append(f"{wrong} jobs have another answer than before copies were made, budget {run['budget']} %")
        if run["budget"] and not run["copies"].get("copies"):
            found.append("no further copy was made")
        if not run["budget"] and run["copies"].get("copies"):
            found.append(f"{run['copies']['copies']} further copies were made without a budget")
    return found


def add(results, limits):
    """Makes the figures and the table."""
    rows = [["budget", "further copies", "their bytes", "local bytes", "mean wait", "95 % wait less than", "mean time of a job"]]
    results.figures, results.tables = {}, []
    for run in results.find(kind="queue"):
        waits = [job[1] - job[0] for job in run["jobs"]]
        local = 1 - run["bytesRemote"] / run["bytesRead"] if run["bytesRead"] else 0.0
        took = mean(job[2] - job[1] for job in run["jobs"])
        most = quantiles(waits, n=20)[-1]
        name = f"budget{run['budget']}"
        results.figure(f"{name}.local", local, "of the bytes read")
        results.figure(f"{name}.wait", mean(waits), "s", [min(waits), max(waits)], count=len(waits))
        results.figure(f"{name}.wait95", most, "s")
        results.figure(f"{name}.seconds", took, "s")
        results.figure(f"{name}.copies", run["copies"].get("copies", 0), "copies")
        told = [run["copies"].get("copies", 0), f"{run['copies'].get('bytes', 0):,}", f"{local:.0%}"]
        rows.append([f"{run['budget']} %", *map(str, told), f"{mean(waits):.2f} s", f"{most:.2f} s", f"{took:.2f} s"])
    results.tables.append({"title": "A queue of jobs of which most ask for a few signals and days", "rows": rows})
    results.notes = [f"Nodes: {limits}."]
