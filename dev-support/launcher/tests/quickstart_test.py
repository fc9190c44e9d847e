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
"""Which cluster a quickstart takes, and what it says at its end."""

import io
import os
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

from mpsr_launcher.checkout.checkout import Checkout, root_of
from mpsr_launcher.cluster.state import new_state
from mpsr_launcher.console import Console
from mpsr_launcher.errors import MpsrError
from mpsr_launcher.quickstart import closing
from mpsr_launcher.quickstart.quickstart import Quickstart


class ClusterOfQuickstartTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.run = Path(directory.name)
        self.checkout = Checkout(root_of(), self.run)

    def there_is(self, name, *files):
        (self.run / name / "data").mkdir(parents=True)
        new_state(1, 1).save(self.run / name / "cluster.json")
        for file in files:
            (self.run / name / file).touch()

    def make_room(self, name):
        quickstart = Quickstart(self.checkout, Console(io.StringIO()), None, (1, 1), name)
        quickstart._make_room()
        return quickstart._cluster

    def test_the_cluster_is_the_one_that_the_user_names(self):
        self.assertEqual(self.make_room("mine").name, "mine")
        self.assertEqual(self.make_room(None).name, "quickstart")

    def test_what_an_earlier_quickstart_has_left_makes_room(self):
        self.there_is("mine", "quickstart")
        self.there_is("quickstart")
        for name in ("mine", None):
            self.assertFalse(self.make_room(name).directory.exists())

    def test_data_of_another_cluster_is_never_deleted(self):
        self.there_is("mine")
        with self.assertRaisesRegex(MpsrError, r"^cluster 'mine' \(MPSR_CLUSTER\) has data that no quickstart has made"):
            self.make_room("mine")
        self.assertEqual(sorted(os.listdir(self.run / "mine")), ["cluster.json", "data"])


class ClosingTest(unittest.TestCase):
    def test_three_sentences_say_what_was_shown_and_what_is_next(self):
        groups = {name: {"records": 2_000_000} for name in ("time", "signal")}
        queries = [SimpleNamespace(stock={"files": 732}, mpsr={"files": 3}), SimpleNamespace(stock={"files": 1000}, mpsr={"files": 4})]
        lines = closing.what_was_shown(groups, queries).splitlines()
        self.assertEqual(len(lines), 3)
        self.assertTrue(all(line.endswith(".") for line in lines), lines)
        self.assertIn("2,000,000 records went from Kafka into 2 copies", lines[0])
        self.assertIn("read 1,732 files without it, 7 with it", lines[1])

    def test_a_cluster_that_is_kept_is_shown_with_commands_that_work(self):
        cluster = SimpleNamespace(name="mine", state=SimpleNamespace(ports={"namenode.http": 9870}))
        text = closing.while_it_is_up(cluster, "http://127.0.0.1:9190", "/cals/meas", "A:1")
        self.assertIn("http://127.0.0.1:9870/mpsr.html", text)
        self.assertIn("http://127.0.0.1:9190 has the table cals.meas;", text)
        asked = "MPSR_CLUSTER=mine bin/mpsr spark-sql -e \"SELECT count(*), avg(value) FROM parquet.\\`/cals/meas\\` WHERE signal = 'A:1'\""
        self.assertIn(asked, text)
