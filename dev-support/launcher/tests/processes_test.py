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
import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from mpsr_launcher import waiting
from mpsr_launcher.cluster.processes import Processes
from mpsr_launcher.errors import MpsrError
from mpsr_launcher.pids import end, java_processes, run_in_group, start_time

FOREVER = [sys.executable, "-c", "import signal; signal.pause()"]
DEAF = [
    sys.executable,
    "-c",
    "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); signal.pause()",
]


class ProcessesTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.run_directory = Path(directory.name) / "run" / "cluster"
        self.processes = Processes(self.run_directory)
        self.addCleanup(lambda: self.processes.stop(self.processes.names(), 0))

    def pid_file(self, name):
        return self.run_directory / "pids" / f"{name}.json"

    def test_a_process_is_found_again_by_another_launcher(self):
        self.processes.start("one", FOREVER)
        other = Processes(self.run_directory)
        self.assertEqual(other.alive(), ["one"])
        self.assertEqual(other.pid("one"), self.processes.pid("one"))
        self.processes.stop(["one"])
        self.assertEqual((other.alive(), other.names()), ([], []))

    def test_one_that_an_interrupt_meets_while_it_starts_is_known(self):
        def interrupted(*arguments, **more):
            child = popen(*arguments, **more)
            signal.raise_signal(signal.SIGINT)
            return child

        # A shell lets what it starts in the background ignore interrupts.
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))
        popen = subprocess.Popen
        with mock.patch("subprocess.Popen", interrupted), self.assertRaises(KeyboardInterrupt):
            self.processes.start("one", FOREVER)
        self.assertEqual(Processes(self.run_directory).alive(), ["one"])

    def test_the_run_directory_is_closed_to_other_users(self):
        self.run_directory.mkdir(parents=True, exist_ok=True)
        self.run_directory.chmod(0o755)
        self.processes.start("one", FOREVER)
        self.assertEqual(self.run_directory.stat().st_mode & 0o777, 0o700)

    def test_one_that_does_not_listen_is_killed_after_the_grace(self):
        self.processes.start("deaf", DEAF)
        waiting.until(lambda: "deaf" in self.processes.tail("deaf"), "its handler", 30)
        pid = self.processes.pid("deaf")
        self.processes.stop(["deaf"], 0.1)
        self.assertIsNone(start_time(pid))

    def test_a_pid_that_now_belongs_to_another_process_is_never_signalled(self):
        with subprocess.Popen(FOREVER, start_new_session=True) as innocent:
            self.run_directory.joinpath("pids").mkdir(parents=True)
            record = {"pid": innocent.pid, "started": "of another process"}
            self.pid_file("stale").write_text(json.dumps(record), encoding="utf-8")
            self.assertEqual((self.processes.names(), self.processes.alive()), (["stale"], []))
            self.processes.stop(["stale"])
            self.assertIsNone(innocent.poll())
            self.assertFalse(self.pid_file("stale").exists())
            innocent.kill()

    def test_half_a_pid_file_is_no_process(self):
        self.run_directory.joinpath("pids").mkdir(parents=True)
        self.pid_file("broken").write_text('{"pid": 1', encoding="utf-8")
        self.assertEqual(self.processes.alive(), [])

    def test_one_that_has_died_is_shown_with_the_end_of_its_log(self):
        self.processes.start("short", [sys.executable, "-c", "print('no memory'); raise SystemExit(3)"])
        waiting.until(lambda: not self.processes.pid("short"), "its end", 30)
        with self.assertRaisesRegex(MpsrError, r"(?s)short has died.*short\.log.*no memory"):
            self.processes.require_alive("short")

    def test_run_gives_each_line_and_the_exit_code(self):
        lines = []
        script = "import sys; print('a'); print('b', file=sys.stderr); sys.exit(7)"
        self.assertEqual(self.processes.run("script", [sys.executable, "-u", "-c", script], on_line=lines.append), 7)
        self.assertEqual(lines, ["a", "b"])
        self.assertEqual(self.processes.names(), [])

    def test_run_gives_no_line_before_its_end_is_written(self):
        seen = Path(self.run_directory).with_name("seen")
        script = (
            "import pathlib, sys, time; sys.stdout.write('first\\nhalf'); sys.stdout.flush()\n"
            f"while not pathlib.Path({str(seen)!r}).exists(): time.sleep(0.01)\n"
            "print(' and half')\nsys.stdout.write('last')"
        )
        lines = []

        def see(line):
            lines.append(line)
            seen.touch()

        self.assertEqual(self.processes.run("script", [sys.executable, "-c", script], on_line=see), 0)
        self.assertEqual(lines, ["first", "half and half", "last"])

    def test_an_interrupted_run_ends_its_process(self):
        pids = []

        def interrupt(line):
            pids.append(int(line))
            raise KeyboardInterrupt

        script = "import os, signal; print(os.getpid(), flush=True); signal.pause()"
        with self.assertRaises(KeyboardInterrupt):
            self.processes.run("script", [sys.executable, "-c", script], on_line=interrupt)
        self.assertIsNone(start_time(pids[0]))

    def test_java_processes_are_found_by_their_arguments_and_ended(self):
        marker = f"-Dconf={self.run_directory}/conf/hosts"
        java = subprocess.Popen(["/usr/bin/java", *FOREVER[1:], marker], executable=sys.executable)
        other = subprocess.Popen([*FOREVER, marker])
        try:
            waiting.until(lambda: java_processes(f"{self.run_directory}/"), "the process", 30)
            self.assertEqual(java_processes(f"{self.run_directory}/"), [java.pid])
            end([java.pid])
            self.assertEqual(java.wait(10), -signal.SIGTERM)
            self.assertIsNone(other.poll())
        finally:
            for process in (java, other):
                process.kill()
                process.wait()


class RunInGroupTest(unittest.TestCase):
    def test_returns_the_exit_code(self):
        self.assertEqual(run_in_group([sys.executable, "-c", "raise SystemExit(5)"], "/"), 5)

    def test_ends_the_children_of_the_command_when_interrupted(self):
        with tempfile.TemporaryDirectory() as directory:
            child_file = Path(directory) / "child"
            command = f"{sys.executable} -c 'import signal; signal.pause()' & echo $! > child.new; mv child.new child; wait"
            # The alarm rings again and again, as it may come before the child is there.
            previous = signal.signal(signal.SIGALRM, lambda number, frame: _interrupt_if(child_file.exists()))
            signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
            try:
                with self.assertRaises(KeyboardInterrupt):
                    run_in_group(["bash", "-c", command], directory)
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
                signal.signal(signal.SIGALRM, previous)
            child = int(child_file.read_text(encoding="utf-8"))
            waiting.until(lambda: start_time(child) is None, "the end of the child", 30)


def _interrupt_if(condition):
    if condition:
        signal.setitimer(signal.ITIMER_REAL, 0)
        raise KeyboardInterrupt


class StartTimeTest(unittest.TestCase):
    def test_of_this_process_and_of_none(self):
        self.assertEqual(start_time(os.getpid()), start_time(os.getpid()))
        self.assertNotEqual(start_time(os.getpid()), start_time(1))
        with subprocess.Popen([sys.executable, "-c", ""]) as ended:
            waiting.until(lambda: start_time(ended.pid) is None, "the end, also before it is waited for", 30)
