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
import argparse
import io
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from mpsr_launcher import waiting
from mpsr_launcher.checkout.checkout import Checkout, root_of
from mpsr_launcher.cli import cluster_commands
from mpsr_launcher.console import Console
from mpsr_launcher.pids import java_processes


class StopTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.checkout = Checkout(root_of(), Path(directory.name) / "run")
        self.said = io.StringIO()

    def stop(self):
        arguments = argparse.Namespace(action="stop", wipe=False)
        return cluster_commands.run(self.checkout, Console(self.said), arguments)

    def test_says_when_nothing_runs(self):
        self.assertEqual(self.stop(), 0)
        self.assertIn("nothing runs", self.said.getvalue())

    def test_ends_what_a_deleted_run_directory_has_left(self):
        command = ["java", "-c", "import signal; signal.pause()", f"-Dx={self.checkout.run}/cluster/conf/hosts"]
        with subprocess.Popen(command, executable=sys.executable, start_new_session=True) as left:
            try:
                waiting.until(lambda: java_processes(f"{self.checkout.run}/"), "the process", 30)
                self.assertEqual(self.stop(), 0)
                said = f"ending 1 processes of clusters whose directories are gone: [{left.pid}]"
                self.assertIn(said, self.said.getvalue())
                self.assertIsNotNone(left.poll())
            finally:
                left.kill()
