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
"""The jars of NameNode, commands and MapReduce on Java 11."""

import os
import platform
import subprocess
import unittest
from pathlib import Path
from unittest import mock

import shared
import yarn
from mpsr_launcher.checkout import java
from mpsr_launcher.checkout.setup import ensure_java_11
from mpsr_launcher.cluster import mpsr_cli
from mpsr_launcher.cluster.cluster import Cluster
from mpsr_launcher.console import Console

DATASET = "/it/java11"
RECORDS, COMMITS, SEED = 6000, 3, 5
SIGNAL = "COOLING.R3.D442:U_MEAS_1"
"""The most frequent of the signals that the generator makes of this seed."""
REPORT = "org.hadoopmpsr.benchmarks.mapreduce.SignalReport"


@unittest.skipUnless(platform.machine() == "x86_64", "there is a Java 11 to fetch for x86-64 alone")
class Java11Test(unittest.TestCase):
    """A cluster whose NameNode and DataNodes run on Java 11, and clients that do."""

    @classmethod
    def setUpClass(cls):
        cls.home = ensure_java_11(shared.checkout(), Console())
        patch = mock.patch.dict("os.environ", {java.HADOOP_JAVA: str(cls.home)})
        patch.start()
        cls.addClassCleanup(patch.stop)
        cls.cluster = Cluster(shared.checkout(), "java-11")
        cls.cluster.stop(Console())
        cls.cluster.wipe()
        cls.addClassCleanup(cls.cluster.stop, Console())
        cls.cluster.start(Console(), 3, 3, kafka=False)
        shared.load_generated(DATASET, RECORDS, COMMITS, "--seed", str(SEED), of=cls.cluster)

    def test_all_processes_of_hadoop_run_on_java_11(self):
        programs = {name: os.readlink(f"/proc/{self.cluster.processes.pid(name)}/exe") for name in self.cluster.processes.alive()}
        self.assertEqual(set(programs), {"namenode", "dn1", "dn2", "dn3"})
        self.assertEqual(set(programs.values()), {str(Path(self.home / "bin" / "java").resolve())})
        version = subprocess.run([self.home / "bin" / "java", "-version"], capture_output=True, text=True, check=True)
        self.assertIn('version "11.', version.stderr)

    def test_the_groups_hold_all_records_also_after_a_restart(self):
        self._check_groups()
        self.cluster.restart_namenode(Console())
        self._check_groups()

    def _check_groups(self):
        shown = mpsr_cli.ask(self.cluster, ["dataset", "show", DATASET])["groups"]
        self.assertEqual({name: group["records"] for name, group in shown.items()}, dict.fromkeys(("time", "signal", "device"), RECORDS))
        checked = shared.done("dataset", "check", DATASET, env=shared.environment(MPSR_CLUSTER=self.cluster.name))
        self.assertIn(", 0 outside their group", checked.stdout)

    def test_jmx_shows_the_groups(self):
        bean = self.cluster.hdfs.bean("Hadoop:service=NameNode,name=MpsrInfo")
        self.assertEqual([(group["name"], group["defaultGroup"]) for group in bean["Groups"]], [("time", True), ("signal", False), ("device", False)])
        self.assertEqual({len(group["nodes"]) for group in bean["Groups"]}, {1})
        (dataset,) = [each for each in bean["Datasets"] if each["path"] == DATASET]
        self.assertEqual([each["records"] for each in dataset["representations"]], [RECORDS] * 3)

    def test_a_mapreduce_job_reads_the_cheapest_group(self):
        stock_log, stock = self._report("stock")
        log, ours = self._report("mpsr", yarn.our_jar())
        self.assertTrue(stock)
        self.assertEqual(ours, stock)
        self.assertNotIn("MPSR", stock_log)
        self.assertIn(f"{DATASET} from group signal", log)

    def _report(self, name, *before):
        """What the job's client, which runs the job in its own process, printed, and the job's output."""
        built = self.cluster.checkout.root / "benchmarks" / "java" / "mapreduce" / "target"
        stock = (built / "stock-classpath").read_text(encoding="utf-8").strip()
        (jar,) = built.glob("benchmarks-mapreduce-*.jar")
        arguments = [str(jar), REPORT, "-Dmapreduce.task.io.sort.mb=8", self.cluster.state.fs_uri + DATASET, f"/out/{name}", SIGNAL]
        command = java.hadoop_on([self.cluster.conf, *before, stock], self.cluster.conf, yarn.RUN_JAR, arguments)
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        read = shared.done("dfs", "-cat", f"/out/{name}/part-*", env=shared.environment(MPSR_CLUSTER=self.cluster.name))
        return done.stderr, read.stdout
