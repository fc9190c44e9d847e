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
"""The suite 'visualization': ranks on DataNodes' machines draw one picture of blocks on HDFS, which they read through mounts."""

import contextlib
import json
import os
import random
import subprocess
from pathlib import Path

from benchmarks.harness import machines
from benchmarks.harness.suite import Suite
from benchmarks.suites.visualization import figures as visualization_figures
from benchmarks.suites.visualization.figures import ASSIGNMENTS
from mpsr_launcher import waiting
from mpsr_launcher.checkout import java
from mpsr_launcher.checkout.setup import ensure_visualization
from mpsr_launcher.cluster import config_files, mpsr_cli
from mpsr_launcher.cluster.cluster import Cluster
from mpsr_launcher.errors import MpsrError

NODES, QUICK_NODES = 5, 3
DISK_MIB, NETWORK_MIB = 80, 4
BLOCKS, POINTS = 48, 102
QUICK_BLOCKS, QUICK_POINTS = 9, 16
DIRECTORY = "/bench/field"
FIELD = Path(__file__).with_name("field.py")
RENDER_SECONDS = 900


class Visualization(Suite):
    """One run: in each round the picture is drawn with each assignment, after the caches were emptied, in an order that is drawn."""

    name = "visualization"

    def __init__(self, checkout, console, arguments):
        self._unlimited = "the short form" if arguments.quick else machines.missing()
        super().__init__(checkout, console, arguments, options={"limits": not self._unlimited})
        self._blocks = QUICK_BLOCKS if arguments.quick else max(NODES, round(BLOCKS * arguments.scale))
        self._points = QUICK_POINTS if arguments.quick else POINTS
        self._nodes = QUICK_NODES if arguments.quick else NODES
        self._named = self.name in arguments.suites
        self._cluster = None
        self._python = None

    def run(self):
        """Runs on a cluster of its own; returns the exit code: 1 when a picture is another than it should be."""
        if os.geteuid() != 0 or not os.access("/dev/fuse", os.R_OK | os.W_OK):
            needs = "visualization mounts HDFS: be root on a host with /dev/fuse ('modprobe fuse')"
            if self._named:
                raise MpsrError(needs)
            self._console.say(f"left out: {needs}")
            return 0
        if self._unlimited:
            self._console.say(f"left out: limits of the nodes' disks and network: {self._unlimited}")
        self._python = ensure_visualization(self._checkout, self._console) / "bin"
        self._cluster = cluster = Cluster(self._checkout, f"bench-{self.name}")
        cluster.stop(self._console)
        cluster.wipe()
        network = None if self._unlimited else machines.Machines(self._nodes, NETWORK_MIB, cluster.directory)
        with contextlib.ExitStack() as stack:
            stack.enter_context(network or contextlib.nullcontext())
            stack.callback(cluster.stop, self._console)
            cluster.start(self._console, self._nodes, self._nodes, kafka=False, machines=network)
            golden = self._make()
            stack.callback(self._unmount)
            self._mount()
            self._measure(network, golden)
        if not self._keep:
            cluster.wipe()
        return self._show(visualization_figures.text(self.results), "all pictures are as they should be")

    def _make(self):
        """Makes the blocks and the picture of them without HDFS, and stores them with one copy each."""
        local = self._cluster.directory / "field"
        self._vtk([str(FIELD), "make", str(local), str(self._blocks), str(self._points)])
        golden = self._cluster.directory / "golden.png"
        self._vtk(self._render(local, golden))
        self._hdfs(["-mkdir", "-p", DIRECTORY])
        self._hdfs(["-D", "dfs.replication=1", "-put", *map(str, sorted(local.iterdir())), DIRECTORY])
        return golden

    def _hdfs(self, arguments):
        argv = java.hadoop_tool(self._checkout.share, self._cluster.conf, "org.apache.hadoop.fs.FsShell", arguments)
        _run(argv, None)

    def _vtk(self, arguments):
        """Runs a program that needs VTK; returns what it prints."""
        return _run([str(self._python / "python"), *arguments], self._environment())

    def _environment(self):
        return {**os.environ, "PYTHONPATH": str(self._checkout.root / "python" / "src"), "DISPLAY": ""}

    @staticmethod
    def _render(directory, picture, *options):
        field = ["--field", "field", "--value", "0.3", "--json"]
        return ["-m", "hadoop_mpsr.vtk", "render", str(directory / "all.vtm"), str(picture), *field, *options]

    def _mounted(self, number):
        return self._cluster.directory / f"mount{number}"

    def _mount(self):
        """Mounts the directory on each machine."""
        for number in self._numbers():
            where = self._mounted(number)
            where.mkdir(exist_ok=True)
            argv = mpsr_cli.command(self._cluster, ["mount", DIRECTORY, str(where), "--foreground"])
            self._cluster.start_on(number, f"mount{number}", argv)
        for number in self._numbers():
            waiting.until(
                (self._mounted(number) / "all.vtm").is_file,
                f"the mount {self._mounted(number)}",
                60,
                lambda name=f"mount{number}": self._cluster.processes.require_alive(name),
            )

    def _unmount(self):
        self._cluster.processes.stop([f"mount{number}" for number in self._numbers()], 30)

    def _numbers(self):
        return range(1, self._nodes + 1)

    def _measure(self, network, golden):
        if network:
            network.limit_disks(DISK_MIB)
            network.keep_jars(self._checkout.share)
        rng = random.Random(self._seed)
        for number in range(self._rounds):
            for assignment in rng.sample(ASSIGNMENTS, len(ASSIGNMENTS)):
                if network:
                    network.forget_files()
                before = network.sent() if network else 0
                picture = self._cluster.directory / f"{assignment}.png"
                told = json.loads(self._drawn(assignment, picture))
                crossed = network.sent() - before if network else None
                compared = json.loads(self._vtk([str(FIELD), "compare", str(golden), str(picture)]))
                run = {"kind": "picture", "assignment": assignment, "round": number, "crossedBytes": crossed, **told, **compared}
                self.results.add(run)
                self._console.say(visualization_figures.line(run))
            self._conclude()

    def _drawn(self, assignment, picture):
        """Draws with one rank on each machine; returns what rank 0 tells."""
        argv = [str(self._python / "mpiexec")]
        for number in self._numbers():
            host = config_files.host(number)
            options = ["--assignment", assignment, "--host", host, "--address", self._cluster.state.node_address(number)]
            if not self._unlimited:
                options += ["--disk", str(DISK_MIB * 1.048576), "--network", str(NETWORK_MIB * 1.048576)]
            rank = [str(self._python / "python"), *self._render(self._mounted(number), picture, *options)]
            placed = self._cluster.machines.command(number, rank) if self._cluster.machines else rank
            argv += [*([":"] if number > 1 else []), "-n", "1", *placed]
        return _run(argv, self._environment())

    def _conclude(self):
        limits = self._unlimited or f"{DISK_MIB} MiB/s from disk, {NETWORK_MIB} MiB/s over the network"
        self.results.problems = visualization_figures.problems(self.results.runs)
        visualization_figures.add(self.results, limits, self._nodes, self._blocks)
        self.results.save()


def _run(argv, environment):
    done = subprocess.run(argv, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=RENDER_SECONDS)
    if done.returncode != 0:
        raise MpsrError(f"'{' '.join(argv)}' ended with {done.returncode}: {(done.stderr or done.stdout)[-3000:]}")
    return done.stdout
