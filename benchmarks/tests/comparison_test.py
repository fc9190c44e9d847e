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
"""What is asked of layouts that are compared."""

import io
import unittest
from collections import Counter

from benchmarks.harness import comparison
from benchmarks.harness.comparison import Comparison
from benchmarks.harness.data_layouts import layouts
from benchmarks.harness.records import QUICK
from benchmarks.harness.results import Results
from benchmarks.harness.suite import Suite
from mpsr_launcher.checkout.checkout import Checkout, root_of
from mpsr_launcher.console import Console

LAYOUTS = layouts("hdfs://nn")
ROUNDS = 3


class Stage:
    """Remembers which session was asked what. Parameters are numbered by their rounds."""

    quick = False

    def __init__(self):
        self.queries = []

    def parameters(self, queries, size, seed, rounds):
        return list(range(rounds))

    def fill(self, layout, size):
        return {"kind": "load", "layout": layout.name}

    def ask(self, kind, op, **request):
        if op == "query":
            self.queries.append((kind, request["query"], request["parameters"]))
        return {"shares": {"narrow": 3, "wide": 1}} if op == "shares" else {"seconds": 1}


class ComparisonTest(unittest.TestCase):
    def setUp(self):
        self.stage = Stage()
        self.results = Results("peers", 1, 1, Checkout(root_of()))
        self.asked = Comparison(self.stage, Console(io.StringIO()), 1)
        self.asked.load(self.results, LAYOUTS, QUICK)

    def test_each_layout_is_loaded_once_by_itself_or_by_another(self):
        loaded = [run["layout"] for run in self.results.find(kind="load")]
        self.assertEqual(loaded, [layout.name for layout in LAYOUTS if not layout.filled_by])

    def test_warming_up_asks_each_session_alike_and_nothing_that_is_measured(self):
        self.asked.measure(self.results, LAYOUTS, ROUNDS)
        warm = [asked for asked in self.stage.queries if asked[2] >= Suite.most_rounds]
        self.assertEqual(set(Counter(asked[:2] for asked in warm).values()), {4})
        measured = [asked for asked in self.stage.queries if asked not in warm]
        self.assertEqual({number for _, _, number in measured}, set(range(ROUNDS)))
        self.assertEqual(len(measured), ROUNDS * 2 * len(LAYOUTS))
        self.assertGreaterEqual(comparison.WARM_UPS, 4)

    def test_going_on_asks_what_is_missing_only(self):
        self.asked.measure(self.results, LAYOUTS, 1)
        lost = [run for run in self.results.find(kind="query", query="wide") if run["layout"] == "mpsr"]
        self.results.runs = [run for run in self.results.runs if run not in lost]
        self.stage.queries.clear()
        self.asked.measure(self.results, LAYOUTS, 1)
        again = [asked for asked in self.stage.queries if asked[2] < Suite.most_rounds]
        self.assertEqual(again, [("mpsr", "wide", 0)])

    def test_what_is_asked_briefly_is_asked_one_query(self):
        self.asked.measure(self.results, LAYOUTS, 1, briefly=("hdfs-signal",))
        queries = Counter(run["layout"] for run in self.results.find(kind="query"))
        self.assertEqual((queries["hdfs-signal"], queries["hdfs-time"]), (1, 2))
