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
"""The gateway of a cluster, through which clients of Iceberg read."""

import os

from mpsr_launcher import waiting
from mpsr_launcher.cluster import mpsr_cli
from mpsr_launcher.cluster.ports import answers, free_ports

PROCESS = "catalog"


def start(cluster, *options):
    """Starts it, with more options of ``hdfs mpsr catalog``, and waits until it listens; returns its address."""
    (port,) = free_ports(1)
    arguments = ["catalog", "--host", cluster.state.address, "--port", str(port), *options]
    environment = {**os.environ, "MPSR_HOME": str(cluster.checkout.dist)}
    cluster.processes.start(PROCESS, mpsr_cli.command(cluster, arguments, quick=False), environment)
    waiting.until(lambda: answers(port), "the catalog", 60, lambda: cluster.processes.require_alive(PROCESS))
    return f"http://{cluster.state.address}:{port}"
