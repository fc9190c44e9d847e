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

import json
import urllib.parse
import urllib.request


def written(cluster):
    """The bytes that all DataNodes have written so far, each copy counted."""
    query = urllib.parse.quote("Hadoop:service=DataNode,name=DataNodeActivity-*")
    total = 0
    for number in range(1, cluster.state.datanodes + 1):
        address = f"{cluster.state.node_address(number)}:{cluster.state.ports[f'dn{number}.http']}"
        with urllib.request.urlopen(f"http://{address}/jmx?qry={query}", timeout=10) as response:
            total += sum(bean["BytesWritten"] for bean in json.load(response)["beans"])
    return total
