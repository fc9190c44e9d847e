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

import functools
import os
import re
import shutil
import xml.etree.ElementTree as ElementTree

from mpsr_launcher.checkout import build
from mpsr_launcher.checkout.checkout import Checkout
from mpsr_launcher.checkout.setup import ensure_readers, ensure_venv
from mpsr_launcher.cli import python_tests
from mpsr_launcher.cli.beside import Beside, read_results, write_results
from mpsr_launcher.cluster.cluster import Cluster, cluster_names
from mpsr_launcher.errors import MpsrError
from mpsr_launcher.pids import run_reading
from mpsr_launcher.upstream_tests import hadoop_tests, spark_tests
from mpsr_launcher.upstream_tests.hadoop_jvm import HadoopTests
from mpsr_launcher.upstream_tests.spark_tests import SparkTests

_LINES = python_tests.LINES
# How many of the errors that Maven tells are shown when no test has failed: a fork that died, a dependency.
_ERRORS = 40
# No test of the short form takes a fifth of the first, and no module's tests take half of the second: what takes longer hangs.
_HANGS = ("-Dtests.timeout=10m", "-Dsurefire.timeout=3600")
APART = (
    "bench_test",
    "datanode_faults_test",
    "ingest_faults_test",
    "interrupt_test",
    "java_11_test",
    "mount_test",
    "python_failover_test",
    "tarballs_test",
    "visualization_test",
)
"""The integration tests that start clusters of their own, or none: they run beside those that share a cluster."""


def run_tests(checkout, console, only, results=None, long=False):
    """Runs Maven's tests, the launcher's, those of the package for Python, the integration tests, Hadoop's and Spark's.

    Returns 0 when all have passed. With ``only`` it runs those of the parts, one after the other. All parts together run faster: those that only wait for
    processes run beside others. No process that a test has started is left, also when the run is interrupted. What has failed is
    told at the end, so that nobody needs to look for it among the lines of the tests. With ``results`` a file gets that, too.
    With ``long`` those run, too, that are marked as long.
    """
    if long:
        os.environ["MPSR_LONG_TESTS"] = "true"
    maven = _maven if only else _maven_and_published
    parts = {
        "maven": functools.partial(maven, long=True) if long else maven,
        "launcher": _launcher,
        "python": _python,
        "integration": _integration,
        "apart": _apart,
        "hadoop": _published(hadoop_tests.run_short),
        "spark": _published(spark_tests.run_short),
    }
    beside = ("launcher", "python", "hadoop", "spark")
    if not only:
        _stop_clusters(checkout, console)
        passed, failures = _part(checkout, console, "maven", parts["maven"])
        with Beside(checkout, console, beside) as others:
            more = _part(checkout, console, "integration", parts["integration"])
            counted = (more, others.end())
    else:
        passed, failures = 0, []
        if not {"maven", "integration"}.isdisjoint(only):
            _stop_clusters(checkout, console)
        counted = [_part(checkout, console, name, parts[name]) for name in only]
    for good, bad in counted:
        passed, failures = passed + good, failures + bad
    if results:
        write_results(results, passed, failures)
    for line in "\n".join(f"FAILED {failure}" for failure in failures).splitlines():
        console.say(line)
    print(f"{passed} passed, {len(failures)} failed", flush=True)
    return 1 if failures else 0


def _part(checkout, console, name, run):
    console.say(f"tests: {name}")
    good, bad = run(checkout, console)
    if not good and not bad:
        bad = [f"{name}: no test has run"]
    console.say(f"tests: {name}: {good} passed, {len(bad)} failed")
    return good, bad


def _maven_and_published(checkout, console, long=False):
    """Maven's tests, also on another Hadoop and on other Sparks, in a build that makes the class paths of Hadoop's and Spark's as well.

    Builds of their own take longer.
    """
    suites = (HadoopTests(checkout), SparkTests(checkout))
    profiles = ["hadoop-versions", "kafka-versions", "sparks-short", *(each.module for each in suites)]
    passed, failures = _maven(checkout, console, profiles, long)
    if not failures:
        for each in suites:
            each.take_build()
    return passed, failures


