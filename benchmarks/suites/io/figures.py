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
"""What the runs of 'io' say: how many reads get their class, and when a throttled disk is named."""

import csv

CAUSES = {
    ("local", "again"): "cached",
    ("local", "first"): "local disk",
    ("remote", "again"): "cached on another host",
    ("remote", "first"): "disk of another host",
    ("throttled", "again"): "cached",
    ("throttled", "first"): "slow or throttled disk",
}
"""What a read goes through: by where it was made, and by whether it was the first one of its bytes."""


def labelled(files):
    """The reads of several files, each a line with the truth; ``files`` are pairs of a place and a file of 'calibrate --times'."""
    found = []
    for place, file in files:
        with open(file, encoding="utf-8", newline="") as lines:
            found += [{**read, "truth": CAUSES[place, read["turn"]]} for read in csv.DictReader(lines)]
    return found


def write(reads, file):
    """Writes reads as 'hdfs mpsr io --from' takes them."""
    with open(file, "w", encoding="utf-8", newline="") as lines:
        writer = csv.DictWriter(lines, fieldnames=list(reads[0]))
        writer.writeheader()
        writer.writerows(reads)


def classes(reads, file):
    """For each truth how many reads there are, how many got this class, and which others they got; ``file`` is one of 'io --classes'."""
    with open(file, encoding="utf-8", newline="") as lines:
        got = [read["class"] for read in csv.DictReader(lines)]
    found = {}
    for read, name in zip(reads, got, strict=True):
        its = found.setdefault(read["truth"], {"reads": 0, "right": 0, "others": {}})
        its["reads"] += 1
        if name == read["truth"]:
            its["right"] += 1
        else:
            its["others"][name] = its["others"].get(name, 0) + 1
    return found


def named(anomalies, host):
    """Whether a host is among those that are slower than others."""
    return any(each["host"].split(":")[0] == host for each in anomalies)


def add(results, limits):
    """Makes the figures and the table."""
    rows = [["reads", "how many", "class as it is", "others"]]
    results.figures, results.tables = {}, []
    for run in results.find(kind="classes"):
        for truth, its in run["classes"].items():
            others = ", ".join(f"{name} {count}" for name, count in its["others"].items())
            rows.append([truth, str(its["reads"]), f"{its['right'] / its['reads']:.0%}", others])
        everything = sum(its["reads"] for its in run["classes"].values())
        right = sum(its["right"] for its in run["classes"].values()) / everything
        results.figure("right", right, "of the reads")
        rows.append(["all", str(everything), f"{right:.0%}", ""])
    results.tables.append({"title": "Reads and their classes", "rows": rows})
    for run in results.find(kind="live"):
        results.figure("named", run["seconds"] if run["named"] else -1, "s after the disk was throttled; -1 for never")
        results.figure("namedBefore", len(run["namedBefore"]), "hosts before")
        told = f"named after {run['seconds']:.0f} s" if run["named"] else f"not named in {run['seconds']:.0f} s"
        results.tables.append({"title": "A disk is throttled", "rows": [["host", "told"], [run["host"], told]]})
    results.notes = [f"Nodes: {limits}."]
