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
"""What the DataNodes of a cluster say of themselves."""

import getpass
import json
import re
import urllib.parse
import urllib.request
from dataclasses import dataclass

from mpsr_launcher import waiting
from mpsr_launcher.cluster import config_files


@dataclass(frozen=True)
class Traffic:
    """Bytes that DataNodes have written and have sent to readers so far, each copy counted; and those of them that readers on other hosts got."""

    written: int
    read: int
    read_by_others: int = 0


def written(cluster, fresh):
    """The bytes that all DataNodes have written so far, each copy counted. Fresh: as of ``traffic``."""
    return traffic(cluster, range(1, cluster.state.datanodes + 1), fresh).written


def traffic(cluster, numbers, fresh):
    """The traffic of the DataNodes with these numbers.

    They show the same for ten seconds. Fresh: waits until all show something newer than at the call, which their growing
    number of heartbeats tells.
    """
    found = {number: _activity(cluster, number) for number in numbers}
    if fresh:
        first = {number: activity["HeartbeatsNumOps"] for number, activity in found.items()}

        def newer():
            for number in numbers:
                if found[number]["HeartbeatsNumOps"] == first[number]:
                    found[number] = _activity(cluster, number)
            return all(found[number]["HeartbeatsNumOps"] > first[number] for number in numbers)

        waiting.until(newer, "newer metrics of all DataNodes", 120)
    return Traffic(*(sum(each[name] for each in found.values()) for name in ("BytesWritten", "BytesRead", "RemoteBytesRead")))


def used(cluster, number):
    """The bytes of blocks on a live DataNode, as it has told the NameNode."""
    nodes = json.loads(cluster.hdfs.bean("Hadoop:service=NameNode,name=NameNodeInfo")["LiveNodes"])
    (found,) = [node["usedSpace"] for name, node in nodes.items() if name.startswith(f"{config_files.host(number)}:")]
    return found


def address(cluster, number):
    """Where a DataNode is sent data, as ``copies`` names it."""
    return f"{cluster.state.node_address(number)}:{cluster.state.ports[f'dn{number}.data']}"


def copies(cluster, path):
    """The addresses of the DataNodes that have a copy of each block below a path, in the NameNode's view of this moment.

    Its counters of blocks that lack copies are some seconds old, and never show a lack that is shorter.
    """
    user, state = urllib.parse.quote(getpass.getuser()), cluster.state
    asked = f"ugi={user}&user.name={user}&path={urllib.parse.quote(path)}&files=1&blocks=1&locations=1"
    with urllib.request.urlopen(f"http://{state.address}:{state.ports['namenode.http']}/fsck?{asked}", timeout=60) as response:
        lines = response.read().decode().splitlines()
    blocks = [line for line in lines if re.match(r"\d+\. BP-", line)]
    return [set(re.findall(r"DatanodeInfoWithStorage\[([^,]+),", line)) for line in blocks]


def _activity(cluster, number):
    query = urllib.parse.quote("Hadoop:service=DataNode,name=DataNodeActivity-*")
    address = f"{cluster.state.node_address(number)}:{cluster.state.ports[f'dn{number}.http']}"
    with urllib.request.urlopen(f"http://{address}/jmx?qry={query}", timeout=10) as response:
        (bean,) = json.load(response)["beans"]
    return bean
