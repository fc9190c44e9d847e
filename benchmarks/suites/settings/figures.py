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
"""What the runs of 'settings' say: what single configurations reach of the best one for each workload."""

from collections import Counter, defaultdict
from statistics import mean

from mpsr_launcher.tables import aligned


def problems(runs):
    """Workloads that were not measured with all configurations."""
    configurations = {_key(run) for run in runs}
    counts = Counter(run["workload"] for run in runs)
    return [f"{name}: {count} of {len(configurations)} configurations" for name, count in counts.items() if count != len(configurations)]


def add(results, runs):
    """Makes the figures and the table. A workload reaches the time of its best configuration / that of the one it has."""
    results.figures.clear()
    best, reached = {}, defaultdict(list)
    for run in runs:
        best[run["workload"]] = min(run["seconds"], best.get(run["workload"], run["seconds"]))
    for run in runs:
        reached[_key(run)].append(best[run["workload"]] / run["seconds"])
    order = sorted(reached, key=lambda key: mean(reached[key]), reverse=True)
    defaults = _key(runs[0])
    rows = [["configuration", "mean", "worst"]]
    for name, key in (("best single one", order[0]), ("without any configuration", defaults), ("worst single one", order[-1])):
        rows.append([f"{name}: {_text(key)}", f"{mean(reached[key]):.3f}", f"{min(reached[key]):.3f}"])
        results.figure(f"reached.{name.replace(' ', '-')}", mean(reached[key]), "ratio", [min(reached[key]), max(reached[key])])
    results.tables = [{"title": f"Time of the best of {len(order)} configurations / time, of {len(best)} workloads", "rows": rows}]
    results.notes = ["`hdfs mpsr tune --train DIR` makes rules of the runs in DIR/settings.jsonl."]


def _key(run):
    return tuple(sorted(run["settings"].items()))


def _text(key):
    return " ".join(f"{name}={value}" for name, value in key)


def text(results):
    """The table as lines of text."""
    return "\n\n".join(f"{table['title']}\n{aligned(table['rows'])}" for table in results.tables)
