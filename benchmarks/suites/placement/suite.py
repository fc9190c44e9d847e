# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
"""The suite 'placement': reductions read by executors on the DataNodes' machines, and by a reader behind a slow network."""

import contextlib
import datetime
import hashlib
import json
import random
import re
import subprocess
import time

from benchmarks.harness import data_layouts, machines, records
from benchmarks.harness.records import Size
from benchmarks.harness.spark_workers import SparkWorkers
from benchmarks.harness.suite import Suite
from benchmarks.suites.placement import figures as placement_figures, reductions
from benchmarks.suites.placement.figures import AUTO, PLACES
from mpsr_launcher.cluster import mpsr_cli
from mpsr_launcher.cluster.cluster import Cluster
from mpsr_launcher.cluster.spark import Spark
from mpsr_launcher.errors import MpsrError

NODES = 3
RATES, QUICK_RATES = (4, 20, 120), (20,)
QUICK_REDUCTIONS = 2
RECORDS, QUICK_RECORDS = 8_000_000, 20_000
SIGNALS, DAYS = 200, 20
STORAGE_MIB = 2_000
"""What no machine but the reader's has as a limit that is felt."""
DATASET = "/bench/reduced"
QUERY_SECONDS = 600
_CHOSEN = re.compile(r"made at the (reader|storage|source):")


class Placement(Suite):
    """One run: each reduction at each rate in each place, in an order that is drawn."""

    name = "placement"

    def __init__(self, checkout, console, arguments):
        super().__init__(checkout, console, arguments)
        self._missing = machines.missing()
        self._named = self.name in arguments.suites
        self._records = QUICK_RECORDS if arguments.quick else round(RECORDS * arguments.scale)
        self._rates = QUICK_RATES if arguments.quick else RATES
        self._reductions = QUICK_REDUCTIONS if arguments.quick else self._rounds
        self._cluster = None
        self._workers = None

    def run(self):
        """Runs on a cluster of its own; returns the exit code: 1 when a place has another answer."""
        if self._missing:
            if self._named:
                raise MpsrError(f"placement limits the network of a reader: {self._missing}")
            self._console.say(f"left out: {self._missing}")
            return 0
        self._cluster = cluster = Cluster(self._checkout, f"bench-{self.name}")
        cluster.stop(self._console)
        cluster.wipe()
        with contextlib.ExitStack() as stack:
            network = stack.enter_context(machines.Machines(NODES + 1, STORAGE_MIB, cluster.directory))
            stack.callback(cluster.stop, self._console)
            cluster.start(self._console, NODES, NODES, kafka=False, machines=network)
            asked = self._load()
            self._workers = SparkWorkers(cluster, NODES, 1, self._quick)
            stack.callback(cluster.processes.stop, self._workers.names, 10)
            self._workers.start()
            self._measure(network, asked)
        if not self._keep:
            cluster.wipe()
        return self._show(placement_figures.text(self.results), "every place has the same answers")

    def _load(self):
        """Loads the records, and draws what is asked of them."""
        source = self._cluster.directory / "reduced.parquet"
        records.generate(self._cluster, self._console, source, Size(self._records, SIGNALS, DAYS), self._seed)
        data_layouts.load_mpsr(self._cluster, DATASET, source, self._records, -(-self._records // 2))
        told = json.loads(self._asked(["statistics", "--column", "value", "--by", "signal"], "storage", None, local=True)[0])
        names = [row[told["columns"].index("signal")] for row in told["rows"]]
        begin = datetime.date(2017, 5, 1)
        return reductions.drawn(self._seed, self._reductions, sorted(names), begin, DAYS)

    def _measure(self, network, asked):
        rng = random.Random(self._seed)
        reader = NODES + 1
        order = [(number, place) for number in range(len(asked)) for place in PLACES]
        self._asked(asked[0]["arguments"], AUTO, 120)
        for rate in self._rates:
            network.limit_network(reader, rate * 1e6 / machines.MIB)
            for number, place in rng.sample(order, len(order)):
                before, begun = network.crossed(reader), time.monotonic()
                out, said, code = self._asked(asked[number]["arguments"], place, rate)
                run = {"kind_of": "reduction", "rate": rate, "number": number, "kind": asked[number]["kind"], "place": place}
                run |= {"seconds": time.monotonic() - begun, "crossedBytes": network.crossed(reader) - before}
                chosen = _CHOSEN.findall(said)
                run |= {"chosen": chosen[-1] if chosen else place, "said": [line for line in said.splitlines() if line.startswith("mpsr: ")]}
                run |= {"problem": said[-2000:]} if code else {"answer": _digest(out)}
                self.results.add(run)
                self._console.say(placement_figures.line(run) + (f", chosen: {run['chosen']}" if place == AUTO else ""))
            self._conclude()

    def _asked(self, arguments, place, rate, local=False):
        """Asks from the reader's machine, with the costs that a calibration of its network would tell; tells output, errors, code."""
        address = self._cluster.state.node_address(NODES + 1)
        settings = {"spark.driver.host": address, "spark.driver.bindAddress": address, "spark.driver.memory": "700m"}
        settings |= {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "2"}
        if local:
            settings["spark.master"] = "local[2]"
        else:
            settings |= self._workers.settings() | {"spark.executor.instances": str(NODES), "spark.hadoop.dfs.mpsr.cost.network.mb.per.second": str(rate)}
            settings["spark.executor.extraJavaOptions"] = f"-Djdk.net.hosts.file={self._cluster.conf}/hosts"
        options = " ".join(f"--conf {key}={value}" for key, value in settings.items())
        options = options.replace("--conf spark.master=", "--master ")
        words = [arguments[0], DATASET, *arguments[1:], "--json", "--limit", "100000", "--place", place, "--spark-options", options]
        argv = self._cluster.machines.command(NODES + 1, mpsr_cli.command(self._cluster, ["query", *words]))
        env = {**Spark(self._cluster).environment(stock=False), "SPARK_LOCAL_IP": address}
        ended = subprocess.run(argv, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=QUERY_SECONDS)
        if local and ended.returncode != 0:
            raise MpsrError(f"'{' '.join(argv)}' ended with {ended.returncode}: {ended.stderr[-3000:]}")
        return ended.stdout, ended.stderr, ended.returncode

    def _conclude(self):
        self.results.problems = placement_figures.problems(self.results.find(kind_of="reduction"))
        placement_figures.add(self.results, self._rates)
        self.results.save()


def _digest(out):
    """Of the columns and rows of an answer; numbers with nine digits, since sums are rounded in the order of tasks."""
    told = json.loads(out)
    rows = [[float(f"{cell:.9g}") if isinstance(cell, float) else cell for cell in row] for row in told["rows"]]
    return hashlib.sha256(json.dumps([told["columns"], rows]).encode()).hexdigest()
