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
"""Parts of bin/mpsr test that run as a child beside others, with output of their own."""

import json
import subprocess
import sys

from mpsr_launcher.pids import end_group


class Beside:
    """A child that runs parts of the tests, one after the other. Leaving the block ends the child if it still runs."""

    def __init__(self, checkout, console, parts):
        self._console = console
        self._parts = parts
        directory = checkout.work / "tests"
        directory.mkdir(parents=True, exist_ok=True)
        self._log = directory / f"{'-'.join(parts)}.log"
        self._results = directory / f"{'-'.join(parts)}.json"
        self._cwd = checkout.root
        self._child = None

    def __enter__(self):
        self._results.unlink(missing_ok=True)
        self._console.say(f"tests: {', '.join(self._parts)}: they run beside what follows, and write to {self._log}")
        only = [argument for part in self._parts for argument in ("--only", part)]
        command = [sys.executable, "-u", "-m", "mpsr_launcher", "test", *only, "--results", str(self._results)]
        with open(self._log, "wb") as log:
            self._child = subprocess.Popen(
                command, cwd=self._cwd, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
            )
        return self

    def __exit__(self, *exception):
        if self._child.poll() is None:
            end_group(self._child)

    def end(self):
        """Waits for the child and prints what it has said; returns how many tests have passed, and what has failed."""
        code = self._child.wait()
        print(self._log.read_text(encoding="utf-8", errors="replace"), end="", flush=True)
        ended = f"{', '.join(self._parts)}: the tests ended with {code} before all had run; see {self._log}"
        return read_results(self._results) or (0, [ended])


def write_results(file, passed, failures):
    """Writes how many tests have passed, and what has failed."""
    with open(file, "w", encoding="utf-8") as out:
        json.dump({"passed": passed, "failures": failures}, out)


def read_results(file):
    """Reads what ``write_results`` has written; None if there is no such file."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found["passed"], found["failures"]
