# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
"""Splits that processes take one after the other, each as soon as it is done with the last one."""

import heapq
import threading

from hadoop_mpsr.parallel.cost import ReadCost


class Work:
    """Splits, each of which is given away once. A process gets the one that it reads at the least cost. Thread-safe.

    Of splits with equal cost a process gets the one that the fewest processes hold, so that each finds splits of its own
    for as long as possible, and then the first.
    """

    def __init__(self, splits, hosts, cost=None):
        """``hosts`` has the host of each process."""
        self._splits = splits
        self._hosts = hosts
        self._cost = cost or ReadCost()
        self._taken = [False] * len(splits)
        self._queues = {}
        self._lock = threading.Lock()
        here = {}
        for host in hosts:
            here[host] = here.get(host, 0) + 1
        self._holders = [sum(here.get(host, 0) for host in split.local) for split in splits]

    def take(self, process):
        """The number of the split that a process is to read next, or None when all are given away."""
        with self._lock:
            host = self._hosts[process]
            if host not in self._queues:
                self._queues[host] = self._queue(host)
            queue = self._queues[host]
            while queue:
                index = heapq.heappop(queue)[-1]
                if not self._taken[index]:
                    self._taken[index] = True
                    return index
            return None

    def _queue(self, host):
        queue = [
            (self._cost.ms(split.size, split.on(host)), self._holders[index], index)
            for index, split in enumerate(self._splits)
            if not self._taken[index]
        ]
        heapq.heapify(queue)
        return queue
