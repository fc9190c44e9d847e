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
"""The faults. Each does its harm, notes how it is healed, and returns whether it struck."""

import random
import re
import signal
import threading
import time

from faults.fault_cluster import DATANODES, WORKERS
from faults.rpc_proxy import AFTER, BEFORE, DURING
from mpsr_launcher import waiting
from mpsr_launcher.ha import JOURNALS

PUBLISH = ("publish",)
STAGING = ("addBlock", "complete", "beginCommit")
_TAKEOVER_SECONDS = 20
_NODE = re.compile(rb"(dn\d+)\.mpsr\.local")


def worker_killed(scene):
    """A worker dies at any moment."""
    name = _worker(scene)
    scene.kill(name)
    _start_later(scene, name)
    return True


def worker_killed_at(moment, methods=PUBLISH):
    """A worker dies as its call is on the way, at work, or answered: the answer reaches nobody."""

    def fault(scene):
        scene.heal("workers")
        hit = []

        def act(call):
            hit.append(call.worker)
            scene.kill(call.worker)
            return moment == DURING

        if not _trap_workers(scene, methods, moment, act):
            return False
        _start_later(scene, hit[0])
        return True

    return fault


def worker_stopped(methods=STAGING):
    """A worker stands still for longer than its session lasts, in the middle of a commit; others take over, and then it
    goes on as if nothing had been."""

    def fault(scene):
        scene.heal("workers")
        hit = []

        def act(call):
            hit.append(call.worker)
            scene.cluster.processes.signal(call.worker, signal.SIGSTOP)
            return True

        if not _trap_workers(scene, methods, BEFORE, act):
            return False
        _continue_later(scene, hit[0])
        return _taken_over(scene, hit[0])

    return fault


def late_publish(number, continues):
    """A publish is on the way while its worker stands still, or is killed, and arrives when others have taken over."""

    def fault(scene):
        scene.heal("workers")
        hit, released = [], threading.Event()

        def act(call):
            hit.append(call.worker)
            scene.cluster.processes.signal(call.worker, number)
            return released.wait(60)

        if not _trap_workers(scene, PUBLISH, BEFORE, act):
            return False
        (_continue_later if continues else _start_later)(scene, hit[0])
        done = _taken_over(scene, hit[0])
        released.set()
        return done

    return fault


def answer_lost(scene):
    """A commit succeeds, and its writer never hears of it, as the connection breaks."""
    return scene.trap(PUBLISH, AFTER, lambda call: False)


def question_lost(scene):
    """The connection breaks before a publish reaches the NameNode."""
    return scene.trap(PUBLISH, BEFORE, lambda call: False)


def namenode_killed_at(moment, methods=PUBLISH):
    """The active NameNode dies as a call is on the way to it, at work, or answered."""

    def fault(scene):
        _whole_namenodes(scene)
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
        _namenode_later(scene, hit[0])
        return True

    return fault


def namenode_stopped(scene):
    """The active NameNode stands still for a moment in the middle of a publish."""
    _whole_namenodes(scene)
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


def tasks_scaled(scene):
    """The number of tasks changes."""
    scene.heal("workers")
    scene.configure(tasks=scene.rng.randint(1, 4))
    return True


def paused(scene):
    """The connector rests and goes on."""
    scene.heal("workers")
    scene.patiently(lambda: scene.cluster.connect.pause(scene.name))
    scene.later("connector", lambda: scene.patiently(lambda: scene.cluster.connect.resume(scene.name)))
    return True


def restarted(scene):
    """The connector and its tasks are restarted."""
    scene.heal("workers")
    scene.patiently(lambda: scene.cluster.connect.restart(scene.name))
    return True


def copied(same_name):
    """The connector is started on another Connect cluster too: with the same name it shares the consumer group, with
    another one it reads everything once more."""

    def fault(scene):
        scene.start_other(scene.name if same_name else f"{scene.name}-copy")
        return True

    return fault


def journal_killed(scene):
    """One of three JournalNodes dies."""
    scene.heal("journals")
    name = scene.rng.choice(JOURNALS)
    scene.kill(name)
    scene.gone(name)
    scene.later("journals", lambda: scene.cluster.hdfs.start_journal(name))
    return True


FAULTS = {
    "worker killed": worker_killed,
    "worker killed before publish": worker_killed_at(BEFORE),
    "worker killed during publish": worker_killed_at(DURING),
    "worker killed after publish": worker_killed_at(AFTER),
    "worker killed in staging": worker_killed_at(BEFORE, STAGING),
    "worker stopped in staging": worker_stopped(),
    "worker stopped before publish": late_publish(signal.SIGSTOP, continues=True),
    "publish of a killed worker comes late": late_publish(signal.SIGKILL, continues=False),
    "answer lost": answer_lost,
    "question lost": question_lost,
    "NameNode killed before publish": namenode_killed_at(BEFORE),
    "NameNode killed during publish": namenode_killed_at(DURING),
    "NameNode killed after publish": namenode_killed_at(AFTER),
    "NameNode killed in staging": namenode_killed_at(DURING, STAGING),
    "NameNode stopped": namenode_stopped,
    "DataNode killed in mid-write": datanode_killed,
    "disk full": disk_full,
    "tasks scaled": tasks_scaled,
    "connector paused": paused,
    "connector restarted": restarted,
    "connector copied, same name": copied(same_name=True),
    "connector copied, other name": copied(same_name=False),
    "JournalNode killed": journal_killed,
}


def schedule(rng, count):
    """That many faults in an order; of those that take long one at most."""
    names = list(FAULTS)
    random.Random(rng.random()).shuffle(names)
    chosen, seen = [], set()
    for name in names:
        kind = "NameNode" if "NameNode killed" in name else "copy" if "copied" in name else name
        if kind not in seen and len(chosen) < count:
            chosen.append(name)
            seen.add(kind)
    return chosen


def _worker(scene):
    """A worker to hurt, when both are well."""
    scene.heal("workers")
    return scene.rng.choice(WORKERS)


def _trap_workers(scene, methods, moment, act):
    """Traps a call of a worker of the right Connect cluster."""
    return scene.trap(methods, moment, act, lambda call: call.worker in WORKERS)


def _start_later(scene, name):
    scene.gone(name)
    scene.later("workers", lambda: scene.cluster.start_worker_named(name))


def _continue_later(scene, name):
    scene.later("workers", lambda: scene.cluster.processes.signal(name, signal.SIGCONT))


def _taken_over(scene, worker):
    """Waits until another worker has all tasks; returns whether it has."""
    deadline = time.monotonic() + _TAKEOVER_SECONDS
    while time.monotonic() < deadline:
        if scene.connector_runs(without=worker):
            return True
        time.sleep(0.2)
    return False


def _whole_namenodes(scene):
    scene.heal("namenodes")
    hdfs = scene.cluster.hdfs
    waiting.until(lambda: len(hdfs.serving()) == len(scene.cluster.state.namenodes), "both NameNodes", 90)


def _namenode_later(scene, name):
    scene.gone(name)
    scene.later("namenodes", lambda: scene.cluster.hdfs.start_namenode(name))
