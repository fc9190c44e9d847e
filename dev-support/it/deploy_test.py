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
"""The ways to install onto an existing Hadoop: by its shell profile, and by the class path of the environment."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import shared

HDFS = Path(__file__).with_name("hdfs")


class ShellProfileTest(unittest.TestCase):
    """docs/deploy.md: an existing Hadoop, with the jars beside it or inside it."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.dist = shared.cluster().checkout.dist
        self.profile = shared.checkout().conf / "shellprofile.d" / "mpsr.sh"
        self.home = Path(directory.name) / "hadoop"
        (self.home / "share").mkdir(parents=True)
        (self.home / "share" / "hadoop").symlink_to(self.dist / "share" / "hadoop")
        self.conf = self.home / "etc" / "hadoop"
        shutil.copytree(shared.cluster().conf, self.conf)

    def install(self, directory, env=""):
        (directory / "shellprofile.d").mkdir(parents=True, exist_ok=True)
        shutil.copy(self.profile, directory / "shellprofile.d")
        (self.conf / "hadoop-env.sh").write_text(env, encoding="utf-8")

    def hdfs(self, *arguments, **more):
        options = "-Dhadoop.root.logger=WARN,console"
        env = {**os.environ, "HADOOP_HOME": str(self.home), "HADOOP_OPTS": options, **more}
        return subprocess.run([str(HDFS), *arguments], env=env, capture_output=True, text=True, timeout=120, check=False)

    def test_with_the_profile_in_the_configuration_and_the_jars_elsewhere(self):
        self.install(self.conf, f"MPSR_HOME={self.dist}\n")
        self.assertRegex(self.hdfs().stdout, r"mpsr +client +datasets, replica groups")
        done = self.hdfs("mpsr", "groups", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout), json.loads(shared.mpsr("groups", "--json").stdout))

    def test_with_profile_and_jars_inside_hadoop(self):
        (self.home / "share" / "mpsr").symlink_to(self.dist / "share" / "mpsr")
        self.install(self.home / "libexec")
        done = self.hdfs("mpsr", "status")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout.startswith("State: ready\n"), done.stdout)
        # The placement policy that the configuration names is on the class path of Hadoop's own commands.
        done = self.hdfs("fsck", "/")
        self.assertIn("is HEALTHY", done.stdout, done.stderr)

    def test_other_hadoop_commands_get_the_jars_and_no_subcommand(self):
        self.install(self.conf, f"MPSR_HOME={self.dist}\n")
        done = self.hdfs(HADOOP_SHELL_EXECNAME="yarn")
        self.assertNotIn("mpsr", done.stdout)
        done = self.hdfs("classpath", HADOOP_SHELL_EXECNAME="yarn")
        path = done.stdout.strip().split(":")
        self.assertEqual((path[0], path[-1]), (f"{self.dist}/share/mapreduce/*", f"{self.dist}/share/mpsr/*"))

    def test_without_the_jars_hadoop_works_and_mpsr_says_what_is_missing(self):
        self.install(self.conf)
        self.assertNotIn("share/mpsr", self.hdfs("classpath").stdout)
        done = self.hdfs("mpsr", "groups")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(
            done.stderr,
            f"ERROR: there are no jars of MPSR in {self.home}/share/mpsr:"
            " set MPSR_HOME in hadoop-env.sh to the unpacked distribution.\n",
        )

    def test_with_the_class_path_of_the_environment_and_no_profile(self):
        path = f"{self.dist}/share/mpsr/*:{self.dist}/share/mapreduce/*"
        (self.conf / "hadoop-env.sh").write_text(f'HADOOP_CLASSPATH="{path}"\n', encoding="utf-8")
        done = self.hdfs("fsck", "/")
        self.assertIn("is HEALTHY", done.stdout, done.stderr)
        first = self.hdfs("classpath", HADOOP_USER_CLASSPATH_FIRST="yes").stdout.split(":")
        self.assertTrue(first[0].startswith(f"{self.dist}/share/mpsr/"), first[0])
        self.assertLess(first.index(f"{self.dist}/share/mapreduce/mpsr-mapreduce.jar"), first.index(str(self.conf)))

    def commands(self, *arguments, **more):
        """bin/hdfs-mpsr, which finds Hadoop by HADOOP_HOME; a checkout's build leaves it without the right to be run."""
        (self.home / "bin").mkdir(exist_ok=True)
        shutil.copy(HDFS, self.home / "bin" / "hdfs")
        command = ["bash", str(self.dist / "bin" / "hdfs-mpsr"), *arguments]
        options = {"HADOOP_HOME": str(self.home), "HADOOP_OPTS": "-Dhadoop.root.logger=WARN,console", **more}
        env = {**os.environ, **options}
        return subprocess.run(command, env=env, capture_output=True, text=True, timeout=120, check=False)

    def test_the_commands_run_without_a_profile(self):
        done = self.commands("groups", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout), json.loads(shared.mpsr("groups", "--json").stdout))

    def test_the_commands_say_what_they_miss(self):
        done = self.commands("groups", HADOOP_HOME="/nonesuch")
        self.assertEqual((done.returncode, done.stderr.split(": set ")[0]), (1, "hdfs-mpsr: there is no program /nonesuch/bin/hdfs"))
        done = self.commands("groups", MPSR_HOME="/nonesuch")
        self.assertEqual(done.returncode, 1)
        self.assertIn("there are no jars of MPSR in /nonesuch/share/mpsr: set MPSR_HOME to the unpacked", done.stderr)
