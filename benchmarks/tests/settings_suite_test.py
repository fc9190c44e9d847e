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
from benchmarks.suites.settings import figures
from mpsr_launcher.checkout.checkout import Checkout, root_of


def run(workload, codec, seconds):
    return {"workload": workload, "family": workload, "features": {}, "settings": {"codec": codec}, "seconds": seconds}


RUNS = [run("a", "zstd:3", 2.0), run("a", "none", 1.0), run("b", "zstd:3", 1.0), run("b", "none", 4.0)]


class SettingsTest(unittest.TestCase):
    def test_single_configurations_are_compared_with_the_best_for_each_workload(self):
        found = Results("settings", 1, 1, Checkout(root_of()))
        figures.add(found, RUNS)
        self.assertEqual(found.figures["reached.best-single-one"]["value"], (0.5 + 1) / 2)
        self.assertEqual(found.figures["reached.without-any-configuration"]["spread"], [0.5, 1.0])
        self.assertEqual(found.figures["reached.worst-single-one"]["value"], (1 + 0.25) / 2)
        self.assertIn("best single one: codec=zstd:3", figures.text(found))

    def test_a_workload_that_lacks_a_configuration_is_a_problem(self):
        self.assertEqual(figures.problems(RUNS), [])
        self.assertEqual(figures.problems(RUNS[:3]), ["b: 1 of 2 configurations"])
