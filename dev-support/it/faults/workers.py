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
"""What happens to workers, to their calls on the way, and to connectors. Each fault does its harm, notes how it is healed,
and returns whether it struck."""

import signal
import threading

from faults.fault_cluster import WORKERS
from faults.rpc_proxy import AFTER, BEFORE, DURING
from mpsr_launcher.errors import MpsrError

PUBLISH = ("publish",)
STAGING = ("addBlock", "complete", "beginCommit")
_TAKEOVER_SECONDS = 20
_FAILURE_SECONDS = 30


def worker_killed(scene):
    """A worker dies at any moment."""
    scene.heal("workers")
    name = scene.rng.choice(WORKERS)
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


def dead_letter_oversized(scene):
    """A bad record is too large for the dead letter queue: its task ends, and nothing from it on is committed, until the
    operator lets the queue have it."""
    scene.heal("workers")
    partition, offset = scene.sender.send_oversized()

    def refused():
        return any("bad records to the dead letter queue; the worker's log" in trace for trace in scene.failures())

    struck = scene.comes(refused, _FAILURE_SECONDS, scene.restart_failed)
    end = (scene.ends() or {}).get(partition, 0)
    if end > offset:
        raise MpsrError(f"committed up to {end}, with a record at {offset} that is not in the dead letter queue")
    scene.send_large_dead_letters()
    return struck


def copied(same_name):
    """The connector is started on another Connect cluster too: with the same name it shares the consumer group, with
    another one it reads everything once more."""

    def fault(scene):
        scene.start_other(scene.name if same_name else f"{scene.name}-copy")
        return True

    return fault


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
    return scene.comes(lambda: scene.connector_runs(without=worker), _TAKEOVER_SECONDS)
