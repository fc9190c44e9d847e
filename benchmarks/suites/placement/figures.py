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
"""What the runs of 'placement' say: answers that differ, figures, a table."""

from statistics import median

from mpsr_launcher.tables import aligned

READER, STORAGE, AUTO = "reader", "storage", "auto"
PLACES = [READER, STORAGE, AUTO]
WITHIN, SHARE = 1.1, 0.9


def problems(runs):
    """Reductions that have another answer in another place, or no answer."""
    found = [f"reduction {run['number']} at {run['rate']} MB/s, {run['place']}: {run['problem']}" for run in runs if run.get("problem")]
    first = {}
    for run in runs:
        if "answer" in run and first.setdefault(run["number"], run["answer"]) != run["answer"]:
            found.append(f"reduction {run['number']} at {run['rate']} MB/s, {run['place']}: another answer than elsewhere")
    return found


def cases(runs):
    """For each reduction and rate with all places: the seconds of both places, the place that was chosen, those of auto."""
    found = {}
    for run in runs:
        found.setdefault((run["rate"], run["number"]), {}).setdefault(run["place"], []).append(run)
    told = []
    for (rate, number), places in sorted(found.items()):
        if set(places) == set(PLACES):
            seconds = {place: median(run["seconds"] for run in each) for place, each in places.items()}
            # what needs no read is answered by the process of the query
            chosen = STORAGE if places[AUTO][-1]["chosen"] == STORAGE else READER
            best = min(seconds[READER], seconds[STORAGE])
            told.append({"rate": rate, "number": number, "seconds": seconds, "chosen": chosen, "good": seconds[chosen] <= WITHIN * best})
    return told


def line(run):
    """One line about a run."""
    return f"{run['rate']} MB/s, {run['kind']} {run['number']}, {run['place']}: {run['seconds']:.1f} s, {run['crossedBytes'] / 1e6:.2f} MB"


def add(results, rates):
    """Makes the figures and the table."""
    results.figures.clear()
    rows = [["MB/s", "place", "median s", "s in all", "median MB", "MB in all"]]
    for rate in rates:
        for place in PLACES:
            runs = results.find(kind_of="reduction", rate=rate, place=place)
            if runs:
                name = f"{rate}.{place}"
                results.median(f"seconds.{name}", [run["seconds"] for run in runs], "s")
                results.median(f"bytes.{name}", [run["crossedBytes"] for run in runs], "bytes")
                total = [sum(run[key] for run in runs) for key in ("seconds", "crossedBytes")]
                cells = [results.figures[f"{key}.{name}"]["value"] for key in ("seconds", "bytes")]
                rows.append([str(rate), place, f"{cells[0]:.1f}", f"{total[0]:.1f}", f"{cells[1] / 1e6:.2f}", f"{total[1] / 1e6:.1f}"])
    told = cases(results.find(kind_of="reduction"))
    if told:
        share = sum(case["good"] for case in told) / len(told)
        results.figure("chosen.good", share, "share", goal=f"≥ {SHARE:.0%}: {'met' if share >= SHARE else 'missed'}")
        rows += [[str(rate), "chosen well", *[""] * 3, _share(told, rate)] for rate in rates if any(case["rate"] == rate for case in told)]
    results.tables = [{"title": "Reductions by place and network", "rows": rows}]
    results.notes = [
        "Seconds are those of the whole command, with the start of Spark and of its executors. Bytes are those that the reader's machine"
        " has sent and received.",
        f"Chosen well: the chosen place takes at most {WITHIN} times as long as the better one.",
    ]


def _share(told, rate):
    good = [case["good"] for case in told if case["rate"] == rate]
    return f"{sum(good)} of {len(good)}"


def text(results):
    """The table as lines of text."""
    return "\n\n".join(f"{table['title']}\n{aligned(table['rows'])}" for table in results.tables)
