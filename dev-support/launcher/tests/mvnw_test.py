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
"""Tests of ./mvnw: nothing is taken whose checksum differs."""

import hashlib
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PARENT = """<project><modelVersion>4.0.0</modelVersion>
<groupId>t</groupId><artifactId>parent</artifactId><version>1</version><packaging>pom</packaging></project>"""
# The repository is called central, so that Maven asks no other one.
PROJECT = """<project><modelVersion>4.0.0</modelVersion>
<parent><groupId>t</groupId><artifactId>parent</artifactId><version>1</version><relativePath/></parent>
<artifactId>child</artifactId><packaging>pom</packaging>
<repositories><repository><id>central</id><url>{url}</url></repository></repositories></project>"""


class MvnwTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)

    def write(self, path, text):
        file = self.directory / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def build(self, checksum):
        """Builds a project of a repository that states this checksum, as this checkout is built."""
        pom = self.write("remote/t/parent/1/parent-1.pom", PARENT)
        pom.with_suffix(".pom.sha1").write_text(checksum, encoding="ascii")
        project = self.write("project/pom.xml", PROJECT.format(url=(self.directory / "remote").as_uri()))
        settings = self.write("settings.xml", "<settings/>")
        options = ["-B", "-f", project, "-s", settings, "-gs", settings, f"-Dmaven.repo.local={self.directory / 'local'}"]
        environment = {**os.environ, "MAVEN_BASEDIR": str(ROOT)}
        command = [str(part) for part in (ROOT / "mvnw", *options, "validate")]
        return subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)

    def test_the_build_takes_no_file_with_another_checksum(self):
        refused = self.build("0" * 40)
        self.assertIn("Checksum validation failed", refused.stdout)
        self.assertNotEqual(refused.returncode, 0, refused.stdout)
        shutil.rmtree(self.directory / "local", ignore_errors=True)
        taken = self.build(hashlib.sha1(PARENT.encode()).hexdigest())
        self.assertEqual(taken.returncode, 0, taken.stdout)

    def test_maven_itself_is_fetched_with_strict_checksums(self):
        script = shutil.copy(ROOT / "mvnw", self.directory)
        self.write(".mvn/wrapper/maven-wrapper.properties", "maven.version=3.0.0\n")
        told = self.directory / "told"
        self.write("bin/mvn", f'#!/bin/sh\necho "$@" > {told}\nexit 7\n').chmod(0o755)
        environment = {**os.environ, "PATH": f"{self.directory / 'bin'}:{os.environ['PATH']}"}
        done = subprocess.run([script], env=environment, stderr=subprocess.DEVNULL, check=False)
        self.assertEqual(done.returncode, 7)
        self.assertIn("--strict-checksums", told.read_text(encoding="utf-8").split())
