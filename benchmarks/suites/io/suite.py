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
"""The suite 'io': files are read cached, from disks, by other hosts and from a throttled disk, and 'hdfs mpsr io' says what it finds."""

import contextlib
import shutil
import subprocess
import threading
import time
from pathlib import Path

from benchmarks.harness import layout_tables, machines
from benchmarks.harness.suite import Suite
from benchmarks.suites.io import figures as io_figures
from mpsr_launcher.checkout import java
from mpsr_launcher.cluster import config_files, mpsr_cli
from mpsr_launcher.cluster.cluster import Cluster
from mpsr_launcher.errors import MpsrError
from mpsr_launcher.private import make_private

NODES = 3
FILES, QUICK_FILES = 40, 3
CALIBRATED = 0.5
"""Further files by which what reads cost is measured first: so many for each one that is read later."""
FILE_MIB = 32
DISK_MIB, THROTTLED_MIB, NETWORK_MIB = 100, 10, 200
HEALTHY, THROTTLED = (1, 2), 3
"""The machines whose disks are as they should be, and the one whose disk is ten times as slow."""
UNLIMITED_SECONDS, WATCHED_SECONDS = 60, 180
"""How long is watched before the disk is throttled, and at all."""
RECORDS_OF_GROUP = 100_000


class Io(Suite):
    """One run. Without limits of the nodes' disks all reads are alike, and nothing is measured."""

    name = "io"

    def __init__(self, checkout, console, arguments):
        self._unlimited = "the short form" if arguments.quick else machines.missing()
        self._keep_in = Path(arguments.json) if arguments.json else None
        self._files = QUICK_FILES if arguments.quick else FILES
        super().__init__(checkout, console, arguments, options={"files": self._files, "limits": not self._unlimited})

    def run(self):
        """Runs all steps; returns the exit code: 1 when reads are missing."""
        if self._unlimited:
            self._console.say(f"left out: limits of the nodes' disks and network, and all that is measured: {self._unlimited}")
        cluster = Cluster(self._checkout, "bench-io", {})
        cluster.stop(self._console)
        cluster.wipe()
        make_private(cluster.directory)
        network = None if self._unlimited else machines.Machines(NODES, NETWORK_MIB, cluster.directory)
        with network or contextlib.nullcontext():
            try:
                cluster.start(self._console, NODES, NODES, await_worker=False, kafka=False, machines=network)
                self._fill(cluster)
                self._classes(cluster, network)
                if network:
                    self._live(cluster, network)
            finally:
                cluster.stop(self._console)
        cluster.wipe()
        limits = f"no limits: {self._unlimited}" if self._unlimited else (
            f"{DISK_MIB} MiB/s from disk, {THROTTLED_MIB} MiB/s from the throttled one, {NETWORK_MIB} MiB/s over the network"
        )
        io_figures.add(self.results, limits)
        self.results.save()
        return self._show(layout_tables.text(self.results), "all reads have a class")

    def _fill(self, cluster):
        """Files on each DataNode alone, which its own machine writes."""
        file = cluster.directory / "numbers.parquet"
        code = "import sys, numpy, pyarrow, pyarrow.parquet\n"
        code += "values = numpy.random.default_rng(int(sys.argv[2])).random(int(sys.argv[3]))\n"
        code += "pyarrow.parquet.write_table(pyarrow.table({'value': values}), sys.argv[1], row_group_size=int(sys.argv[4]), use_dictionary=False)\n"
        records = FILE_MIB * machines.MIB // 8
        self._done([str(self._checkout.venv / "bin" / "python"), "-c", code, str(file), str(self._seed), str(records), str(RECORDS_OF_GROUP)])
        for number in range(1, NODES + 1):
            self._put(cluster, file, number, f"/io/{number}", self._files)
        for number in HEALTHY:
            self._put(cluster, file, number, f"/io-calibration/{number}", max(2, round(CALIBRATED * self._files)))

    def _put(self, cluster, file, number, directory, count):
        self._console.say(f"writing {count} files of {FILE_MIB} MiB on machine {number}")
        copies = cluster.directory / f"copies{directory.replace('/', '-')}"
        copies.mkdir()
        for copy in range(count):
            (copies / f"{copy}.parquet").symlink_to(file)
        self._on(cluster, number, ["dfs", "-mkdir", "-p", directory])
        self._on(cluster, number, ["dfs", "-D", "dfs.replication=1", "-put", *map(str, sorted(copies.iterdir())), directory])

    def _classes(self, cluster, network):
        """Reads of files of the own disk, of another host's and of a slow one, each piece twice. What reads cost is measured before, with
        other files and disks that are as they should be: the classes are named by that."""
        if network:
            network.keep_jars(self._checkout.share)
            network.limit_disks(DISK_MIB)
        calibration = self._times(cluster, network, "calibration", 1, "/io-calibration/*")
        if network:
            network.limit_disk(THROTTLED, THROTTLED_MIB)
        files = []
        for place, reader, directory in (("local", 1, 1), ("remote", 1, 2), ("throttled", THROTTLED, THROTTLED)):
            files.append((place, self._times(cluster, network, place, reader, f"/io/{directory}")))
        reads = io_figures.labelled(files)
        every = cluster.directory / "reads.csv"
        io_figures.write(reads, every)
        if self._keep_in:
            shutil.copy(every, self._keep_in / "io-reads.csv")
            shutil.copy(calibration, self._keep_in / "io-calibration.csv")
        for costs, given in (("measured", ["--calibrated", str(calibration)]), ("default", [])):
            classes = cluster.directory / f"{costs}.csv"
            print(self._on(cluster, 1, ["mpsr", "io", "--from", str(every), "--classes", str(classes), *given]), flush=True)
            self.results.add({"kind": "classes", "costs": costs, "classes": io_figures.classes(reads, classes)})

    def _times(self, cluster, network, name, reader, path):
        """Reads pieces of files, none of which is in memory, on a machine, and returns the file of their times."""
        self._console.say(f"reading: {name}")
        if network:
            network.forget_files()
        times = cluster.directory / f"{name}.csv"
        asked = ["mpsr", "calibrate", path, "--files", str(2 * self._files), "--times", str(times), "--seed", str(self._seed)]
        print(self._on(cluster, reader, asked), flush=True)
        return times

    def _live(self, cluster, network):
        """A disk is throttled while all DataNodes are read and watched; how long it takes until it is named."""
        network.limit_disks(DISK_MIB)
        ended = threading.Event()
        readers = [threading.Thread(target=self._read, args=(cluster, number, ended)) for number in range(1, NODES + 1)]
        with network.forgetting():
            for reader in readers:
                reader.start()
            try:
                self.results.add({"kind": "live", **self._watch(cluster, network)})
            finally:
                ended.set()
                for reader in readers:
                    reader.join()

    def _watch(self, cluster, network):
        """Throttles a disk while 'io --live' watches; how long it took until that named the host, and which it named before."""
        host, throttled, before, found = config_files.host(THROTTLED), None, [], None
        asked = mpsr_cli.command(cluster, ["io", "--live", "--seconds", str(WATCHED_SECONDS)], quick=False)
        with subprocess.Popen(asked, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as watching:
            timer = threading.Timer(UNLIMITED_SECONDS, lambda: network.limit_disk(THROTTLED, THROTTLED_MIB))
            begun = time.monotonic()
            timer.start()
            for line in watching.stdout:
                print(f"{time.monotonic() - begun:.0f} s: {line}", end="", flush=True)
                throttled = time.monotonic() - begun - UNLIMITED_SECONDS
                named = io_figures.named(line)
                if named and throttled < 0:
                    before.append(named)
                elif named == host and found is None:
                    found = throttled
            timer.join()
        if watching.returncode != 0:
            raise MpsrError(f"'mpsr io --live' failed with {watching.returncode}")
        return {"host": host, "named": found is not None, "seconds": throttled if found is None else found, "namedBefore": before}

    def _read(self, cluster, number, ended):
        while not ended.is_set():
            self._on(cluster, number, ["dfs", "-cat", *(f"/io/{number}/{file}.parquet" for file in range(min(4, self._files)))], output=subprocess.DEVNULL)

    def _on(self, cluster, number, arguments, output=subprocess.PIPE):
        """Runs a command on a machine, and returns what it prints."""
        main, arguments = ("org.apache.hadoop.fs.FsShell", arguments[1:]) if arguments[0] == "dfs" else (mpsr_cli.MAIN, arguments[1:])
        command = java.hadoop_tool(cluster.checkout.share, cluster.conf, main, arguments)
        return self._done(cluster.machines.command(number, command) if cluster.machines else command, output)

    @staticmethod
    def _done(command, output=subprocess.PIPE):
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            raise MpsrError(f"'{' '.join(command[-6:])}' failed with {done.returncode}: {done.stderr.strip()[-2000:]}")
        return done.stdout
