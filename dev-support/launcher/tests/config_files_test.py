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
import dataclasses
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from mpsr_launcher.checkout.checkout import Checkout, root_of
from mpsr_launcher.cluster import config_files
from mpsr_launcher.cluster.state import HA, State, new_state
from mpsr_launcher.errors import MpsrError


class FilledTest(unittest.TestCase):
    def test_names_between_at_signs_are_replaced(self):
        text = config_files.filled("a=@fs.uri@:@port.kafka@ me@home @A@", {"fs.uri": "hdfs://x", "port.kafka": 1})
        self.assertEqual(text, "a=hdfs://x:1 me@home @A@")

    def test_an_unknown_name_is_an_error(self):
        with self.assertRaisesRegex(MpsrError, r"names @no@; there are \['yes'\]"):
            config_files.filled("@no@", {"yes": 1})


class WriteAllTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.conf = Path(self.directory.name) / "conf"
        self.data = Path(self.directory.name) / "data <&>"
        ports = {"namenode": 21, "namenode.http": 22, "kafka": 23, "kafka.controller": 24, "connect": 25}
        config_files.write_all(Checkout(root_of()), State(4, 3, ports), self.conf, self.data)

    def site(self, name):
        root = ElementTree.parse(self.conf / name).getroot()
        return {p.findtext("name"): p.findtext("value") for p in root.findall("property")}

    def test_the_sample_configuration_is_what_the_cluster_runs_with(self):
        sample = ElementTree.parse(Checkout(root_of()).conf / "hdfs-site.xml").getroot()
        site = self.site("hdfs-site.xml")
        for entry in sample.findall("property"):
            self.assertEqual(site[entry.findtext("name")], entry.findtext("value"))

    def test_a_cluster_has_properties_of_its_own(self):
        sort = "dfs.mpsr.replica.group.time.sort"
        shipped = self.site("hdfs-site.xml")
        config_files.write_all(Checkout(root_of()), new_state(1, 1), self.conf, self.data, {sort: "signal"})
        site = self.site("hdfs-site.xml")
        self.assertEqual((site[sort], site.keys()), ("signal", shipped.keys()))
        self.assertNotEqual(shipped[sort], "signal")

    def test_own_groups_replace_all_of_the_shipped_ones(self):
        own = {
            "dfs.mpsr.replica.groups": "hour",
            "dfs.mpsr.default.group": "hour",
            "dfs.mpsr.replica.group.hour.predicates": "hour(ts)",
        }
        state = dataclasses.replace(new_state(1, 1), properties=own)
        config_files.write_all(Checkout(root_of()), state, self.conf, self.data)
        site = self.site("hdfs-site.xml")
        found = {key: value for key, value in site.items() if ".group" in key}
        self.assertEqual(found, own)
        self.assertIn("dfs.mpsr.store.dir", site)

    def test_addresses_are_on_loopback(self):
        self.assertEqual(self.site("core-site.xml")["fs.defaultFS"], "hdfs://127.0.0.1:21")
        self.assertEqual(self.site("hdfs-site.xml")["dfs.namenode.http-address"], "127.0.0.1:22")
        self.assertEqual(self.site("hdfs-site.xml")["dfs.namenode.name.dir"], f"file://{self.data}/namenode")
        worker = (self.conf / "connect-distributed.properties").read_text(encoding="utf-8")
        self.assertIn("\nbootstrap.servers=127.0.0.1:23\n", worker)
        self.assertIn("\nlisteners=http://127.0.0.1:25\n", worker)

    def test_nodes_go_round_the_racks(self):
        self.assertEqual(
            (self.conf / "topology.table").read_text(encoding="utf-8").splitlines(),
            [f"dn{n}.mpsr.local /rack{rack}" for n, rack in ((1, 1), (2, 2), (3, 3), (4, 1))],
        )
        self.assertIn("127.0.0.1 dn4.mpsr.local\n", (self.conf / "hosts").read_text(encoding="utf-8"))

    def test_stock_spark_differs_in_two_lines(self):
        def lines(name):
            return set((self.conf / name / "spark-defaults.conf").read_text(encoding="utf-8").splitlines())

        only = {line.split()[0] for line in lines("spark") - lines("spark-stock") if line and line[0] != "#"}
        self.assertEqual(only, {"spark.jars", "spark.sql.extensions"})
        self.assertFalse([line for line in lines("spark-stock") if "mpsr.spark" in line or "mpsr-spark" in line])

    def test_no_template_is_left_unfilled(self):
        for path in self.conf.rglob("*"):
            if path.is_file():
                self.assertNotRegex(path.read_text(encoding="utf-8"), r"@[a-z][a-z0-9.]*@", path)


class HighAvailabilityTest(unittest.TestCase):
    def test_every_process_of_two_namenodes_has_its_place(self):
        state = new_state(1, 1, ha=True)
        with tempfile.TemporaryDirectory() as directory:
            conf, data = Path(directory) / "conf", Path(directory) / "data"
            config_files.write_all(Checkout(root_of()), state, conf, data)
            text = (conf / "hdfs-site.xml").read_text(encoding="utf-8")
            self.assertIn("<value>hdfs://mpsr</value>", (conf / "core-site.xml").read_text(encoding="utf-8"))
        self.assertNotRegex(text, r"@[a-z][a-z0-9.]*@")
        for name in HA:
            if not name.endswith(".http") or name.startswith("namenode"):
                self.assertIn(f":{state.ports[name]}" if "zkfc" not in name else f">{state.ports[name]}<", text)
