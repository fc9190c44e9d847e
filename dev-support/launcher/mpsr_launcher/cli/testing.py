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
"""bin/mpsr test: everything that must be green, and one line that counts it."""

import re
import shutil
import sys
import time
import unittest
import xml.etree.ElementTree as ElementTree

from mpsr_launcher.checkout import build
from mpsr_launcher.checkout.checkout import Checkout
from mpsr_launcher.checkout.setup import ensure_venv
from mpsr_launcher.cluster.cluster import Cluster, cluster_names
from mpsr_launcher.errors import MpsrError
from mpsr_launcher.upstream_tests import hadoop_tests, spark_tests
from mpsr_launcher.upstream_tests.hadoop_jvm import HadoopTests
from mpsr_launcher.upstream_tests.spark_tests import SparkTests

_LONG_SECONDS = 5


def run_tests(checkout, console, only):
    """Runs Maven's tests, the launcher's, the integration tests, Hadoop's and Spark's; returns 0 when all have passed.

    No process that a test has started is left, also when the run is interrupted.
    """
    passed = failed = 0
    _stop_clusters(checkout, console)
    parts = {
        "maven": _maven_and_published if only is None else _maven,
        "launcher": _launcher,
        "integration": _integration,
        "hadoop": _published(hadoop_tests.run_short),
        "spark": _published(spark_tests.run_short),
    }
    for name, run in parts.items():
        if only in (None, name):
            console.say(f"tests: {name}")
            good, bad = run(checkout, console)
            bad = bad if good else max(bad, 1)  # Where nothing has passed, something is wrong.
            console.say(f"tests: {name}: {good} passed, {bad} failed")
            passed, failed = passed + good, failed + bad
    print(f"{passed} passed, {failed} failed", flush=True)
    return 1 if failed else 0


def _maven_and_published(checkout, console):
    """Maven's tests, in a build that makes the class paths of Hadoop's and Spark's as well: builds of their own take longer."""
    suites = (HadoopTests(checkout), SparkTests(checkout))
    passed, failed = _maven(checkout, console, [each.module for each in suites])
    if not failed:
        for each in suites:
            each.take_build()
    return passed, failed


def _maven(checkout, console, profiles=()):
    for report in _reports(checkout):
        report.unlink()
    try:
        code = build.verify(checkout, profiles)
    except MpsrError as error:
        console.say(f"FAILED {error}")
        return 0, 1
    passed, failures = 0, []
    for report in _reports(checkout):
        for case in _cases(report):
            if case.find("failure") is not None or case.find("error") is not None:
                failures.append((case, report))
            elif case.find("skipped") is None:
                passed += 1
    for case, report in failures:
        text = report.with_name(report.stem.removeprefix("TEST-") + ".txt")
        console.say(f"FAILED {case.get('classname')}.{case.get('name')}: see {text.relative_to(checkout.root)}")
    if code != 0 and not failures:
        console.say(f"FAILED ./mvnw verify ended with {code}: see its first ERROR above")
    return passed, len(failures) or int(code != 0)


def _cases(report):
    """The test cases of a report. Surefire writes into it what a test's message holds, even what XML cannot hold."""
    text = report.read_text(encoding="utf-8", errors="replace")
    return ElementTree.fromstring(re.sub(r"&#(\d+);|[^\t -\ud7ff]", _in_xml, text)).iter("testcase")


def _in_xml(match):
    code = int(match.group(1)) if match.group(1) else ord(match.group())
    allowed = code in (9, 10, 13) or 32 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or code >= 0x10000
    return match.group() if allowed else "?"


def _reports(checkout):
    found = [*checkout.root.glob("*/target/surefire-reports/TEST-*.xml")]
    return sorted([*found, *checkout.root.glob("benchmarks/java/*/target/surefire-reports/TEST-*.xml")])


def _launcher(checkout, console):
    found = [_python(checkout.launcher / "tests"), _python(checkout.benchmarks / "tests")]
    return tuple(map(sum, zip(*found)))


def _integration(checkout, console):
    try:
        ensure_venv(checkout, console)
        build.ensure_built(checkout, console)
    except MpsrError as error:
        console.say(f"FAILED {error}")
        return 0, 1
    # What an earlier run has left would take part, and be found where it should not.
    _stop_clusters(checkout, console)
    shutil.rmtree(_runs(checkout), ignore_errors=True)
    try:
        passed, failed = _python(checkout.root / "dev-support" / "it")
    finally:
        _stop_clusters(checkout, console)
    if failed:
        console.say(f"the logs of the processes are in {_runs(checkout)}/*/*/logs")
    return passed, failed


def _published(run_short):
    """A short form of tests that another project publishes; one that cannot be built has failed."""

    def run(checkout, console):
        try:
            return run_short(checkout, console)
        except MpsrError as error:
            console.say(f"FAILED {error}")
            return 0, 1

    return run


def _runs(checkout):
    """The directory below which the integration tests keep their clusters."""
    return checkout.work / "it"


def _stop_clusters(checkout, console):
    """Stops what the integration tests have started, in this run or in one that was killed."""
    for directory in sorted(_runs(checkout).glob("*")):
        found = Checkout(checkout.root, directory)
        for name in cluster_names(found):
            Cluster(found, name).stop(console)


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


def _python(directory):
    sys.path.insert(0, str(directory))
    suite = unittest.TestLoader().discover(str(directory), pattern="*_test.py", top_level_dir=str(directory))
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2, resultclass=_Result).run(suite)
    return result.passed, len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
