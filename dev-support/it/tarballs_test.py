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
"""The tarballs of the distribution, one for each role, unpacked elsewhere."""

import json
import re
import subprocess
import tempfile
import unittest
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import shared
import tarballs
from mpsr_launcher.checkout import sparks

OURS = ("mpsr-", "hadoop-mpsr-", "benchmarks-")
COMMON = ("LICENSE", "NOTICE", "SECURITY.md", "README.md", "docs/deploy.md", "docs/dependencies.md")


def file_name(component):
    """The file of a component of a bill of materials."""
    classifier = re.search(r"[?&]classifier=([^&]+)", component["purl"])
    return f"{component['name']}-{component['version']}{'-' + classifier[1] if classifier else ''}.jar"


def _coordinates(jar):
    """The name and version of a jar, without what it is made for; a list of licences has a colon between them."""
    return re.sub(r"-(linux|osx|windows)-\w+$", "", jar.removesuffix(".jar"))


class TarballsTest(unittest.TestCase):
    """Each role of the distribution alone, on a host that has what the role's host has."""

    spark = f"mpsr-spark-{sparks.OWN.version.rpartition('.')[0]}_2.13"

    @classmethod
    def setUpClass(cls):
        cls.files = shared.checkout().tarballs()
        if not cls.files:
            raise unittest.SkipTest(f"there are no tarballs in {shared.checkout().dist.parent}: './mvnw package' makes them")
        directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(directory.cleanup)
        cls.homes = {}
        for name, file in cls.files.items():
            place = Path(directory.name) / name
            place.mkdir()
            subprocess.run(["tar", "-xzf", str(file), "-C", str(place)], check=True)
            (cls.homes[name],) = place.iterdir()

    def each(self):
        """The name, the unpacked directory and the role of each tarball."""
        return [(name, home, tarballs.role(name)) for name, home in self.homes.items()]

    def host(self, part):
        """The directories that stand for what a part's host has."""
        share, spark = self.homes["mpsr-all"] / "share", shared.checkout().spark_home() / "jars"
        return [spark if directory == "*spark*" else share / directory for directory in part.host]

    def test_there_is_one_for_each_role(self):
        self.assertLessEqual({*tarballs.ROLES, self.spark}, set(self.files))
        self.assertEqual({home.name for home in self.homes.values()}, {shared.checkout().dist.name})

    def test_each_is_small(self):
        for name, _, role in self.each():
            with self.subTest(name):
                self.assertLessEqual(self.files[name].stat().st_size / 1e6, role.most, "MB; what has come in?")

    def test_no_jar_is_there_twice(self):
        for name, home, _ in self.each():
            with self.subTest(name):
                self.assertEqual(tarballs.twice(home / "share"), [])

    def test_a_library_with_two_versions_is_one_that_hadoop_has_otherwise(self):
        share = self.homes["mpsr-all"] / "share"
        for name in tarballs.HADOOPS_OWN:
            self.assertTrue(list((share / "hadoop").glob(f"{name}-*.jar")), name)

    def test_links_lead_to_the_shared_jars(self):
        for name, home, _ in self.each():
            with self.subTest(name):
                for link in (path for path in home.rglob("*") if path.is_symlink()):
                    self.assertEqual(link.resolve().parent, (home / "share" / "lib").resolve(), link)

    def test_each_has_the_classes_that_hosts_are_told_and_the_files_that_people_are_told(self):
        for name, home, role in self.each():
            with self.subTest(name):
                for file in (*COMMON, *role.files):
                    self.assertTrue((home / file).is_file(), file)
                for part in role.parts:
                    jars = [jar for directory in part.beside for jar in (home / "share" / directory).glob("*.jar")]
                    classes = {name for jar in jars for name in zipfile.ZipFile(jar).namelist()}
                    self.assertLessEqual({f"{entry.replace('.', '/')}.class" for entry in part.entries}, classes)

    def test_each_has_what_its_classes_need(self):
        parts = []
        for name, home, role in self.each():
            # mpsr-all has the same directories, as the next test says; other Sparks are not here
            if name in {*tarballs.ROLES, self.spark} - {"mpsr-all"}:
                parts += [(name, home / "share", part) for part in role.parts]
        with ThreadPoolExecutor(2) as pool:
            found = pool.map(lambda each: tarballs.missing(each[1], each[2], self.host(each[2])), parts)
            for (name, _, part), absent in zip(parts, found, strict=True):
                with self.subTest(name, entries=part.entries):
                    self.assertEqual(absent, [])

    def test_all_has_the_class_paths_of_the_roles(self):
        everything = self.homes["mpsr-all"] / "share"
        for name, home, role in self.each():
            with self.subTest(name):
                for directory in {directory for part in role.parts for directory in part.beside}:
                    jars = {jar.name for jar in (home / "share" / directory).glob("*.jar")}
                    self.assertTrue(jars, directory)
                    if name in tarballs.ROLES:
                        self.assertEqual({jar.name for jar in (everything / directory).glob("*.jar")}, jars, directory)

    def test_a_missing_library_is_seen(self):
        role, share = tarballs.role("mpsr-benchmarks"), self.homes["mpsr-benchmarks"] / "share"
        absent = tarballs.missing(share, role.parts[0], [], without="kafka-clients")
        self.assertIn("org.apache.kafka.clients.producer.KafkaProducer", {text.rpartition(" ")[2] for text in absent})

    def test_each_says_what_it_bundles(self):
        for name, home, role in self.each():
            with self.subTest(name):
                doc = home / "share" / "doc" / "mpsr"
                for module, directories in role.licences.items():
                    jars = {jar.name for directory in directories for jar in (home / "share" / directory).glob("*.jar")}
                    self.assertGreater(len(jars), 5)
                    licences = (doc / "licenses" / f"mpsr-dist-{module}.txt").read_text(encoding="utf-8").replace(":", "-")
                    unlisted = {jar for jar in jars if not jar.startswith(OURS) and _coordinates(jar) not in licences}
                    self.assertEqual(unlisted, set(), f"jars without a licence in the list of {module}")
                    bom = doc / "sbom" / f"mpsr-dist-{module}.cdx.json"
                    if not bom.is_file():
                        self.skipTest("there is no bill of materials: './mvnw -Pbom package' makes it")
                    found = json.loads(bom.read_text(encoding="utf-8"))
                    self.assertEqual(found["bomFormat"], "CycloneDX")
                    self.assertLessEqual(jars, {file_name(component) for component in found["components"]}, module)

    def test_the_package_for_python_has_the_version_of_the_build_and_all_its_modules(self):
        sources = shared.checkout().root / "python" / "src"
        modules = {str(path.relative_to(sources)) for path in sources.rglob("*.py")}
        version = shared.checkout().versions()["mpsr"].replace("-SNAPSHOT", ".dev0")
        for name in ("mpsr-all", "mpsr-catalog"):
            with self.subTest(name):
                (wheel,) = (self.homes[name] / "share" / "python").iterdir()
                self.assertEqual(wheel.name, f"hadoop_mpsr-{version}-py3-none-any.whl")
                files = set(zipfile.ZipFile(wheel).namelist())
                licences = {f"hadoop_mpsr-{version}.dist-info/licenses/{file}" for file in ("LICENSE", "NOTICE")}
                self.assertEqual({file for file in files if file.endswith(".py")}, modules)
                self.assertLessEqual(licences, files)

    def test_the_launcher_of_all_runs(self):
        home = self.homes["mpsr-all"]
        for arguments, said in (
            (["--help"], "quickstart"),
            (["--version"], "hadoop 3.4.2, kafka 4.3.1, spark 4.1.3"),
            (["dataset", "create", "--help"], "--schema=COLUMNS"),
            (["cluster", "status"], "no cluster: start one"),
        ):
            done = self._run(home, *arguments)
            self.assertIn(said, done.stdout, done.stderr)
        self.assertIn("the tests come with a checkout", self._run(home, "test").stderr)

    def test_the_generator_of_benchmarks_runs(self):
        home = self.homes["mpsr-benchmarks"]
        file = home / "generated.parquet"
        done = self._run(home, "generate", "--parquet", str(file), "--records", "1000", "--signals", "20")
        self.assertTrue(file.is_file(), done.stderr)

    def _run(self, home, *arguments):
        env = shared.environment(MPSR_RUN_DIR="")
        command = [str(home / "bin" / "mpsr"), *arguments]
        return subprocess.run(command, env=env, capture_output=True, text=True, timeout=120, check=False)


