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
"""The suite 'settings', a Java program: configurations of the sink and of readers on small data, each run as a line of JSON."""

import json
import subprocess
import tempfile
from pathlib import Path

from benchmarks.harness.suite import Suite
from benchmarks.suites.settings import figures as settings_figures
from mpsr_launcher.checkout import java
from mpsr_launcher.errors import MpsrError

PROGRAM = "org.hadoopmpsr.benchmarks.settings.SettingsPath"
ROWS = 40_000
QUICK = ["--rows", "2000", "--configurations", "12", "--draws", "1", "--rounds", "0"]


class Settings(Suite):
    """One run. Needs no cluster. The runs lie in DIR/settings.jsonl, where `hdfs mpsr tune --train DIR` reads them."""

    name = "settings"

    def __init__(self, checkout, console, arguments):
        super().__init__(checkout, console, arguments)
        self._directory = arguments.json
        self._size = QUICK if arguments.quick else ["--rows", str(round(ROWS * arguments.scale)), "--rounds", str(min(self._rounds, 3))]

    def run(self):
        """Runs the program; returns the exit code: 1 if a workload lacks a configuration."""
        with tempfile.TemporaryDirectory() as temporary:
            out = Path(self._directory or temporary) / "settings.jsonl"
            if not self.results.find(kind="settings") or not out.is_file():
                self.results.runs.clear()
                self.results.add(self._measured(out))
            with out.open(encoding="utf-8") as lines:
                runs = [json.loads(line) for line in lines]
        self.results.problems = settings_figures.problems(runs)
        settings_figures.add(self.results, runs)
        self.results.save()
        return self._show(settings_figures.text(self.results), "each workload was measured with each configuration")

    def _measured(self, out):
        command = java.encoding(self._checkout.share, PROGRAM, ["--out", str(out), "--seed", str(self._seed), *self._size])
        self._console.say("settings: one thread writes and reads files with a grid of settings")
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise MpsrError(f"{PROGRAM} ended with {done.returncode}:\n{done.stderr[-3000:]}")
        return next(json.loads(line) for line in done.stdout.splitlines() if line.startswith("{"))
