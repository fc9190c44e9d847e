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
"""Assigns splits to processes before they begin."""

import math

from hadoop_mpsr.parallel.cost import ReadCost


def assign(splits, hosts, cost=None):
    """For each split the number of the process that is to read it.

    ``hosts`` has the host of each process; several may run on one. Algorithm 1 of Ng et al. (see ``ReadCost``) takes the
    splits in turn, and gives each to the process with the least sum of its load up to then and the cost to read the split
    there. The paper leaves the order open. Here each split has a home among the processes that hold most of it, and the
    splits come in the order in which their homes would begin to read them, the largest first. Of equal candidates the
    first wins. ``hdfs mpsr assign`` assigns in the same way; equal arguments give equal results.

    Raises ValueError if there is no process.
    """
    if not hosts:
        raise ValueError(f"there is no process to read {len(splits)} splits; give the host of each process")
    cost = cost or ReadCost()
    processes = {}
    for process, host in enumerate(hosts):
        processes.setdefault(host, []).append(process)
    holders = [_holders(split, processes) for split in splits]
    load = [0.0] * len(hosts)
    reader = [0] * len(splits)
    for index in _order(splits, holders, len(hosts), cost):
        size, held = splits[index].size, holders[index]
        idle = min(range(len(hosts)), key=load.__getitem__)
        candidates = sorted({idle, *held})
        best = min(candidates, key=lambda process: load[process] + cost.ms(size, held.get(process, 0)))
        load[best] += cost.ms(size, held.get(best, 0))
        reader[index] = best
    return reader


def _holders(split, processes):
    """The bytes that lie where a process runs, by the number of the process."""
    return {process: split.on(host) for host in split.local for process in processes.get(host, ())}


def _order(splits, holders, count, cost):
    """The splits in the order in which their homes would begin to read them."""
    largest_first = sorted(range(len(splits)), key=lambda index: -splits[index].size)
    busy = [0.0] * count
    begin = [math.inf] * len(splits)
    for index in largest_first:
        size, held = splits[index].size, holders[index]
        if held:
            home = min(sorted(held), key=lambda process: busy[process] + cost.ms(size, held[process]))
            begin[index] = busy[home]
            busy[home] += cost.ms(size, held[home])
    return sorted(largest_first, key=begin.__getitem__)
