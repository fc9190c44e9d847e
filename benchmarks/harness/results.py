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
"""The raw results of a suite: what was measured, where and with what, and the figures made of it."""

import json
import os
import platform
from datetime import datetime, timezone
from pathlib import Path
from statistics import median

from mpsr_launcher.checkout import surroundings
from mpsr_launcher.errors import MpsrError


class Results:
    """One suite's results, kept in DIR/<suite>.json after each run, so that one that was interrupted can go on.

    Without a directory nothing is written. ``versions`` are those of other parts that take part, ``options`` what else must
    be the same for runs to be comparable. A run that does not go on keeps of an earlier one's the runs for which ``others``
    says so: parts that are not measured now.
    """

    def __init__(self, suite, seed, scale, checkout, directory=None, resume=False, versions=None, options=None, others=None):
        self._file = Path(directory) / f"{suite}.json" if directory else None
        self._head = {"suite": suite, "seed": seed, "scale": scale, **({"options": options} if options else {})}
        self._environment = environment(checkout)
        self._environment["versions"].update(versions or {})
        self.runs = []
        self.figures = {}
        self.plots = []
        self.tables = []
        self.notes = []
        self.problems = []
        if (resume or others) and self._file and self._file.is_file():
            self._take_over(read(self._file), resume, others)

    def _take_over(self, found, resume, others):
        """Runs of another seed, scale, version or machine of the same suite must not be mixed with these."""
        wanted = {**self._head, **{key: self._environment[key] for key in ("versions", "machine")}}
        other = {key: value for key, value in wanted.items() if found.get(key) != value}
        if other and resume:
            raise MpsrError(
                f"--resume: {self._file} holds runs of {', '.join(f'{key} {found.get(key)}' for key in other)}, not of"
                f" {', '.join(f'{key} {value}' for key, value in other.items())}; leave --resume out to begin anew"
            )
        if not other:
            date = found.get("date", "earlier")
            self.runs = found["runs"] if resume else [{"date": date, **run} for run in found["runs"] if others(run)]
            commits = found.get("commits", []) if self.runs else []
            self._environment["commits"] = list(dict.fromkeys(commits + self._environment["commits"]))

    def find(self, **wanted):
        """The runs with these values."""
        return [run for run in self.runs if all(run.get(key) == value for key, value in wanted.items())]

    def add(self, run):
        """Keeps a run."""
        self.runs.append(run)
        self.save()

    def figure(self, name, value, unit, spread=None, **more):
        """A figure; its spread is the least and the most, or an interval."""
        self.figures[name] = {"value": value, "unit": unit, "spread": spread or [value, value], **more}

    def median(self, name, values, unit, **more):
        """The median of measured values as a figure; its spread is the least and the most of them."""
        self.figure(name, median(values), unit, [min(values), max(values)], count=len(values), **more)

    def save(self):
        """Writes the file, so that it is always whole."""
        if self._file:
            write(self._file, self.as_json())

    def as_json(self):
        """The whole object."""
        earlier = {(run["date"], run.get("part", run.get("kind"))): None for run in self.runs if "date" in run}
        notes = [*self.notes, *(f"Measured earlier, {date}: {part}." for date, part in earlier)]
        body = {"runs": self.runs, "figures": self.figures}
        body |= {"plots": self.plots, "tables": self.tables, "notes": notes, "problems": self.problems}
        return {**self._head, **self._environment, **body}


class Part:
    """Those runs of a suite's results that have these values; what is added gets them."""

    def __init__(self, results, **values):
        self._results = results
        self._values = values

    @property
    def runs(self):
        """The part's runs."""
        return self._results.find(**self._values)

    def find(self, **wanted):
        """The part's runs with these values."""
        return self._results.find(**self._values, **wanted)

    def add(self, run):
        """Keeps a run."""
        self._results.add({**self._values, **run})

    def forget(self):
        """Drops the part's runs."""
        mine = self.runs
        self._results.runs = [run for run in self._results.runs if run not in mine]


def environment(checkout):
    """Where and with what something is measured. A commit with a + has had changes besides."""
    return {
        "commits": [surroundings.commit(checkout.root)],
        "date": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "machine": surroundings.machine(),
        "versions": {**checkout.versions(), "java": surroundings.java_version(), "python": platform.python_version()},
    }


def read(file):
    """The object of a result file."""
    try:
        found = json.loads(Path(file).read_text(encoding="utf-8"))
    except ValueError as error:
        raise MpsrError(f"{file} is no JSON: {error}. Delete it and run the suite again") from error
    if not isinstance(found, dict) or not {"suite", "seed", "scale", "runs", "figures"} <= found.keys():
        raise MpsrError(f"{file} holds no results of a suite; use another directory for --json")
    return found


def complete(file, checkout):
    """Adds to the file of a suite that writes its own what it does not know: the machine and our versions."""
    found = read(file)
    around = environment(checkout)
    found["commits"] = around["commits"]
    for key in ("machine", "versions"):
        found[key] = {**around[key], **found.get(key, {})}
    found.setdefault("plots", [])
    write(file, found)


def write(file, found):
    """Writes the object of a result file, so that the file is always whole."""
    part = Path(file).with_name(Path(file).name + ".part")
    part.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    os.replace(part, file)
