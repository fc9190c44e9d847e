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
import unittest
from types import SimpleNamespace

from benchmarks.harness.data_layouts import OURS
from benchmarks.suites.peers.suite import Peers
from benchmarks.suites.queries.suite import Queries
from benchmarks.suites.scale.suite import TRIVIAL_QUERIES, Scale
from mpsr_launcher.checkout.checkout import Checkout, root_of
from mpsr_launcher.cli.arguments import parser
from mpsr_launcher.console import Console

SHARES = dict.fromkeys((*Queries.quick_queries, *TRIVIAL_QUERIES), 10)
COST = {"seconds": 1.0, "planSeconds": 0.5, "cpuSeconds": 0.2, "bytes": 9, "tasks": 2, "files": 3}


class FakeStage:
    """Answers every query alike, but for those of one table that it answers wrongly."""

    quick = True
    cluster = SimpleNamespace(state=SimpleNamespace(fs_uri="hdfs://nn"))

    def __init__(self, wrong=lambda kind, table, query: False):
        self._wrong = wrong

    def catalog(self, name, warehouse):
        pass

    def gateway(self, name):
        pass

    def parameters(self, queries, size, seed, rounds):
        return [{}] * rounds

    def fill(self, layout, size):
        return {"kind": "load", "layout": layout.name, "hdfsCpuSeconds": 0.1, **COST}

    def ask(self, kind, op, **request):
        if op == "shares":
            return {"shares": SHARES}
        group = request.get("table", {}).get("group", "time")
        scan = f"FileScan parquet[mpsr {group}: 1 files]" if kind == OURS else "FileScan parquet [a]"
        digest = "other" if op == "query" and self._wrong(kind, request["table"], request["query"]) else "right"
        return {**COST, "rows": 1, "digest": digest, "sample": [], "scans": [scan]}


class ShortFormsTest(unittest.TestCase):
    def run_on(self, stage, suite, *options):
        """The exit code of a suite's short form, and what it says."""
        said = io.StringIO()
        arguments = parser("v").parse_args(["bench", "--quick", *options])
        with contextlib.redirect_stdout(io.StringIO()):
            return suite(Checkout(root_of()), Console(said), arguments).on(stage), said.getvalue()

    def test_right_answers_end_well(self):
        for suite in (Peers, Queries, Scale):
            options = ["--only", "trivial,rows,signals"] if suite is Scale else []
            code, said = self.run_on(FakeStage(), suite, *options)
            with self.subTest(suite.name):
                self.assertEqual(code, 0, said)
                self.assertIn(f"{suite.name}: every answer is ", said)

    def test_each_layout_of_peers_answers_some_query(self):
        _, said = self.run_on(FakeStage(), Peers)
        # four layouts answer all queries, two the first one
        self.assertIn(f"; {5 * len(SHARES) + 2} queries", said)

    def test_one_wrong_answer_fails_a_suite(self):
        def of_all_groups(kind, table, query):
            return kind == OURS and "group" not in table and query == "full_scan"

        for suite, options, count in ((Peers, [], 1), (Queries, [], 1), (Scale, ["--only", "rows"], 1)):
            code, said = self.run_on(FakeStage(of_all_groups), suite, *options)
            with self.subTest(suite.name):
                self.assertEqual(code, 1, said)
                self.assertIn("full_scan on mpsr, round 0: answered", said)
                self.assertIn(f"{suite.name}: {count} problems", said)

    def test_a_group_that_answers_wrongly_fails_the_suite_that_asks_it(self):
        for group in ("time", "signal", "device"):
            code, said = self.run_on(FakeStage(lambda kind, table, query, g=group: table.get("group") == g), Queries)
            with self.subTest(group):
                self.assertEqual(code, 1, said)
                self.assertIn(f"queries: {len(Queries.quick_queries)} problems", said)
