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
"""What the runs of 'adoption' say: rates, what the dry run foretold, a table."""

from mpsr_launcher.tables import aligned

NEAR = 0.2
"""How far the dry run may be from what comes."""
RATE = 1_000
MARGIN = 0.05
"""How much more space than before an adoption may take for a while."""


def foretold(run, group):
    """Foretold by measured bytes of a group."""
    return run["dry"]["bytesWritten"][group] / run["written"][group]


def add(results):
    """Makes the figures and the table."""
    results.figures.clear()
    rows = [["adoption", "files", "seconds", "files / s", "changes", "files written", "seconds foretold", "most space / before"]]
    for run in (run for run in results.find(kind="adopt") if "error" not in run["told"]):
        name, told, dry = run["name"], run["told"], run["dry"]
        seconds, most = told["ms"] / 1000, run["used"][1] / run["used"][0]
        cells = [name, f"{told['files']:,}", f"{seconds:.1f}", f"{told['files'] / seconds:,.0f}", str(told["changes"])]
        rows.append([*cells, f"{told['filesWritten']:,}", f"{dry['ms'] / 1000:.1f}", f"{most:.3f}"])
        results.figure(f"rate.{name}", told["files"] / seconds, "files/s")
        results.figure(f"space.{name}", most, "ratio", goal=_goal("≤", 1 + MARGIN, most <= 1 + MARGIN))
        if name == "alone":
            results.figure("footers", dry["found"]["files"] / dry["footerSeconds"], "files/s", goal=_goal("≥", RATE, dry["found"]["files"] / dry["footerSeconds"] >= RATE))
            results.figure("time.foretold", dry["ms"] / told["ms"], "ratio", goal=_near(dry["ms"] / told["ms"]))
            for group in dry["bytesWritten"]:
                ratio = foretold(run, group)
                results.figure(f"bytes.foretold.{group}", ratio, "ratio", goal=_near(ratio))
    figures = [[name, f"{found['value']:,.2f}", found.get("goal", "")] for name, found in results.figures.items()]
    results.tables = [
        {"title": "Adopting", "rows": rows},
        {"title": "Foretold / measured, rates", "rows": [["figure", "value", "goal"], *figures]},
    ]


def _near(ratio):
    return _goal("within", f"{NEAR:.0%}", abs(ratio - 1) <= NEAR)


def _goal(sign, value, met):
    return f"{sign} {value}: {'met' if met else 'missed'}"


def text(results):
    """The tables as lines of text."""
    return "\n\n".join(f"{table['title']}\n{aligned(table['rows'])}" for table in results.tables)
