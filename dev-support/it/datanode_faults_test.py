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
"""DataNodes die or stand still under queries and under jobs: every answer stays as it was, and what is lost is rebuilt without a
word from anyone. docs/fault-tests.md has the long form."""

import os
import re
import signal
import time
import unittest
from pathlib import Path

import shared
import yarn
from benchmarks.harness import data_layouts, datanodes
from benchmarks.harness.data_layouts import OURS
from benchmarks.harness.spark_session import SparkSession
from mapreduce_job import MapReduceJob
from mpsr_launcher import waiting
from mpsr_launcher.cluster import config_files, maintenance, mpsr_cli
from mpsr_launcher.cluster.cluster import Cluster
from mpsr_launcher.console import Console

LONG = "MPSR_LONG" in os.environ
DATASET = "/it/recovered"
DATANODES, RACKS = 6, 3
RECORDS, COMMITS, DAYS, SEED = (2_000_000, 40, 10, 31) if LONG else (24_000, 6, 4, 31)
AFTER_SECONDS, LATER_SECONDS = ((0, 1, 5, 30), (600,)) if LONG else ((0, 1, 5), ())
SLOWER_SECONDS = 5
TIMEOUT_MS = 4_000
DELAY_SECONDS = 60 if LONG else 2
# The long form has what bin/mpsr gives every cluster: a DataNode is dead after 50 s. The short one: after 12 s.
SOON_DEAD = {"dfs.heartbeat.interval": "1", "dfs.namenode.heartbeat.recheck-interval": "1000", "dfs.mpsr.health.interval.seconds": "1"}
# Tasks may be tried again, as everywhere but in local mode; each reads one file.
SETTINGS = {**data_layouts.settings(OURS, quick=not LONG), "spark.master": "local[2,4]", "spark.sql.files.maxPartitionBytes": 4_194_304}
QUERIES = "benchmarks.suites.queries.queries"
ASKED = {"one_day_all_signals": "time", "one_signal_all_time": "signal", "one_device_all_time": "device"}
"""The queries, and which group is the cheapest for each."""
GROUPS = ("time", "signal", "device")
REPORT = "org.hadoopmpsr.benchmarks.mapreduce.SignalReport"


class DataNodeFaultsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        properties = {"dfs.mpsr.rebuild.delay.seconds": str(DELAY_SECONDS), **({} if LONG else SOON_DEAD)}
        cls.cluster = Cluster(shared.checkout(), "datanode-faults", properties)
        cls.cluster.stop(Console())
        cls.cluster.wipe()
        cls.addClassCleanup(cls.cluster.stop, Console())
        cls.cluster.start(Console(), DATANODES, RACKS, kafka=False)
        script = Path(__file__).with_name("datanode_faults_session.py")
        cls.session = SparkSession(cls.cluster, "datanode-faults", False, SETTINGS, quick=not LONG, script=script)
        cls.addClassCleanup(cls.session.close)
        source = shared.load_generated(
            DATASET, RECORDS, COMMITS, "--data-rate", str(RECORDS / DAYS / 86_400), "--devices", "4", "--seed", str(SEED), of=cls.cluster
        )
        maintenance.start(cls.cluster, "2s", "--tasks", "rebuild", quick=not LONG)
        cls.table = {"path": cls.cluster.state.fs_uri + DATASET}
        groups = mpsr_cli.ask(cls.cluster, ["groups"])["groups"]
        hosts = {config_files.host(number): number for number in range(1, DATANODES + 1)}
        cls.nodes = {group["name"]: [hosts[node["host"]] for node in group["nodes"]] for group in groups}
        cls.roots = {name: group["root"] for name, group in mpsr_cli.ask(cls.cluster, ["dataset", "show", DATASET])["groups"].items()}
        cls.session.await_ready()
        drawn = cls.session.ask("parameters", queries=QUERIES, source=source.as_uri(), days=DAYS, seed=SEED, rounds=1)
        (cls.parameters,) = drawn["parameters"]
        cls._learn()

    @classmethod
    def _learn(cls):
        """Stock's answers, and how long MPSR usually takes for each."""
        cls.session.ask("stock", stock=True)
        cls.answers = {name: cls._query(name)[0] for name in ASKED}
        cls.contents = cls.session.ask("contents", table=cls.table)
        cls.session.ask("stock", stock=False)
        rounds = [{name: cls._query(name)[1] for name in ASKED} for _ in range(3)]
        cls.usual = {name: sorted(each[name] for each in rounds)[1] for name in ASKED}
        print(f"\n{'usually':>32}{_seconds(cls.usual)}")

    @classmethod
    def _query(cls, name):
        """The digest of an answer, its seconds, with those that opening the dataset takes, and the scans."""
        opened = cls.session.ask("open", table=cls.table)
        found = cls.session.ask("query", queries=QUERIES, query=name, table=cls.table, parameters=cls.parameters)
        return found["digest"], opened["seconds"] + found["seconds"], found["scans"]

    def setUp(self):
        self._await_whole()

    @unittest.skipUnless(LONG or shared.LONG, "bin/mpsr test --long runs it")
    def test_a_node_stands_still_under_queries(self):
        for group in GROUPS if LONG else ("time",):
            with self.subTest(group=group):
                node = self._first_node() if group == "time" else self._fullest_node(group)
                since = time.monotonic()
                self.cluster.processes.signal(f"dn{node}", signal.SIGSTOP)
                try:
                    self._check_queries(f"dn{node} of {group} is stopped", since, AFTER_SECONDS + LATER_SECONDS)
                finally:
                    self.cluster.processes.signal(f"dn{node}", signal.SIGCONT)
                self._check_back()
        waited = [int(found) for found in re.findall(r"did not answer for (\d+) ms", self._log())]
        self.assertLess(max(waited, default=0), 2 * TIMEOUT_MS, "one file waited for the DataNode more than once")

    def test_a_node_is_killed_under_queries(self):
        for group in GROUPS if LONG else ("signal",):
            with self.subTest(group=group):
                node = self._first_node() if group == "time" else self._fullest_node(group)
                before, since = self._rebuilds(), time.monotonic()
                self.cluster.processes.kill(f"dn{node}")
                self._check_queries(f"dn{node} of {group} is killed", since, AFTER_SECONDS)
                self._check_rebuilt(1, before)
                self._check_queries(f"dn{node} of {group} is rebuilt", since, LATER_SECONDS)
                self.cluster.hdfs.start_datanodes()
                self._check_back()

    @unittest.skipUnless(LONG or shared.LONG, "bin/mpsr test --long runs it")
    def test_nodes_of_two_groups_are_killed_under_a_job(self):
        before = self._rebuilds()
        self.session.ask("begin", path=self.table["path"], groups=GROUPS)
        for group, share in (("time", 0.05), ("signal", 0.4)):
            said = waiting.until(lambda least=share: self._progress(least), f"{share:.0%} of the job's tasks", 120, interval_seconds=0.02)
            self.assertTrue(said["runs"], said)
            node = self._fullest_node(group)
            self.cluster.processes.kill(f"dn{node}")
            print(f"dn{node} of {group} is killed after {said['tasks']} of {said['of']} tasks")
        start = time.monotonic()
        found = self.session.ask("end")
        print(f"the job has ended {time.monotonic() - start:.1f} s later")
        self.assertEqual(found, {"groups": {group: self.contents for group in GROUPS}})
        if LONG:
            self._check_rebuilt(2, before)
            self.cluster.hdfs.start_datanodes()
            self._check_back()

    @unittest.skipUnless(LONG, "YARN takes long to start")
    def test_nodes_of_two_groups_are_killed_under_a_mapreduce_job(self):
        jobs = yarn.Yarn(self.cluster)
        self.addCleanup(jobs.stop)
        jobs.start()
        stock = self._report(jobs, "stock")
        stock.await_end(600)
        expected = stock.output()
        before = self._rebuilds()
        ours = self._report(jobs, "mpsr", before=[yarn.our_jar()])
        for group, percent in (("signal", 5), ("time", 40)):
            waiting.until(lambda least=percent: ours.mapped_percent() >= least, f"{percent} % of the maps", 300, ours.require_running, 0.1)
            node = self._fullest_node(group)
            self.cluster.processes.kill(f"dn{node}")
            print(f"dn{node} of {group} is killed after {ours.mapped_percent()} % of the maps")
        ours.await_end(600)
        degraded = ours.counter("DEGRADED_READS")
        print(f"the job has taken {ours.seconds:.0f} s, on stock {stock.seconds:.0f} s; {degraded} files came from other groups")
        self.assertGreater(degraded, 0)
        self._check_rebuilt(2, before)
        self.assertEqual(ours.output(), expected)
        self.cluster.hdfs.start_datanodes()
        self._check_back()

    def _report(self, jobs, name, before=()):
        """A job that reports on one signal of all time."""
        copies = "mapreduce.client.submit.file.replication=4"
        arguments = [REPORT, "-D", copies, DATASET, f"/out/{name}", self.parameters["signal"]]
        return MapReduceJob(self.cluster, jobs, f"report-{name}", arguments, before)

    def _fullest_node(self, group):
        """The DataNode with the most blocks of a group; one that came back after a rebuild has none."""
        held = [address for copies in datanodes.copies(self.cluster, self.roots[group]) for address in copies]
        return max(self.nodes[group], key=lambda node: held.count(datanodes.address(self.cluster, node)))

    def _first_node(self):
        """The DataNode with the file from which Spark takes the columns."""
        (address,) = datanodes.copies(self.cluster, DATASET)[0]
        return next(node for node in range(1, DATANODES + 1) if datanodes.address(self.cluster, node) == address)

    def _log(self):
        return self.cluster.processes.log("spark-datanode-faults").read_text(encoding="utf-8", errors="replace")

    def _progress(self, share):
        said = self.session.ask("progress")
        return said if not said["runs"] or said["tasks"] > share * max(1, said["of"]) else None

    def _check_queries(self, what, since, seconds):
        """Asks all queries so many seconds after a time."""
        slow = []
        for after in seconds:
            time.sleep(max(0.0, since + after - time.monotonic()))
            took = {}
            for name in ASKED:
                with self.subTest(query=name, after=after):
                    answer, took[name], _ = self._query(name)
                    self.assertEqual(answer, self.answers[name])
                    slow += [(name, after)] if took[name] > self.usual[name] + SLOWER_SECONDS else []
            print(f"{what}, {after:>3} s{_seconds(took)}")
        if LONG:
            self.assertEqual(slow, [])

    def _check_rebuilt(self, dead, before):
        """What the dead nodes had is rebuilt by the process that maintains the cluster, and is planned again."""
        waiting.until(lambda: self.cluster.hdfs.live_nodes() == DATANODES - dead, f"the death of {dead} DataNodes", 90)
        start = time.monotonic()
        waiting.until(lambda: self._rebuilds() > before, "a rebuild", DELAY_SECONDS + 300, interval_seconds=0.5)
        self._await_whole()
        took = time.monotonic() - start
        print(f"all groups are whole {took:.1f} s after the death was noticed")
        self.assertLess(took, DELAY_SECONDS + 300)
        self._check_answers()

    def _rebuilds(self):
        """How many rebuilds the process that maintains the cluster has ended well."""
        log = self.cluster.processes.log(maintenance.PROCESS).read_text(encoding="utf-8", errors="replace")
        return log.count(f" DONE {DATASET} rebuild: ")

    def _check_back(self):
        """Nodes that come back double nothing."""
        waiting.until(lambda: self.cluster.hdfs.live_nodes() == DATANODES, "all DataNodes", 90)
        self._await_whole()
        self._check_answers()
        shown = mpsr_cli.ask(self.cluster, ["dataset", "show", DATASET])
        self.assertEqual({group["records"] for group in shown["groups"].values()}, {RECORDS})
        self.assertEqual(mpsr_cli.ask(self.cluster, ["status"])["redundancy"], [])

    def _check_answers(self):
        for name, group in ASKED.items():
            answer, _, scans = self._query(name)
            self.assertEqual(answer, self.answers[name])
            self.assertRegex(scans[0], rf"\[mpsr {group}:")
        for group in GROUPS:
            self.assertEqual(self.session.ask("contents", table={**self.table, "group": group}), self.contents)

    def _await_whole(self):
        """Waits until every block has one live copy, and the NameNode has found all records in all groups after that."""
        waiting.until(self._is_whole, "one copy of each block", DELAY_SECONDS + 320, interval_seconds=0.5)
        last, _ = self._look_after(0)
        underway, _ = self._look_after(last)
        waiting.until(lambda: self._look_after(underway)[1], "all records in all groups", DELAY_SECONDS + 320, interval_seconds=0.5)

    def _look_after(self, before):
        """The time of a look of the NameNode's that is later than another one, and whether it has found all records in all groups."""
        return waiting.until(lambda: self._look(before), "a look at the health of the groups", 60)

    def _look(self, before):
        bean = self.cluster.hdfs.bean("Hadoop:service=NameNode,name=MpsrInfo")
        if bean["LastHealthCheck"] <= before:
            return None
        (dataset,) = [each for each in bean["Datasets"] if each["path"] == DATASET]
        live = {each["copies"]: each["records"] for each in dataset["liveCopies"] if each["records"]}
        healths = {each["health"] for each in dataset["representations"]}
        return bean["LastHealthCheck"], live == {len(GROUPS): RECORDS} and healths == {"ok"}

    def _is_whole(self):
        return {len(copies) for copies in datanodes.copies(self.cluster, DATASET)} == {1}


def _seconds(took):
    return "".join(f"  {ASKED[name]} {seconds:5.2f} s" for name, seconds in took.items())
