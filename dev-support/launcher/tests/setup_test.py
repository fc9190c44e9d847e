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
"""Tests of what pip may install."""

import re
import unittest
from pathlib import Path

from mpsr_launcher.checkout import setup, sparks


class SetupTest(unittest.TestCase):
    def packages(self, name):
        """The pinned packages of a file, each with its hashes."""
        lines = (setup.REQUIREMENTS / f"{name}.txt").read_text(encoding="utf-8").replace("\\\n", "")
        return [line for line in lines.splitlines() if line and not line.startswith("#")]

    def test_every_package_has_a_version_and_hashes(self):
        for name in ("build", "spark", "spark-3.5", "readers", "java-11"):
            with self.subTest(name):
                for package in self.packages(name):
                    self.assertRegex(package, r"^[a-z0-9-]+==[0-9a-z.]+ .*--hash=sha256:[0-9a-f]{64}")

    def test_what_is_asked_for_is_pinned(self):
        for name in ("build", "spark", "spark-3.5", "readers", "java-11"):
            with self.subTest(name):
                found = {re.match("[^ ]+", package)[0] for package in self.packages(name)}
                for wanted in setup.pinned(name):
                    wanted = wanted.partition(" ;")[0]
                    self.assertTrue(any(pin == wanted or pin.startswith(f"{wanted}==") for pin in found), wanted)

    def test_spark_is_that_of_the_build(self):
        for spark in (sparks.OWN, *sparks.OTHERS.values()):
            self.assertIn(f"pyspark=={spark.version}", setup.pinned(spark.requirements))
        self.assertIn(f"pyspark-client=={sparks.OWN.version}", setup.pinned("readers"))

    def test_pip_installs_nothing_without_a_hash(self):
        command = setup.pip_command(Path("/venv"), setup.REQUIREMENTS / "spark.txt")
        self.assertEqual(command[:2], ["/venv/bin/pip", "install"])
        self.assertIn("--require-hashes", command)
        self.assertIn("--no-build-isolation", command)
