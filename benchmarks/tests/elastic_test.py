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
import unittest

from benchmarks.harness.results import Results
from benchmarks.suites.elastic import figures as elastic_figures
from mpsr_launcher.checkout.checkout import Checkout, root_of


def queue(budget, jobs, copies, before=None):
    """A queue of jobs [arrived, began, ended, answer]."""
    told = {"kind": "queue", "budget": budget, "jobs": jobs, "copies": {"copies": copies, "bytes": 10 * copies}}
    return {**told, "before": before or [job[3] for job in jobs], "bytesRead": 100, "bytesRemote": 40 if copies else 80}


def jobs(wait):
    return [[number, number + wait, number + wait + 2, "answer"] for number in range(4)]


class ElasticTest(unittest.TestCase):
    def test_equal_answers_are_no_problem(self):
        self.assertEqual(elastic_figures.problems([queue(0, jobs(3), 0), queue(20, jobs(1), 5)]), [])

    def test_other_answers_and_missing_copies_are(self):
        other = [*jobs(1)[:3], [3, 4, 6, "other"]]
        for runs, words in (
            ([queue(0, jobs(3), 0), queue(20, other, 5)], "1 jobs have another answer with further copies"),
            ([queue(20, jobs(1), 5, ["answer"] * 3 + ["other"])], "1 jobs have another answer than before"),
            ([queue(20, jobs(1), 0)], "no further copy was made"),
            ([queue(0, jobs(1), 2)], "2 further copies were made without a budget"),
        ):
            with self.subTest(words):
                self.assertIn(words, "".join(elastic_figures.problems(runs)))

    def test_figures(self):
        found = Results("elastic", 1, 1, Checkout(root_of()))
        for run in (queue(0, jobs(3), 0), queue(20, jobs(1), 5)):
            found.add(run)
        elastic_figures.add(found, "1 MiB/s")
        values = {name: round(figure["value"], 9) for name, figure in found.figures.items()}
        self.assertEqual((values["budget0.local"], values["budget20.local"]), (0.2, 0.6))
        self.assertEqual((values["budget0.wait"], values["budget20.wait"], values["budget20.seconds"]), (3, 1, 2))
        self.assertEqual(found.tables[0]["rows"][2][1:4], ["5", "50", "60%"])
