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
"""A mount of a cluster of real processes: a large file in sequence and in places, and processes that are killed."""

import hashlib
import os
import random
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import shared
from mpsr_launcher import waiting
from mpsr_launcher.checkout import java
from mpsr_launcher.cluster import mpsr_cli
from mpsr_launcher.cluster.cluster import Cluster
from mpsr_launcher.console import Console

SEED = int(os.environ.get("MPSR_SEED", "1"))
BYTES, READS, MOST = 1 << 30, 10_000, 1 << 16
PART = 1 << 20


@shared.long
@unittest.skipUnless(os.geteuid() == 0 and os.access("/dev/fuse", os.R_OK | os.W_OK), "mounts need root and /dev/fuse")
class MountTest(unittest.TestCase):
    """One cluster with a file of a gigabyte, twice."""

    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster(shared.checkout(), "mount")
        cls.cluster.stop(Console())
        cls.cluster.wipe()
        cls.addClassCleanup(cls.cluster.stop, Console())
        cls.cluster.start(Console(), 3, 3, kafka=False)
        cls.local = Path(cls.enterClassContext(tempfile.TemporaryDirectory())) / "big"
        made = random.Random(SEED)
        with cls.local.open("wb") as out:
            for _ in range(BYTES // PART):
                out.write(made.randbytes(PART))
        cls.hdfs("-mkdir", "/m")
        cls.hdfs("-D", "dfs.replication=2", "-put", str(cls.local), "/m/big")
        cls.mount = cls.cluster.directory / "mounted"
        cls.mount.mkdir()
        cls.command("mount", "/m", str(cls.mount))
        cls.addClassCleanup(cls.command, "unmount", str(cls.mount))

    @classmethod
    def hdfs(cls, *arguments):
        subprocess.run(cls.shell(*arguments), check=True, timeout=600, capture_output=True)

    @classmethod
    def shell(cls, *arguments):
        return java.hadoop_tool(cls.cluster.checkout.share, cls.cluster.conf, "org.apache.hadoop.fs.FsShell", arguments)

    @classmethod
    def command(cls, *arguments):
        """Runs a command of hdfs mpsr."""
        done = subprocess.run(mpsr_cli.command(cls.cluster, arguments), capture_output=True, text=True, check=False, timeout=120)
        if done.returncode:
            raise AssertionError(f"{arguments} ended with {done.returncode}: {done.stdout}{done.stderr}")

    def forget(self):
        """The kernel forgets what it has of the file."""
        with (self.mount / "big").open("rb") as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)

    def digest(self, path, meanwhile=lambda: None):
        found = hashlib.md5(usedforsecurity=False)
        with path.open("rb", buffering=0) as file:
            for part in iter(lambda: file.read(PART), b""):
                found.update(part)
                if file.tell() == BYTES // 4:
                    meanwhile()
        return found.hexdigest()

    def test_a_gigabyte_is_read_right_and_as_fast_as_hdfs_dfs_reads_it(self):
        right = self.digest(self.local)
        times = {"mount": [], "hdfs dfs -cat": []}
        for _ in range(3):
            self.forget()
            start = time.monotonic()
            self.assertEqual(right, self.digest(self.mount / "big"))
            times["mount"].append(time.monotonic() - start)
            start = time.monotonic()
            subprocess.run(self.shell("-cat", "/m/big"), check=True, stdout=subprocess.DEVNULL, timeout=300)
            times["hdfs dfs -cat"].append(time.monotonic() - start)
        told = ", ".join(f"{name} {min(each):.1f} … {max(each):.1f} s" for name, each in times.items())
        print(f"{BYTES >> 20} MiB, {len(times['mount'])} times each: {told}")

    def test_random_reads_are_right(self):
        drawn = random.Random(SEED)
        self.forget()
        with (self.mount / "big").open("rb") as mounted, self.local.open("rb") as local:
            for number in range(READS):
                offset, size = drawn.randrange(BYTES), drawn.randrange(1, MOST)
                if os.pread(mounted.fileno(), size, offset) != os.pread(local.fileno(), size, offset):
                    self.fail(f"MPSR_SEED={SEED}: read {number}, {size} bytes at {offset}, is wrong")

    def test_a_read_goes_on_without_a_datanode_and_the_namenode(self):
        def kill():
            for name in ("dn1", "namenode"):
                self.cluster.processes.kill(name)

        self.forget()
        try:
            self.assertEqual(self.digest(self.local), self.digest(self.mount / "big", kill))
        finally:
            self.cluster.hdfs.start_namenode()
            self.cluster.hdfs.start_datanodes()
            self.cluster.hdfs.await_ready(Console())
        waiting.until((self.mount / "big").is_file, "the mount to know the new NameNode", 60)

    def test_the_hosts_are_those_that_fsck_tells(self):
        lines = os.getxattr(self.mount / "big", "user.mpsr.locations").decode().splitlines()
        self.assertEqual(BYTES, sum(int(line.split(" ")[1]) for line in lines))
        hosts = os.getxattr(self.mount / "big", "user.mpsr.hosts").decode().splitlines()
        self.assertEqual(2 * BYTES, sum(int(line.split(" ")[1]) for line in hosts))


if __name__ == "__main__":
    unittest.main()
