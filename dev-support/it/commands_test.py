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
"""Every command of bin/mpsr on a running cluster: what it prints, its exit codes, what it says of bad input."""

import json
import re
import unittest

import shared
from mpsr_launcher import waiting
from mpsr_launcher.cluster.ingest import SCHEMA
from mpsr_launcher.pids import java_processes

SINK = "org.hadoopmpsr.ingest.MpsrSinkConnector"


def setUpModule():
    shared.cluster()


class CommandTest(unittest.TestCase):
    maxDiff = None

    def done(self, *arguments, code=0, **settings):
        """What a command printed, once it has ended with that exit code."""
        done = shared.mpsr(*arguments, **settings)
        self.assertEqual(done.returncode, code, f"{' '.join(arguments)}\n{done.stdout}\n{done.stderr}")
        return done

    def json(self, *arguments):
        """The object that a command printed."""
        return json.loads(self.done(*arguments, "--json").stdout)

    def refused(self, *arguments, code=1, **settings):
        """The message of a command that was refused: a few lines without a stack trace."""
        done = self.done(*arguments, code=code, **settings)
        self.assertEqual(done.stdout, "")
        self.assertNotIn("\tat ", done.stderr)
        return done.stderr


class ClusterCommandsTest(CommandTest):
    def test_status_lists_all_processes_and_where_they_listen(self):
        (found,) = self.json("cluster", "status")["clusters"]
        self.assertTrue(found["running"])
        self.assertEqual(found["liveDataNodes"], shared.DATANODES)
        self.assertFalse(found["safeMode"])
        self.assertEqual(found["fileSystem"], shared.cluster().state.fs_uri)
        self.assertLessEqual({"namenode", "kafka", "connect", "dn1", "dn4"}, set(found["processes"]))
        self.assertTrue(all(found["processes"].values()), found["processes"])
        text = self.done("cluster", "status").stdout
        self.assertRegex(text, rf"namenode +{found['processes']['namenode']}\n")

    def test_a_second_start_is_refused(self):
        self.assertIn("cluster 'cluster' runs already", self.refused("cluster", "start"))

    def test_logs_show_the_end_of_one_process(self):
        text = self.done("cluster", "logs", "namenode", "--lines", "2").stdout
        self.assertEqual(len(text.splitlines()), 3)
        self.assertTrue(text.startswith(f"==> {shared.cluster().processes.log('namenode')}\n"))
        said = self.refused("cluster", "logs", "namenod")
        self.assertIn("there is no log of namenod; there are: ", said)
        self.assertLessEqual({"connect", "dn1", "kafka", "namenode"}, set(re.findall(r"[\w-]+", said.split("are: ")[1])))

    def test_an_unknown_cluster_is_named_together_with_those_that_there_are(self):
        other = shared.environment(MPSR_CLUSTER="other")
        for command in (("groups",), ("cluster", "status"), ("cluster", "stop")):
            said = self.refused(*command, env=other)
            self.assertIn("no cluster 'other'", said)
            self.assertIn("there are: cluster", said)


    def test_a_start_with_a_wrong_configuration_fails_with_the_reason_and_leaves_nothing_behind(self):
        own = shared.environment(MPSR_CLUSTER="wrong")
        wrong = ("--datanodes", "1", "-D", "dfs.mpsr.replica.group.time.codec=zip")
        said = self.refused("cluster", "start", *wrong, env=own)
        self.assertIn("MPSR is off, for its configuration is wrong:", said)
        self.assertIn("dfs.mpsr.replica.group.time.codec = 'zip'", said)
        self.assertEqual(java_processes(f"{shared.checkout().run}/wrong/"), [])
        self.done("cluster", "stop", "--wipe", env=own)


class HadoopCommandsTest(CommandTest):
    def test_files_go_in_and_out(self):
        source = shared.checkout().root / "LICENSE"
        self.done("dfs", "-put", str(source), "/it-license")
        self.assertEqual(self.done("dfs", "-cat", "/it-license").stdout, source.read_text(encoding="utf-8"))
        listed = self.done("dfs", "-ls", "/it-license", "/it-none", code=1)
        self.assertRegex(listed.stdout, rf"^-rw.* 3 .* {source.stat().st_size} .* /it-license\n$")
        self.assertIn("`/it-none': No such file or directory", listed.stderr)

    def test_reports_of_hdfs(self):
        self.assertIn(f"Live datanodes ({shared.DATANODES}):", self.done("dfsadmin", "-report").stdout)
        self.assertIn("The filesystem under path '/' is HEALTHY", self.done("fsck", "/").stdout)


