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
"""What a cluster is made of, kept in its run directory, so that a restart finds its data and ports again."""

import json
from dataclasses import asdict, dataclass, field

from mpsr_launcher.cluster.ports import free_ports
from mpsr_launcher.errors import MpsrError

FIXED = ("namenode", "namenode.http", "kafka", "kafka.controller", "connect")
HA = (
    *("namenode2", "namenode2.http", "zookeeper", "zkfc1", "zkfc2"),
    *(f"journal{number}{kind}" for number in (1, 2, 3) for kind in ("", ".http")),
)
NAMESERVICE = "mpsr"
LOOPBACK = "127.0.0.1"


@dataclass(frozen=True)
class State:
    """Numbers of DataNodes and racks, the port of each role (three per DataNode), and whether there are two NameNodes.

    ``properties`` are those of hdfs-site.xml that the user has given for this cluster.

    ``network`` is the first three numbers of the addresses of DataNodes that have one each; empty: all share loopback.
    """

    datanodes: int
    racks: int
    ports: dict
    ha: bool = False
    network: str = ""
    properties: dict = field(default_factory=dict)

    @property
    def address(self):
        """The address of what is no DataNode: loopback's, or in a network of machines the first."""
        return f"{self.network}.1" if self.network else LOOPBACK

    def node_address(self, number):
        """The address of the DataNode with this number, from 1."""
        return f"{self.network}.{number + 1}" if self.network else LOOPBACK

    @property
    def fs_uri(self):
        """The URI of the file system."""
        return f"hdfs://{NAMESERVICE}" if self.ha else f"hdfs://{self.address}:{self.ports['namenode']}"

    @property
    def namenodes(self):
        """The names of the NameNodes' processes."""
        return ("namenode", "namenode2") if self.ha else ("namenode",)

    @property
    def bootstrap(self):
        """The address of the Kafka broker."""
        return f"127.0.0.1:{self.ports['kafka']}"

    @property
    def connect_url(self):
        """The root of Connect's REST interface."""
        return f"http://127.0.0.1:{self.ports['connect']}"

    def save(self, path):
        """Writes the state as JSON."""
        path.write_text(json.dumps(asdict(self), indent=2) + "\n", encoding="utf-8")


def new_state(datanodes, racks, ha=False, network=""):
    """A cluster of that size on ports that are free now."""
    if not 1 <= datanodes <= 100:
        raise MpsrError(f"--datanodes {datanodes}: must be 1 to 100, as all of them run on this machine")
    if not 1 <= racks <= datanodes:
        raise MpsrError(f"--racks {racks}: must be 1 to the number of DataNodes ({datanodes})")
    names = [*FIXED, *(HA if ha else ())]
    for number in range(1, datanodes + 1):
        names += [f"dn{number}.{kind}" for kind in ("data", "http", "ipc")]
    return State(datanodes, racks, dict(zip(names, free_ports(len(names)))), ha, network)


def load_state(path):
    """Reads a state; None when there is none or it cannot be read."""
    try:
        return State(**json.loads(path.read_text(encoding="utf-8")))
    except (FileNotFoundError, ValueError, TypeError):
        return None
