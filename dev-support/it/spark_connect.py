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
"""Spark's Connect server with a cluster's configuration, for the tests of remote sessions."""

from mpsr_launcher import waiting
from mpsr_launcher.cluster.ports import answers, free_ports
from mpsr_launcher.cluster.spark import Spark

NAME = "sparkconnect"
SERVER = "org.apache.spark.sql.connect.service.SparkConnectServer"


class SparkConnect:
    """A Connect server whose configuration has MPSR's two lines."""

    def __init__(self, cluster):
        self._spark = Spark(cluster)
        self._processes = cluster.processes
        (self._port,) = free_ports(1)
        self.url = f"sc://127.0.0.1:{self._port}"

    def start(self):
        """Starts the server and waits until it listens."""
        settings = {"spark.connect.grpc.binding.address": "127.0.0.1", "spark.connect.grpc.binding.port": self._port}
        options = [part for name, value in settings.items() for part in ("--conf", f"{name}={value}")]
        command = [self._spark.program("spark-submit"), "--class", SERVER, *options, "spark-internal"]
        self._processes.start(NAME, command, self._spark.environment(stock=False))
        waiting.until(lambda: answers(self._port), "Spark's Connect server", 120, lambda: self._processes.require_alive(NAME))

    def stop(self):
        """Stops the server."""
        self._processes.stop([NAME], 5)
