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
"""Jobs on YARN: MapReduce jobs of both APIs, on stock HDFS and with MPSR's jar on their class path, and the jobs of maintenance."""

import json
import re
import subprocess
import unittest

import shared
import yarn
from mpsr_launcher.cluster import mpsr_cli
from mpsr_launcher.cluster.ingest import Ingest
from mpsr_launcher.quickstart.quickstart import SHIPPED

RECORDS = 16_000
SIGNAL = "LHB.R80711:P_avg"
JOBS = {"mapreduce": "SignalReport", "mapred": "OldSignalReport"}
MAINTAINED = "/it/maintained"
QUERIED = "/it/placed"
COMMITS = 6

_yarn = []


def setUpModule():
    _yarn.append(yarn.Yarn(shared.cluster()))
    unittest.addModuleCleanup(_yarn[0].stop)
    _yarn[0].start()


class MapReduceTest(unittest.TestCase):
    """A job that knows nothing of MPSR."""

    @classmethod
    def setUpClass(cls):
        cls.cluster = shared.cluster()
        cls.ingest = Ingest(cls.cluster, "/it/mr", topic="mr", connector="mr")
        cls.ingest.create_dataset()
        sent = cls.ingest.produce(cls.cluster.checkout.benchmarks / "data" / SHIPPED, limit=RECORDS)
        cls.ingest.create_connector(RECORDS // 2, flush_interval_ms=2_000)
        cls.yarn = _yarn[0]
        cls.ingest.await_committed(sent, timeout_seconds=120)

    def test_our_jar_on_the_class_path_is_all_that_a_job_needs_to_read_the_cheapest_group(self):
        self._check_redirected("mapreduce")

    @shared.long
    def test_and_so_with_a_job_of_the_old_api(self):
        self._check_redirected("mapred")

    @shared.long
    def test_when_all_files_of_the_group_are_corrupt_maps_read_other_groups(self):  # the last one: the files stay corrupt
        _, stock = self._run("mapreduce", "sound")
        self._corrupt("signal")
        log, ours = self._run("mapreduce", "degraded", before=[yarn.our_jar()])

        self.assertTrue(stock)
        self.assertEqual(ours, stock)
        self.assertIn("/it/mr from group signal", log)
        self.assertEqual(self._counter(log, "DEGRADED_READS"), self._counter(log, "FILES"))

    def _corrupt(self, group):
        """Changes the first values of each file of a group on the disk of its DataNode; the footers stay as they are."""
        root = mpsr_cli.ask(self.cluster, ["dataset", "show", self.ingest.dataset])["groups"][group]["root"]
        blocks = re.findall(r":(blk_\d+)_\d+ ", shared.done("fsck", root, "-files", "-blocks").stdout)
        self.assertTrue(blocks)
        for block in blocks:
            (path,) = self.cluster.directory.rglob(block)
            with path.open("r+b") as file:
                file.seek(4)
                file.write(bytes(range(64)))

    def _check_redirected(self, api):
        stock_log, stock = self._run(api, "stock")
        log, ours = self._run(api, "mpsr", before=[yarn.our_jar()])

        self.assertTrue(stock)
        self.assertEqual(ours, stock)
        self.assertNotIn("MPSR", stock_log)
        self.assertIn("/it/mr from group signal", log)
        counters = {name: self._counter(log, name) for name in ("STOCK_FILES", "FILES", "STOCK_BYTES", "BYTES")}
        self.assertLess(counters["FILES"], counters["STOCK_FILES"], counters)
        self.assertLess(counters["BYTES"], counters["STOCK_BYTES"], counters)
        self.assertEqual(self._counter(log, "Launched map tasks"), counters["FILES"])
        self.assertEqual(self._counter(stock_log, "Launched map tasks"), counters["STOCK_FILES"])
        read = "HDFS: Number of bytes read"
        self.assertLess(self._counter(log, read), self._counter(stock_log, read))

    def _run(self, api, name, before=()):
        """What the job's client printed, and its output."""
        output = f"/out/{api}-{name}"
        job = f"org.hadoopmpsr.benchmarks.mapreduce.{JOBS[api]}"
        command = self.yarn.hadoop_jar(job, self.ingest.dataset, output, SIGNAL, before=before)
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        shown = shared.mpsr("dfs", "-cat", f"{output}/part-*")
        return done.stderr, shown.stdout

    def _counter(self, log, name):
        """The value of a counter, as the job's client prints it at the end."""
        found = [line.rpartition("=")[2] for line in log.splitlines() if line.strip().startswith(f"{name}=")]
        self.assertEqual(len(found), 1, f"{name} in {log}")
        return int(found[0])


class MaintenanceTest(unittest.TestCase):
    """The process that maintains the cluster gives its jobs to YARN."""

    def test_a_merge_runs_in_executors_of_yarn(self):
        cluster, records = shared.cluster(), 3_000
        shared.load_generated(MAINTAINED, records, COMMITS, "--seed", "5")

        environment = shared.environment(YARN_CONF_DIR=str(_yarn[0].conf))
        said = shared.maintained(MAINTAINED, "--spark-options", _options(), env=environment)

        self.assertEqual([each["event"] for each in said], ["lease", "looked", "started", "done", "lease"])
        after = mpsr_cli.ask(cluster, ["dataset", "show", MAINTAINED])
        self.assertEqual({group["records"] for group in after["groups"].values()}, {records})
        (run,) = [each for each in mpsr_cli.ask(cluster, ["status"], failure_allowed=True)["maintenance"]["runs"] if each["path"] == MAINTAINED]
        self.assertEqual((run["outcome"], run["segments"]), ("done", COMMITS))
        (application,) = _applications("mpsr compact")
        self.assertEqual((application["state"], application["finalStatus"]), ("FINISHED", "SUCCEEDED"))


class PlacementTest(unittest.TestCase):
    """A query is read by its own process, or by executors of YARN."""

    @classmethod
    def setUpClass(cls):
        shared.load_generated(QUERIED, 3_000, 2, "--seed", "7")

    def test_a_small_query_starts_no_application(self):
        before = len(_applications())
        answer, said = self._ask("auto")
        self.assertIn("made at the reader: ", said)
        self.assertEqual(sum(row[1] for row in answer), 3_000)
        self.assertEqual(len(_applications()), before)

    @shared.long
    def test_executors_of_yarn_have_the_answer_of_the_process_of_the_query(self):
        before = len(_applications())
        at_storage, said = self._ask("storage")
        self.assertNotIn("made at", said)
        self.assertEqual(len(_applications()), before + 1)
        self.assertEqual({(each["state"], each["finalStatus"]) for each in _applications()}, {("FINISHED", "SUCCEEDED")})
        at_reader, _ = self._ask("reader")
        self.assertEqual(at_storage, at_reader)
        # files of which the first byte takes a minute are read where they lie, and only the lines that are true are said
        chosen, said = self._ask("auto", **{"spark.hadoop.dfs.mpsr.cost.network.prepare.ms": "60000"})
        self.assertIn("made at the storage: ", said)
        self.assertNotIn("made at the reader: ", said)
        self.assertEqual(chosen, at_reader)
        self.assertEqual(len(_applications()), before + 2)
        self.assertEqual({(each["state"], each["finalStatus"]) for each in _applications()}, {("FINISHED", "SUCCEEDED")})

    def _ask(self, place, **settings):
        """Rows with signals, records, least and greatest, and what was said."""
        environment = shared.environment(YARN_CONF_DIR=str(_yarn[0].conf))
        arguments = ["query", "statistics", QUERIED, "--column", "value", "--by", "signal", "--place", place, "--json"]
        done = shared.done(*arguments, "--spark-options", _options(**settings), env=environment)
        told = json.loads(done.stdout)
        columns = [told["columns"].index(name) for name in ("signal", "records", "min", "max")]
        return [[row[column] for column in columns] for row in told["rows"]], done.stderr


def _applications(name=""):
    """Spark's applications that YARN has run."""
    return [each for each in _yarn[0].applications() if each["applicationType"] == "SPARK" and name in each["name"]]


def _options(**more):
    """Spark's jars lie on every host, as they do where YARN's administrators have put them.

    Without Spark's pages: YARN's filter for them may come while Spark starts them, and then Spark, now and then, does not start.
    """
    jars = shared.checkout().spark_home() / "jars"
    settings = {
        "spark.yarn.jars": f"local:{jars}/*",
        "spark.yarn.am.memory": "512m",
        "spark.executor.instances": "1",
        "spark.executor.memory": "512m",
        "spark.dynamicAllocation.enabled": "false",
        "spark.ui.enabled": "false",
        **more,
    }
    return " ".join(["--master yarn", *(f"--conf {key}={value}" for key, value in settings.items())])
