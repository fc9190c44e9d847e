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
"""Which rank of an MPI program reads what. All calls are collective: each rank makes them, with the same paths."""

import contextlib
import os
import socket

from hadoop_mpsr.parallel.assignment import assign
from hadoop_mpsr.parallel.giver import Giver, Taker
from hadoop_mpsr.parallel.splits import Split, split
from hadoop_mpsr.parallel.work import Work


def static(comm, paths, host=None, cost=None):
    """The files that this rank reads, as splits; assigned before anybody reads.

    ``comm`` is a communicator of mpi4py. ``host`` is the name of this rank's host as HDFS has it: by default that of the
    environment variable MPSR_HOST, else the host's own full name.

    Raises:
        ValueError: The ranks have different paths.
        OSError: A file cannot be found, or HDFS does not answer.
    """
    splits, hosts = _known(comm, paths, host)
    readers = comm.bcast(assign(splits, hosts, cost) if comm.rank == 0 else None)
    return [each for each, reader in zip(splits, readers, strict=True) if reader == comm.rank]


def dynamic(comm, paths, host=None, cost=None, address=None):
    """The files that this rank reads, as splits, one after the other: each when the rank asks for it.

    A rank that is done takes, of those left, the file that it reads at the least cost, so that a slow rank holds nobody up.
    Rank 0 has a thread that gives them away, also while the rank itself reads. Ranks on other hosts reach it at a port that is
    open until all ranks are done; only ranks of the program have the key. ``address`` is where they reach rank 0, if not by the
    name that HDFS has for its host. Each rank must go on until there is no more. Other arguments and errors are those of
    ``static``.
    """
    splits, hosts = _known(comm, paths, host)
    with contextlib.ExitStack() as stack:
        giver = None
        if comm.rank == 0:
            giver = stack.enter_context(Giver(Work(splits, hosts, cost), comm.size, alone=len(set(hosts)) == 1))
        where, port, key = comm.bcast((address or hosts[0], giver.port, giver.key) if giver else None)
        near = hosts[0] == hosts[comm.rank]
        taker = stack.enter_context(Taker("localhost" if near else where, port, key, comm.rank))
        while (index := taker.take()) is not None:
            yield splits[index]


def own_host(host=None):
    """The name that HDFS has for this rank's host: the one given, else that of MPSR_HOST, else the host's full name."""
    return host or os.environ.get("MPSR_HOST") or socket.getfqdn()


def _known(comm, paths, host):
    """The splits and the hosts of all ranks. Each rank asks HDFS for a part of the files."""
    host = own_host(host)
    paths = [os.fspath(path) for path in paths]
    parts = comm.allgather((host, len(paths), _asked(paths[comm.rank :: comm.size])))
    for _, _, part in parts:
        if isinstance(part, OSError):
            raise part
    if len({count for _, count, _ in parts}) > 1:
        counts = ", ".join(str(count) for _, count, _ in parts)
        raise ValueError(f"the ranks have {counts} files; give the same paths on each rank, in the same order")
    known = [(0, {})] * len(paths)
    for rank, (_, _, part) in enumerate(parts):
        known[rank :: comm.size] = part
    return [Split(path, *each) for path, each in zip(paths, known, strict=True)], [each for each, _, _ in parts]


def _asked(paths):
    """The sizes and hosts of files; or the error, which all ranks are to have, so that none waits for another."""
    try:
        return [(each.size, each.local) for each in map(split, paths)]
    except OSError as error:
        return error
