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
"""What happens to HDFS. Each fault does its harm, notes how it is healed, and returns whether it struck."""

import re
import signal
import time

from faults.fault_cluster import DATANODES
from faults.rpc_proxy import AFTER, BEFORE, DURING
from faults.workers import PUBLISH
from mpsr_launcher import waiting
from mpsr_launcher.cluster.ha import JOURNALS

_NOT_OPENED = " waits, tried again every 300 ms: cannot open it: "
_WAIT_SECONDS = 20
_NODE = re.compile(rb"(dn\d+)\.mpsr\.local")


def namenode_killed_at(moment, methods=PUBLISH):
    """The active NameNode dies as a call is on the way to it, at work, or answered."""

    def fault(scene):
        scene.await_namenodes()
        hit = []
        delay = scene.rng.uniform(0, 0.015)

        def act(call):
            hit.append(call.namenode)
            if moment == DURING:
                time.sleep(delay)
            scene.kill(call.namenode)
            return moment == DURING

        active = waiting.until(scene.cluster.hdfs.active, "an active NameNode", 60)
        if not scene.trap(methods, moment, act, lambda call: call.namenode == active):
            return False
        scene.gone(hit[0])
        scene.later("namenodes", lambda: scene.cluster.hdfs.start_namenode(hit[0]))
        return True

    return fault


def namenode_stopped(scene):
    """The active NameNode stands still for a moment in the middle of a publish."""
    scene.await_namenodes()
    hit = []
    seconds = scene.rng.uniform(0.5, 3)

    def act(call):
        hit.append(call.namenode)
        scene.cluster.processes.signal(call.namenode, signal.SIGSTOP)
        return True

    if not scene.trap(PUBLISH, scene.rng.choice((BEFORE, DURING)), act):
        return False
    time.sleep(seconds)
    scene.cluster.processes.signal(hit[0], signal.SIGCONT)
    return True


def namenodes_away_at_start(scene):
    """No NameNode serves when the connector and its tasks start; they wait."""
    scene.heal("workers")
    scene.await_namenodes()
    names = scene.cluster.state.namenodes
    for name in names:
        scene.kill(name)
    for name in names:
        scene.gone(name)
        scene.later("namenodes", lambda name=name: scene.cluster.hdfs.start_namenode(name))
    before = scene.words(_NOT_OPENED)
    scene.patiently(lambda: scene.cluster.connect.restart(scene.name))
    struck = scene.comes(lambda: scene.words(_NOT_OPENED) > before, _WAIT_SECONDS)
    scene.await_namenodes()
    return struck


def datanode_killed(scene):
    """A DataNode dies that was just told to a writer as the one for its block."""
    scene.heal("datanodes")
    hit = []

    def act(call):
        hit.append(_NODE.search(call.frame).group(1).decode())
        scene.kill(hit[0])
        return True

    if not scene.trap(("addBlock",), AFTER, act, lambda call: _NODE.search(call.frame)):
        return False
    scene.gone(hit[0])
    scene.later("datanodes", scene.cluster.hdfs.start_datanodes)
    return True


def disk_full(scene):
    """No DataNode of some, or of all, can write more than a little, for a while."""
    scene.heal("datanodes")
    names = [f"dn{number}" for number in range(1, DATANODES + 1)]
    names = names if scene.rng.random() < 0.5 else scene.rng.sample(names, 3)
    size = scene.rng.choice((0, 2048))
    scene.later("datanodes", lambda: scene.cluster.limit_files(names, None))

    def act(call):
        scene.cluster.limit_files(names, size)
        return True

    struck = scene.trap(("addBlock",), AFTER, act)
    before = scene.words("cannot stage commit")
    if struck and len(names) == DATANODES:
        # all who stage now fail, and say so
        waiting.until(lambda: scene.words("cannot stage commit") > before, "a writer without disk", 20, scene.restart_failed)
    scene.heal("datanodes")
    return struck


def journal_killed(scene):
    """One of three JournalNodes dies."""
    scene.heal("journals")
    name = scene.rng.choice(JOURNALS)
    scene.kill(name)
    scene.gone(name)
    scene.later("journals", lambda: scene.cluster.hdfs.start_journal(name))
    return True
