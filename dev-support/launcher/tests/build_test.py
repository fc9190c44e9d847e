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
import io
import tempfile
import unittest
from pathlib import Path

from mpsr_launcher.checkout.build import Progress, sources_hash
from mpsr_launcher.checkout.checkout import Checkout
from mpsr_launcher.console import Console

TOOL = "dev-support/linkage/src/main/java/B.java"


class SourcesHashTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = Path(directory.name)
        for path in ("pom.xml", "core/pom.xml", "core/src/main/java/A.java"):
            self.write(path, path)
        self.before = sources_hash(self.root)

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def test_changes_with_what_the_build_reads(self):
        for path in ("pom.xml", "core/pom.xml", "core/src/main/java/A.java", "core/src/main/proto/b.proto", "new/pom.xml", TOOL):
            self.write(path, f"changed {path}")
            after = sources_hash(self.root)
            self.assertNotEqual(after, self.before, path)
            self.before = after

    def test_stays_with_what_it_does_not_read(self):
        tests, built, work = "core/src/test/java/ATest.java", "core/target/pom.xml", ".mpsr/x/pom.xml"
        for path in (tests, built, work, "docs/src/a", "conf/pom.xml", "python/src/a.py", "dev-support/other/pom.xml"):
            self.write(path, "new")
            self.assertEqual(sources_hash(self.root), self.before, path)


class TarballsTest(unittest.TestCase):
    POM = '<project xmlns="http://maven.apache.org/POM/4.0.0"><version>1-SNAPSHOT</version></project>'

    def test_each_has_its_role_and_the_version_of_the_sources(self):
        with tempfile.TemporaryDirectory() as directory:
            target = Path(directory) / "mpsr-dist" / "target"
            target.mkdir(parents=True)
            (Path(directory) / "pom.xml").write_text(self.POM, encoding="utf-8")
            names = ("mpsr-all-1-SNAPSHOT", "mpsr-spark-4.1_2.13-1-SNAPSHOT", "mpsr-all-0.9", "mpsr-1-SNAPSHOT")
            for name in names:
                (target / f"{name}.tar.gz").write_text("")
            self.assertEqual(list(Checkout(directory).tarballs()), ["mpsr-all", "mpsr-spark-4.1_2.13"])


class ProgressTest(unittest.TestCase):
    LINES = """[INFO] Reactor Build Order:
[INFO] Building mpsr-core 0.1.0-SNAPSHOT                               [2/17]
Downloaded from central: https://x/a.pom (4.5 kB at 1 kB/s)
Downloaded from central: https://x/a.jar (4.5 kB at 1 kB/s)
[ERROR] A.java:[1,2] ';' expected
[INFO] Building mpsr-ingest 0.1.0-SNAPSHOT                             [3/17]"""

    def test_maven_is_told_by_module(self):
        said, log = io.StringIO(), io.StringIO()
        console = Console(said)
        updates = []
        console.update = updates.append
        progress = Progress(console, log)
        for line in self.LINES.splitlines():
            progress.line(line)
        texts = [line.partition("] ")[2] for line in said.getvalue().splitlines()]
        self.assertEqual(texts, ["building mpsr-core (2 of 17)", "building mpsr-ingest (3 of 17)"])
        self.assertEqual(updates[-1], "building mpsr-core (2 of 17); Maven has downloaded 2 files")
        self.assertEqual(progress.errors, ["[ERROR] A.java:[1,2] ';' expected"])
        self.assertEqual(log.getvalue(), self.LINES + "\n")
