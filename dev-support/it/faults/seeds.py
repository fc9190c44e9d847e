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
import shutil
import time

from faults import outcome
from faults.catalogue import FAULTS, schedule
from faults.scene import Scene
from mpsr_launcher.errors import MpsrError

RATE = 1000
_END_SECONDS = 120


class Seeds:
    """Runs seeds on one cluster, and remembers how often which fault struck."""

    def __init__(self, cluster, say):
        self._cluster = cluster
        self._say = say
        self.struck = dict.fromkeys(FAULTS, 0)
        self._runs = 0

    def run(self, seed, faults=4):
        """Runs one seed; raises MpsrError with the seed and what happened when something is wrong."""
        rng = random.Random(seed)
        self._runs += 1
        start = time.monotonic()
        lines = []

        def say(text):
            lines.append(f"{time.monotonic() - start:6.1f} {text}")

        scene = Scene(self._cluster, f"seed-{seed}-{self._runs}", rng, say)
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
        scene.say(f"all healed, {len(scene.sender.sent)} records sent")
        scene.await_all_committed(_END_SECONDS)
        scene.say("all committed")
        scene.await_whole()
        scene.say("all whole")
        found = outcome.problems(scene)
        if found:
            raise MpsrError("; ".join(found))
        scene.say(f"checked, {len(outcome.staged(scene))} staged commits left")


_WORDS = {
    "commits": " staged in ",
    "fenced": " is fenced: ",
    "unknown outcomes": "the outcome of commit",
    "failed stagings": "cannot stage commit",
}
