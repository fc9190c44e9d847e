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
"""Which process reads which file."""

import collections
import contextlib
import os
import random
import socket
import tempfile
import threading
import unittest
from pathlib import Path
from unittest import mock

from ranks import Ranks

from hadoop_mpsr.parallel import ReadCost, Split, Work, assign, dynamic, split, static
from hadoop_mpsr.parallel.giver import Giver, Taker

CASES = Path(__file__).parents[2] / "mpsr-core" / "src" / "test" / "resources" / "assignment" / "cases.txt"
SEED = int(os.environ.get("MPSR_SEED", "0"))


def cases():
    """The assignments of the Java implementation: splits, hosts, cost, and the reader of each split."""
    for line in CASES.read_text().splitlines()[1:]:
        if line.startswith("case "):
            _, hosts, *cost = line.split(" ")
            case = ([], hosts.split(","), ReadCost(*map(float, cost)), [])
            yield case
        else:
            size, local, reader = line.split(" ")
            held = dict(each.split("=") for each in local.split(",") if each)
            case[0].append(Split(f"/m/{len(case[0])}", int(size), {host: int(held[host]) for host in held}))
            case[3].append(int(reader))


def drawn(seed, hosts, count=60):
    """Splits that lie on some of the hosts."""
    rng = random.Random(seed)
    return [
        Split(f"/m/{i}", size, dict.fromkeys(rng.sample(hosts, rng.randrange(min(3, len(hosts)) + 1)), size))
        for i, size in enumerate(rng.randrange(1, 1 << 22) for _ in range(count))
    ]


class AssignmentTest(unittest.TestCase):
    def test_assigns_as_hdfs_mpsr_assign(self):
        for number, (splits, hosts, cost, readers) in enumerate(list(cases())):
            with self.subTest(case=number):
                self.assertEqual(readers, assign(splits, hosts, cost))
        self.assertEqual(59, number)

    def test_processes_of_one_host_share_what_lies_there(self):
        splits = [Split(f"/m/{i}", 1 << 20, {"a" if i % 2 else "b": 1 << 20}) for i in range(40)]
        hosts = ["a", "b", "a", "b"]
        readers = assign(splits, hosts)
        self.assertTrue(all(hosts[reader] in each.local for each, reader in zip(splits, readers, strict=True)))
        self.assertEqual({rank: 10 for rank in range(4)}, collections.Counter(readers))

    def test_refuses_what_it_cannot_know(self):
        with self.assertRaisesRegex(ValueError, "no process to read 1 splits"):
            assign([Split("/m/a", 1)], [])
        with self.assertRaisesRegex(ValueError, "not above 0"):
            ReadCost(disk_bytes_per_ms=0)
        with self.assertRaisesRegex(ValueError, "negative"):
            ReadCost(network_prepare_ms=-1)

    def test_the_cost_of_a_read(self):
        cost = ReadCost(2, 1000, 1, 500)
        self.assertEqual([12, 12 + 1 + 4000 / 500, 33], [cost.ms(10_000, local) for local in (10_000, 6000, 0)])


class SplitTest(unittest.TestCase):
    def test_a_file_of_another_file_system_lies_nowhere(self):
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"12345")
            file.flush()
            self.assertEqual(Split(file.name, 5), split(file.name))

    def test_hosts_are_those_of_the_mount(self):
        with tempfile.NamedTemporaryFile() as file, mock.patch("os.getxattr", return_value=b"dn1 70\ndn2 30\n") as asked:
            found = split(Path(file.name))
        self.assertEqual({"dn1": 70, "dn2": 30}, found.local)
        asked.assert_called_once_with(file.name, "user.mpsr.hosts")

    def test_other_errors_are_told(self):
        with self.assertRaises(FileNotFoundError):
            split("/none/such")
        with tempfile.NamedTemporaryFile() as file, mock.patch("os.getxattr", side_effect=TimeoutError), self.assertRaises(TimeoutError):
            split(file.name)


