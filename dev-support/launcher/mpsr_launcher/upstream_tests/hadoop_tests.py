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
"""bin/mpsr hadoop-tests: Hadoop's own tests on stock HDFS and on HDFS with MPSR, and what differs."""

from pathlib import Path

from mpsr_launcher.checkout import surroundings
from mpsr_launcher.errors import MpsrError
from mpsr_launcher.upstream_tests.hadoop_comparison import Comparison, table
from mpsr_launcher.upstream_tests.hadoop_jvm import HadoopTests
from mpsr_launcher.upstream_tests.hadoop_results import FAILED, PASSED, SKIPPED, Result, Results

def run(checkout, console, arguments):
    """Runs the classes asked for and returns 1 when a test passes on stock and not with MPSR."""
    path = Path(arguments.json) if arguments.json else None
    results = Results.load(path) if path and path.is_file() else Results()
    if arguments.show:
        return _show(results, path)
    suites = HadoopTests(checkout, arguments.hadoop, arguments.fine_grained_lock)
    suites.build(console)
    if arguments.against:
        _take_stock(results, Path(arguments.against))
    names = _names(suites, arguments)
    session = Session(suites, console, results, arguments.timeout, path)
    sides = _sides(arguments)
    for number, name in enumerate(names, 1):
        for side in sides:
            if not (arguments.resume and results.get(name, side)):
                session.run(name, side, f"{number}/{len(names)}")
    comparison = Comparison(results, names, sides[-1], suites.known_differences(sides[-1]))
    print(comparison.text())
    print(f"the logs are in {suites.reports}", flush=True)
    return int(comparison.is_bad())


def run_short(checkout, console):
    """Runs the short lists with MPSR, compares with what is kept of stock, and returns (passed, failed).

    Stock HDFS is not run: its jars do not change, and a test that is missing counts as failed.
    """
    suites = HadoopTests(checkout)
    suites.build(console)
    results = Results.load(suites.kept_stock())
    session = Session(suites, console, results, 600, None)
    passed = failed = 0
    for side, name in (("ours", "short"), ("dataset", "short-dataset")):
        names = _expand(suites, suites.list(name))
        for number, each in enumerate(names, 1):
            session.run(each, side, f"{number}/{len(names)}")
        comparison = Comparison(results, names, side, suites.known_differences(side))
        console.say(comparison.text())
        passed += comparison.passed()
        failed += comparison.failed()
    return passed, failed


def _sides(arguments):
    ours = "dataset" if arguments.dataset else "ours"
    return {"stock": ["stock"], "ours": [ours], "both": ["stock", ours]}[arguments.on]


def _names(suites, arguments):
    wanted = list(arguments.classes)
    for name in arguments.list or ():
        wanted += suites.list(name)
    if not wanted:
        raise MpsrError("name test classes, such as TestFsck or 'TestSnapshot*', or a list with --list")
    return _expand(suites, wanted)


def _expand(suites, wanted):
    names = []
    for each in wanted:
        pattern, mark, tests = each.partition("#")
        names += [found + mark + tests for found in suites.find(pattern)]
    return list(dict.fromkeys(names))


def _take_stock(results, path):
    if not path.is_file():
        raise MpsrError(f"--against {path}: there is no such file; name one that --json=FILE has written")
    for name, sides in Results.load(path).classes.items():
        if "stock" in sides and not results.get(name, "stock"):
            results.put(name, "stock", sides["stock"])


def _show(results, path):
    if not results.classes:
        raise MpsrError(f"--show: there are no results in {path}; name the file of an earlier run with --json=FILE")
    print(table(results, sorted(results.classes, key=lambda name: name.rpartition(".")[2])))
    return 0


class Session:
    """Runs classes one after the other and keeps what became of them."""

    def __init__(self, suites, console, results, timeout_s, path):
        self._suites = suites
        self._console = console
        self._results = results
        self._timeout_s = timeout_s
        self._path = path

    def run(self, name, side, position):
        """Runs a class on a side, what fails once more, and keeps the result."""
        short = name.rpartition(".")[2]
        first = self._once(name, side, f"{position} {short} {side}")
        again = first.failed()
        second = None
        if again or first.broken:
            only = () if first.broken else again
            second = self._once(name, side, f"{position} {short} {side}, {len(again)} failures again", only)
        result = Result.of(first, second)
        if not result.tests and not result.broken:
            self._console.say(f"{position} {short} {side}: has no tests")
            return
        self._results.put(name, side, result)
        numbers = ", ".join(f"{result.count(status)} {status}" for status in (PASSED, FAILED, SKIPPED))
        flaky = f", flaky: {', '.join(sorted(result.flaky))}" if result.flaky else ""
        self._console.say(f"{position} {short} {side}: {numbers} in {result.seconds:.0f} s{flaky}")
        if self._path:
            self._results.save(self._path, {"hadoop": self._suites.hadoop_version, "machine": surroundings.machine()})

    def _once(self, name, side, title, only=()):
        ended = []

        def on_test(test, status):
            ended.append(test)
            self._console.update(f"{title}: {len(ended)} tests, last {test} {status}")

        class_name, _, chosen = name.partition("#")
        wanted = only or [test for test in chosen.split(",") if test]
        return self._suites.run(side, class_name, wanted, self._timeout_s, on_test)
