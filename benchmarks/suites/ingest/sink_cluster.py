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
"""The cluster on which sinks are measured, the records that they read, and what can be read off the processes."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from benchmarks.harness import datanodes
from mpsr_launcher.checkout import java
from mpsr_launcher.checkout.setup import lock
from mpsr_launcher.cluster.cluster import Cluster
from mpsr_launcher.cluster.hdfs import Hdfs
from mpsr_launcher.cluster.kafka import WORKER, Kafka
from mpsr_launcher.errors import MpsrError

GENERATOR = "org.hadoopmpsr.benchmarks.generator.Generate"
ICEBERG_VERSION = "1.12.0"
_DAYS = 3
_BROKER = ("auto.create.topics.enable=true", "num.partitions=1")
# Kafka's own delay, in which all tasks join at once: Iceberg's sink loses records when its coordinator, barely started,
# moves to another task.
_SEVERAL_TASKS = ("group.initial.rebalance.delay.ms=3000",)


@dataclass(frozen=True)
class Stream:
    """Readings of the generator; the same values make the same readings."""

    records: int
    signals: int
    seed: int

    def arguments(self):
        """The generator's arguments: the readings are of three days, whatever their number."""
        rate = self.records / (_DAYS * 86_400)
        found = ["--records", str(self.records), "--signals", str(self.signals), "--data-rate", repr(rate)]
        return [*found, "--devices", str(max(20, self.signals // 20)), "--seed", str(self.seed)]


class SinkCluster(Cluster):
    """A cluster whose Connect worker has the other sinks, too. Iceberg's makes its control topics by writing to them.

    Quick: all JVMs compile lightly, and each sink has one task; otherwise they compile fully, but for the broker's, which
    is the same for all sinks.
    """

    def __init__(self, checkout, name, quick):
        super().__init__(checkout, name)
        self._quick = quick
        self._broker = _BROKER if quick else _BROKER + _SEVERAL_TASKS
        self.hdfs = _Hdfs(self, quick)
        self.kafka = _Kafka(self, quick)

    def prepare(self, datanodes, racks, ha=None):
        super().prepare(datanodes, racks, ha)
        _append(self.conf / "server.properties", self._broker)
        plugins = [self.checkout.share / "connect", plain_plugin(self.checkout).parent, iceberg_plugin(self.checkout).parent]
        _append(self.conf / "connect-distributed.properties", [f"plugin.path={','.join(map(str, plugins))}"])

    def generate(self, name, arguments, on_line=lambda line: None):
        """Runs the generator to its end."""
        code = self.processes.run(name, self._generator(arguments), on_line=on_line)
        if code != 0:
            raise MpsrError(f"the generator ended with {code}. Its log:\n{self.processes.tail(name)}")

    def start_generator(self, name, arguments):
        """Starts the generator; returns its process."""
        return self.processes.start(name, self._generator(arguments))

    def _generator(self, arguments):
        return java.benchmark(self.checkout.share, self.conf, GENERATOR, arguments)

    def to_topic(self, topic, partitions):
        """The generator's arguments to send to a topic."""
        return ["--bootstrap", self.state.bootstrap, "--topic", topic, "--partitions", str(partitions)]

    def cpu(self):
        """The CPU seconds so far of the worker, of HDFS and of the broker."""
        found = self.processes.cpu_seconds()
        hdfs = sum(seconds for name, seconds in found.items() if name.startswith(("dn", "namenode")))
        return {"worker": found[WORKER], "hdfs": hdfs, "broker": found["kafka"]}

    def written(self):
        """The bytes that all DataNodes have written so far, each copy counted; quick: as of some seconds ago."""
        return datanodes.written(self, fresh=not self._quick)

    def worker_heap(self):
        """The bytes of the worker's heap that are in use after a full collection."""
        pid = str(self.processes.pid(WORKER))
        jcmd = str(Path(java.java()).with_name("jcmd")) if "/" in java.java() else "jcmd"
        _output([jcmd, pid, "GC.run"])
        return heap_used(_output([jcmd, pid, "GC.heap_info"]))


class _Hdfs(Hdfs):
    def __init__(self, cluster, quick):
        super().__init__(cluster)
        self._quick = quick

    def _command(self, main, arguments, heap_mb, quick=True):
        return super()._command(main, arguments, heap_mb, quick and self._quick)


class _Kafka(Kafka):
    def __init__(self, cluster, quick):
        super().__init__(cluster)
        self._quick = quick

    def _command(self, main, arguments, heap_mb, quick=True, **others):
        return super()._command(main, arguments, heap_mb, quick or self._quick, **others)


def heap_used(text):
    """The bytes in use of the generations that jcmd's GC.heap_info names; of the serial collector."""
    found = re.findall(r"generation\s+total \d+K, used (\d+)K", text)
    if len(found) != 2:
        raise MpsrError(f"jcmd's GC.heap_info does not name two generations: {text}")
    return sum(map(int, found)) * 1024


def plain_plugin(checkout):
    """The directory of the plain sink and of the converter."""
    return checkout.benchmarks / "java" / "ingest" / "target" / "connect" / "parquet"


def iceberg_plugin(checkout):
    """The directory of Iceberg's sink."""
    return checkout.work / "bench" / "connect" / f"iceberg-{ICEBERG_VERSION}"


def prepare_plugins(checkout, console):
    """Completes the plain sink, which Maven has built, and has Maven take Iceberg's once."""
    for jar in plain_plugin(checkout).parents[1].glob("benchmarks-ingest-*.jar"):
        shutil.copy(jar, plain_plugin(checkout))
    directory = iceberg_plugin(checkout)
    with lock(checkout, "iceberg-sink"):
        if directory.is_dir():
            return
        console.say(f"fetching Iceberg's sink {ICEBERG_VERSION} with what it needs (once; 90 MB)")
        part = checkout.work / "bench" / "part-sink"
        shutil.rmtree(part, ignore_errors=True)
        pom = checkout.benchmarks / "java" / "ingest" / "iceberg" / "pom.xml"
        command = [str(checkout.root / "mvnw"), "--quiet", "--batch-mode", "--file", str(pom), "dependency:copy-dependencies"]
        command += [f"-Diceberg.version={ICEBERG_VERSION}", f"-Dhadoop.version={checkout.property('hadoop.version')}"]
        command += ["-DincludeScope=runtime", f"-DoutputDirectory={part}"]
        done = subprocess.run(command, cwd=checkout.root, stdin=subprocess.DEVNULL, check=False)
        if done.returncode != 0:
            raise MpsrError(f"Iceberg's sink could not be fetched: '{' '.join(command)}' ended with {done.returncode}")
        directory.parent.mkdir(parents=True, exist_ok=True)
        part.replace(directory)


def _append(file, lines):
    with open(file, "a", encoding="utf-8") as properties:
        properties.write("\n" + "\n".join(lines) + "\n")


def _output(command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise MpsrError(f"'{' '.join(command)}' ended with {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout
