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
time: to the node that ends it first, of those that hold its file and the one that is free first. A task reads, then computes.
Of a node that holds files one task reads at a time, itself or another node's: from disk, or over the network where that is
slower and another node reads.
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

    def seconds(self, mib, local):
        """How long so much is read."""
        return mib / (self.disk if local else min(self.disk, self.network))


def calibrated(runs, alone):
    """A kind of jobs from its measured runs, none of them beside others; ``alone`` simulates a job of a kind on the cluster
    where they were measured, and tells its seconds.

    What its tasks do not explain is its fixed time. The last task gathers and reads nothing.
    """
    count = len(runs)
    tasks = max(1, round(sum(run["tasks"] for run in runs) / count) - 1)
    cpu = sum(run["cpuSeconds"] for run in runs) / count / tasks
    mib = sum(run["bytes"] for run in runs) / count / tasks / (1 << 20)
    measured = sum(run["seconds"] for run in runs) / count
    return Kind(max(0.0, measured - alone(Kind(0.0, tasks, cpu, mib))), tasks, cpu, mib)


def simulate(jobs, nodes, interval, rates, seed):
    """Simulates jobs of which one arrives every interval: a Kind each, and a function that, given a random generator,
    gives the nodes that hold a file.

    Returns [arrived, began, ended] of each job in seconds.
    """
    choice = random.Random(seed)
    free, read = [0.0] * nodes, [0.0] * nodes
    order = [(0.0, node) for node in range(nodes)]
    places = [0.0] * nodes
    found = []
    for number, (kind, copies) in enumerate(jobs):
        arrived = number * interval
        began = max(arrived, heapq.heappop(places))
        ready = ended = began + kind.fixed
        for _ in range(kind.tasks):
            end, node, read_until, holder = _place(kind, copies(choice), free, read, order, ready, rates)
            free[node], read[holder] = end, read_until
            heapq.heappush(order, (end, node))
            ended = max(ended, end)
        heapq.heappush(places, ended)
        found.append([arrived, began, ended])
    return found


def _place(kind, holders, free, read, order, ready, rates):
    """When a task ends, on which node; until when it reads, of which holder."""
    while free[order[0][1]] != order[0][0]:
        heapq.heappop(order)  # this node was given something else since
    first = order[0][1]

    def end(node, holder):
        read_until = max(ready, free[node], read[holder]) + rates.seconds(kind.mib, node == holder)
        return read_until + kind.cpu, node, read_until, holder

    return min(end(node, holder) for holder in holders for node in (holder, first))
