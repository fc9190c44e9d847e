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
"""What the integration tests share: one cluster of real processes, and bin/mpsr called as a user calls it."""

import json
import os
import signal
import subprocess
import unittest

from benchmarks.harness import data_layouts
from mpsr_launcher.checkout.checkout import Checkout, root_of
from mpsr_launcher.cluster.cluster import Cluster
from mpsr_launcher.cluster.webhdfs import WebHdfs
from mpsr_launcher.console import Console

RUN = f".mpsr/it/{os.environ.get('MPSR_IT_RUN', 'shared')}"
DATANODES = 4
RACKS = 4

_started = []

LONG = "MPSR_LONG_TESTS" in os.environ
"""Whether the tests that continuous integration leaves out run, too: bin/mpsr test --long."""


def long(test):
    """Marks a test or a class of tests that continuous integration leaves out."""
    return unittest.skipUnless(LONG, "bin/mpsr test --long runs it")(test)


def checkout():
    """The checkout with the run directory of the tests, so that a user's clusters are left alone."""
    root = root_of()
    return Checkout(root, os.path.join(root, RUN))


def cluster():
    """The cluster of all tests, started for the first that asks. bin/mpsr test stops it at the end."""
    if not _started:
        found = Cluster(checkout())
        found.stop(Console())
        found.wipe()
        found.start(Console(), DATANODES, RACKS)
        _started.append(found)
    return _started[0]


def environment(**more):
    """The environment of bin/mpsr for the tests."""
    inherited = {name: value for name, value in os.environ.items() if name != "MPSR_CLUSTER"}
    return {**inherited, "MPSR_RUN_DIR": str(checkout().run), **more}


def start_mpsr(*arguments, **popen):
    """Starts bin/mpsr as a terminal does: its own process group, and not deaf to Ctrl-C."""
    popen = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **popen}
    popen.setdefault("env", environment())
    command = [str(checkout().root / "bin" / "mpsr"), *arguments]
    return subprocess.Popen(command, preexec_fn=_as_from_a_terminal, **popen)


def _as_from_a_terminal():
    os.setpgrp()
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def mpsr(*arguments, timeout=180, **popen):
    """Runs bin/mpsr to its end. With ``input`` it reads that."""
    text = popen.pop("input", None)
    if text is not None:
        popen["stdin"] = subprocess.PIPE
    with start_mpsr(*arguments, **popen) as process:
        try:
            out, err = process.communicate(text, timeout)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return subprocess.CompletedProcess(arguments, process.returncode, out, err)


def done(*arguments, code=0, **popen):
    """Runs bin/mpsr, which must end with this code."""
    ended = mpsr(*arguments, **popen)
    if ended.returncode != code:
        raise AssertionError(f"{' '.join(arguments)} ended with {ended.returncode}\n{ended.stdout}\n{ended.stderr[-3000:]}")
    return ended


def load_generated(dataset, records, commits, *options, of=None):
    """Loads generated records of 20 signals into a new dataset of a cluster, in so many commits; tells the file that has them."""
    file = checkout().run / f"{dataset.replace('/', '-')}.parquet"
    done("generate", "--parquet", str(file), "--records", str(records), "--signals", "20", *options)
    data_layouts.load_mpsr(of or cluster(), dataset, file, records, records // commits)
    return file


def maintained(*arguments, **popen):
    """What ``hdfs mpsr maintain --once`` says, as objects, without its progress."""
    ended = done("maintain", *arguments, "--once", "--json", **popen)
    return [said for said in map(json.loads, ended.stdout.splitlines()) if said["event"] != "progress"]


def listing(path, of=None):
    """The names in a directory of a cluster's HDFS, asked by WebHDFS: quicker than a command. Empty if missing."""
    return WebHdfs(of or cluster()).names(path)
