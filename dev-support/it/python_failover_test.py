# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
"""PyIceberg reads from two NameNodes: a standby and a dead one lead to the other. HDFS's delegation token is the catalog's."""

import getpass
import subprocess
import unittest

import shared
from mpsr_launcher import waiting
from mpsr_launcher.checkout import java
from mpsr_launcher.cluster import catalog
from mpsr_launcher.cluster.cluster import Cluster
from mpsr_launcher.console import Console
from pyiceberg_reader import PyIceberg

DATASET = "/it/failover/meas"
RECORDS = 2_000
NAMED = {"all": "timestamp_ns > 0", "one": "value > 0.5 and mode != 'x'"}
ADDRESS = "mpsr.webhdfs.address.mpsr"


class PythonFailoverTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Without Kerberos, too, the NameNode gives out tokens, and takes them from clients of its RPC: those of the gateway.
        cls.cluster = Cluster(shared.checkout(), "python-failover", hdfs={"dfs.namenode.delegation.token.always-use": "true"})
        cls.cluster.wipe()
        cls.cluster.start(Console(), 3, 3, ha=True, kafka=False)
        cls.addClassCleanup(cls.cluster.stop, Console())
        shared.load_generated(DATASET, RECORDS, 2, of=cls.cluster)
        cls.pyiceberg = PyIceberg(cls.cluster)
        cls.pyiceberg.copy(DATASET)
        cls.uri = catalog.start(cls.cluster)

    def token(self):
        """A file with a token, as ``hdfs fetchdt`` writes it."""
        file = str(self.pyiceberg.directory / "token")
        main = "org.apache.hadoop.hdfs.tools.DelegationTokenFetcher"
        command = java.hadoop_tool(self.cluster.checkout.share, self.cluster.conf, main, [file])
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        return file

    def read(self, token, **properties):
        """Reads the dataset, and checks that it is read right."""
        found, logged = self.pyiceberg.ask(
            self.uri, DATASET, {"hdfs.user": getpass.getuser(), **properties}, token=token, named=NAMED
        )
        for name, read in found["named"].items():
            with self.subTest(name):
                self.assertTrue(read.pop("groups"))
                self.assertGreater(read["stored"], 0)
                self.assertEqual(set(read.values()), {read["stored"]})
        self.assertEqual(found["named"]["all"]["stored"], RECORDS)
        return found, logged

    def test_a_standby_and_a_dead_namenode_lead_to_the_other(self):
        token = self.token()
        found, logged = self.read(token)
        self.assertIn("delegation=...", logged)
        self.assertNotRegex(logged, r"delegation=[^.]")

        active = self.cluster.hdfs.active()
        (other,) = set(self.cluster.state.namenodes) - {active}
        first, second = (f"http://127.0.0.1:{self.cluster.state.ports[f'{name}.http']}" for name in (other, active))
        _, logged = self.read(token, **{ADDRESS: f"{first},{second}"})
        self.assertRegex(logged, rf'{first}.*"GET /webhdfs/v1/.* 403')

        self.cluster.processes.kill(active)
        waiting.until(lambda: self.cluster.hdfs.active() == other, "the failover", 60, interval_seconds=0.2)
        # what is asked first is dead now
        self.read(token, **{ADDRESS: f"{second},{first}"})
        self.cluster.hdfs.start_namenode(active)
        self.cluster.hdfs.await_ready(Console())
        self.read(token)

        missing = found["location"] + "-"
        opened, _ = self.pyiceberg.ask(self.uri, DATASET, {"hdfs.user": getpass.getuser()}, token=token, files=[missing])
        self.assertIn("FileNotFoundError", opened["files"][missing])