class MpsrCommandsTest(CommandTest):
    def test_the_life_of_a_dataset(self):
        created = self.json("dataset", "create", "/it/life", "--schema", SCHEMA)
        self.assertEqual(created["path"], "/it/life")
        self.assertEqual(created["schema"], SCHEMA)
        self.assertEqual(created["defaultGroup"], "time")
        self.assertEqual(created["records"], 0)
        self.assertEqual(created["offsets"], [])
        self._check_groups()

        other = self.refused("dataset", "create", "/it/life", "--schema", SCHEMA + ", quality int")
        self.assertIn("/it/life", other)
        self.assertEqual(self.json("dataset", "show", "/it/life"), created)
        self.assertIn(created, self.json("dataset", "list")["datasets"])
        self.assertRegex(self.done("dataset", "list").stdout, rf"\n/it/life +0 +0 +ok +{created['id']}\n")
        text = self.done("dataset", "show", "/it/life").stdout
        self.assertIn(f"Dataset:  /it/life ({created['id']})", text)
        self.assertRegex(text, rf"\nsignal +0 +0 +0 +0{{32}} +{created['groups']['signal']['root']}\n")

        self.assertEqual(self.json("dataset", "drop", "/it/life"), {"path": "/it/life", "filesKept": 0})
        self.assertEqual(self.refused("dataset", "show", "/it/life"), "mpsr: /it/life is not a dataset\n")

    def _check_groups(self):
        found = self.json("groups")
        self.assertEqual(found["state"], "ready")
        groups = {group["name"]: [node["host"] for node in group["nodes"]] for group in found["groups"]}
        self.assertEqual(list(groups), ["time", "signal", "device"])
        self.assertEqual(sorted(sum(groups.values(), [])), [f"dn{n}.mpsr.local" for n in range(1, shared.DATANODES + 1)])
        self.assertTrue(all(groups.values()), groups)
        text = self.done("groups").stdout
        self.assertIn("time (default)", text)
        self.assertIn(groups["device"][0], text)

    def test_bad_input_is_told_with_what_would_be_right(self):
        create = ("dataset", "create", "/it/bad", "--schema")
        self.assertIn("unknown column type 'strin'; use one of string, binary", self.refused(*create, "signal strin"))
        self.assertIn("names column 'device' that the schema lacks", self.refused(*create, "signal string"))
        self.assertIn("Missing required option: '--schema", self.refused("dataset", "create", "/it/bad", code=2))
        elsewhere = self.refused("dataset", "show", "hdfs://elsewhere:1/it/bad")
        self.assertIn("is not on the file system " + shared.cluster().state.fs_uri, elsewhere)

    def test_a_group_of_commands_alone_shows_its_usage_as_an_error(self):
        for command in ("dataset", "cluster", "connect"):
            self.assertRegex(self.refused(command, code=2), "(?i)usage: ")

    def test_verify_tells_a_wrong_path_before_spark_starts(self):
        said = self.refused("verify", "/it/none")
        self.assertIn("/it/none is not a dataset", said)
        self.assertNotIn("Spark", said)

    def test_status_is_ready(self):
        self.assertEqual(self.json("status")["state"], "ready")

    @shared.long
    def test_reads_of_datanodes_are_watched(self):
        file = shared.checkout().run / "watched"
        file.write_bytes(bytes(2_000_000))
        self.done("dfs", "-put", "-f", str(file), "/it-watched")
        with shared.start_mpsr("io", "--live", "--seconds", "45", "--json") as watching:
            while watching.poll() is None:
                self.done("dfs", "-cat", "/it-watched")
            out, err = watching.communicate()
        self.assertEqual(watching.returncode, 0, err)
        found = json.loads(out)
        self.assertGreater(found["reads"], 0)
        self.assertEqual(sum(each["reads"] for each in found["classes"]), found["reads"])

    def test_help_needs_no_cluster(self):
        nowhere = shared.environment(MPSR_RUN_DIR=str(shared.checkout().run / "none"))
        self.assertIn("--schema=COLUMNS", self.done("dataset", "create", "--help", env=nowhere).stdout)
        self.assertIn("--duplicates=<duplicates>", self.done("generate", "--help", env=nowhere).stdout)
        for command in ("dfs", "fsck", "spark-sql", "cluster", "connect"):
            self.assertIn(f"usage: bin/mpsr {command}", self.done(command, "--help", env=nowhere).stdout)
        self.assertIn("Usage: mpsr dataset", self.refused("dataset", code=2, env=nowhere))
        self.assertIn("no cluster runs: start one with", self.refused("groups", env=nowhere))


