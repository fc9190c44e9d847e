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
"""bin/mpsr spark-tests: Spark's own SQL tests on stock Spark and with MPSR, and what differs."""

import os
import re
import shutil
import subprocess
import time
from pathlib import Path
from xml.etree import ElementTree

from mpsr_launcher.checkout import surroundings
from mpsr_launcher.errors import MpsrError
from mpsr_launcher.pids import end_group
from mpsr_launcher.upstream_tests.hadoop_results import FAILED, PASSED, SKIPPED, Result, Results, Run
from mpsr_launcher.upstream_tests.published_tests import PublishedTests, listed

OTHER_SPARKS = ("3.5", "4.2")
"""The Sparks besides that of the distribution for which dev-support/spark-tests/pom.xml has a profile."""
_EXTENSION = "org.hadoopmpsr.spark.DirectoriesAreDatasets"
_COUNTED = ("decided", "redirected", "answered", "stock", "failures")


def run(checkout, console, arguments):
    """Runs the suites asked for and returns 1 when a test passes on stock and not with MPSR."""
    path = Path(arguments.json) if arguments.json else None
    results = Results.load(path) if path and path.is_file() else Results()
    suites = SparkTests(checkout, arguments.spark)
    suites.build(console)
    names = [suites.find(name) for name in arguments.suites or suites.list("suites")]
    sides = ("stock", "ours") if arguments.on == "both" else (arguments.on,)
    for name in names:
        for side in sides:
            results.put(name, side, _run(suites, console, name, side, arguments.timeout))
            if path:
                results.save(path, {"spark": suites.spark_version, "machine": surroundings.machine()})
    print(table(results, names))
    lost, known = differences(results, names, suites.known_differences())
    for line in known + lost:
        print(line)
    print(f"the logs are in {suites.reports}", flush=True)
    return int(bool(lost))


def run_short(checkout, console):
    """Runs the suites of short.txt with MPSR and returns (passed, failed).

    Stock Spark is not run: it passes all their tests. What is known to differ does not count.
    """
    suites = SparkTests(checkout)
    suites.build(console)
    results = Results()
    names = [suites.find(name) for name in suites.list("short")]
    for name in names:
        ours = _run(suites, console, name, "ours", 600)
        results.put(name, "ours", ours)
        results.put(name, "stock", Result(tests={test: PASSED for test in ours.tests if ours.tests[test] != SKIPPED}))
    lost, known = differences(results, names, suites.known_differences())
    for line in known + lost:
        console.say(line)
    return sum(results.get(name, "ours").count(PASSED) for name in names), len(lost)


def _run(suites, console, name, side, timeout_s):
    console.update(f"{_simple(name)} {side}")
    result = Result.of(suites.run(side, name, timeout_s))
    numbers = ", ".join(f"{result.count(status)} {status}" for status in (PASSED, FAILED, SKIPPED))
    console.say(f"{_simple(name)} {side}: {numbers} in {result.seconds:.0f} s {result.broken}".rstrip())
    return result


