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
"""Machines on this machine: each with a network namespace, an address, and a limit to its disk and its network."""

import contextlib
import mmap
import os
import shutil
import subprocess
import threading
from pathlib import Path

from mpsr_launcher.errors import MpsrError

CGROUPS = Path("/sys/fs/cgroup/blkio")
NETWORK = "10.77.0"
BRIDGE = "mpsr-bench"
MIB = 1 << 20
_NAMESPACES = Path("/run/netns")


def missing():
    """What keeps machines from being made here, or nothing."""
    if os.geteuid() != 0:
        return "you are not root"
    tools = [tool for tool in ("ip", "tc", "nsenter") if not shutil.which(tool)]
    if tools:
        return f"{' and '.join(tools)} of iproute2 and util-linux is not there"
    if not CGROUPS.is_dir():
        return f"{CGROUPS} is not there: disks are limited by control groups of version 1 (a host with version 2 alone has none)"
    return ""


class Machines:
    """So many machines on one switch, this machine the first address on it. A context: they are gone at its end.

    What a previous run has left is removed first, so only one such network can be there at a time.
    """

    network = NETWORK

    def __init__(self, count, network_mib, data):
        """Each machine sends so many MiB a second, and is sent as much; ``data`` is a directory on the disk of all."""
        self._count = count
        self._network_bits = round(network_mib * MIB * 8)
        self._data = data
        self._kept = []

    def __enter__(self):
        self._remove()
        try:
            self._ip("link", "add", BRIDGE, "type", "bridge")
            self._ip("address", "add", f"{NETWORK}.1/24", "dev", BRIDGE)
            self._ip("link", "set", BRIDGE, "up")
            for number in range(1, self._count + 1):
                self._add(number)
        except BaseException:
            self._remove()
            raise
        return self

    def __exit__(self, *exception):
        self._kept.clear()
        self._remove()

    def command(self, number, argv):
        """The command that runs another one on a machine, from 1."""
        enter = 'echo $$ > "$0" && exec "$@"'
        # Not 'ip netns exec', which has mounts of its own: what a machine mounts is seen by all.
        return ["sh", "-c", enter, str(_group(number) / "cgroup.procs"), "nsenter", f"--net={_NAMESPACES / _name(number)}", *argv]

    def sent(self):
        """The bytes that all machines have sent to others so far, with the headers of packets."""
        links = Path("/sys/class/net")
        return sum(int((links / _outer(number) / "statistics" / "rx_bytes").read_text()) for number in range(1, self._count + 1))

    def crossed(self, number):
        """The bytes that a machine has sent and received so far, with the headers of packets."""
        statistics = Path("/sys/class/net") / _outer(number) / "statistics"
        return sum(int((statistics / f"{way}_bytes").read_text()) for way in ("rx", "tx"))

    def limit_network(self, number, mib):
        """Lets a machine send, and be sent, so many MiB a second from now on."""
        rate = self._rate(round(mib * MIB * 8))
        self._run("tc", "qdisc", "change", "dev", _outer(number), *rate)
        self._run("ip", "netns", "exec", _name(number), "tc", "qdisc", "change", "dev", "eth0", *rate)

    def limit_disks(self, mib):
        """Lets each machine read so many MiB a second from disk, from now on."""
        for number in range(1, self._count + 1):
            self.limit_disk(number, mib)

    def limit_disk(self, number, mib):
        """Lets one machine read so many MiB a second from disk, from now on."""
        limit = f"{_whole_device(os.stat(self._data).st_dev)} {round(mib * MIB)}\n"
        (_group(number) / "blkio.throttle.read_bps_device").write_text(limit, encoding="ascii")

    def forget_files(self):
        """Drops what the kernel has cached of files, so that what is read next comes from the disk."""
        os.sync()
        Path("/proc/sys/vm/drop_caches").write_text("1\n", encoding="ascii")

    @contextlib.contextmanager
    def forgetting(self):
        """Drops cached files all the time, so that jobs that overlap read from disk, too."""
        ended = threading.Event()

        def forget():
            while not ended.wait(0.5):
                self.forget_files()

        thread = threading.Thread(target=forget)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    def keep_jars(self, directory):
        """Holds the jars of a directory in memory, where forgetting files spares what is mapped: that a JVM reads a class
        when it first needs it is no read of data."""
        for path in Path(directory).rglob("*.jar"):
            if path.stat().st_size:
                with path.open("rb") as file:
                    jar = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
                for place in range(0, len(jar), mmap.PAGESIZE):
                    jar[place]
                self._kept.append(jar)

    def _add(self, number):
        name, outer = _name(number), _outer(number)
        self._ip("netns", "add", name)
        self._ip("link", "add", outer, "type", "veth", "peer", "name", "eth0", "netns", name)
        self._ip("link", "set", outer, "master", BRIDGE, "up")
        self._ip("-n", name, "link", "set", "lo", "up")
        self._ip("-n", name, "address", "add", f"{NETWORK}.{number + 1}/24", "dev", "eth0")
        self._ip("-n", name, "link", "set", "eth0", "up")
        rate = self._rate(self._network_bits)
        self._run("tc", "qdisc", "add", "dev", outer, *rate)
        self._run("ip", "netns", "exec", name, "tc", "qdisc", "add", "dev", "eth0", *rate)
        _group(number).mkdir(exist_ok=True)

    def _remove(self):
        for group in CGROUPS.glob("mpsr-bench-*"):
            with contextlib.suppress(OSError):
                group.rmdir()
        listed = subprocess.run(["ip", "netns", "list"], capture_output=True, text=True, check=False).stdout.split()
        for name in (name for name in listed if name.startswith("mpsr-bench-")):
            self._ip("netns", "delete", name)
        # A namespace lives on while a process in it has not ended, and so does its end of the cable
        links = Path("/sys/class/net")
        for link in [*links.glob(_outer("*")), *links.glob(BRIDGE)]:
            with contextlib.suppress(MpsrError):
                self._ip("link", "delete", link.name)

    @staticmethod
    def _rate(bits):
        return ["root", "tbf", "rate", f"{bits}bit", "burst", "256kb", "latency", "200ms"]

    def _ip(self, *arguments):
        self._run("ip", *arguments)

    @staticmethod
    def _run(*command):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise MpsrError(f"machines cannot be made: '{' '.join(command)}' says {done.stderr.strip()}")


def _name(number):
    return f"mpsr-bench-{number}"


def _outer(number):
    return f"mpsrb{number}"


def _group(number):
    return CGROUPS / _name(number)


def _whole_device(device):
    """The numbers of the disk that a device is part of: only whole disks can be limited."""
    entry = (Path("/sys/dev/block") / f"{os.major(device)}:{os.minor(device)}").resolve()
    whole = entry.parent if (entry / "partition").exists() else entry
    return (whole / "dev").read_text(encoding="ascii").strip()
