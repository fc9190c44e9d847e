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
"""YARN beside the HDFS of a cluster, for the tests of jobs."""

import json
import os
import shutil
import urllib.request

import shared
from mpsr_launcher import waiting
from mpsr_launcher.checkout import java
from mpsr_launcher.cluster import config_files
from mpsr_launcher.cluster.ports import answers, free_ports

RESOURCE_MANAGER = "org.apache.hadoop.yarn.server.resourcemanager.ResourceManager"
NODE_MANAGER = "org.apache.hadoop.yarn.server.nodemanager.NodeManager"
HISTORY_SERVER = "org.apache.hadoop.mapreduce.v2.hs.JobHistoryServer"
RUN_JAR = "org.apache.hadoop.util.RunJar"
NODES = 2
PORTS = ("rm", "rm.scheduler", "rm.tracker", "rm.admin", "rm.web", "history", "history.web", "history.admin")


class Yarn:
    """A ResourceManager, NodeManagers and a history server of stock Hadoop beside the HDFS of a cluster."""

    def __init__(self, cluster):
        self._processes = cluster.processes
        self._hdfs_conf = cluster.conf
        self._directory = cluster.directory / "yarn"
        self.conf = self._directory / "conf"
        self._web = None
        built = cluster.checkout.root / "benchmarks" / "java" / "mapreduce" / "target"
        self._stock = (built / "stock-classpath").read_text(encoding="utf-8").strip()
        (self.job_jar,) = built.glob("benchmarks-mapreduce-*.jar")
        self._names = ["resourcemanager", "historyserver", *(f"nodemanager{n}" for n in range(1, NODES + 1))]

    def start(self):
        """Starts the processes and waits until all NodeManagers have registered."""
        ports = dict(zip((*PORTS, *self._names), free_ports(len(PORTS) + len(self._names))))
        self._web = f"http://127.0.0.1:{ports['rm.web']}/ws/v1/cluster"
        shutil.copytree(self._hdfs_conf, self.conf, dirs_exist_ok=True)
        for name, properties in (("yarn-site", self._yarn(ports)), ("mapred-site", self._mapred(ports))):
            (self.conf / f"{name}.xml").write_text(config_files.site(properties), encoding="utf-8")
        self._start("resourcemanager", RESOURCE_MANAGER, [])
        self._start("historyserver", HISTORY_SERVER, [])
        for number in range(1, NODES + 1):
            self._start(f"nodemanager{number}", NODE_MANAGER, self._node(number, ports[f"nodemanager{number}"]))
        registered = "Registered with ResourceManager"
        for name in self._names[2:]:
            log = self._processes.log(name)
            waiting.until(lambda log=log: registered in log.read_text(errors="replace"), name, 60, self.require_alive)
        waiting.until(lambda: answers(ports["history"]), "the history server", 60, self.require_alive)

    def stop(self):
        """Stops the processes."""
        self._processes.stop(self._names, 5)

    def applications(self):
        """What the ResourceManager says of each application."""
        with urllib.request.urlopen(f"{self._web}/apps", timeout=10) as answer:
            return (json.load(answer)["apps"] or {"app": []})["app"]

    def require_alive(self):
        """Raises when one of the processes has died."""
        for name in self._names:
            self._processes.require_alive(name)

    def hadoop_jar(self, *arguments, before=()):
        """The command line of hadoop jar, with jars that come before Hadoop's on the class path."""
        return self._java(RUN_JAR, [str(self.job_jar), *arguments], 256, before)

    def _start(self, name, main, arguments):
        self._processes.start(name, self._java(main, arguments, 192), {**os.environ, "HADOOP_LOG_DIR": str(self._directory)})

    def _java(self, main, arguments, heap_mb, before=()):
        path = [self.conf, *before, self._stock]
        return java.hadoop_on(path, self.conf, main, arguments, heap_mb)

    def _yarn(self, ports):
        return {
            "yarn.resourcemanager.address": f"127.0.0.1:{ports['rm']}",
            "yarn.resourcemanager.scheduler.address": f"127.0.0.1:{ports['rm.scheduler']}",
            "yarn.resourcemanager.resource-tracker.address": f"127.0.0.1:{ports['rm.tracker']}",
            "yarn.resourcemanager.admin.address": f"127.0.0.1:{ports['rm.admin']}",
            "yarn.resourcemanager.webapp.address": f"127.0.0.1:{ports['rm.web']}",
            "yarn.resourcemanager.scheduler.class": f"{RESOURCE_MANAGER.rpartition('.')[0]}.scheduler.fifo.FifoScheduler",
            "yarn.resourcemanager.nodemanagers.heartbeat-interval-ms": "200",
            "yarn.scheduler.minimum-allocation-mb": "128",
            "yarn.nodemanager.hostname": "127.0.0.1",
            "yarn.nodemanager.resource.memory-mb": "1024",
            "yarn.nodemanager.resource.cpu-vcores": "4",
            "yarn.nodemanager.vmem-check-enabled": "false",
            "yarn.nodemanager.aux-services": "mapreduce_shuffle",
            "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage": "99.9",
            "net.topology.node.switch.mapping.impl": "org.apache.hadoop.net.ScriptBasedMapping",
            "yarn.application.classpath": self._stock.replace(":", ","),
        }

    def _mapred(self, ports):
        return {
            "mapreduce.framework.name": "yarn",
            "mapreduce.shuffle.port": "0",  # not in yarn-site.xml, which mapred-default.xml overrides
            "mapreduce.client.submit.file.replication": "2",
            "mapreduce.jobhistory.address": f"127.0.0.1:{ports['history']}",
            "mapreduce.jobhistory.webapp.address": f"127.0.0.1:{ports['history.web']}",
            "mapreduce.jobhistory.admin.address": f"127.0.0.1:{ports['history.admin']}",
            "mapreduce.client.progressmonitor.pollinterval": "200",
            "mapreduce.client.completion.pollinterval": "200",
            "mapreduce.task.io.sort.mb": "8",
            "mapreduce.map.speculative": "false",
            "mapreduce.map.memory.mb": "256",
            "mapreduce.map.java.opts": "-Xmx160m -XX:+UseSerialGC -XX:TieredStopAtLevel=1",
            "mapreduce.reduce.memory.mb": "256",
            "mapreduce.reduce.java.opts": "-Xmx160m -XX:+UseSerialGC -XX:TieredStopAtLevel=1",
            "yarn.app.mapreduce.am.resource.mb": "384",
            "yarn.app.mapreduce.am.command-opts": "-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1",
            "yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms": "200",
        }

    def _node(self, number, port):
        directory = self._directory / f"nodemanager{number}"
        own = {
            "yarn.nodemanager.address": f"127.0.0.1:{port}",
            "yarn.nodemanager.localizer.address": "127.0.0.1:0",
            "yarn.nodemanager.webapp.address": "127.0.0.1:0",
            "yarn.nodemanager.local-dirs": directory / "local",
            "yarn.nodemanager.log-dirs": directory / "logs",
        }
        return [part for key, value in own.items() for part in ("-D", f"{key}={value}")]


def our_jar():
    """The jar that lets jobs be redirected."""
    return shared.checkout().share / "mapreduce" / "mpsr-mapreduce.jar"
