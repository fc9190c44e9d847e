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
"""Runs Python's tests of a directory, counts them, and tells what takes long.

As a program: python_tests DIRECTORY RESULTS, for a Python that has what the tests need.
"""

import sys
import time
import unittest
from pathlib import Path

from mpsr_launcher.cli.beside import write_results

LINES = 15
"""So much of what a test says about its failure is told again at the end."""
_LONG_SECONDS = 5


def run(directory, wanted=lambda module: True):
    """Runs the tests of a directory's modules whose names are wanted; returns how many have passed, and what has failed."""
    sys.path.insert(0, str(directory))
    suite = unittest.TestSuite()
    for module in sorted(path.stem for path in directory.glob("*_test.py")):
        if wanted(module):
            suite.addTests(unittest.TestLoader().discover(str(directory), f"{module}.py", str(directory)))
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2, resultclass=_Result).run(suite)
    failed = result.failures + result.errors
    failures = [f"{test}{indented(text.rstrip().splitlines()[-LINES:])}" for test, text in failed]
    failures += [f"{test}: passes, though it is expected to fail" for test in result.unexpectedSuccesses]
    return result.passed, failures


def indented(lines):
    """The lines as they follow what they are about."""
    return "".join(f"\n    {line}" for line in lines)


class _Result(unittest.TextTestResult):
    """Counts what has passed: errors in setting up a class belong to no test that was run. Tells what takes long."""

    passed = 0

    def startTestRun(self):
        super().startTestRun()
        self._since = time.monotonic()
        self._seconds = {}

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1

    def stopTest(self, test):
        """A class's first test takes with it what the class sets up."""
        super().stopTest(test)
        now = time.monotonic()
        name = type(test).__qualname__
        self._seconds[name] = self._seconds.get(name, 0) + now - self._since
        self._since = now

    def stopTestRun(self):
        super().stopTestRun()
        for name, seconds in sorted(self._seconds.items(), key=lambda item: -item[1]):
            if seconds >= _LONG_SECONDS:
                self.stream.writeln(f"{seconds:6.1f} s {name}")


if __name__ == "__main__":
    write_results(sys.argv[2], *run(Path(sys.argv[1])))
