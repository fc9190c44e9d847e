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
"""What became of Hadoop's own tests: in one run, and compared between stock HDFS and HDFS with MPSR."""

import json
import os
import re

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"


class Run:
    """A class of tests run once: built from the runner's events, then complete."""

    def __init__(self, on_test=lambda name, status: None):
        self._on_test = on_test
        self._open = {}
        self._ended = False
        self.tests = {}
        self.messages = {}
        self.broken = ""
        self.counts = {}
        self.seconds = 0.0

    def event(self, words):
        """Takes the words of one line of the runner."""
        kind, name = words[0], words[1]
        if kind == "plan":
            self._open[name] = "not run"
        elif kind == "start":
            self._open[name] = "not ended"
        elif kind == "finish":
            self._finish(name, words[2], words[4] if len(words) > 4 else "")
        elif kind == "broken":
            self.broken = words[2] if len(words) > 2 else "failed outside of its tests"
        elif kind == "end":
            self.counts = {key: int(value) for key, value in re.findall(r"(\w+)=(\d+)", name)}
            self._ended = True

    def _finish(self, name, status, message):
        self._open.pop(name, None)
        if self.tests.get(name) != FAILED:  # of two tests of one name the one that failed counts
            self.tests[name] = status
            if status == FAILED:
                self.messages[name] = message
        self._on_test(name, status)

    def end(self, seconds, how):
        """Ends the run. Tests that did not end have failed, because of ``how`` the JVM ended."""
        self.seconds = seconds
        for name, state in self._open.items():
            self.tests[name] = FAILED
            self.messages[name] = self.broken or f"{state}: {how}"
        if not self._ended and not self.tests:
            self.broken = self.broken or how
        self._open = {}

    def failed(self):
        """The names of the tests that failed."""
        return [name for name, status in self.tests.items() if status == FAILED]


class Result:
    """What became of a class on one side, after failures were tried once more."""

    def __init__(self, seconds=0.0, tests=None, messages=None, flaky=None, broken="", counts=None):
        self.seconds = seconds
        self.tests = tests or {}
        self.messages = messages or {}
        self.flaky = flaky or {}
        self.broken = broken
        self.counts = counts or {}

    @staticmethod
    def of(first, second=None):
        """The result of a run, and of a second one of what failed in it: a test that then passes is flaky."""
        result = Result(first.seconds, dict(first.tests), dict(first.messages), {}, first.broken, first.counts)
        if second is not None:
            result.broken = second.broken
            for name, status in second.tests.items():
                if status == PASSED and result.tests.get(name) == FAILED:
                    result.flaky[name] = result.messages.pop(name)
                result.tests[name] = status
                if status == FAILED:
                    result.messages[name] = second.messages[name]
        return result

    def count(self, status):
        """How many tests ended so."""
        return sum(1 for each in self.tests.values() if each == status)

    def passed(self):
        """The tests that passed, at the first or the second attempt."""
        return {name for name, status in self.tests.items() if status == PASSED}

    def why(self, name):
        """Why a test did not pass."""
        return self.messages.get(name) or self.broken or self.tests.get(name, "not there")

    def as_json(self):
        """The result as an object of JSON."""
        tests = {}
        for status in (PASSED, SKIPPED, FAILED):
            named = sorted(name for name, each in self.tests.items() if each == status)
            if named:
                tests[status] = {name: self.why(name) for name in named} if status == FAILED else named
        found = {"seconds": round(self.seconds, 1), **tests, "flaky": self.flaky, "broken": self.broken}
        return {key: value for key, value in {**found, **self.counts}.items() if value}

    @staticmethod
    def from_json(found):
        """The result that ``as_json`` gave."""
        messages = found.get(FAILED, {})
        tests = {name: status for status in (PASSED, SKIPPED, FAILED) for name in found.get(status, ())}
        counts = {key: value for key, value in found.items() if isinstance(value, int)}
        return Result(found.get("seconds", 0), tests, dict(messages), found.get("flaky"), found.get("broken", ""), counts)


class Results:
    """Results by class and side."""

    def __init__(self, found=None):
        self.classes = {
            name: {side: Result.from_json(result) for side, result in sides.items()}
            for name, sides in (found or {}).items()
        }

    @staticmethod
    def load(path):
        """The results in a file that ``save`` wrote."""
        return Results(json.loads(path.read_text(encoding="utf-8"))["classes"])

    def save(self, path, about):
        """Writes a file, at once or not at all; ``about`` says what was run where."""
        classes = {
            name: {side: result.as_json() for side, result in sorted(sides.items())}
            for name, sides in sorted(self.classes.items())
        }
        temporary = path.with_name(path.name + ".new")
        temporary.write_text(json.dumps({**about, "classes": classes}, indent=1) + "\n", encoding="utf-8")
        os.replace(temporary, path)

    def get(self, name, side):
        """A class's result on a side, or None."""
        return self.classes.get(name, {}).get(side)

    def put(self, name, side, result):
        """Keeps a class's result on a side."""
        self.classes.setdefault(name, {})[side] = result
