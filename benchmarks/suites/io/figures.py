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
import re

_SLOW = re.compile(r"(\S+?)(?::\d+)? is [\d.]+ times as slow as the others")

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
    """For each truth how many reads there are, how many got this class alone, how many a class of several causes that are not known apart and of
    which it is one, and which others they got; ``file`` is one of 'io --classes'."""
    with open(file, encoding="utf-8", newline="") as lines:
        got = [read["class"] for read in csv.DictReader(lines)]
    found = {}
    for read, name in zip(reads, got, strict=True):
        its = found.setdefault(read["truth"], {"reads": 0, "right": 0, "notApart": {}, "others": {}})
        its["reads"] += 1
        if name == read["truth"]:
            its["right"] += 1
        else:
            kind = "notApart" if read["truth"] in _parts(name) else "others"
            its[kind][name] = its[kind].get(name, 0) + 1
    return found


def _parts(name):
    """The causes that the name of a class holds; the name of one cause has an 'or' of its own."""
    return [cause for cause in set(CAUSES.values()) if re.search(rf"(^| or ){re.escape(cause)}($| or )", name)]


def named(line):
    """The host that a line of 'io --live' names as slow, or nothing."""
    found = _SLOW.match(line)
    return found.group(1) if found else None


def add(results, limits):
    """Makes the figures and the tables."""
    results.figures, results.tables = {}, []
    for run in results.find(kind="classes"):
        rows = [["reads", "how many", "class as it is", "not known apart", "others"]]
        found = run["classes"]
        for truth, its in found.items():
            rows.append([truth, str(its["reads"]), str(its["right"]), _counts(its["notApart"]), _counts(its["others"])])
        every = sum(its["reads"] for its in found.values())
        right = sum(its["right"] for its in found.values())
        unknown = sum(sum(its["notApart"].values()) for its in found.values())
        told = {"measured": "", "default": "ByDefault"}[run["costs"]]
        results.figure(f"right{told}", right / every, "of the reads have their class alone")
        results.figure(f"notApart{told}", unknown / every, "of the reads have a class of several causes, of which theirs is one")
        results.figure(f"wrong{told}", 1 - (right + unknown) / every, "of the reads have another class")
        rows.append(["all", str(every), f"{right / every:.0%}", f"{unknown / every:.0%}", f"{1 - (right + unknown) / every:.0%}"])
        results.tables.append({"title": f"Reads and their classes, by {run['costs']} costs", "rows": rows})
    for run in results.find(kind="live"):
        results.figure("named", run["seconds"] if run["named"] else -1, "s after the disk was throttled; -1 for never")
        results.figure("namedBefore", len(run["namedBefore"]), "hosts before")
        told = f"named after {run['seconds']:.0f} s" if run["named"] else f"not named in {run['seconds']:.0f} s"
        before = f"; before: {', '.join(run['namedBefore'])}" if run["namedBefore"] else ""
        results.tables.append({"title": "A disk is throttled", "rows": [["host", "told"], [run["host"], told + before]]})
    results.notes = [f"Nodes: {limits}."]


def _counts(counts):
    return ", ".join(f"{name} {count}" for name, count in counts.items())
