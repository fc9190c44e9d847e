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

import json
import os
import platform
import unittest
import urllib.request

import shared
from mpsr_launcher import waiting
from mpsr_launcher.checkout import java
from mpsr_launcher.checkout.setup import ensure_java_11
from mpsr_launcher.cluster import ports
from mpsr_launcher.cluster.connect import Connect, patiently
from mpsr_launcher.cluster.ingest import Ingest
from mpsr_launcher.console import Console
from mpsr_launcher.pids import run_in_group

RECORDS = 3000
VERSION = os.environ.get("MPSR_CONNECT", "3.9.2")


class ConnectVersionsTest(unittest.TestCase):
    """The plug-in that is built against one version of Connect runs on the worker of another one."""

    def test_every_record_is_there_once_also_when_the_worker_is_killed(self):
        cluster = shared.cluster()
        worker = Worker(cluster, VERSION)
        self.addCleanup(worker.end)
        file = cluster.checkout.run / "connect-versions.parquet"
        shared.done("generate", "--parquet", str(file), "--records", str(RECORDS), "--signals", "20")
        ingest = Ingest(cluster, "/versions/connect", "connect-versions", "versions")
        ingest.create_dataset()
        sent = ingest.produce(file)
        worker.start()
        patiently(lambda: worker.connect.create("versions", ingest.config(500, 500)), 60, unanswered=True)
        waiting.until(lambda: ingest.committed() > 0, "the first commit", 90, worker.require)
        worker.kill()
        sent += ingest.produce(file)
        worker.start()
        waiting.until(lambda: ingest.committed() == sent, "all commits", 90, worker.require)
        self.assertEqual({group["records"] for group in ingest.show()["groups"].values()}, {sent})
        self.assertEqual(worker.version(), VERSION)
        patiently(lambda: worker.connect.delete("versions"), 60)


class Worker:
    """A worker of another version, in a group of its own, beside the cluster's. Connect 3 runs on Java 11 where there is one to fetch."""

    def __init__(self, cluster, version):
        self._cluster = cluster
        self.name = f"connect-{version}"
        self._classes = cluster.checkout.root / "dev-support" / "kafka-versions" / "target" / version
        self._port = ports.free_ports(1)[0]
        self.connect = Connect(f"http://127.0.0.1:{self._port}")
        old = version.startswith("3.") and platform.machine() == "x86_64"
        self._java = str(ensure_java_11(cluster.checkout, Console()) / "bin" / "java") if old else java.java()
        if not self._classes.is_dir():
            command = ["-q", "-B", "-Pkafka-versions", "-pl", "dev-support/kafka-versions", "package", f"-Dkafka.tested={version}"]
            code = run_in_group([str(cluster.checkout.root / "mvnw"), *command], cluster.checkout.root)
            if code != 0:
                raise AssertionError(f"./mvnw {' '.join(command)} ended with {code}")

    def start(self):
        conf = self._cluster.conf
        own = conf / f"{self.name}.properties"
        text = (conf / "connect-distributed.properties").read_text(encoding="utf-8")
        text = text.replace(f":{self._cluster.state.ports['connect']}", f":{self._port}")
        for word in ("group.id=mpsr-connect", "topic=connect-configs", "topic=connect-offsets", "topic=connect-status"):
            text = text.replace(word, f"{word}-{self.name}")
        own.write_text(text, encoding="utf-8")
        extra = [java.allowed_paths(*self._cluster.files_for_connectors())]
        main = "org.apache.kafka.connect.cli.ConnectDistributed"
        command = [self._java, *java.kafka(self._classes, conf, main, [str(own)], 512, extra=extra)[1:]]
        waiting.until(lambda: ports.is_free(self._port), "the port of the worker", 30)
        self._cluster.processes.start(self.name, command)

    def version(self):
        with urllib.request.urlopen(f"http://127.0.0.1:{self._port}/", timeout=30) as answer:
            return json.load(answer)["version"]

    def require(self):
        self._cluster.processes.require_alive(self.name)

    def kill(self):
        self._cluster.processes.kill(self.name)

    def end(self):
        if self.name in self._cluster.processes.names():
            self._cluster.processes.stop([self.name])
