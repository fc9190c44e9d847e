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
"""A standalone Spark on the machines of a cluster: workers beside its DataNodes."""

import contextlib
import json
import urllib.error
import urllib.request
from pathlib import Path

from mpsr_launcher import waiting
from mpsr_launcher.cluster import config_files
from mpsr_launcher.cluster.ports import free_ports
from mpsr_launcher.cluster.spark import Spark
from mpsr_launcher.pids import cpu_time

MASTER = "spark-master"
EXECUTOR_MIB = 640


class SparkWorkers:
    """Master and workers, each with a core for each of so many applications at a time.

    Quick: the JVMs compile lightly.
    """

    def __init__(self, cluster, count, applications, quick=False):
        self._cluster = cluster
        self._count = count
        self._applications = applications
        self._tuning = {"JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1"} if quick else {}
        self._port, self._web_port = free_ports(2)
        self._work = cluster.directory / "work"
        self._options = f"-Djdk.net.hosts.file={cluster.conf}/hosts"

    @property
    def names(self):
        """The processes."""
        return [MASTER, *(f"spark-worker{number}" for number in range(1, self._count + 1))]

    def start(self):
        """Starts all and waits until the master knows every worker."""
        state = self._cluster.state
        master = ["org.apache.spark.deploy.master.Master", "--host", state.address]
        master += ["--port", str(self._port), "--webui-port", str(self._web_port)]
        self._cluster.processes.start(MASTER, self._command(master), self._environment(state.address))
        self.start_missing()

    def start_missing(self):
        """Starts the workers that do not run, and waits until the master knows all."""
        for number in range(1, self._count + 1):
            if not self._cluster.processes.pid(f"spark-worker{number}"):
                self._start(number)
        waiting.until(lambda: self._alive() == self._count, f"{self._count} Spark workers", 120, self._check, 0.3)

    def _start(self, number):
        worker = ["org.apache.spark.deploy.worker.Worker", "--host", config_files.host(number)]
        worker += ["--cores", str(self._applications), "--memory", f"{(EXECUTOR_MIB + 384) * self._applications}m"]
        worker += ["--webui-port", "0", "--work-dir", str(self._work / str(number)), self._url()]
        environment = self._environment(self._cluster.state.node_address(number))
        environment["SPARK_LOCAL_DIRS"] = str(self._cluster.directory / "spark-local" / f"worker{number}")
        self._cluster.start_on(number, f"spark-worker{number}", self._command(worker), environment)

    def executors_cpu_seconds(self):
        """The CPU time that the executors that run now have taken so far, by pid. They run in directories of their workers."""
        found = {}
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if (process / "cwd").resolve().is_relative_to(self._work):
                    found[process.name] = cpu_time(int(process.name))
        return found

    def settings(self):
        """What makes an application run on them, with one core of each."""
        return {
            "spark.master": self._url(),
            "spark.executor.cores": "1",
            "spark.cores.max": str(self._count),
            "spark.executor.memory": f"{EXECUTOR_MIB}m",
            "spark.executor.extraJavaOptions": f"{self._options} -XX:+UseSerialGC",
            "spark.scheduler.minRegisteredResourcesRatio": "1.0",
        }

    def _command(self, arguments):
        return [str(self._cluster.checkout.spark_home() / "bin" / "spark-class"), *arguments]

    def _environment(self, address):
        more = {"SPARK_LOCAL_IP": address, "SPARK_DAEMON_MEMORY": "192m", "SPARK_DAEMON_JAVA_OPTS": self._options}
        return {**Spark(self._cluster).environment(stock=True), **more, **self._tuning}

    def _url(self):
        return f"spark://{self._cluster.state.address}:{self._port}"

    def _alive(self):
        try:
            with urllib.request.urlopen(f"http://{self._cluster.state.address}:{self._web_port}/json/", timeout=5) as page:
                return json.load(page)["aliveworkers"]
        except (urllib.error.URLError, OSError, ValueError):
            return 0

    def _check(self):
        for name in self.names:
            self._cluster.processes.require_alive(name)
