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
"""The report of all suites in a directory as one HTML page that needs nothing else, and their plots as SVG files."""

from html import escape
from pathlib import Path

from benchmarks.harness import svg
from benchmarks.harness.results import read
from mpsr_launcher.errors import MpsrError

STYLE = """
body { font-family: sans-serif; max-width: 1000px; margin: 2em auto; padding: 0 1em; color: #222; }
table { border-collapse: collapse; margin: 1em 0; font-size: 90%; }
td, th { border: 1px solid #ccc; padding: 0.2em 0.6em; text-align: left; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
svg { max-width: 100%; height: auto; }
.problem { color: #a00000; }
"""


def write(directory):
    """Writes DIR/report.html and the plots of all result files in the directory; returns the page's path."""
    directory = Path(directory)
    suites = [read(file) for file in sorted(directory.glob("*.json"))]
    if not suites:
        raise MpsrError(f"{directory} holds no results: run a suite with --json {directory} first")
    for suite in suites:
        for plot in suite.get("plots", []):
            (directory / f"{suite['suite']}-{plot['name']}.svg").write_text(svg.draw(plot), encoding="utf-8")
    page = directory / "report.html"
    page.write_text(html(suites), encoding="utf-8")
    return page


def html(suites):
    """The page."""
    body = "\n".join(_suite(suite) for suite in suites)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>MPSR benchmarks</title>'
        f"<style>{STYLE}</style></head>\n<body><h1>MPSR benchmarks</h1>\n{body}\n</body></html>\n"
    )


def _suite(suite):
    parts = [f"<h2>{escape(suite['suite'])}</h2>"]
    around = {key: suite.get(key, "") for key in ("date", "seed", "scale")}
    around["commits"] = ", ".join(suite.get("commits", []))
    for group in ("machine", "versions", "options"):
        around.update({f"{group}: {key}": value for key, value in suite.get(group, {}).items()})
    parts.append(_table(("environment", ""), [(key, str(value)) for key, value in around.items()]))
    for note in suite.get("notes", []):
        parts.append(f"<p>{escape(note)}</p>")
    for problem in suite.get("problems", []):
        parts.append(f'<p class="problem">{escape(problem)}</p>')
    parts += [svg.draw(plot) for plot in suite.get("plots", [])]
    for table in suite.get("tables", []):
        parts += [f"<h3>{escape(table['title'])}</h3>", _table(table["rows"][0], table["rows"][1:])]
    head = ("figure", "value", "unit", "spread", "runs", "probability of chance", "goal")
    parts.append(_table(head, [_figure(name, figure) for name, figure in suite["figures"].items()]))
    parts.append(f"<p>{len(suite['runs'])} runs; every one of them is in {escape(suite['suite'])}.json.</p>")
    return "\n".join(parts)


def _figure(name, figure):
    low, high = figure["spread"]
    chance = figure.get("probability")
    return (
        name,
        f"{figure['value']:.4g}",
        figure["unit"],
        f"{low:.4g} … {high:.4g}",
        str(figure.get("count", "")),
        "" if chance is None else f"{chance:.3g}",
        figure.get("goal", ""),
    )


def _table(head, rows):
    lines = ["<table><tr>" + "".join(f"<th>{escape(cell)}</th>" for cell in head) + "</tr>"]
    for row in rows:
        cells = "".join(f"<td{_kind(cell)}>{escape(cell)}</td>" for cell in row)
        lines.append(f"<tr>{cells}</tr>")
    return "\n".join([*lines, "</table>"])


def _kind(cell):
    return ' class="number"' if cell[:1].isdigit() else ""
