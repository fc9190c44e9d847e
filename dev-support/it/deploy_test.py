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
"""The two ways to install: onto an existing Hadoop by its shell profile, and by unpacking the distribution."""

import json
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
import unittest
from pathlib import Path

import shared

HDFS = Path(__file__).with_name("hdfs")
OURS = ("mpsr-", "hadoop-mpsr-", "benchmarks-")


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


CLASS_PATHS = {
    "hadoop": ("hadoop", "mpsr", "mpsr/cli"),
    "kafka": ("kafka",),
    "benchmarks": ("benchmarks",),
    "connect": ("connect/mpsr-ingest",),
}
"""The modules below mpsr-dist that are class paths, each with its directories in share."""


def file_name(component):
    """The file of a component of a bill of materials."""
    classifier = re.search(r"[?&]classifier=([^&]+)", component["purl"])
    return f"{component['name']}-{component['version']}{'-' + classifier[1] if classifier else ''}.jar"


def _coordinates(jar):
    """The name and version of a jar, without what it is made for; a list of licences has a colon between them."""
    return re.sub(r"-(linux|osx|windows)-\w+$", "", jar.removesuffix(".jar"))


class TarballTest(unittest.TestCase):
    """The distribution, unpacked elsewhere."""

    def setUp(self):
        self.tarball = shared.checkout().tarball
        if not self.tarball.is_file():
            self.skipTest(f"there is no {self.tarball}: './mvnw package' makes it")

    def test_it_says_what_it_bundles(self):
        with tarfile.open(self.tarball) as tar:
            home = tar.getnames()[0].partition("/")[0]
            names = {name.removeprefix(f"{home}/") for name in tar.getnames()}
            for file in ("LICENSE", "NOTICE", "SECURITY.md", "docs/dependencies.md"):
                self.assertIn(file, names)
            for module, directories in CLASS_PATHS.items():
                with self.subTest(module):
                    jars = {
                        name.rpartition("/")[2]
                        for name in names
                        if name.endswith(".jar") and name.rpartition("/")[0] in {f"share/{d}" for d in directories}
                    }
                    self.assertGreater(len(jars), 5)
                    others = {jar for jar in jars if not jar.startswith(OURS)}
                    licences = self._read(tar, f"{home}/share/doc/mpsr/licenses/mpsr-dist-{module}.txt")
                    unlisted = {jar for jar in others if _coordinates(jar) not in licences.replace(":", "-")}
                    self.assertEqual(unlisted, set(), "jars without a licence in the list")
                    bom = f"share/doc/mpsr/sbom/mpsr-dist-{module}.cdx.json"
                    if bom not in names:
                        self.skipTest("there is no bill of materials: './mvnw -Pbom package' makes it")
                    found = json.loads(self._read(tar, f"{home}/{bom}"))
                    self.assertEqual(found["bomFormat"], "CycloneDX")
                    self.assertLessEqual(jars, {file_name(component) for component in found["components"]})

    def _read(self, tar, name):
        return tar.extractfile(name).read().decode()

    def test_its_launcher_runs(self):
        tarball = self.tarball
        with tempfile.TemporaryDirectory() as directory:
            subprocess.run(["tar", "-xzf", str(tarball), "-C", directory], check=True)
            (home,) = Path(directory).iterdir()
            self.assertEqual(home.name, shared.checkout().dist.name)
            for arguments, said in (
                (["--help"], "quickstart"),
                (["--version"], "hadoop 3.4.2, kafka 4.3.1, spark 4.1.3"),
                (["dataset", "create", "--help"], "--schema=COLUMNS"),
                (["cluster", "status"], "no cluster: start one"),
            ):
                done = self._run(home, *arguments)
                self.assertIn(said, done.stdout, done.stderr)
            for file in ("man/man1/hdfs-mpsr-dataset.1", "bash-completion/completions/hdfs"):
                self.assertTrue((home / "share" / file).is_file(), file)
            self.assertIn("the tests come with a checkout", self._run(home, "test").stderr)

    def _run(self, home, *arguments):
        env = shared.environment(MPSR_RUN_DIR="")
        command = [str(home / "bin" / "mpsr"), *arguments]
        return subprocess.run(command, env=env, capture_output=True, text=True, timeout=120, check=False)