def table(results, names):
    """The suites as a table of Markdown."""
    lines = [
        "| suite | stock: passed of tests | MPSR | reads decided | redirected | answered |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for name in names:
        stock, ours = (results.get(name, side) for side in ("stock", "ours"))
        counts = [f"{ours.counts.get(key, 0):,}" if ours else "" for key in _COUNTED[:3]]
        lines.append(f"| {_simple(name)} | {_cell(stock)} | {_cell(ours)} | {' | '.join(counts)} |")
    return "\n".join(lines)


def differences(results, names, known):
    """Lines that say what passes on stock and not with MPSR, or where MPSR was not there; and what is known to differ.

    ``known`` gives the reason by suite and test, such as ``ASuite#reads``.
    """
    lost, expected = [], []
    for name in names:
        stock, ours = (results.get(name, side) for side in ("stock", "ours"))
        if ours and not ours.counts.get("decided"):
            lost.append(f"NOT COMPARED {_simple(name)}: the extension decided nothing {ours.broken}".rstrip())
        missing = sorted(stock.passed() - ours.passed()) if stock and ours else ()
        for test in (f"{_simple(name)}#{each}" for each in missing):
            if test in known:
                expected.append(f"known: {test} passes on stock and not with MPSR: {known[test]}")
            else:
                why = ours.why(test.partition("#")[2])
                lost.append(f"LOST {test} passes on stock and not with MPSR: {why}")
    return lost, expected


def _cell(result):
    return "" if result is None else f"{result.count(PASSED)} of {len(result.tests) - result.count(SKIPPED)}"


def _simple(name):
    return name.rpartition(".")[2]


class SparkTests(PublishedTests):
    """The module in dev-support/spark-tests, for the distribution's Spark or for another one of its profiles."""

    module = "spark-tests"
    unpacked = "spark-sql-tests"
    opens = (
        "java.lang.invoke",
        "java.util.concurrent",
        "java.util.concurrent.atomic",
        "sun.nio.cs",
        "sun.security.action",
        "sun.util.calendar",
    )

    def __init__(self, checkout, spark=None):
        super().__init__(checkout, f"target/spark-{spark}" if spark else "target")
        self.spark_version = spark or checkout.property("spark.version")
        if spark:
            self.profiles = ",sparks"
            self.options = (f"-Dspark.tested={spark}",)

    def list(self, name):
        """The suites of a list: ``suites``, which are run when none is named, or ``short``."""
        return listed(self._home / f"{name}.txt")

    def known_differences(self):
        """Why some tests must fail with MPSR that pass on stock, by suite and test."""
        return dict(line.split(" => ", 1) for line in listed(self._home / "differs.txt"))

    def _holds_tests(self, jar):
        return re.search(r"spark-sql_[\d.]+-[\d.]+-tests\.jar$", jar)

    def find(self, name):
        """The full name of the suite that a name, with or without its package, means."""
        file = f"{_simple(name)}.class"
        found = [
            str(path.relative_to(self._unpacked)).removesuffix(".class").replace(os.sep, ".")
            for path in sorted(self._unpacked.rglob(file))
        ]
        found = [each for each in found if each == name or "." not in name]
        if not found:
            raise MpsrError(f"there is no suite {name} in the tests of spark-sql {self.spark_version}: check the name")
        return found[0]

    def run(self, side, name, timeout_s):
        """Runs a suite and returns the Run."""
        work = self._target / "work" / side / name
        shutil.rmtree(work, ignore_errors=True)
        (work / "xml").mkdir(parents=True)
        (self.reports / side).mkdir(parents=True, exist_ok=True)
        log = self.reports / side / f"{name}.log"
        start = time.monotonic()
        with open(log, "wb") as out:
            child = subprocess.Popen(
                self._command(side, name, work),
                cwd=work,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            how = "the JVM ended without results"
            try:
                child.wait(timeout_s)
            except subprocess.TimeoutExpired:
                how = f"stopped after {timeout_s} s"
            finally:
                end_group(child)
        found = Run()
        for file in (work / "xml").glob("*.xml"):
            read(ElementTree.parse(file).getroot(), found)
        found.counts = counts(log.read_text(encoding="utf-8", errors="replace"))
        if not found.tests:
            found.broken = how
        found.seconds = time.monotonic() - start
        shutil.rmtree(work, ignore_errors=True)
        return found

    def _command(self, side, name, work):
        own = [] if side == "stock" else sorted(self._target.glob("spark-tests-*.jar"))
        class_path = (self._unpacked, *own, *self._jars(side))
        properties = {
            "log4j2.configurationFile": self._home / "log4j2.properties",
            "spark.testing": "1",
            "spark.test.home": work,
            "spark.ui.enabled": "false",
            "spark.unsafe.exceptionOnMemoryLeak": "true",
            "java.io.tmpdir": work,
        }
        if side == "ours":
            properties["spark.sql.extensions"] = _EXTENSION
        runner = ["org.scalatest.tools.Runner", "-s", name, "-oW", "-u", str(work / "xml")]
        # compiled lightly: most of what a suite runs, it runs a few times
        tuning = ["-Xmx2g", "-Xss4m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
        return self._java(tuning, properties, class_path, runner)


def read(suite, found):
    """Takes the tests of a report as JUnit writes it."""
    for case in suite.iter("testcase"):
        name = case.get("name")
        failures = [*case.iter("failure"), *case.iter("error")]
        status = FAILED if failures else SKIPPED if case.find("skipped") is not None else PASSED
        message = (failures[0].get("message") or "").strip().splitlines() if failures else []
        found.event(["finish", name, status, "", message[0][:300] if message else ""])


def counts(log):
    """What the extension said at the end that it had done; empty where it was not there."""
    said = re.search(r"^mpsr: (.*)$", log, re.MULTILINE)
    return {word: int(number) for number, word in re.findall(r"(\d+) (?:reads )?(\w+)", said.group(1))} if said else {}
