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
"""Processes as the system knows them, by their pids."""

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path


def run_in_group(argv, cwd):
    """Runs a command that shares this launcher's output; returns its exit code.

    When waiting is interrupted, the command and all that it has started are ended first.
    """
    child = subprocess.Popen(argv, cwd=cwd, stdin=subprocess.DEVNULL, start_new_session=True)
    try:
        return child.wait()
    except BaseException:
        end_group(child)
        raise


def run_reading(argv, cwd, on_line, env=None):
    """As ``run_in_group``, but gives each line of the command's output and errors to ``on_line``."""
    child = subprocess.Popen(
        argv, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, errors="replace", start_new_session=True,
    )  # fmt: skip
    try:
        with child.stdout:
            for line in child.stdout:
                on_line(line.rstrip("\n"))
        return child.wait()
    except BaseException:
        end_group(child)
        raise


def end_group(child):
    """Ends a command that was started in a session of its own, and all that it has started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGTERM)
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(10)
    # Those that outlive the command itself; the group is gone when there are none.
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)


def java_processes(text):
    """The pids of the Java processes, of users that we may look at, that have the text in an argument."""
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit() and _is_java(entry, text)]


def _is_java(entry, text):
    try:
        arguments = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        return False  # It has ended, or is not ours to look at.
    return arguments[0].rpartition("/")[2] == "java" and any(text in argument for argument in arguments[1:])


def end(pids, grace_seconds=15):
    """Ends processes that no pid file names: with SIGTERM, and with SIGKILL those that take longer than the grace."""
    for number, seconds in ((signal.SIGTERM, grace_seconds), (signal.SIGKILL, 10)):
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and any(start_time(pid) for pid in pids):
            time.sleep(0.05)
        pids = [pid for pid in pids if start_time(pid)]


def cpu_time(pid):
    """The seconds of CPU time that a process has taken, without its children's; 0 when it has ended."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
            fields = stat.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (FileNotFoundError, ProcessLookupError):
        return 0.0


def start_time(pid):
    """When a process started, in ticks since boot with the boot's id; None when there is none or it has ended."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
            fields = stat.read().rpartition(")")[2].split()
        with open("/proc/sys/kernel/random/boot_id", encoding="utf-8") as boot:
            return None if fields[0] in ("Z", "X") else f"{boot.read().strip()}-{fields[19]}"
    except (FileNotFoundError, ProcessLookupError):
        return None
