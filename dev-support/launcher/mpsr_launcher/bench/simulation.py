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
"""A discrete-event simulation of jobs on clusters larger than a machine can carry, calibrated on measured jobs.

A job begins when one of as many places as there are nodes is free, first come, first served. After a fixed time, for
planning and for gathering what its tasks found, which no node takes part in, its tasks go to nodes that do one task at a
time: to the node that ends it first, of those that hold its file and the one that is free first. A task takes its CPU time
and the time that its bytes take from disk, or over the network where that is slower and another node holds them.
"""

import heapq
import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """Jobs of a kind on a layout: seconds that no node takes part in, tasks, and CPU seconds and MiB of each task."""

    fixed: float
    tasks: int
    cpu: float
    mib: float

    def grown(self, factor):
        """The same on so many times the data, in as many more tasks."""
        return Kind(self.fixed, max(1, round(self.tasks * factor)), self.cpu, self.mib)


@dataclass(frozen=True)
class Rates:
    """MiB a second of a node: from its disk, and over the network."""

    disk: float
    network: float

    def seconds(self, kind, local):
        """How long a task takes."""
        return kind.cpu + kind.mib / (self.disk if local else min(self.disk, self.network))


def calibrated(runs, nodes, rates):
    """A kind of jobs from its measured runs, none of them beside others, on so many nodes that hold data.

    What its tasks do not explain is its fixed time. The last task gathers and reads nothing.
    """
    count = len(runs)
    tasks = max(1, round(sum(run["tasks"] for run in runs) / count) - 1)
    cpu = sum(run["cpuSeconds"] for run in runs) / count / tasks
    mib = sum(run["bytes"] for run in runs) / count / tasks / (1 << 20)
    bare = Kind(0.0, tasks, cpu, mib)
    waves = -(-tasks // nodes)
    return Kind(max(0.0, sum(run["seconds"] for run in runs) / count - waves * rates.seconds(bare, True)), tasks, cpu, mib)


def simulate(jobs, nodes, interval, rates, seed):
    """Simulates jobs of which one arrives every interval: a Kind each, and a function that, given a random generator,
    gives the nodes that hold a file.

    Returns [arrived, began, ended] of each job in seconds.
    """
    choice = random.Random(seed)
    free = [0.0] * nodes
    order = [(0.0, node) for node in range(nodes)]
    places = [0.0] * nodes
    found = []
    for number, (kind, copies) in enumerate(jobs):
        arrived = number * interval
        began = max(arrived, heapq.heappop(places))
        ready = ended = began + kind.fixed
        for _ in range(kind.tasks):
            node, end = _place(kind, copies(choice), free, order, ready, rates)
            free[node] = end
            heapq.heappush(order, (end, node))
            ended = max(ended, end)
        heapq.heappush(places, ended)
        found.append([arrived, began, ended])
    return found


def _place(kind, holders, free, order, ready, rates):
    while free[order[0][1]] != order[0][0]:
        heapq.heappop(order)  # this node was given something else since
    first = order[0][1]
    ends = [(max(ready, free[node]) + rates.seconds(kind, True), node) for node in holders]
    ends.append((max(ready, free[first]) + rates.seconds(kind, first in holders), first))
    end, node = min(ends)
    return node, end