def _maven(checkout, console, profiles=(), long=False):
    for report in _reports(checkout):
        report.unlink()
    try:
        code, errors = build.verify(checkout, profiles, ["-Dtests.excluded=none"] if long else _HANGS)
    except MpsrError as error:
        return 0, [str(error)]
    passed, failures = 0, []
    for report in _reports(checkout):
        text = report.with_name(report.stem.removeprefix("TEST-") + ".txt")
        for case in _cases(report):
            found = [each for each in (case.find("failure"), case.find("error")) if each is not None]
            if found:
                name = f"{case.get('classname')}.{case.get('name')}"
                lines = (found[0].text or "").strip().splitlines()[:_LINES]
                if "TimeoutException" in (found[0].get("type") or ""):
                    lines += _own_threads(text.with_name(f"{text.stem}-output.txt"))
                failures.append(f"{name}: see {text.relative_to(checkout.root)}{python_tests.indented(lines)}")
            elif case.find("skipped") is None:
                passed += 1
    if code != 0 and not failures:
        failures.append(f"./mvnw verify ended with {code}{python_tests.indented(errors[:_ERRORS])}")
    return passed, failures


def _own_threads(output):
    """The threads that ran MPSR's code when JUnit gave a test up, as its output has them, without JUnit's own frames."""
    if not output.is_file():
        return []
    threads = re.findall(r'^"[^\n]*\n(?:\t[^\n]*\n)+', output.read_text(encoding="utf-8", errors="replace"), re.MULTILINE)
    own = "".join(thread for thread in threads if "org.hadoopmpsr." in thread)
    return [line.expandtabs(4) for line in own.splitlines() if "org.junit." not in line]


def _cases(report):
    """The test cases of a report. Surefire writes into it what a test's message holds, even what XML cannot hold."""
    text = report.read_text(encoding="utf-8", errors="replace")
    return ElementTree.fromstring(re.sub(r"&#(\d+);|[^\t -\ud7ff]", _in_xml, text)).iter("testcase")


def _in_xml(match):
    code = int(match.group(1)) if match.group(1) else ord(match.group())
    allowed = code in (9, 10, 13) or 32 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or code >= 0x10000
    return match.group() if allowed else "?"


def _reports(checkout):
    places = ("*", "benchmarks/java/*", "dev-support/hadoop-versions", "dev-support/linkage", "mpsr-spark/*", "mpsr-spark/*/*")
    return sorted(report for place in places for report in checkout.root.glob(f"{place}/target/surefire-reports/TEST-*.xml"))


def _launcher(checkout, console):
    passed, failures = python_tests.run(checkout.launcher / "tests")
    more, others = python_tests.run(checkout.benchmarks / "tests")
    return passed + more, failures + others


def _python(checkout, console):
    """The tests of the package for Python, with the Python that has PyIceberg."""
    directory = checkout.root / "python" / "tests"
    if not directory.is_dir():
        return 0, []
    try:
        python = ensure_readers(checkout, console) / "bin" / "python"
    except MpsrError as error:
        return 0, [str(error)]
    results = checkout.work / "tests" / "package.json"
    results.parent.mkdir(parents=True, exist_ok=True)
    results.unlink(missing_ok=True)
    path = os.pathsep.join(map(str, (checkout.launcher, checkout.root / "python" / "src")))
    command = [str(python), "-m", "mpsr_launcher.cli.python_tests", str(directory), str(results)]
    code = run_reading(command, checkout.root, print, {**os.environ, "PYTHONPATH": path})
    return read_results(results) or (0, [f"python: the tests ended with {code} before all had run"])


def _integration(checkout, console):
    """The tests that share a cluster, and beside them, as a child, those that start clusters of their own."""
    try:
        ensure_venv(checkout, console)
        build.ensure_built(checkout, console)
    except MpsrError as error:
        return 0, [str(error)]
    # What an earlier run has left would take part, and be found where it should not.
    _stop_clusters(checkout, console)
    shutil.rmtree(_runs(checkout), ignore_errors=True)
    try:
        with Beside(checkout, console, ("apart",)) as apart:
            passed, failures = python_tests.run(_it(checkout), lambda name: name not in APART)
            more, others = apart.end()
    finally:
        _stop_clusters(checkout, console)
    failures += others
    if failures:
        console.say(f"the logs of the processes are in {_runs(checkout)}/*/*/logs")
    return passed + more, failures


def _apart(checkout, console):
    """A part of the integration tests, which has started what this needs. Its clusters are not among those of the other tests."""
    os.environ["MPSR_IT_RUN"] = "apart"
    return python_tests.run(_it(checkout), lambda name: name in APART)


def _it(checkout):
    return checkout.root / "dev-support" / "it"


def _published(run_short):
    """A short form of tests that another project publishes; one that cannot be built has failed."""

    def run(checkout, console):
        try:
            passed, failed = run_short(checkout, console)
        except MpsrError as error:
            return 0, [str(error)]
        return passed, [f"{run_short.__module__.rpartition(chr(46))[2]}: see the comparison above"] * failed

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
