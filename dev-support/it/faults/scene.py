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
"""One ingest that faults are done to: its dataset, topic, connector and producer, and what is broken now."""

import contextlib
import signal
import time
import urllib.error

import kafka_requests
import shared
from faults.fault_cluster import DATANODES, OTHER, WORKERS
from faults.rpc_proxy import Trap
from faults.sender import Mix, Sender
from mpsr_launcher import waiting
from mpsr_launcher.cluster import connect, mpsr_cli, ports
from mpsr_launcher.cluster.ingest import SCHEMA, Ingest
from mpsr_launcher.errors import MpsrError

# The same readings for all seeds, which differ in what comes between them and what is done to them.
DATA_SEED = 1
_ANEW_SEED = 2
# The dead letter queue takes what its topic takes, as soon as Connect's producer sends it.
_LARGE = "2000000"

_TOLERANT = {
    "errors.tolerance": "all",
    "errors.deadletterqueue.context.headers.enable": "true",
    "errors.deadletterqueue.topic.replication.factor": "1",
    "transforms": "leaveOut",
    "transforms.leaveOut.type": "org.apache.kafka.connect.transforms.Filter",
    "transforms.leaveOut.predicate": "isTombstone",
    "predicates": "isTombstone",
    "predicates.isTombstone.type": "org.apache.kafka.connect.transforms.predicates.RecordIsTombstone",
}


