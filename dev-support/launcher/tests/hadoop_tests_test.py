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
import io
import tempfile
import unittest
from pathlib import Path

from mpsr_launcher.checkout.checkout import Checkout
from mpsr_launcher.cli.arguments import parser
from mpsr_launcher.console import Console
from mpsr_launcher.errors import MpsrError
from mpsr_launcher.upstream_tests import hadoop_tests
from mpsr_launcher.upstream_tests.hadoop_comparison import Comparison
from mpsr_launcher.upstream_tests.hadoop_jvm import HadoopTests
from mpsr_launcher.upstream_tests.hadoop_results import Results, Run

POM = '<project xmlns="http://maven.apache.org/POM/4.0.0"><version>1</version></project>'


class Suites:
    """Classes whose tests end as given: a list of attempts, each a dict of test to status, by class and side."""

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
    def run_on(self, attempts, sides=("stock", "ours"), known=()):
        self.suites = Suites(attempts)
        results = Results()
        session = hadoop_tests.Session(self.suites, Console(io.StringIO()), results, 60, None)
        for side in sides:
            session.run("a.TestX", side, "1/1")
        return Comparison(results, ["a.TestX"], sides[-1], dict(known))

    def attempts(self, stock, ours):
        return {("a.TestX", "stock"): stock, ("a.TestX", "ours"): ours}

    def test_equal_results_are_good(self):
        comparison = self.run_on(self.attempts([{"a": "passed"}], [{"a": "passed"}]))
        self.assertEqual((comparison.is_bad(), comparison.passed(), comparison.failed()), (False, 1, 0))
        self.assertIn("1 classes compared: of 1 tests that pass on stock 1 pass on ours", comparison.text())

    def test_a_test_that_only_stock_passes_is_lost(self):
        comparison = self.run_on(self.attempts([{"a": "passed"}], [{"a": "failed"}, {"a": "failed"}]))
        self.assertEqual((comparison.is_bad(), comparison.passed(), comparison.failed()), (True, 0, 1))
        self.assertIn("LOST TestX#a passes on stock and not on ours: because", comparison.text())

    def test_a_test_that_is_left_out_is_lost(self):
        comparison = self.run_on(self.attempts([{"a": "passed", "b": "passed"}], [{"a": "passed", "b": "skipped"}]))
        self.assertTrue(comparison.is_bad())
        self.assertIn("LOST TestX#b passes on stock and not on ours: skipped", comparison.text())
        gone = self.run_on(self.attempts([{"a": "passed", "b": "passed"}], [{"a": "passed"}]))
        self.assertIn("LOST TestX#b passes on stock and not on ours: not there", gone.text())

    def test_a_known_difference_is_told_and_good(self):
        attempts = self.attempts([{"a": "passed"}], [{"a": "failed"}, {"a": "failed"}])
        comparison = self.run_on(attempts, known={"TestX#a": "the group decides"})
        self.assertEqual((comparison.is_bad(), comparison.failed()), (False, 0))
        self.assertIn("known: TestX#a passes on stock and not on ours: the group decides", comparison.text())

    def test_what_failed_is_tried_once_more_and_then_flaky(self):
        attempts = self.attempts([{"a": "passed"}], [{"a": "failed", "b": "passed"}, {"a": "passed"}])
        comparison = self.run_on(attempts)
        self.assertFalse(comparison.is_bad())
        self.assertEqual(self.suites.ran[2], ("ours", "a.TestX", ("a",)))
        self.assertIn("2 of 2 (1 flaky)", comparison.text())
        self.assertIn("gained: TestX#b", comparison.text())

    def test_what_fails_on_both_is_good(self):
        failed = [{"a": "failed"}, {"a": "failed"}]
        self.assertFalse(self.run_on(self.attempts(list(failed), list(failed))).is_bad())

    def test_a_failure_that_cannot_be_compared_is_bad(self):
        comparison = self.run_on({("a.TestX", "ours"): [{"a": "failed"}, {"a": "failed"}]}, sides=("ours",))
        self.assertEqual((comparison.is_bad(), comparison.failed()), (True, 1))
        self.assertIn("1 tests failed in classes not run on stock", comparison.text())

    def test_no_test_at_all_is_bad(self):
        comparison = self.run_on({("a.TestX", "ours"): [{}]}, sides=("ours",))
        self.assertEqual((comparison.is_bad(), comparison.failed()), (True, 1))
        self.assertIn("not run: a.TestX", comparison.text())

    def test_stock_alone_is_good_whatever_fails(self):
        comparison = self.run_on({("a.TestX", "stock"): [{"a": "failed"}, {"a": "failed"}]}, sides=("stock",))
        self.assertFalse(comparison.is_bad())


class ArgumentsTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = Path(directory.name)
        (self.root / "pom.xml").write_text(POM, encoding="utf-8")

    def test_a_list_leaves_out_comments(self):
        lists = self.root / "dev-support" / "hadoop-tests" / "lists"
        lists.mkdir(parents=True)
        (lists / "short.txt").write_text("# why\nTestA#b,c\n\nTestB*\n", encoding="utf-8")
        self.assertEqual(HadoopTests(Checkout(self.root)).list("short"), ["TestA#b,c", "TestB*"])

    def test_known_differences_have_reasons(self):
        lists = self.root / "dev-support" / "hadoop-tests" / "lists"
        lists.mkdir(parents=True)
        (lists / "dataset-differs.txt").write_text("# why\nTestA#b the group decides\n", encoding="utf-8")
        suites = HadoopTests(Checkout(self.root))
        self.assertEqual(suites.known_differences("dataset"), {"TestA#b": "the group decides"})
        self.assertEqual(suites.known_differences("ours"), {})

    def test_show_needs_results(self):
        arguments = parser("1").parse_args(["hadoop-tests", "--show", "--json", str(self.root / "r.json")])
        with self.assertRaisesRegex(MpsrError, "there are no results"):
            hadoop_tests.run(Checkout(self.root), Console(io.StringIO()), arguments)
