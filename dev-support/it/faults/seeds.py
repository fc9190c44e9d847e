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
"""One seed: an ingest, some faults, and the check."""

import contextlib
import random
import re
import shutil
import time

from faults import outcome
from faults.catalogue import FAULTS, schedule
from faults.scene import Scene
from faults.sender import Mix
from mpsr_launcher import waiting
from mpsr_launcher.errors import MpsrError

RATE = 1000
ANEW = "topic made anew"
_END_SECONDS = 120
_FAILURE_SECONDS = 90


class Seeds:
    """Runs seeds on one cluster, and remembers how often which fault struck."""

    def __init__(self, cluster, say):
        self._cluster = cluster
        self._say = say
        self.struck = dict.fromkeys((*FAULTS, ANEW), 0)
        self._runs = 0

    def run(self, seed, faults=4):
        """Runs one seed; raises MpsrError with the seed and what happened when something is wrong."""
        rng = random.Random(seed)
        self._runs += 1
        start = time.monotonic()
        lines = []

        def say(text):
            lines.append(f"{time.monotonic() - start:6.1f} {text}")

        mix = Mix(rng.choice((0, 0.005, 0.02)), rng.choice((0, 0.02, 0.3)))
        say(f"{mix.poison:.1%} poison, {mix.dropped:.1%} dropped by a transformation")
        scene = Scene(self._cluster, f"seed-{seed}-{self._runs}", rng, say, mix)
        try:
            self._play(scene, rng, faults)
        except Exception as error:
            happened = "\n".join(f"    {line}" for line in lines)
            raise MpsrError(f"seed {seed}: {error}\n  what happened until then (seconds):\n{happened}") from error
        finally:
            with contextlib.suppress(MpsrError):
                scene.sender.stop()
                scene.heal()
                scene.end()
        counts = ", ".join(f"{scene.words(text)} {what}" for what, text in _WORDS.items())
        self._say(f"seed {seed}: {time.monotonic() - start:.1f} s, {counts}, {scene.failed_tasks} failed tasks")
        for line in lines:
            self._say(f"    {line}")
        shutil.rmtree(scene.directory, ignore_errors=True)

    def _play(self, scene, rng, faults):
        scene.begin()
        scene.sender.start(RATE)
        for name in schedule(rng, faults):
            scene.say(f"{name} ...")
            if FAULTS[name](scene):
                self.struck[name] += 1
                scene.say(f"{name}: struck")
            if rng.random() < 0.4:
                scene.heal()
                scene.say("healed")
        scene.heal()
        scene.sender.stop()
        sender = scene.sender
        scene.say(f"all healed, sent: {len(sender.sent)} readings, {len(sender.poisoned)} poison, {sender.dropped} dropped")
        scene.await_all_committed(_END_SECONDS)
        scene.say("all committed")
        scene.await_whole()
        scene.say("all whole")
        found = outcome.problems(scene)
        if found:
            raise MpsrError("; ".join(found))
        scene.say(f"checked, {len(outcome.staged(scene))} staged commits left")
        if rng.random() < 0.3:
            self._make_anew(scene, rng)

    def _make_anew(self, scene, rng):
        """The topic is deleted and made anew, under a running sink or a stopped one: the sink ends, and writes nothing."""
        before = outcome.content(scene)
        is_running = rng.random() < 0.5
        # A running sink has nothing to judge before a record comes, or is missing.
        more = rng.choice((-1, 1, 100) if is_running else (-1, 0, 1, 100))
        connect = self._cluster.connect
        if not is_running:
            scene.patiently(lambda: connect.stop(scene.name))
            waiting.until(scene.has_no_task, "the end of all tasks", _FAILURE_SECONDS)
        scene.make_anew(more)
        if not is_running:
            scene.patiently(lambda: connect.resume(scene.name))
        waiting.until(lambda: self._says_so(scene), "a task that says that the topic is made anew", _FAILURE_SECONDS)
        if outcome.content(scene) != before:
            raise MpsrError(f"the topic is made anew, and the dataset was {before} and is {outcome.content(scene)}")
        self.struck[ANEW] += 1
        scene.say(f"{ANEW} under a {'running' if is_running else 'stopped'} sink, {more:+} records of each partition")

    def _says_so(self, scene):
        """Whether a task has ended for the new topic; one that has ended as it could not ask Kafka is started again."""
        failures = scene.failures()
        said = any(_OF_ANEW.search(trace) for trace in failures)
        if failures and not said:
            scene.restart_failed()
        return said


_OF_ANEW = re.compile("made anew|beyond what Kafka has")


_WORDS = {
    "commits": " staged in ",
    "fenced": " is fenced: ",
    "unknown outcomes": "the outcome of commit",
    "failed stagings": "cannot stage commit",
}