class Scene:
    """One dataset filled from one topic. For one thread, but for what traps do in theirs."""

    def __init__(self, cluster, name, rng, say, mix=None):
        """With a mix, messages that cannot be stored go to a dead letter queue, and a transformation drops others."""
        self.cluster = cluster
        self.name = name
        self.rng = rng
        self.say = say
        self.dataset = f"/faults/{name}"
        self.directory = cluster.directory / name
        self.sender = Sender(cluster.state.bootstrap, name, DATA_SEED, mix or Mix())
        self._mix = mix
        self._sends_large = False
        self.id = ""
        self.nodes = {}
        self.failed_tasks = 0
        self._heals = []
        self._others = []
        self._logged = {worker: self._size(worker) for worker in (*WORKERS, OTHER)}

    # The ingest

    def begin(self):
        """Makes the dataset and the topic, and starts the connector."""
        self.directory.mkdir(parents=True)
        self.sender.create_topic()
        if self._mix:
            kafka_requests.create_topic(
                self.cluster.state.bootstrap, self._dead_letter_topic(), 1, {"max.message.bytes": _LARGE}
            )
        created = mpsr_cli.ask(self.cluster, ["dataset", "create", self.dataset, "--schema", SCHEMA])
        self.id = created["id"]
        self.nodes = self.cluster.nodes_of_groups()
        self.configure()

    def configure(self, tasks=3, connect=None, name=None, more=None):
        """Creates the connector, or changes it; connect and name for one that is not the right one."""
        ingest = Ingest(self.cluster, self.dataset, self.name, name or self.name, tasks)
        config = ingest.config(flush_records=700, flush_interval_ms=300)
        config["mpsr.hadoop.conf.dir"] = str(self.cluster.sink_conf)
        config["mpsr.retry.backoff.ms"] = "300"
        if self._mix:
            config.update(_TOLERANT)
            config["errors.deadletterqueue.topic.name"] = self._dead_letter_topic()
        if self._sends_large:
            config["producer.override.max.request.size"] = _LARGE
        config.update(more or {})
        self.patiently(lambda: (connect or self.cluster.connect).create(name or self.name, config))

    def _dead_letter_topic(self):
        return f"{self.name}-dead"

    def dead_letters(self):
        """Partition and offset of the records in the dead letter queue."""
        found = kafka_requests.headers(self.cluster.state.bootstrap, self._dead_letter_topic()) if self._mix else ()
        return {tuple(int(headers[f"__connect.errors.{at}"]) for at in ("partition", "offset")) for headers in found}

    def send_large_dead_letters(self):
        """Lets the dead letter queue have records of any size that comes, as an operator would whose task has ended."""
        self._sends_large = True
        self.configure()

    def make_anew(self, more):
        """Deletes the topic and makes one of its name, with other records: so many more of each partition than before."""
        bootstrap = self.cluster.state.bootstrap
        kafka_requests.delete_topic(bootstrap, self.name)
        anew = Sender(bootstrap, self.name, _ANEW_SEED)

        def is_made():
            with contextlib.suppress(MpsrError):  # Kafka may still be deleting the old topic
                anew.create_topic()
                return True
            return False

        waiting.until(is_made, "the topic made anew", 30)
        anew.fill({partition: max(0, end + more) for partition, end in self.sender.ends.items()})

    def start_other(self, name):
        """Starts the same connector on another Connect cluster, by mistake."""
        self._others.append(name)
        self.configure(connect=self.cluster.connect_of(OTHER), name=name)

    def show(self):
        """The dataset as the NameNode describes it."""
        return mpsr_cli.ask(self.cluster, ["dataset", "show", self.dataset])

    def failures(self):
        """The traces of what has failed of the connector; none while nobody can tell."""
        with contextlib.suppress(MpsrError):
            return self.cluster.connect.failures(self.name)
        return []

    def committed(self):
        """How many offsets are committed, by the records in HDFS; None while nobody can tell."""
        ends = self.ends()
        return None if ends is None else sum(ends.values())

    def ends(self):
        """The committed end of each partition; None while nobody can tell."""
        try:
            names = shared.listing(f"/.mpsr/datasets/{self.id}/offsets", self.cluster)
        except (urllib.error.URLError, OSError):
            return None
        return {int(name.split("=")[1]): int(name.split("=")[2]) for name in names}

    def await_all_committed(self, seconds):
        """Waits until all that was sent is committed; tasks that fail are started again, as their operator would."""
        sent = sum(self.sender.ends.values())
        waiting.until(lambda: (self.committed() or 0) >= sent, f"{sent} offsets committed", seconds, self._watch, 0.3)

    def _watch(self):
        for name in (*WORKERS, OTHER):
            self.cluster.processes.require_alive(name)
        self.restart_failed()

    def restart_failed(self):
        """Starts failed tasks again."""
        with contextlib.suppress(MpsrError):
            for trace in self.failures():
                self.failed_tasks += 1
                self.say("failed task: " + next((t for t in trace.splitlines() if "ConnectException:" in t), trace)[:400])
                self.cluster.connect.restart_failed(self.name)

    def patiently(self, request):
        """Asks Connect again while it rebalances, has no leader, or knows nothing yet of a connector that it was given."""
        connect.patiently(request, 40, unanswered=True)

    def connector_runs(self, without=None):
        """Whether the connector and all its tasks run, none of them on a worker."""
        with contextlib.suppress(MpsrError):
            alive = next(n for n in WORKERS if n != without and self.cluster.processes.pid(n))
            status = self.cluster.connect_of(alive).status(self.name)
            states = {part["state"] for part in (status["connector"], *status["tasks"])}
            return states == {"RUNNING"} and status["tasks"] and without not in self.cluster.workers_of(status["tasks"])
        return False

    def has_no_task(self):
        """Whether the connector has no task any more."""
        with contextlib.suppress(MpsrError):
            return not self.cluster.connect.status(self.name)["tasks"]
        return False

    # Faults

    def trap(self, methods, moment, action, wanted=lambda call: True, seconds=15):
        """Sets a trap and waits until a call comes that is wanted; returns whether one did."""
        trap = Trap(methods, moment, action, wanted)
        self.cluster.traps.set(trap)
        self.comes(trap.sprung, seconds, self.restart_failed)
        return trap.disarm()

    def comes(self, condition, seconds, watch=lambda: None):
        """Whether a condition comes true in time; meanwhile, what shall be done each time that it does not hold."""
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() >= deadline:
                return False
            watch()
            time.sleep(0.1)
        return True

    def kill(self, name):
        """SIGKILL, from any thread."""
        self.cluster.processes.signal(name, signal.SIGKILL)

    def gone(self, name):
        """Waits for the end of a process that was killed."""
        self.cluster.processes.kill(name)

    def later(self, kind, heal):
        """Notes how to heal something."""
        self._heals.append((kind, heal))

    def heal(self, kind=None):
        """Heals what is broken of a kind, or all."""
        for broken in [h for h in self._heals if kind in (None, h[0])]:
            self._heals.remove(broken)
            broken[1]()

    def await_whole(self):
        """Heals everything and waits until all processes serve."""
        self.heal()
        for worker in (*WORKERS, OTHER):
            self.cluster.await_worker_named(worker)
        self.await_namenodes()
        data = [self.cluster.state.ports[f"dn{number}.data"] for number in range(1, DATANODES + 1)]
        waiting.until(lambda: all(ports.answers(port) for port in data), "all DataNodes", 60)

    def await_namenodes(self):
        """Heals the NameNodes and waits until both serve, one of them as the active one.

        One that has ended itself is started again, as its operator would: it does so when two JournalNodes died before the
        first of them was written to again.
        """
        self.heal("namenodes")
        hdfs, names = self.cluster.hdfs, self.cluster.state.namenodes

        def start_ended():
            for name in names:
                if not self.cluster.processes.pid(name):
                    self.say(f"{name} had ended itself")
                    hdfs.start_namenode(name)

        waiting.until(lambda: len(hdfs.serving()) == len(names), "both NameNodes", 90, start_ended)
        waiting.until(lambda: hdfs.active() and not hdfs.safe_mode(), "an active NameNode", 90, start_ended)

    # The end

    def end(self):
        """Ends the connectors, whatever state they are in."""
        self.cluster.traps.set(None)
        self.patiently(lambda: self.cluster.connect.delete(self.name))
        for name in self._others:
            self.patiently(lambda name=name: self.cluster.connect_of(OTHER).delete(name))

    def words(self, text):
        """How often the workers' logs say something since the beginning."""
        count = 0
        for worker, start in self._logged.items():
            with contextlib.suppress(FileNotFoundError), open(self.cluster.processes.log(worker), "rb") as log:
                log.seek(start)
                count += log.read().count(text.encode())
        return count

    def _size(self, worker):
        with contextlib.suppress(FileNotFoundError):
            return self.cluster.processes.log(worker).stat().st_size
        return 0
