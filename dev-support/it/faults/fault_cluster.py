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
"""A cluster to be hurt: two NameNodes, six DataNodes, two Connect workers of one Connect cluster and one of another."""

import re
import resource
import signal
from pathlib import Path

from faults.rpc_proxy import RpcProxy, Traps
from mpsr_launcher import waiting
from mpsr_launcher.checkout import java
from mpsr_launcher.cluster import ports
from mpsr_launcher.cluster.cluster import Cluster
from mpsr_launcher.cluster.connect import Connect
from mpsr_launcher.cluster.kafka import Kafka
from mpsr_launcher.console import Console

DATANODES = 6
RACKS = 3
WORKERS = ("worker1", "worker2")
OTHER = "other"

# The HDFS client gives up after seconds, so that the sink's own waiting is tried.
_ATTEMPTS = re.compile(r"(<name>dfs\.client\.failover\.max\.attempts</name>\s*<value>)\d+<")

# Sessions end soon, so that a seed need not wait long for others to take over.
_BROKER = "group.min.session.timeout.ms=1000\n"
_WORKER = """
session.timeout.ms=3000
heartbeat.interval.ms=500
rebalance.timeout.ms=5000
worker.sync.timeout.ms=2000
offset.flush.interval.ms=1000
offset.flush.timeout.ms=2000
task.shutdown.graceful.timeout.ms=2000
consumer.session.timeout.ms=3000
consumer.heartbeat.interval.ms=500
consumer.max.poll.interval.ms=15000
consumer.auto.offset.reset=earliest
consumer.fetch.min.bytes=1
consumer.max.poll.records=400
"""


class FaultCluster(Cluster):
    """Lives as long as this Python process: it holds what stands between workers and NameNodes."""

    def __init__(self, checkout):
        super().__init__(checkout, "faults")
        self.kafka = _Workers(self)
        self.traps = Traps()
        self.sink_conf = self.directory / "sink-conf"
        self._ports = dict(zip((*WORKERS, OTHER), ports.free_ports(3)))
        self._proxies = {}

    def begin(self):
        """Starts everything on an empty directory and waits until it serves."""
        self.stop(Console())
        self.wipe()
        self.start(Console(), DATANODES, RACKS, await_worker=False, ha=True)
        for name in (*WORKERS, OTHER):
            self.await_worker_named(name)

    def end(self):
        """Stops everything."""
        for name in self.processes.names():
            self.processes.signal(name, signal.SIGCONT)
        self.stop(Console())

    def prepare(self, datanodes, racks, ha=None):
        super().prepare(datanodes, racks, ha)
        with open(self.conf / "server.properties", "a", encoding="utf-8") as properties:
            properties.write(_BROKER)
        self._write_sink_conf()
        common = (self.conf / "connect-distributed.properties").read_text(encoding="utf-8") + _WORKER
        for name in (*WORKERS, OTHER):
            text = common.replace(f":{self.state.ports['connect']}", f":{self._ports[name]}")
            if name == OTHER:
                text = text.replace("mpsr-connect", "other-connect").replace("topic=connect-", "topic=other-")
            (self.conf / f"{name}.properties").write_text(text, encoding="utf-8")
            for number, namenode in enumerate(self.state.namenodes, 1):
                self._proxies[name, number] = RpcProxy(name, namenode, self.state.ports[namenode], self.traps)

    def _write_sink_conf(self):
        """What the sink knows of HDFS: each worker's own way to the NameNodes."""
        self.sink_conf.mkdir()
        for name in ("core-site.xml", "hdfs-site.xml"):
            text = (self.conf / name).read_text(encoding="utf-8")
            for number, namenode in enumerate(self.state.namenodes, 1):
                text = text.replace(f"127.0.0.1:{self.state.ports[namenode]}<", f"127.0.0.1:${{mpsr.namenode{number}}}<")
            (self.sink_conf / name).write_text(_ATTEMPTS.sub(r"\g<1>6<", text), encoding="utf-8")

    def start_worker_named(self, name):
        """Starts a Connect worker unless it runs."""
        if self.processes.pid(name):
            return
        waiting.until(lambda: ports.is_free(self._ports[name]), f"the port of {name}", 30)
        properties = str(self.conf / f"{name}.properties")
        main = "org.apache.kafka.connect.cli.ConnectDistributed"
        ways = [f"-Dmpsr.namenode{number}={self._proxies[name, number].port}" for number in (1, 2)]
        extra = [java.allowed_paths(*self.files_for_connectors()), *ways]
        self.processes.start(name, java.kafka(self.checkout.share, self.conf, main, [properties], 384, extra=extra))

    def await_worker_named(self, name):
        """Waits until a worker serves."""
        connect = self.connect_of(name)
        waiting.until(connect.is_ready, name, 120, lambda: self.processes.require_alive(name), 0.2)

    def connect_of(self, name):
        """The client of one worker."""
        return Connect(f"http://127.0.0.1:{self._ports[name]}", timeout_seconds=8)

    @property
    def connect(self):
        """A client of the Connect cluster, by a worker that runs and was not stopped."""
        return self.connect_of(next(filter(self._awake, WORKERS), WORKERS[0]))

    def _awake(self, name):
        try:
            stat = Path(f"/proc/{self.processes.pid(name)}/stat").read_text(encoding="utf-8")
            return stat.rpartition(")")[2].split()[0] != "T"
        except (FileNotFoundError, ProcessLookupError):
            return False

    def workers_of(self, tasks):
        """The names of the workers that run tasks of a connector's status."""
        names = {f"127.0.0.1:{port}": name for name, port in self._ports.items()}
        return {names[task["worker_id"]] for task in tasks}

    def nodes_of_groups(self):
        """The DataNodes of each group, as the active NameNode knows them; empty while there is none."""
        bean = self.hdfs.bean("Hadoop:service=NameNode,name=MpsrInfo")
        groups = bean["Groups"] if bean else []
        return {group["name"]: sorted(node["uuid"] for node in group["nodes"]) for group in groups}

    def limit_files(self, datanodes, size):
        """Lets DataNodes write no file beyond a size, as a full disk does; None for no limit."""
        for name in datanodes:
            pid = self.processes.pid(name)
            if pid:
                limit = resource.RLIM_INFINITY if size is None else size
                resource.prlimit(pid, resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))


class _Workers(Kafka):
    """Starts three workers in place of one."""

    def start_worker(self):
        for name in (*WORKERS, OTHER):
            self._cluster.start_worker_named(name)
