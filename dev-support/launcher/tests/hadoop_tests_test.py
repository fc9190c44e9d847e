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
import contextlib
import io
import tempfile
import unittest
from pathlib import Path

from mpsr_launcher import hadoop_tests
from mpsr_launcher.arguments import parser
from mpsr_launcher.console import Console
from mpsr_launcher.errors import MpsrError
from mpsr_launcher.hadoop_jvm import HadoopTests
from mpsr_launcher.hadoop_results import Results, Run
from mpsr_launcher.layout import Layout

POM = '<project xmlns="http://maven.apache.org/POM/4.0.0"><version>1</version></project>'


class Suites:
    """Classes whose tests end as given: a list of attempts, each a dict of test to status, by class and side."""

    reports = "reports"

    def __init__(self, attempts):
        self.attempts = attempts
        self.ran = []

    def run(self, side, name, only, timeout_s, on_test):
        self.ran.append((side, name, tuple(only)))
        run = Run(on_test)
        for test, status in self.attempts[name, side].pop(0).items():
            run.event(["finish", test, status, "1", "because"])
        run.event(["end", "nameNodes=1"])
        run.end(1.0, "the JVM ended with 0")
        return run


class SessionTest(unittest.TestCase):
    def finish(self, attempts, sides=("stock", "ours")):
        self.suites = Suites(attempts)
        session = hadoop_tests.Session(self.suites, Console(io.StringIO()), Results(), 60, None)
        for side in sides:
            session.run("a.TestX", side, "1/1")
        with contextlib.redirect_stdout(io.StringIO()) as out:
            code = session.finish(["a.TestX"], [side for side in sides if side != "stock"])
        return code, out.getvalue()

    def attempts(self, stock, ours):
        return {("a.TestX", "stock"): stock, ("a.TestX", "ours"): ours}

    def test_equal_results_are_a_success(self):
        code, out = self.finish(self.attempts([{"a": "passed"}], [{"a": "passed"}]))
        self.assertEqual(code, 0)
        self.assertIn("ours: 1 classes compared: of 1 tests that pass on stock 1 pass", out)

    def test_a_test_that_only_stock_passes_is_a_failure(self):
        code, out = self.finish(self.attempts([{"a": "passed"}], [{"a": "failed"}, {"a": "failed"}]))
        self.assertEqual(code, 1)
        self.assertIn("LOST TestX.a: passes on stock and not on ours: because", out)

    def test_what_failed_is_tried_once_more_and_then_flaky(self):
        code, out = self.finish(self.attempts([{"a": "passed"}], [{"a": "failed", "b": "passed"}, {"a": "passed"}]))
        self.assertEqual(code, 0)
        self.assertEqual(self.suites.ran[2], ("ours", "a.TestX", ("a",)))
        self.assertIn("2 of 2 (1 flaky)", out)

    def test_what_fails_on_both_is_no_failure(self):
        failed = [{"a": "failed"}, {"a": "failed"}]
        self.assertEqual(self.finish(self.attempts(list(failed), list(failed)))[0], 0)

    def test_a_failure_that_cannot_be_compared_is_a_failure(self):
        code, out = self.finish({("a.TestX", "ours"): [{"a": "failed"}, {"a": "failed"}]}, sides=("ours",))
        self.assertEqual(code, 1)
        self.assertIn("1 tests failed, and 1 classes were not run on stock", out)

    def test_no_test_at_all_is_a_failure(self):
        code, out = self.finish({("a.TestX", "ours"): [{}]}, sides=("ours",))
        self.assertEqual(code, 1)
        self.assertIn("no test was run", out)


class ArgumentsTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = Path(directory.name)
        (self.root / "pom.xml").write_text(POM, encoding="utf-8")

    def test_a_list_leaves_out_comments(self):
        lists = self.root / "dev-support" / "hadoop-tests" / "lists"
        lists.mkdir(parents=True)
        (lists / "short.txt").write_text("# why\nTestA\n\nTestB*  # all\n", encoding="utf-8")
        self.assertEqual(HadoopTests(Layout(self.root)).list("short"), ["TestA", "TestB*"])

    def test_results_have_a_place(self):
        arguments = parser("1").parse_args(["hadoop-tests", "TestA", "--json", str(self.root / "none" / "r.json")])
        with self.assertRaisesRegex(MpsrError, "there is no such directory"):
            hadoop_tests.run(Layout(self.root), Console(io.StringIO()), arguments)

    def test_show_needs_results(self):
        arguments = parser("1").parse_args(["hadoop-tests", "--show", "--json", str(self.root / "r.json")])
        with self.assertRaisesRegex(MpsrError, "there are no results"):
            hadoop_tests.run(Layout(self.root), Console(io.StringIO()), arguments)
