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
"""Kafka broker and Connect worker of a cluster."""

import subprocess

from mpsr_launcher import waiting
from mpsr_launcher.checkout import java
from mpsr_launcher.cluster import ports
from mpsr_launcher.errors import MpsrError

WORKER = "connect"
BROKER = "kafka"


class Kafka:
    """Starts and asks the Kafka processes of one cluster."""

    def __init__(self, cluster):
        self._cluster = cluster

    def format(self):
        """Formats the broker's log directory unless it has been formatted."""
        if (self._cluster.data / "kafka" / "meta.properties").is_file():
            return
        arguments = ["format", "--cluster-id", "bXBzci1sb2NhbC1rYWZrYQ", "--config", str(self._properties("server"))]
        command = self._command("kafka.tools.StorageTool", arguments, 128, level="ERROR")
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            end = "\n".join((done.stdout + done.stderr).splitlines()[-25:])
            raise MpsrError(f"the log directory of Kafka could not be formatted:\n{end}")

    def start_broker(self):
        """Starts the broker, which is its own controller."""
        command = self._command("kafka.Kafka", [str(self._properties("server"))], 384)
        self._cluster.processes.start(BROKER, command)

    def await_broker(self):
        """Waits until the broker accepts connections."""
        port = self._cluster.state.ports[BROKER]
        waiting.until(lambda: ports.answers(port), "the Kafka broker", 120, lambda: self._require(BROKER))

    def start_worker(self):
        """Starts the Connect worker, compiled fully and with Kafka's own default heap: it does the work of the ingest."""
        main = "org.apache.kafka.connect.cli.ConnectDistributed"
        extra = [java.allowed_paths(*self._cluster.files_for_connectors())]
        command = self._command(main, [str(self._properties("connect-distributed"))], 2048, quick=False, extra=extra)
        self._cluster.processes.start(WORKER, command)

    def await_worker(self, connect):
        """Waits until the worker answers requests."""
        waiting.until(connect.is_ready, "the Connect worker", 180, lambda: self._require(WORKER), 0.3)

    def _require(self, name):
        self._cluster.processes.require_alive(name)

    def _properties(self, name):
        return self._cluster.conf / f"{name}.properties"

    def _command(self, main, arguments, heap_mb, quick=True, level="INFO", extra=()):
        return java.kafka(self._cluster.checkout.share, self._cluster.conf, main, arguments, heap_mb, quick, level, extra)
