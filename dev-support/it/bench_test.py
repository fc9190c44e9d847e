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
"""The short form of the benchmark that runs on a cluster of processes."""

import json
import tempfile
import unittest
from pathlib import Path

import shared


class BenchTest(unittest.TestCase):
    """The short form: fails on a wrong answer, never on a slow one."""

    def test_all_layouts_answer_the_mix_of_queries_alike(self):
        with tempfile.TemporaryDirectory() as directory:
            done = shared.mpsr("bench", "peers", "--quick", "--json", directory, timeout=600)
            self.assertEqual(done.returncode, 0, f"{done.stdout}\n{done.stderr}")
            found = json.loads((Path(directory) / "peers.json").read_text(encoding="utf-8"))
            page = (Path(directory) / "report.html").read_text(encoding="utf-8")
        self.assertIn("every answer is equal to stock's", done.stderr)
        self.assertEqual((found["suite"], found["seed"], found["problems"]), ("peers", 1, []))
        asked = [run for run in found["runs"] if run["kind"] == "query"]
        layouts, queries = ({run[key] for run in asked} for key in ("layout", "query"))
        self.assertEqual((len(layouts), len(queries), len(asked)), (6, 8, 48))
        # Where nothing is answered, all answers are alike.
        answered = {run["query"] for run in asked if run["layout"] == "hdfs-time" and run["rows"]}
        self.assertEqual(answered, queries)
        self.assertIn("mpsr.vs.hdfs-time", found["figures"])
        self.assertIn("<h2>peers</h2>", page)
