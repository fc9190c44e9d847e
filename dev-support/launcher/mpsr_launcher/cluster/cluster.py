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
"""A cluster of real processes on this machine: NameNode, DataNodes, Kafka broker, Connect worker."""

import dataclasses
import shutil

from mpsr_launcher import waiting
from mpsr_launcher.checkout.setup import at_once
from mpsr_launcher.cluster import config_files
from mpsr_launcher.cluster.connect import Connect
from mpsr_launcher.cluster import catalog as gateway
from mpsr_launcher.cluster import maintenance
from mpsr_launcher.cluster.hdfs import Hdfs
from mpsr_launcher.cluster.kafka import BROKER, WORKER, Kafka
from mpsr_launcher.cluster.ports import is_free
from mpsr_launcher.cluster.processes import Processes
from mpsr_launcher.cluster.state import load_state, new_state
from mpsr_launcher.errors import MpsrError
from mpsr_launcher.private import make_private

DEFAULT_NAME = "cluster"


class Cluster:
    """One cluster, known by the name of its run directory .mpsr/run/<name>. Not for use by several threads."""

    def __init__(self, checkout, name=DEFAULT_NAME, hdfs=None):
        """``hdfs`` has properties of hdfs-site.xml for this cluster alone."""
        self.checkout = checkout
        self.name = name
        self.directory = checkout.run / name
        self.conf = self.directory / "conf"
        self.data = self.directory / "data"
        self._hdfs_properties = hdfs
        self._own_properties = None
        self.processes = Processes(self.directory)
        self.state = load_state(self.directory / "cluster.json")
        self.machines = None
        self.hdfs = Hdfs(self)
        self.kafka = Kafka(self)

    @property
    def connect(self):
        """The client of the Connect worker."""
        return Connect(self.state.connect_url)

    def files_for_connectors(self):
        """The directories in which connectors may name files."""
        return [self.directory, self.checkout.benchmarks / "data"]

    def is_running(self):
        """Whether a NameNode runs."""
        return bool(self.state) and any(self.processes.pid(name) for name in self.state.namenodes)

    def wipe(self):
        """Deletes the run directory: data, logs, configuration. Nothing may run."""
        if self.processes.alive():
            raise MpsrError(f"cluster '{self.name}' still runs: stop it first ('bin/mpsr cluster stop')")
        shutil.rmtree(self.directory, ignore_errors=True)
        self.state = None

    def configure(self, properties):
        """From the next start on the cluster has these properties in its hdfs-site.xml, instead of those given before.

        Where they name the replica groups, they define all of them.
        """
        self._own_properties = properties

    def refuse_second_start(self):
        """Raises an error if a process of the cluster runs."""
        if self.processes.alive():
            raise MpsrError(f"cluster '{self.name}' runs already: see 'bin/mpsr cluster status'")

    def start(self, console, datanodes, racks, await_worker=True, ha=None, kafka=True, machines=None, maintain=False, catalog=False):
        """Starts all processes and waits until they serve. What was started is stopped again when that fails, which
        includes that MPSR is off.

        Without ``await_worker`` the Connect worker may not serve yet: see ``await_worker``. Without ``kafka`` there is
        HDFS alone.

        With ``machines`` each DataNode runs on one of them, which must be as many.

        With ``maintain`` a process maintains the datasets; the start does not wait for it. With ``catalog`` a gateway serves
        them to clients of Iceberg.

        With ``ha`` there are two NameNodes with automatic failover. A run directory with data keeps its size and ports;
        ``datanodes``, ``racks`` and ``ha`` may then be None.
        """
        self.refuse_second_start()
        self.machines = machines
        self.prepare(datanodes, racks, ha)
        try:
            self._start(console, kafka)
            if await_worker and kafka:
                self.await_worker(console)
            if maintain:
                maintenance.start(self)
                console.say("a process maintains the datasets: see 'bin/mpsr cluster logs maintain'")
            if catalog:
                console.say(f"the catalog for clients of Iceberg is at {gateway.start(self)}")
        except BaseException:
            self.stop(console)
            raise

    def prepare(self, datanodes, racks, ha=None):
        """Makes the run directory with the configuration; starts nothing."""
        if self.state is None:
            shutil.rmtree(self.directory, ignore_errors=True)
            make_private(self.directory)
            network = self.machines.network if self.machines else ""
            self.state = new_state(datanodes or 9, racks or min(3, datanodes or 9), bool(ha), network)
            self.state.save(self.directory / "cluster.json")
        elif (datanodes or self.state.datanodes, racks or self.state.racks) != (self.state.datanodes, self.state.racks):
            raise MpsrError(
                f"cluster '{self.name}' has data of {self.state.datanodes} DataNodes on {self.state.racks} racks:"
                " start it with those numbers, or delete it with 'bin/mpsr cluster stop --wipe'"
            )
        elif ha not in (None, self.state.ha):
            raise MpsrError(
                f"cluster '{self.name}' has data of {len(self.state.namenodes)} NameNode(s): start it "
                f"{'with' if self.state.ha else 'without'} --ha, or delete it with 'bin/mpsr cluster stop --wipe'"
            )
        taken = [f"{name} {port}" for name, port in self.state.ports.items() if not is_free(port)]
        if taken:
            raise MpsrError(
                f"ports of cluster '{self.name}' are in use by other programs: {', '.join(taken)}."
                " End those programs, or delete the cluster with 'bin/mpsr cluster stop --wipe': a new cluster takes other ports"
            )
        if self._own_properties is not None:
            self.state = dataclasses.replace(self.state, properties=self._own_properties)
            self.state.save(self.directory / "cluster.json")
        config_files.write_all(self.checkout, self.state, self.conf, self.data, self._hdfs_properties)

    def _start(self, console, kafka):
        namenodes = "two NameNodes with automatic failover" if self.state.ha else "NameNode"
        beside = ", Kafka, Connect" if kafka else ""
        size = f"{_counted(self.state.datanodes, 'DataNode')} on {_counted(self.state.racks, 'rack')}"
        console.say(f"starting {namenodes}, {size}{beside}")
        self.data.mkdir(exist_ok=True)
        at_once(self.hdfs.format, *([self.kafka.format] if kafka else []))
        self.hdfs.start_namenodes()
        if kafka:
            self.kafka.start_broker()
        self.hdfs.start_datanodes()
        if kafka:
            self.kafka.await_broker()
            self.kafka.start_worker()
        self.hdfs.await_ready(console)
        console.say(f"HDFS is up at {self.state.fs_uri} with {_counted(self.state.datanodes, 'DataNode')}")
        for problem in self.hdfs.require_mpsr():
            console.say(f"MPSR is not ready: {problem}")
        if kafka:
            console.say(f"Kafka is up at {self.state.bootstrap}")

    def start_on(self, number, name, command, env=None):
        """Starts a process where the DataNode with this number is."""
        placed = self.machines.command(number, command) if self.machines else command
        self.processes.start(name, placed, env)

    def await_worker(self, console):
        """Waits until the Connect worker serves."""
        console.update("waiting for the Connect worker")
        self.kafka.await_worker(self.connect)
        console.say(f"Connect is up at {self.state.connect_url}")

    def stop(self, console):
        """Stops the processes of this cluster: first those that write, last the NameNode."""
        names = self.processes.names()
        if self.processes.alive():
            console.say(f"stopping cluster '{self.name}'")
        last = [name for name in names if name.startswith(("zookeeper", "journal"))]
        namenodes = [name for name in names if name.startswith("namenode")]
        writers = [name for name in names if name in (WORKER, maintenance.PROCESS)]
        rest = [name for name in names if name not in (*writers, *last, *namenodes)]
        for group in (writers, rest, namenodes, last):
            self.processes.stop(group)
        left = self.processes.alive()
        if left:
            raise MpsrError(f"these processes of cluster '{self.name}' do not end: {', '.join(left)}")

    def restart_namenode(self, console):
        """Stops the NameNode, starts it again and waits until all DataNodes are back and safe mode is off."""
        self.processes.stop(["namenode"])
        self.hdfs.start_namenode()
        self.hdfs.await_ready(console)

    def kill_worker(self):
        """Ends the Connect worker as a crash would."""
        self.processes.kill(WORKER)

    def start_worker(self):
        """Starts the Connect worker again and waits until it serves."""
        waiting.until(lambda: is_free(self.state.ports["connect"]), "the port of the Connect worker", 30)
        self.kafka.start_worker()
        self.kafka.await_worker(self.connect)


def _counted(count, what):
    return f"{count} {what}{'' if count == 1 else 's'}"


def running_cluster(checkout, name=None):
    """The cluster that commands talk to: the one named, else the only one that runs."""
    found = [Cluster(checkout, name)] if name else [Cluster(checkout, each) for each in cluster_names(checkout)]
    running = [cluster for cluster in found if cluster.state and cluster.is_running()]
    if not running and name:
        names = ", ".join(cluster_names(checkout)) or "none"
        raise MpsrError(f"no cluster '{name}' runs (MPSR_CLUSTER); there are: {names}")
    if not running:
        raise MpsrError("no cluster runs: start one with 'bin/mpsr cluster start', or 'bin/mpsr quickstart --keep'")
    if len(running) > 1:
        names = ", ".join(cluster.name for cluster in running)
        raise MpsrError(f"several clusters run: {names}. Choose one: MPSR_CLUSTER=<name> bin/mpsr ...")
    return running[0]


def cluster_names(checkout):
    """The run directories that hold a cluster, running or not."""
    return sorted(path.parent.name for path in checkout.run.glob("*/cluster.json"))