class TwiceTest(unittest.TestCase):
    """The rule that no jar is there twice."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.share = Path(directory.name)

    def put(self, *paths):
        for path in paths:
            (self.share / path).parent.mkdir(parents=True, exist_ok=True)
            (self.share / path).write_text(path, encoding="utf-8")
        return tarballs.twice(self.share)

    def test_two_versions_are_twice(self):
        older, newer = "kafka/zstd-jni-1.5.6-10.jar", "connect/a/zstd-jni-1.5.7-3.jar"
        self.assertEqual(self.put(older, newer), [f"{newer} and {older}"])

    def test_the_same_bytes_are_twice(self):
        self.put("kafka/a-1.jar")
        (self.share / "kafka" / "b-1.jar").write_bytes((self.share / "kafka" / "a-1.jar").read_bytes())
        self.assertEqual(tarballs.twice(self.share), ["kafka/a-1.jar and kafka/b-1.jar"])

    def test_a_link_is_not(self):
        self.put("lib/a-1.jar")
        (self.share / "kafka").mkdir()
        (self.share / "kafka" / "a-1.jar").symlink_to("../lib/a-1.jar")
        self.assertEqual(tarballs.twice(self.share), [])

    def test_what_is_made_for_systems_is_not(self):
        names = ("netty-x-4.1.128.Final.jar", "netty-x-4.1.128.Final-linux-x86_64.jar", "netty-x-4.1.128.Final-osx-aarch_64.jar")
        self.assertEqual(self.put(*(f"hadoop/{name}" for name in names)), [])

    def test_hadoops_own_may_differ_and_no_others(self):
        self.assertEqual(self.put("hadoop/avro-1.11.4.jar", "connect/a/avro-1.12.1.jar"), [])
        stock, other = "hadoop/guava-27.0-jre.jar", "kafka/guava-33.0-jre.jar"
        self.assertEqual(self.put(stock, other), [f"{stock} and {other}"])
