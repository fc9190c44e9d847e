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
import os
import tempfile
import textwrap
import unittest
from pathlib import Path
from unittest import mock

from mpsr_launcher import waiting
from mpsr_launcher.checkout.checkout import Checkout
from mpsr_launcher.cli import testing
from mpsr_launcher.cli.beside import Beside
from mpsr_launcher.console import Console
from mpsr_launcher.pids import start_time

POM = '<project xmlns="http://maven.apache.org/POM/4.0.0"><version>1</version></project>'


class TestingTest(unittest.TestCase):
    """bin/mpsr test on a checkout with an ./mvnw of its own and unit tests of its own."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.checkout = Checkout(self._checkout(Path(directory.name)))
        self.said = io.StringIO()

    def _checkout(self, root):
        (root / "pom.xml").write_text(POM, encoding="utf-8")
        for tests in ("dev-support/launcher/tests", "benchmarks/tests"):
            (root / tests).mkdir(parents=True)
        return root

    def maven(self, code, *cases, said=""):
        """An ./mvnw that writes a report of these test cases, and says what these commands say."""
        report = f"<testsuite>{''.join(cases)}</testsuite>"
        place = "core/target/surefire-reports"
        script = f"#!/bin/sh\nmkdir -p {place}\necho '{report}' > {place}/TEST-a.T.xml\n{said}\nexit {code}\n"
        (self.checkout.root / "mvnw").write_text(script, encoding="utf-8")
        (self.checkout.root / "mvnw").chmod(0o755)

    def python(self, name, body):
        text = f"import unittest\n\n\nclass {name}(unittest.TestCase):\n{textwrap.indent(textwrap.dedent(body), '    ')}"
        path = self.checkout.root / "dev-support" / "launcher" / "tests" / f"{name.lower()}_test.py"
        path.write_text(text, encoding="utf-8")

    def run_tests(self, *only):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            code = testing.run_tests(self.checkout, Console(self.said), only)
        return code, out.getvalue().splitlines()[-1]

    def test_maven_counts_what_passed_failed_and_was_skipped(self):
        self.maven(
            1,
            '<testcase classname="a.T" name="good"/>',
            '<testcase classname="a.T" name="bad"><failure>expected 1\nbut was 2</failure></testcase>',
            '<testcase classname="a.T" name="worse"><error/></testcase>',
            '<testcase classname="a.T" name="not_here"><skipped/></testcase>',
        )
        self.assertEqual(self.run_tests("maven"), (1, "1 passed, 2 failed"))
        told = [line.partition("] ")[2] for line in self.said.getvalue().splitlines()]
        first = told.index("FAILED a.T.bad: see core/target/surefire-reports/a.T.txt")
        self.assertEqual(told[first + 1 : first + 3], ["    expected 1", "    but was 2"])

    def test_a_test_that_hangs_tells_where_its_threads_are(self):
        own = '"pool-1" prio=5 Id=15 WAITING\n\tat java.base/Thread.sleep(Thread.java)\n\tat app//org.hadoopmpsr.T.waits(T.java:6)\n'
        other = '"main" prio=5 Id=1 WAITING\n\tat app//org.junit.Engine.execute(Engine.java:1)\n'
        output = f"cat > core/target/surefire-reports/a.T-output.txt <<'END'\nbefore\n{other}\n{own}\nEND"
        error = '<error type="java.util.concurrent.TimeoutException">timed out</error>'
        self.maven(1, f'<testcase classname="a.T" name="hangs">{error}</testcase>', said=output)
        self.assertEqual(self.run_tests("maven"), (1, "0 passed, 1 failed"))
        told = self.said.getvalue()
        self.assertIn("        at app//org.hadoopmpsr.T.waits(T.java:6)", told)
        self.assertNotIn("org.junit", told)

    def test_a_message_may_hold_what_xml_cannot(self):
        odd = "\uffff &#55357;&#0; \U0001f600 &#10; &amp;#1;"
        self.maven(1, f'<testcase classname="a.T" name="odd"><failure message="{odd}">{odd}</failure></testcase>')
        self.assertEqual(self.run_tests("maven"), (1, "0 passed, 1 failed"))
        self.assertIn("FAILED a.T.odd", self.said.getvalue())

    def test_maven_that_fails_without_a_failed_test_is_a_failure(self):
        said = "echo '[INFO] fine'; echo '[ERROR] '; echo '[ERROR] The forked VM terminated' >&2"
        self.maven(1, '<testcase classname="a.T" name="good"/>', said=said)
        self.assertEqual(self.run_tests("maven"), (1, "1 passed, 1 failed"))
        told = [line.partition("] ")[2] for line in self.said.getvalue().splitlines()]
        self.assertEqual(told[-2:], ["FAILED ./mvnw verify ended with 1", "    [ERROR] The forked VM terminated"])

    def test_reports_of_an_earlier_run_do_not_count(self):
        self.maven(0, '<testcase classname="a.T" name="good"/>', '<testcase classname="a.T" name="fine"/>')
        self.assertEqual(self.run_tests("maven"), (0, "2 passed, 0 failed"))
        (self.checkout.root / "mvnw").write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")
        self.assertEqual(self.run_tests("maven"), (1, "0 passed, 1 failed"))

    def test_python_counts_errors_outside_of_tests(self):
        self.python("Good", "def test_a(self):\n    pass\n")
        set_up = "@classmethod\ndef setUpClass(cls):\n    raise OSError('no cluster')\n\n"
        self.python("Bad", set_up + "def test_b(self):\n    pass\n")
        self.assertEqual(self.run_tests("launcher"), (1, "1 passed, 1 failed"))
        self.assertIn("OSError: no cluster", self.said.getvalue())

    def test_no_test_at_all_is_a_failure(self):
        self.assertEqual(self.run_tests("launcher"), (1, "0 passed, 1 failed"))

    def test_several_parts_run_one_after_the_other(self):
        self.maven(0, '<testcase classname="a.T" name="good"/>')
        self.python("Fine", "def test_a(self):\n    pass\n")
        self.assertEqual(self.run_tests("launcher", "maven"), (0, "2 passed, 0 failed"))
        said = self.said.getvalue()
        self.assertLess(said.index("tests: launcher: 1 passed"), said.index("tests: maven: 1 passed"))

    def in_a_child(self, *parts):
        """Parts that run as a child in this checkout."""
        self.enterContext(mock.patch.dict(os.environ, MPSR_ROOT=str(self.checkout.root)))
        return Beside(self.checkout, Console(self.said), parts)

    def test_a_child_tells_what_has_passed_and_failed_and_prints_it(self):
        self.python("Good", "def test_a(self):\n    pass\n")
        self.python("Bad", "def test_b(self):\n    self.fail('not so')\n")
        with contextlib.redirect_stdout(io.StringIO()) as out, self.in_a_child("launcher") as child:
            passed, failures = child.end()
        self.assertEqual((passed, len(failures)), (1, 1))
        self.assertIn("AssertionError: not so", failures[0])
        self.assertIn("test_b (bad_test.Bad.test_b) ... FAIL", out.getvalue())

    def test_a_child_that_dies_has_failed(self):
        self.python("Dying", "def test_a(self):\n    import os\n    os._exit(7)\n")
        with contextlib.redirect_stdout(io.StringIO()), self.in_a_child("launcher") as child:
            passed, failures = child.end()
        self.assertEqual(passed, 0)
        self.assertRegex(failures[0], "^launcher: the tests ended with 7 before all had run; see .*launcher.log$")

    def test_a_child_that_is_not_waited_for_is_ended(self):
        found = self.checkout.root / "pid"
        written = f"with open('{found}', 'w') as out:\n        out.write(f'{{os.getpid()}}\\n')"
        self.python("Long", f"def test_a(self):\n    import os, time\n    {written}\n    time.sleep(600)\n")

        def pid():
            text = found.read_text(encoding="utf-8") if found.is_file() else ""
            return int(text) if text.endswith("\n") else None

        with self.in_a_child("launcher"):
            child = waiting.until(pid, "the test", 60)
        self.assertIsNone(start_time(child))

    def test_all_parts_count_those_that_run_beside_others(self):
        self.enterContext(mock.patch.object(testing, "_maven_and_published", lambda checkout, console: (2, ["a.T.bad"])))
        self.enterContext(mock.patch.object(testing, "_integration", lambda checkout, console: (4, ["an it"])))
        self.python("Good", "def test_a(self):\n    pass\n")
        self.maven(1)
        for module in ("hadoop-tests", "spark-tests"):
            (self.checkout.root / "dev-support" / module).mkdir()
        with mock.patch.dict(os.environ, MPSR_ROOT=str(self.checkout.root)):
            code, last = self.run_tests()
        # what Hadoop and Spark publish cannot be built in this checkout, and it has no package for Python
        self.assertEqual((code, last), (1, "7 passed, 5 failed"))
        self.assertIn("FAILED a.T.bad", self.said.getvalue())
        self.assertIn("FAILED the build failed: ./mvnw", self.said.getvalue())

    def integration(self, name, body):
        """A module of integration tests, which knows how its run directory is called."""
        directory = self.checkout.root / "dev-support" / "it"
        directory.mkdir(exist_ok=True)
        text = f"import os\nimport unittest\n\n\nclass Test(unittest.TestCase):\n    def test_{name}(self):\n        {body}\n"
        (directory / f"{name}.py").write_text(text, encoding="utf-8")

    def test_integration_tests_with_clusters_of_their_own_run_in_a_child_with_a_directory_of_its_own(self):
        self.enterContext(mock.patch.object(testing.build, "ensure_built", lambda checkout, console: None))
        self.enterContext(mock.patch.object(testing, "ensure_venv", lambda checkout, console: None))
        self.enterContext(mock.patch.dict(os.environ, MPSR_ROOT=str(self.checkout.root)))
        self.integration("shared_cluster_test", "self.assertNotIn('MPSR_IT_RUN', os.environ)")
        self.integration("bench_test", "self.assertEqual(os.environ['MPSR_IT_RUN'], 'apart')")
        self.integration("interrupt_test", "self.fail('interrupted')")
        self.assertEqual(self.run_tests("integration"), (1, "2 passed, 1 failed"))
        self.assertIn("FAILED test_interrupt_test (interrupt_test.Test.test_interrupt_test)", self.said.getvalue())