class WorkTest(unittest.TestCase):
    def test_each_split_is_given_once_and_the_cheapest_first(self):
        for seed in range(SEED, SEED + 40):
            with self.subTest(seed=seed):
                hosts = [f"n{i % 3}" for i in range(5)]
                splits = drawn(seed, ["n0", "n1", "n2", "n3"])
                work, rng, cost = Work(splits, hosts), random.Random(seed), ReadCost()
                left = set(range(len(splits)))
                while left:
                    process = rng.randrange(len(hosts))
                    taken = work.take(process)
                    prices = {i: cost.ms(splits[i].size, splits[i].on(hosts[process])) for i in left}
                    self.assertEqual(min(prices.values()), prices[taken])
                    left.remove(taken)
                self.assertEqual([None] * len(hosts), [work.take(process) for process in range(len(hosts))])

    def test_of_equal_ones_that_which_others_do_not_hold(self):
        splits = [Split("/m/both", 10, {"a": 10, "b": 10}), Split("/m/a", 10, {"a": 10})]
        self.assertEqual(1, Work(splits, ["a", "b"]).take(0))


class RanksTest(unittest.TestCase):
    def setUp(self):
        directory = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.paths = [directory / f"f{i:02}" for i in range(23)]
        for i, path in enumerate(self.paths):
            path.write_bytes(b"x" * (i + 1))

    def lies(self, *hosts):
        """The files lie on the hosts in turn."""

        def value(path, _):
            return f"{hosts[int(path[-2:]) % len(hosts)]} {os.path.getsize(path)}\n".encode()

        self.enterContext(mock.patch("os.getxattr", value))

    def test_static(self):
        self.lies("a", "b")
        read = Ranks(4).run(lambda comm: static(comm, self.paths, host="ab"[comm.rank % 2]))
        self.assertEqual(sorted(map(str, self.paths)), sorted(each.path for part in read for each in part))
        for rank, part in enumerate(read):
            self.assertEqual({"ab"[rank % 2]}, {host for each in part for host in each.local})

    def test_dynamic_gives_each_file_once_also_to_ranks_that_are_slow(self):
        self.lies("a", "b", "c")
        # rank 0 keeps its first file until the others have all other files
        first, others = threading.Event(), threading.Semaphore(0)

        def action(comm):
            read = []
            for each in dynamic(comm, self.paths, host="abc"[comm.rank]):
                read.append(each.path)
                if comm.rank == 0 and len(read) == 1:
                    first.set()
                    for _ in range(len(self.paths) - 1):
                        others.acquire(timeout=60)
                elif comm.rank != 0:
                    first.wait(timeout=60)
                    others.release()
            return read

        with mock.patch("hadoop_mpsr.parallel.mpi.Taker", lambda _host, *rest: Taker("localhost", *rest)):
            read = Ranks(3).run(action)
        self.assertEqual(sorted(map(str, self.paths)), sorted(path for part in read for path in part))
        self.assertEqual(1, len(read[0]))

    def test_all_ranks_learn_what_is_wrong(self):
        gone = [*self.paths, self.paths[0].with_name("gone")]
        for error in Ranks(3).run(lambda comm: static(comm, gone)):
            self.assertIsInstance(error, FileNotFoundError)
        for error in Ranks(3).run(lambda comm: static(comm, self.paths[comm.rank :])):
            self.assertIsInstance(error, ValueError)
            self.assertIn("23, 22, 21 files", str(error))


class GiverTest(unittest.TestCase):
    def test_strangers_get_nothing_and_disturb_nobody(self):
        work = Work([Split("/m/a", 1), Split("/m/b", 1)], ["h"])
        with Giver(work, 1, alone=True) as giver:
            with socket.create_connection(("localhost", giver.port)):  # says nothing, and stays
                with contextlib.closing(socket.create_connection(("localhost", giver.port))) as noise:
                    noise.sendall(b"GET / HTTP/1.1\r\n\r\n" + b"x" * 100)
                with Taker("localhost", giver.port, b"?" * 32, 0) as stranger, self.assertRaises(ConnectionError):
                    stranger.take()
                with Taker("localhost", giver.port, giver.key, 0) as taker:
                    self.assertEqual([0, 1, None], [taker.take() for _ in range(3)])

    def test_who_leaves_in_the_middle_holds_nobody_up(self):
        work = Work([Split("/m/a", 1), Split("/m/b", 1)], ["h", "h"])
        with Giver(work, 2, alone=True) as giver:
            with Taker("localhost", giver.port, giver.key, 0) as first:
                self.assertEqual(0, first.take())
            with Taker("localhost", giver.port, giver.key, 1) as second:
                self.assertEqual([1, None], [second.take(), second.take()])


if __name__ == "__main__":
    unittest.main()
