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
import tempfile
import unittest
from pathlib import Path

from mpsr_launcher.upstream_tests.hadoop_comparison import table
from mpsr_launcher.upstream_tests.hadoop_results import Result, Results, Run


def run_of(*events, how="the JVM ended with 0"):
    run = Run()
    for event in events:
        run.event(event.split(" ", 4) if not event.startswith("end") else ["end", event[4:]])
    run.end(2.0, how)
    return run


def result_of(**tests):
    return Result(1.0, tests, {name: f"{name} broke" for name, status in tests.items() if status == "failed"})


class RunTest(unittest.TestCase):
    def test_each_test_ends_as_the_runner_says(self):
        run = run_of(
            "plan a", "plan b", "plan c", "start a", "finish a passed 10", "start b", "finish b failed 5 it broke",
            "finish c skipped 0", "end nameNodes=2 files=0",
        )  # fmt: skip
        self.assertEqual(run.tests, {"a": "passed", "b": "failed", "c": "skipped"})
        self.assertEqual(run.messages, {"b": "it broke"})
        self.assertEqual(run.counts, {"nameNodes": 2, "files": 0})

    def test_what_did_not_end_has_failed_because_of_how_the_jvm_ended(self):
        run = run_of("plan a", "plan b", "start a", how="stopped after 5 s")
        self.assertEqual(run.messages, {"a": "not ended: stopped after 5 s", "b": "not run: stopped after 5 s"})
        self.assertEqual(run.failed(), ["a", "b"])

    def test_a_broken_class_tells_why_its_tests_did_not_run(self):
        run = run_of("plan a", "broken T BindException", "end x=1")
        self.assertEqual(run.messages, {"a": "BindException"})

    def test_a_jvm_that_tells_nothing_is_broken(self):
        self.assertEqual(run_of(how="the JVM ended with 1").broken, "the JVM ended with 1")
        self.assertEqual(run_of("end nameNodes=0").broken, "")

    def test_of_two_tests_of_one_name_the_failed_one_counts(self):
        run = run_of("finish a failed 1 no", "finish a passed 1")
        self.assertEqual(run.tests, {"a": "failed"})


class ResultsTest(unittest.TestCase):
    def results(self, **sides):
        results = Results()
        for side, result in sides.items():
            results.put("org.a.TestX", side, result)
        return results

    def test_what_passes_the_second_time_is_flaky(self):
        first = run_of("finish a failed 1 first", "finish b failed 1 always", "finish c passed 1")
        result = Result.of(first, run_of("finish a passed 1", "finish b failed 1 again"))
        self.assertEqual(result.passed(), {"a", "c"})
        self.assertEqual(result.flaky, {"a": "first"})
        self.assertEqual(result.messages, {"b": "again"})

    def test_a_file_keeps_all(self):
        result = Result(1.5, {"a": "passed", "b": "failed"}, {"b": "why"}, {"a": "once"}, "", {"nameNodes": 3})
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "r.json"
            self.results(stock=result).save(path, {"hadoop": "1"})
            found = Results.load(path).get("org.a.TestX", "stock")
        self.assertEqual(found.as_json(), result.as_json())
        self.assertEqual((found.tests, found.flaky, found.counts), (result.tests, {"a": "once"}, {"nameNodes": 3}))

    def test_the_table_counts_what_ran(self):
        stock = result_of(a="passed", b="failed", c="skipped")
        dataset = Result(1.0, {"a": "passed"}, counts={"files": 1234})
        lines = table(self.results(stock=stock, dataset=dataset), ["org.a.TestX"]).splitlines()
        self.assertEqual(lines[2], "| TestX | 1 of 2 |  | 1 of 1 | 1,234 |")
