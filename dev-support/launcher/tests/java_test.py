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
"""Which Java runs what."""

import tempfile
import unittest
from pathlib import Path
from unittest import mock

from mpsr_launcher.checkout import java
from mpsr_launcher.errors import MpsrError


class JavaTest(unittest.TestCase):
    def programs(self, **environment):
        """The java programs of a NameNode, of a command and of Kafka."""
        with mock.patch.dict("os.environ", {"JAVA_HOME": "/seventeen", **environment}):
            commands = [java.hadoop("/s", "/c", "NameNode", []), java.hadoop_tool("/s", "/c", "Mpsr", []), java.kafka("/s", "/c", "Kafka", [])]
        return [command[0] for command in commands]

    def test_all_run_on_java_home(self):
        self.assertEqual(self.programs(), ["/seventeen/bin/java"] * 3)

    def test_hadoop_and_the_commands_run_on_the_java_that_is_named_for_them(self):
        with tempfile.TemporaryDirectory() as home:
            program = Path(home) / "bin" / "java"
            program.parent.mkdir()
            program.touch(0o755)
            self.assertEqual(self.programs(MPSR_HADOOP_JAVA=home), [str(program), str(program), "/seventeen/bin/java"])

    def test_a_home_without_java_is_told(self):
        expected = "^MPSR_HADOOP_JAVA=/none is no home of a Java: there is no program /none/bin/java"
        with self.assertRaisesRegex(MpsrError, expected):
            self.programs(MPSR_HADOOP_JAVA="/none")
