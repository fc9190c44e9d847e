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
"""What Hadoop's configuration says of NameNodes."""

import tempfile
import unittest
from pathlib import Path

from hadoop_mpsr import hadoop_conf

HA = {
    "dfs.nameservices": "a,b",
    "dfs.ha.namenodes.a": "nn1, nn2",
    "dfs.namenode.rpc-address.a.nn1": "h1:8020",
    "dfs.namenode.rpc-address.a.nn2": "h2:8020",
    "dfs.namenode.http-address.a.nn1": "0.0.0.0:9870",
    "dfs.namenode.http-address.a.nn2": "h2:9870",
    "dfs.namenode.https-address.a.nn1": "h1:9871",
    "dfs.namenode.https-address.a.nn2": "h2:9871",
    "dfs.namenode.http-address.b": "h3:9870",
}


class HadoopConfTest(unittest.TestCase):
    def test_namenodes_of_name_services(self):
        self.assertEqual(hadoop_conf.namenodes(HA, "a"), ["http://h1:9870", "http://h2:9870"])
        self.assertEqual(hadoop_conf.namenodes(HA, "b"), ["http://h3:9870"])
        self.assertEqual(hadoop_conf.namenodes(HA, "h2:8020"), ["http://h2:9870"])
        self.assertEqual(hadoop_conf.namenodes(HA, "c"), [])
        secure = {**HA, "dfs.http.policy": "https_only"}
        self.assertEqual(hadoop_conf.namenodes(secure, "a"), ["https://h1:9871", "https://h2:9871"])

    def test_a_namenode_without_a_name_service(self):
        for own in ({"fs.defaultFS": "hdfs://h1:8020/"}, {"dfs.namenode.rpc-address": "h1:8020"}):
            conf = {**own, "dfs.namenode.http-address": "0.0.0.0:9870"}
            self.assertEqual(hadoop_conf.namenodes(conf, "h1:8020"), ["http://h1:9870"])
            self.assertEqual(hadoop_conf.namenodes(conf, "h2:8020"), [])

    def test_files_are_read_with_their_variables(self):
        directory = self.enterContext(tempfile.TemporaryDirectory())
        written = {"core-site.xml": {"x": "1", "fs.defaultFS": "hdfs://h1:8020"}, "hdfs-site.xml": {"x": "2", "y": "${x}/${none}"}}
        for name, pairs in written.items():
            text = "".join(f"<property><name>{key}</name><value> {value}\n</value></property>" for key, value in pairs.items())
            Path(directory, name).write_text(f"<configuration>{text}</configuration>", encoding="utf-8")
        found = hadoop_conf.load({"HADOOP_CONF_DIR": directory})
        self.assertEqual(found, {"x": "2", "y": "2/${none}", "fs.defaultFS": "hdfs://h1:8020"})
        self.assertEqual(hadoop_conf.load({}), {})
        Path(directory, "hdfs-site.xml").write_text("<configuration>", encoding="utf-8")
        with self.assertRaisesRegex(ValueError, "hdfs-site.xml is no configuration file of Hadoop"):
            hadoop_conf.load({"HADOOP_CONF_DIR": directory})
