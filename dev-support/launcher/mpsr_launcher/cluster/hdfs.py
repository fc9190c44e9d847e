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
"""NameNodes and DataNodes of a cluster."""

import json
import shutil
import subprocess
import urllib.error
import urllib.parse
import urllib.request

from mpsr_launcher import waiting
from mpsr_launcher.checkout import java
from mpsr_launcher.cluster import config_files, ha
from mpsr_launcher.errors import MpsrError

NAMENODE = "org.apache.hadoop.hdfs.server.namenode.NameNode"
DATANODE = "org.apache.hadoop.hdfs.server.datanode.DataNode"


class Hdfs:
    """Starts and asks the HDFS processes of one cluster."""

    def __init__(self, cluster):
        self._cluster = cluster
        self._data = cluster.data
        self._ha = ha.HighAvailability(cluster)

    def format(self):
        """Formats the NameNode's directory unless it has been formatted. Where there are two, both get the same."""
        if self._cluster.state.ha:
            self._ha.start_quorum()
        if self._format_first() and self._cluster.state.ha:
            self._ha.format(self._data / "namenode", self._data / "namenode2")

    def _format_first(self):
        directory = self._data / "namenode"
        if (directory / "current" / "VERSION").is_file():
            return False
        shutil.rmtree(directory, ignore_errors=True)
        arguments = [*self._identity("namenode"), "-format", "-force", "-nonInteractive"]
        command = self._command(NAMENODE, arguments, 128)
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            end = "\n".join((done.stdout + done.stderr).splitlines()[-25:])
            raise MpsrError(f"the NameNode's directory {directory} could not be formatted:\n{end}")
        return True

    def start_namenodes(self):
        """Starts the processes of all NameNodes, and of what makes one of two active."""
        for name in self._cluster.state.namenodes:
            self.start_namenode(name)
        if self._cluster.state.ha:
            self._ha.start_failover()

    def start_namenode(self, name="namenode"):
        """Starts the process of a NameNode."""
        self._cluster.processes.start(name, self._command(NAMENODE, self._identity(name), 512))

    def _identity(self, name):
        """Which of two NameNodes a process is."""
        return ha.identity(self._cluster.state.namenodes.index(name) + 1) if self._cluster.state.ha else []

    def start_datanodes(self):
        """Starts the processes of all DataNodes that do not run."""
        for number in range(1, self._cluster.state.datanodes + 1):
            name = f"dn{number}"
            if not self._cluster.processes.pid(name):
                arguments = [f"-D{key}={value}" for key, value in self._datanode(name, number).items()]
                self._cluster.start_on(number, name, self._command(DATANODE, _split(arguments), 192))

    def _datanode(self, name, number):
        directory = self._data / name
        directory.mkdir(parents=True, exist_ok=True)
        ports, address = self._cluster.state.ports, self._cluster.state.node_address(number)
        return {
            "dfs.datanode.hostname": config_files.host(number),
            "dfs.datanode.address": f"{address}:{ports[name + '.data']}",
            "dfs.datanode.http.address": f"{address}:{ports[name + '.http']}",
            "dfs.datanode.ipc.address": f"{address}:{ports[name + '.ipc']}",
            "dfs.datanode.data.dir": f"file://{directory}",
        }

    def await_ready(self, console, timeout_seconds=180):
        """Waits until every DataNode is live and the NameNode has left safe mode."""
        wanted = self._cluster.state.datanodes

        def ready():
            live, safe = self.live_nodes(), self.safe_mode()
            console.update(f"HDFS: {live} of {wanted} DataNodes, {'safe mode' if safe else 'ready'}")
            return live >= wanted and not safe

        waiting.until(ready, f"HDFS with {wanted} DataNodes", timeout_seconds, self.require_alive, 0.5)

    def require_alive(self):
        """Raises when the NameNode or a DataNode has died."""
        datanodes = [name for name in self._cluster.processes.names() if name.startswith("dn")]
        for name in [*self._cluster.state.namenodes, *datanodes]:
            self._cluster.processes.require_alive(name)

    def live_nodes(self):
        """The number of live DataNodes; 0 while the active NameNode does not answer."""
        bean = self.bean("Hadoop:service=NameNode,name=FSNamesystemState")
        return bean.get("NumLiveDataNodes", 0) if bean else 0

    def safe_mode(self):
        """The active NameNode's word on its safe mode, empty when it is off; 'no answer' while it does not answer."""
        bean = self.bean("Hadoop:service=NameNode,name=NameNodeInfo")
        return bean.get("Safemode", "no answer") if bean else "no answer"

    def require_mpsr(self):
        """Raises when MPSR is off, with the reasons; returns the reasons why it is on and not ready, if it is not."""
        bean = self.bean("Hadoop:service=NameNode,name=MpsrInfo")
        if bean is None or bean["State"] == "off":
            problems = bean["Problems"] if bean else ["the NameNode has not loaded it (dfs.namenode.plugins)"]
            words = "\n  - ".join(problems or ["no replica groups are configured (dfs.mpsr.replica.groups)"])
            raise MpsrError(f"HDFS is up, but MPSR is off, for its configuration is wrong:\n  - {words}")
        return bean["Problems"]

    def active(self):
        """The name of the active NameNode's process, or None while none answers."""
        for name in self._cluster.state.namenodes:
            bean = self._ask(name, "Hadoop:service=NameNode,name=NameNodeStatus")
            if bean and bean.get("State") == "active":
                return name
        return None

    def serving(self):
        """The names of the NameNodes' processes that are active or standby and out of safe mode."""
        return [name for name in self._cluster.state.namenodes if self._serves(name)]

    def _serves(self, name):
        status = self._ask(name, "Hadoop:service=NameNode,name=NameNodeStatus")
        info = self._ask(name, "Hadoop:service=NameNode,name=NameNodeInfo")
        return bool(status and info) and status.get("State") in ("active", "standby") and not info.get("Safemode")

    def start_journal(self, name):
        """Starts a JournalNode again."""
        self._ha.start_journal(name)

    def bean(self, bean):
        """A JMX bean of the active NameNode, or None while none answers."""
        name = self.active()
        return self._ask(name, bean) if name else None

    def _ask(self, name, bean):
        query = urllib.parse.quote(bean)
        state = self._cluster.state
        url = f"http://{state.address}:{state.ports[name + '.http']}/jmx?qry={query}"
        try:
            with urllib.request.urlopen(url, timeout=5) as response:
                beans = json.load(response)["beans"]
                return beans[0] if beans else None
        except (urllib.error.URLError, OSError, ValueError):
            return None

    def _command(self, main, arguments, heap_mb, quick=True):
        return java.hadoop(self._cluster.checkout.share, self._cluster.conf, main, arguments, heap_mb, quick)


def _split(arguments):
    """Hadoop's option parser wants -D and its value as two arguments."""
    return [part for argument in arguments for part in ("-D", argument[2:])]
