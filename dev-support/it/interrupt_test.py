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
"""Ctrl-C and SIGTERM, wherever they come: nothing that was started is left."""

import contextlib
import os
import signal
import subprocess
import unittest

import shared
from mpsr_launcher import waiting
from mpsr_launcher.pids import java_processes

RUN = shared.checkout().work / "it" / "interrupted"


class InterruptTest(unittest.TestCase):
    def test_ctrl_c_while_a_cluster_starts(self):
        # A terminal signals the whole foreground group.
        self._interrupt(signal.SIGINT, os.killpg, "cluster", "namenode", "cluster", "start", "--datanodes", "3")

    def test_sigterm_while_the_quickstart_starts(self):
        # 'kill' and the end of a container signal the launcher only.
        self._interrupt(signal.SIGTERM, os.kill, "quickstart", "connect", "quickstart", "--datanodes", "3")

    def _interrupt(self, number, send, cluster, process, *command):
        """Signals the command once that process runs; the others may run, start, or not be there yet."""
        pid_file = RUN / cluster / "pids" / f"{process}.json"
        pid_file.unlink(missing_ok=True)
        RUN.mkdir(parents=True, exist_ok=True)
        output = RUN / f"{cluster}.out"
        with open(output, "w", encoding="utf-8") as out:
            env = shared.environment(MPSR_RUN_DIR=str(RUN))
            mpsr = shared.start_mpsr(*command, env=env, stdout=out, stderr=subprocess.STDOUT)

        def said():
            return output.read_text(encoding="utf-8")

        def require_running():
            self.assertIsNone(mpsr.poll(), said())

        try:
            waiting.until(pid_file.exists, f"{process} of {command}", 120, require_running)
            send(mpsr.pid, number)
            waiting.until(lambda: "stopping cluster" in said(), "the stop", 60, require_running)
            send(mpsr.pid, number)  # Who is impatient presses twice.
            self.assertEqual(mpsr.wait(120), 128 + number, said())
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(mpsr.pid, signal.SIGKILL)
            mpsr.wait()
        self.assertTrue(said().endswith("mpsr: interrupted\n"), said())
        self.assertEqual(java_processes(f"{RUN}/"), [], said())
