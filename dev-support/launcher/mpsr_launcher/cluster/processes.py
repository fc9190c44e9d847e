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
"""The processes of a cluster: started in sessions of their own, found again by their pid files."""

import contextlib
import json
import os
import signal
import subprocess
import threading
import time

from mpsr_launcher.errors import MpsrError
from mpsr_launcher.pids import cpu_time, start_time
from mpsr_launcher.private import make_private


class Processes:
    """Named processes of one run directory. A pid file holds the pid and the process's start time, so that a
    pid that the system has given to someone else is never signalled."""

    def __init__(self, run):
        self._run = run
        self._pids = run / "pids"
        self._logs = run / "logs"
        self._children = {}

    def start(self, name, argv, env=None, **pipes):
        """Starts a process whose output goes to its log file. It outlives this launcher unless stopped.

        With ``stdin`` or ``stdout`` as for Popen it is talked to. Returns it.
        """
        make_private(self._run)
        self._pids.mkdir(parents=True, exist_ok=True)
        self._logs.mkdir(parents=True, exist_ok=True)
        with open(self.log(name), "ab") as log, _uninterrupted():
            child = subprocess.Popen(
                argv,
                env=env,
                cwd=self._logs,
                stdin=pipes.get("stdin", subprocess.DEVNULL),
                stdout=pipes.get("stdout", log),
                stderr=log,
                text=bool(pipes),
                start_new_session=True,
            )
            self._children[name] = child
            record = {"pid": child.pid, "started": start_time(child.pid)}
            self._pid_file(name).write_text(json.dumps(record), encoding="utf-8")
        return child

    def cpu_seconds(self):
        """The CPU time that the processes that run now have taken so far, by name."""
        found = {name: self.pid(name) for name in self.names()}
        return {name: cpu_time(pid) for name, pid in found.items() if pid}

    def run(self, name, argv, env=None, on_line=lambda line: None):
        """Runs a process to its end, giving each line of its output to ``on_line``; returns its exit code.

        When waiting is interrupted, the process is ended first.
        """
        log = self.log(name)
        offset = log.stat().st_size if log.exists() else 0
        self.start(name, argv, env)
        try:
            with open(log, encoding="utf-8", errors="replace") as lines:
                lines.seek(offset)
                while self._children[name].poll() is None:
                    _give(lines, on_line)
                    time.sleep(0.1)
                _give(lines, on_line, ended=True)
            self._pid_file(name).unlink(missing_ok=True)
            return self._children[name].returncode
        except BaseException:
            self.stop([name], 5)
            raise

    def log(self, name):
        """The log file of a process."""
        return self._logs / f"{name}.log"

    def logged(self):
        """The processes that have a log file."""
        return sorted(path.stem for path in self._logs.glob("*.log"))

    def names(self):
        """The processes that were started and not stopped, alive or not."""
        return sorted(path.stem for path in self._pids.glob("*.json"))

    def alive(self):
        """The processes that run now."""
        return [name for name in self.names() if self.pid(name)]

    def pid(self, name):
        """The pid of a process that runs now, or None."""
        if name in self._children:
            self._children[name].poll()
        try:
            record = json.loads(self._pid_file(name).read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            return None
        started = start_time(record["pid"])
        return record["pid"] if started and started == record["started"] else None

    def require_alive(self, name):
        """Raises with the end of the log when the process has died."""
        if not self.pid(name):
            raise MpsrError(f"{name} has died. The end of its log {self.log(name)}:\n{self.tail(name)}")

    def tail(self, name, lines=25):
        """The last lines of a process's log."""
        try:
            text = self.log(name).read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return "(no log)"
        return "\n".join("    " + line for line in text.splitlines()[-lines:])

    def kill(self, name):
        """Ends a process at once with SIGKILL, as a crash would, and waits until it is gone."""
        self.signal(name, signal.SIGKILL)
        self._await_end([name], 10)
        self._pid_file(name).unlink(missing_ok=True)

    def stop(self, names, grace_seconds=15):
        """Ends processes together with SIGTERM, and with SIGKILL those that take longer than the grace."""
        for name in names:
            self.signal(name, signal.SIGTERM)
        for name in self._await_end(names, grace_seconds):
            self.signal(name, signal.SIGKILL)
        left = self._await_end(names, 10)
        for name in names:
            if name not in left:
                self._pid_file(name).unlink(missing_ok=True)

    def _await_end(self, names, seconds):
        deadline = time.monotonic() + seconds
        running = [name for name in names if self.pid(name)]
        while running and time.monotonic() < deadline:
            time.sleep(0.05)
            running = [name for name in running if self.pid(name)]
        return running

    def signal(self, name, number):
        """Sends a signal to a process, and to all that it has started; to none when it does not run."""
        pid = self.pid(name)
        if pid:
            try:
                os.killpg(pid, number)
            except ProcessLookupError:
                pass  # It ended by itself in between.

    def _pid_file(self, name):
        return self._pids / f"{name}.json"


def _give(lines, on_line, ended=False):
    """Gives the lines that are there; one that is not yet written to its end only when nothing more will come."""
    while True:
        place = lines.tell()
        line = lines.readline()
        if not line.endswith("\n") and not (line and ended):
            lines.seek(place)
            return
        on_line(line.rstrip("\n"))


@contextlib.contextmanager
def _uninterrupted():
    """SIGINT and SIGTERM have their effect after the block: a process that is started must be known to be stopped."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came = []
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number in before:
        signal.signal(number, lambda found, frame: came.append(found))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in came:
            signal.raise_signal(number)
