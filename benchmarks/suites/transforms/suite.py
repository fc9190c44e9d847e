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
"""The suite 'transforms', a Java program: what measured values take in files, and the CPU time of writing them."""

import json
import subprocess
import tempfile
from pathlib import Path

from benchmarks.harness.suite import Suite
from benchmarks.suites.transforms import figures as transforms_figures
from benchmarks.suites.transforms import sz3
from mpsr_launcher.checkout import java
from mpsr_launcher.errors import MpsrError

PROGRAM = "org.hadoopmpsr.benchmarks.encode.ValuePath"
COPIES = "org.hadoopmpsr.benchmarks.encode.CopiesPath"
ENCODINGS = "org.hadoopmpsr.benchmarks.encode.EncodingPath"
CODECS = "org.hadoopmpsr.benchmarks.encode.CodecPath"
QUICK_VALUES = 100_000


class Transforms(Suite):
    """One run. Needs no cluster."""

    name = "transforms"

    def __init__(self, checkout, console, arguments):
        super().__init__(checkout, console, arguments)
        self._values = QUICK_VALUES if arguments.quick else round(4_000_000 * arguments.scale)

    def run(self):
        """Runs the program; returns the exit code: 1 when a value that was read is not the one that was written."""
        if not self.results.find(kind="values"):
            for run in self._measured():
                self.results.add(run)
        for kind, measured in (("codec", self._chosen), ("copy", self._copies), ("encoding", self._encodings)):
            if not self.results.find(kind=kind):
                for run in measured():
                    self.results.add(run)
        self.results.problems = transforms_figures.problems(self.results.runs)
        transforms_figures.add(self.results)
        self.results.save()
        return self._show(transforms_figures.text(self.results), "every bit is as it was written")

    def _measured(self):
        options = ["--values", str(self._values), "--rounds", str(self._rounds)]
        options += ["--warm-up", "0", "--farm-values", str(QUICK_VALUES)] if self._quick else []
        with tempfile.TemporaryDirectory() as directory:
            runs = self._lines(PROGRAM, [*options, "--dump", directory], "one thread encodes measured values in the orders of groups")
            return runs + sz3.runs(Path(directory), transforms_figures.lossy_errors(runs))

    def _chosen(self):
        passes = ["--values", "100000", "--passes", "20", "--rounds", "1"] if self._quick else ["--values", "500000"]
        return self._lines(CODECS, passes, "one thread chooses codecs for networks")

    def _copies(self):
        rounds = ["--rounds", str(self._rounds)]
        quick = ["--records", str(QUICK_VALUES), "--farm-records", str(QUICK_VALUES), "--rounds", "1", "--warm-up", "0"]
        return self._lines(COPIES, quick if self._quick else rounds, "one thread writes whole records to three groups")

    def _encodings(self):
        quick = ["--values", str(QUICK_VALUES), "--drawn-rows", "20000"] if self._quick else []
        return self._lines(ENCODINGS, quick, "one thread makes chunks in each encoding")

    def _lines(self, program, options, text):
        file = self._checkout.benchmarks / "data" / "lhb_scada.parquet"
        command = java.encoding(self._checkout.share, program, ["--file", str(file), "--seed", str(self._seed), *options])
        self._console.say(f"transforms: {text}")
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise MpsrError(f"{program} ended with {done.returncode}:\n{done.stderr[-3000:]}")
        return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