class GenerateCommandTest(CommandTest):
    SMALL = ("--records", "500", "--signals", "20", "--late", "0.1", "--duplicates", "0.1")

    def test_a_seed_makes_the_same_readings_each_time(self):
        files = [shared.checkout().run / f"generated-{name}.parquet" for name in "abc"]
        for file, seed in zip(files, "778"):
            said = self.done("generate", "--parquet", str(file), "--seed", seed, *self.SMALL).stdout
            self.assertIn("generated 500 in ", said)
        first, same, other = (file.read_bytes() for file in files)
        self.assertEqual(first, same)
        self.assertNotEqual(first, other)

    def test_a_topic_is_one_of_the_running_cluster(self):
        said = self.done("generate", "--topic", "generated", "--partitions", "2", "--rate", "1000", *self.SMALL).stdout
        self.assertIn("generated 500 in ", said)

    def test_what_cannot_be_is_told(self):
        self.assertIn("are shares from 0 to 1, not 2.0", self.refused("generate", "--parquet", "x", "--late", "2", code=2))
        self.assertIn("Missing required argument", self.refused("generate", "--seed", "1", code=2))


class ConnectAndSparkCommandsTest(CommandTest):
    def test_a_wrong_connector_is_refused_with_each_key(self):
        config = {"connector.class": SINK, "topics": "none"}
        said = self.refused("connect", "create", "wrong", "-", input=json.dumps(config))
        for key in ("mpsr.dataset", "mpsr.fs.uri", "mpsr.protobuf.message"):
            self.assertIn(key, said)
        self.assertIn("holds no connector configuration", self.refused("connect", "create", "x", "-", input="{"))
        self.assertIn("No status found for connector none", self.refused("connect", "status", "none"))

    def test_the_life_of_a_connector(self):
        fs = shared.cluster().state.fs_uri
        config = {"connector.class": SINK, "topics": "none", "mpsr.dataset": "/it/none", "mpsr.fs.uri": fs}
        config["mpsr.format"] = "json"
        self.done("connect", "create", "life", "-", input=json.dumps(config))
        self.assertIn("life", json.loads(self.done("connect", "list").stdout))
        waiting.until(lambda: self._state("life") == "RUNNING", "the connector", 60)
        self.done("connect", "restart", "life")
        self.done("connect", "pause", "life")
        waiting.until(lambda: self._state("life") == "PAUSED", "its pause", 60)
        self.done("connect", "resume", "life")
        waiting.until(lambda: self._state("life") == "RUNNING", "its resumption", 60)
        self.assertIn("must be in the STOPPED state", self.refused("connect", "reset-offsets", "life"))
        self.done("connect", "stop", "life")
        waiting.until(lambda: self._state("life") == "STOPPED", "its stop", 60)
        waiting.until(lambda: shared.mpsr("connect", "reset-offsets", "life").returncode == 0, "its offsets' reset", 60)
        self.assertEqual(json.loads(self.done("connect", "offsets", "life").stdout), {"offsets": []})
        self.done("connect", "delete", "life")
        waiting.until(lambda: json.loads(self.done("connect", "list").stdout).count("life") == 0, "its end", 60)

    def test_a_topic_is_made_filled_and_read_with_kafkas_own_tools(self):
        self.done("kafka-topics", "--create", "--topic", "lines", "--partitions", "1")
        self.done("kafka-console-producer", "--topic", "lines", input="one\ntwo\n")
        wanted = ("--from-beginning", "--max-messages", "2", "--timeout-ms", "60000")
        self.assertEqual(self.done("kafka-console-consumer", "--topic", "lines", *wanted).stdout, "one\ntwo\n")

    def _state(self, name):
        done = shared.mpsr("connect", "status", name)
        return json.loads(done.stdout)["connector"]["state"] if done.returncode == 0 else done.stderr

    def test_pyspark_is_the_pinned_spark(self):
        self.assertIn("version 4.1.3", self.done("pyspark", "--version").stderr)
