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
"""What 'transforms' says of whole records in three groups, and of encodings that a trial chooses."""

ENCODINGS = {"mean": 1.02, "worst": 1.25}
"""What chunks may take of the best encoding of each."""
LEAST_BYTES = 4096
"""Chunks whose best encoding takes less are left out of ratios."""
LARGE_DICTIONARY = 128 << 10
MOST_DISTINCT = 1 << 17
PAGE_ROWS, PAGE_HEADER = 20_000, 40


def problems(runs):
    """Records that were read otherwise than they were written."""
    wrong = {(run["data"], run["group"], run["form"]): None for run in runs if run["kind"] == "copy" and not run["exact"]}
    return [f"{data} in group {group}, {form}: the records are not as they were written" for data, group, form in wrong]


def add_copies(results):
    """The bytes of all groups in each form, and the CPU time of writing and of reading them, against MPSR's defaults and Parquet's own writer."""
    runs = results.find(kind="copy")
    groups = list(dict.fromkeys(run["group"] for run in runs))
    rows = [["records", "form", *(f"bits, {group}" for group in groups), "bytes to default", "to stock", "CPU to default", "reading to default"]]
    for data, form in dict.fromkeys((run["data"], run["form"]) for run in runs):
        took, default, stock = (_totals(results.find(data=data, form=name), groups) for name in (form, "mpsr", "stock"))
        ratios = [took[key] / against[key] for against, key in ((default, "bytes"), (stock, "bytes"), (default, "cpuNs"), (default, "readNs"))]
        rows.append([data, form, *(f"{bits:.1f}" for bits in took["bits"]), *(f"{ratio:.2f}" for ratio in ratios)])
        results.figure(f"copies.{data}.{form}", ratios[1], "ratio to stock")
    if runs:
        results.tables.append({"title": "Whole records in three groups, bits of a record", "rows": rows})


def _totals(runs, groups):
    """Of all groups: bytes, and the least times of the rounds; and bits of a record by group."""
    by_group = [[run for run in runs if run["group"] == group] for group in groups]
    least = {key: sum(min(run[key] for run in found) for found in by_group) for key in ("bytes", "cpuNs", "readNs")}
    return {**least, "bits": [found[0]["bytes"] * 8 / found[0]["records"] for found in by_group]}


def add_encodings(results):
    """How far chunks are from the best encoding of each, in the mean and at worst."""
    runs = [run for run in results.find(kind="encoding") if best(run) >= LEAST_BYTES]
    if not runs:
        return
    rows = [["numbers", "chunks", "mean", "worst", "all bytes", "the worst one"]]
    for name, chosen in (("measured", True), ("drawn", False)):
        found = [run for run in runs if (" by " in run["data"]) == chosen]
        if found:
            ratios = {"mean": sum(map(regret, found)) / len(found), "worst": max(map(regret, found))}
            total = sum(run["bytes"] for run in found) / sum(map(best, found))
            worst = max(found, key=regret)["data"]
            rows.append([name, str(len(found)), *(f"{ratio:.3f}" for ratio in ratios.values()), f"{total:.3f}", worst])
            for key, ratio in ratios.items():
                goal = ENCODINGS[key]
                results.figure(f"encoding.{name}.{key}", ratio, "ratio", goal=f"≤ {goal}: {'met' if ratio <= goal else 'missed'}")
    results.tables.append({"title": "Encodings by trial, to the best of each chunk", "rows": rows})


def best(run):
    """The bytes of the best encoding that files may have: a large dictionary counts where it saves to a reader of an eighth of the chunk."""
    fits = run["distinct"] <= min(run["rows"] // 3, MOST_DISTINCT)
    saves = run["entries"] < LARGE_DICTIONARY or (run["other"] - run["numbers"]) / 8 > run["entries"]
    return min(run["other"], run["entries"] + run["numbers"]) if fits and saves else run["other"]


def regret(run):
    """The bytes of a chunk, which has headers of pages, to those of the best encoding with such headers."""
    return run["bytes"] / (best(run) + -(-run["rows"] // PAGE_ROWS) * PAGE_HEADER)
