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
"""What makes two NameNodes one: the JournalNodes, ZooKeeper and the failover controllers."""

import shutil
import subprocess

from mpsr_launcher import waiting
from mpsr_launcher.checkout import java
from mpsr_launcher.cluster import ports
from mpsr_launcher.errors import MpsrError

JOURNALNODE = "org.apache.hadoop.hdfs.qjournal.server.JournalNode"
CONTROLLER = "org.apache.hadoop.hdfs.tools.DFSZKFailoverController"
ZOOKEEPER = "org.apache.zookeeper.server.ZooKeeperServerMain"
JOURNALS = ("journal1", "journal2", "journal3")
CONTROLLERS = ("zkfc1", "zkfc2")


def identity(number):
    """The options that make a process that of the NameNode with this number, from 1."""
    return ["-D", f"dfs.ha.namenode.id=nn{number}"]


class HighAvailability:
    """Starts those processes for one cluster."""

    def __init__(self, cluster):
        self._cluster = cluster

    def start_quorum(self):
        """Starts ZooKeeper and the JournalNodes that do not run, and waits until they accept connections."""
        data, state = self._cluster.data, self._cluster.state
        if not self._cluster.processes.pid("zookeeper"):
            arguments = [str(state.ports["zookeeper"]), str(data / "zookeeper")]
            self._start("zookeeper", ZOOKEEPER, arguments, ["-Dzookeeper.admin.enableServer=false"])
        for name in JOURNALS:
            if not self._cluster.processes.pid(name):
                self.start_journal(name)
        for name in ("zookeeper", *JOURNALS):
            port = state.ports[name]
            waiting.until(lambda port=port: ports.answers(port), name, 60, lambda name=name: self._require(name), 0.1)

    def start_journal(self, name):
        """Starts a JournalNode."""
        places = {
            "dfs.journalnode.rpc-address": f"127.0.0.1:{self._cluster.state.ports[name]}",
            "dfs.journalnode.http-address": f"127.0.0.1:{self._cluster.state.ports[name + '.http']}",
            "dfs.journalnode.edits.dir": str(self._cluster.data / name),
        }
        self._start(name, JOURNALNODE, [part for key, value in places.items() for part in ("-D", f"{key}={value}")])

    def format(self, first, second):
        """Gives the second NameNode what the first was formatted with, and makes the record of who is active."""
        shutil.copytree(first, second)
        command = self._command(CONTROLLER, [*identity(1), "-formatZK", "-force", "-nonInteractive"])
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            end = "\n".join((done.stdout + done.stderr).splitlines()[-25:])
            raise MpsrError(f"ZooKeeper could not be prepared for failover:\n{end}")

    def start_failover(self):
        """Starts the failover controllers that do not run."""
        for number, name in enumerate(CONTROLLERS, 1):
            if not self._cluster.processes.pid(name):
                self._start(name, CONTROLLER, identity(number))

    def _require(self, name):
        self._cluster.processes.require_alive(name)

    def _start(self, name, main, arguments, options=()):
        self._cluster.processes.start(name, self._command(main, arguments, options))

    def _command(self, main, arguments, options=()):
        return java.hadoop(self._cluster.checkout.share, self._cluster.conf, main, arguments, 128, extra=options)
