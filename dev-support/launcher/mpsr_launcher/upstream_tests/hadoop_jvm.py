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
"""One class of Hadoop's own tests, run in a JVM of its own with stock HDFS or with MPSR."""

import contextlib
import os
import shutil
import signal
import subprocess
import time
import zipfile
from fnmatch import fnmatchcase

from mpsr_launcher.checkout.setup import lock
from mpsr_launcher.errors import MpsrError
from mpsr_launcher.pids import end_group
from mpsr_launcher.upstream_tests.hadoop_results import Run
from mpsr_launcher.upstream_tests.published_tests import PublishedTests, listed

SIDES = ("stock", "ours", "dataset")
_MAIN = "org.hadoopmpsr.hadooptests.RunTests"


class HadoopTests(PublishedTests):
    """The module in dev-support/hadoop-tests: class paths, configurations and a runner."""

    module = "hadoop-tests"
    unpacked = "hadoop-hdfs-tests"
    opens = ("java.math", "java.text", "java.util.concurrent", "java.util.zip", "sun.security.util", "sun.security.x509")

    def __init__(self, checkout, hadoop=None, fine_grained=False):
        """``hadoop`` is a version other than the distribution's; ``fine_grained`` its NameNode's lock, which Hadoop has from 3.5 on."""
        super().__init__(checkout, f"target/hadoop-{hadoop}" if hadoop else "target")
        self.hadoop_version = hadoop or checkout.property("hadoop.version")
        if hadoop:
            self.options = (f"-Dhadoop.tested={hadoop}",)
        lock_conf = checkout.root / "dev-support" / "hadoop-versions" / "conf" / "fine-grained-lock"
        self._conf_of_lock = [lock_conf] if fine_grained else []

    def list(self, name):
        """The class names of a list, such as short."""
        return listed(self._home / "lists" / f"{name}.txt")

    def known_differences(self, side):
        """Why some tests must fail on a side that pass on stock, by class and test, such as ``TestFoo#testBar``."""
        path = self._home / "lists" / f"{side}-differs.txt"
        return dict(line.split(None, 1) for line in listed(path)) if path.is_file() else {}

    def kept_stock(self):
        """The file with what became of the short lists' tests on stock HDFS."""
        return self._home / "lists" / "short-stock.json"

    def _holds_tests(self, jar):
        return jar.endswith(f"hadoop-hdfs-{self.hadoop_version}-tests.jar")

    def find(self, pattern):
        """The test classes that a name means: simple or with its package, with * and ? as in a shell."""
        found = [name for name in self._classes() if _matches(name, pattern)]
        if not found:
            raise MpsrError(
                f"no class {pattern} in the test jars of hadoop-hdfs and hadoop-common: check the name;"
                " quote patterns, as in 'TestReplicationPolicy*'"
            )
        return found

    def _classes(self):
        jars = [jar for jar in self._jars("stock") if jar.endswith("-tests.jar") and "kms" not in jar]
        jars += self._target.glob("hadoop-tests-*.jar")
        names = set()
        for jar in jars:
            with zipfile.ZipFile(jar) as archive:
                names.update(_class_name(entry) for entry in archive.namelist())
        return sorted(names - {None})

    def _class_path(self, side, work):
        conf = self._home / "conf"
        own = sorted(self._target.glob("hadoop-tests-*.jar"))
        return [str(entry) for entry in (conf / side, conf / "all", *self._conf_of_lock, work / "classes", *own)] + self._jars(side)

    def run(self, side, name, only, timeout_s, on_test):
        """Runs a class, or only some of its tests, and returns the Run. One runs at a time on each side.

        ``on_test`` gets each test's name and status when it has ended.
        """
        with lock(self._checkout, f"hadoop-tests-{side}"):
            return self._run(side, name, only, timeout_s, on_test)

    def _run(self, side, name, only, timeout_s, on_test):
        work = self._target / "work" / side / name
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(self._unpacked, work / "classes", copy_function=os.link)
        reports = self.reports / side
        reports.mkdir(parents=True, exist_ok=True)
        events = reports / f"{name}.events"
        events.write_text("", encoding="utf-8")
        argv = self._command(side, name, only, work, events)
        start = time.monotonic()
        with open(reports / f"{name}.log", "ab" if only else "wb") as log:
            child = subprocess.Popen(
                argv, cwd=work, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
            )
        run = Run(on_test)
        try:
            with open(events, encoding="utf-8") as lines:
                while child.poll() is None and time.monotonic() - start < timeout_s:
                    _give(lines, run)
                    time.sleep(0.1)
                _give(lines, run)
            if child.poll() is None:
                _dump_threads(child)
        finally:
            timed_out = child.poll() is None
            end_group(child)
        shutil.rmtree(work, ignore_errors=True)
        run.end(
            time.monotonic() - start,
            f"stopped after {timeout_s} s" if timed_out else f"the JVM ended with {child.returncode}",
        )
        return run

    def _command(self, side, name, only, work, events):
        properties = {
            "java.net.preferIPv4Stack": "true",
            "java.security.egd": "file:///dev/urandom",
            "test.build.data": work / "data",
            "test.build.dir": work / "dir",
            "test.cache.data": work / "cache",
            "hadoop.tmp.dir": work / "tmp",
            "hadoop.log.dir": work / "log",
            "java.io.tmpdir": work,
        }
        # compiled lightly: the tests wait more than they compute
        tuning = ["-Xmx2g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
        return self._java(tuning, properties, self._class_path(side, work), [_MAIN, str(events), name, *only])


def _matches(name, pattern):
    return fnmatchcase(name, pattern) or fnmatchcase(name.rpartition(".")[2], pattern)


def _class_name(entry):
    """The class that an entry of a jar holds, when it can be one of tests."""
    simple = entry.rpartition("/")[2]
    is_test = simple.endswith(".class") and "$" not in simple and "Test" in simple
    return entry.removesuffix(".class").replace("/", ".") if is_test else None


def _give(lines, run):
    """Gives the lines that are whole; the rest is read again."""
    while True:
        position = lines.tell()
        line = lines.readline()
        if not line.endswith("\n"):
            lines.seek(position)
            return
        run.event(line.rstrip("\n").split("\t"))


def _dump_threads(child):
    """Has the JVM write its threads into the log, for whoever asks where it hung."""
    with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
        child.send_signal(signal.SIGQUIT)
        child.wait(3)
