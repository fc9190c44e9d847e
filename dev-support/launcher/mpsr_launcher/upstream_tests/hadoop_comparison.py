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
"""Hadoop's own tests with MPSR beside the same on stock HDFS."""

from mpsr_launcher.upstream_tests.hadoop_results import FAILED, PASSED, SKIPPED


class Comparison:
    """What some classes did on a side, compared with stock where they were run there, too.

    ``known`` gives the reason why a test must differ, by class and test, such as ``TestFoo#testBar``.
    """

    def __init__(self, results, names, side, known):
        self._results = results
        self._side = side
        self._known = known
        self._missing = [name for name in names if not results.get(name, side)]
        self._ran = [name for name in names if results.get(name, side)]
        self._compared = [name for name in self._ran if results.get(name, "stock")]

    def passed(self):
        """How many tests passed."""
        return sum(self._results.get(name, self._side).count(PASSED) for name in self._ran)

    def failed(self):
        """How many tests pass on stock and not here, or cannot be compared, or were not run at all."""
        return len(list(self._lost())) + self._failed_alone() + len(self._missing)

    def is_bad(self):
        """Whether a command that made this comparison has failed."""
        if self._side == "stock":
            return not self._ran
        return bool(not self._ran or next(self._lost(), None) or self._failed_alone())

    def _failed_alone(self):
        alone = [name for name in self._ran if name not in self._compared]
        return sum(
            status == FAILED and _test(name, test) not in self._known
            for name in alone
            for test, status in self._results.get(name, self._side).tests.items()
        )

    def _differences(self):
        for name in self._compared:
            stock, other = self._results.get(name, "stock"), self._results.get(name, self._side)
            for test in sorted(stock.passed() - other.passed()):
                flaky = " (flaky there)" if test in stock.flaky else ""
                yield _test(name, test), f"{other.why(test)}{flaky}"

    def _lost(self):
        return ((test, why) for test, why in self._differences() if test not in self._known)

    def _gained(self):
        for name in self._compared:
            stock, other = self._results.get(name, "stock"), self._results.get(name, self._side)
            for test in sorted(other.passed() - stock.passed()):
                yield _test(name, test), stock.why(test)

    def text(self):
        """The table and what differs."""
        side = self._side
        lines = [table(self._results, self._ran)]
        lines += [f"not run: {name}" for name in self._missing]
        if side == "stock":
            return "\n".join(lines)
        lines += [f"LOST {test} passes on stock and not on {side}: {why}" for test, why in self._lost()]
        known = sorted(test for test, _ in self._differences() if test in self._known)
        lines += [f"known: {test} passes on stock and not on {side}: {self._known[test]}" for test in known]
        lines += [f"gained: {test} passes on {side} and not on stock: {why}" for test, why in self._gained()]
        lines.append(self._summary(len(known)))
        if self._failed_alone():
            lines.append(f"{self._failed_alone()} tests failed in classes not run on stock: see --on and --against")
        return "\n".join(lines)

    def _summary(self, known):
        stock = sum(len(self._results.get(name, "stock").passed()) for name in self._compared)
        lost = len(list(self._lost()))
        return (
            f"{len(self._compared)} classes compared: of {stock} tests that pass on stock"
            f" {stock - lost - known} pass on {self._side}, {known} differ as known, {lost} are LOST"
        )


def table(results, names):
    """The classes as a table of Markdown."""
    lines = ["| class | stock: passed of tests | MPSR | in datasets | files in datasets |", "|---|--:|--:|--:|--:|"]
    for name in names:
        sides = results.classes.get(name, {})
        dataset = sides.get("dataset")
        cells = [_cell(sides.get(side)) for side in ("stock", "ours", "dataset")]
        files = f"{dataset.counts.get('files', 0):,}" if dataset else ""
        lines.append(f"| {_simple(name)} | {' | '.join(cells)} | {files} |")
    return "\n".join(lines)


def _cell(result):
    if result is None:
        return ""
    ran = len(result.tests) - result.count(SKIPPED)
    flaky = f" ({len(result.flaky)} flaky)" if result.flaky else ""
    return f"{result.count(PASSED)} of {ran}{flaky}"


def _test(name, test):
    return f"{_simple(name).partition('#')[0]}#{test}"


def _simple(name):
    """A class's name without its package; with its tests where only some were run."""
    class_name, mark, tests = name.partition("#")
    return class_name.rpartition(".")[2] + mark + tests
