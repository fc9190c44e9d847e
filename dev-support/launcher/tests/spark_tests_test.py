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
import unittest
from unittest import mock
from xml.etree import ElementTree

from mpsr_launcher.checkout.checkout import Checkout, root_of
from mpsr_launcher.console import Console
from mpsr_launcher.upstream_tests import spark_tests
from mpsr_launcher.upstream_tests.hadoop_results import Result, Results, Run

REPORT = """
<testsuite name="org.apache.spark.sql.ASuite">
  <testcase name="reads"/>
  <testcase name="SPARK-1: writes"><failure message="1 did not equal 2&#10;more" type="x"/></testcase>
  <testcase name="slow"><skipped/></testcase>
</testsuite>
"""


class SparkTestsTest(unittest.TestCase):
    def setUp(self):
        self.run = Run()
        spark_tests.read(ElementTree.fromstring(REPORT), self.run)

    def _results(self, stock, ours):
        results = Results()
        results.put("org.apache.spark.sql.ASuite", "stock", stock)
        results.put("org.apache.spark.sql.ASuite", "ours", ours)
        return results

    def test_reports_are_read(self):
        self.assertEqual({"reads": "passed", "SPARK-1: writes": "failed", "slow": "skipped"}, self.run.tests)
        self.assertEqual({"SPARK-1: writes": "1 did not equal 2"}, self.run.messages)

    def test_what_the_extension_says_is_counted(self):
        log = "x\nmpsr: 150 reads decided, 82 redirected, 3 answered, 68 stock, 0 failures\n"
        expected = {"decided": 150, "redirected": 82, "answered": 3, "stock": 68, "failures": 0}
        self.assertEqual(expected, spark_tests.counts(log))
        self.assertEqual({}, spark_tests.counts("nothing"))

    def test_what_is_lost_is_named(self):
        ours = Result.of(self.run)
        ours.counts = {"decided": 150, "redirected": 82}
        stock = Result(tests={"reads": "passed", "SPARK-1: writes": "passed", "slow": "skipped"})
        results = self._results(stock, ours)
        names = ["org.apache.spark.sql.ASuite"]
        lost, known = spark_tests.differences(results, names, {})
        self.assertEqual([], known)
        self.assertEqual(["LOST ASuite#SPARK-1: writes passes on stock and not with MPSR: 1 did not equal 2"], lost)
        lost, known = spark_tests.differences(results, names, {"ASuite#SPARK-1: writes": "it counts scans"})
        self.assertEqual([], lost)
        self.assertEqual(["known: ASuite#SPARK-1: writes passes on stock and not with MPSR: it counts scans"], known)
        self.assertIn("| ASuite | 2 of 2 | 1 of 2 | 150 | 82 | 0 |", spark_tests.table(results, names))

    def test_a_suite_without_the_extension_is_no_comparison(self):
        results = self._results(Result(tests={"reads": "passed"}), Result(tests={"reads": "passed"}))
        lost, _ = spark_tests.differences(results, ["org.apache.spark.sql.ASuite"], {})
        self.assertEqual(["NOT COMPARED ASuite: the extension decided nothing"], lost)

    def test_each_other_spark_has_a_profile_and_a_place_of_its_own(self):
        checkout = Checkout(root_of())
        pom = (checkout.root / "dev-support" / "spark-tests" / "pom.xml").read_text(encoding="utf-8")
        for spark in spark_tests.OTHER_SPARKS:
            self.assertIn(f"<value>{spark}</value>", pom)
            self.assertIn(f"<tests.target>target/spark-{spark}</tests.target>", pom)
            suites = spark_tests.SparkTests(checkout, spark)
            self.assertEqual(f"target/spark-{spark}/reports", str(suites.reports.relative_to(checkout.root / "dev-support" / "spark-tests")))

    def test_the_short_form_expects_what_is_known(self):
        self.run.counts = {"decided": 3}
        with mock.patch.object(spark_tests, "SparkTests") as suites:
            suites = suites.return_value
            suites.list.return_value = ["ASuite"]
            suites.find.return_value = "org.apache.spark.sql.ASuite"
            suites.run.return_value = self.run
            suites.known_differences.return_value = {}
            self.assertEqual((1, 1), spark_tests.run_short(None, Console(io.StringIO())))
            suites.known_differences.return_value = {"ASuite#SPARK-1: writes": "it counts scans"}
            self.assertEqual((1, 0), spark_tests.run_short(None, Console(io.StringIO())))
            suites.run.return_value = Run()
            self.assertEqual((0, 1), spark_tests.run_short(None, Console(io.StringIO())), "nothing was decided")


if __name__ == "__main__":
    unittest.main()
