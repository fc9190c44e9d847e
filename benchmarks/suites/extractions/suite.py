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
"""The suite 'extractions': a NameNode and three DataNodes, clients in Python and Spark, one signal over a day at a time."""

import contextlib
import getpass
import json
import os
import random
import subprocess

from benchmarks.harness import data_layouts, records
from benchmarks.harness.records import Size
from benchmarks.harness.suite import Suite
from benchmarks.suites.extractions import figures as extractions_figures
from benchmarks.suites.extractions.figures import PYTHON, RATE, SPARK
from mpsr_launcher.checkout.setup import ensure_readers
from mpsr_launcher.cluster import mpsr_cli
from mpsr_launcher.cluster.cluster import Cluster
from mpsr_launcher.cluster.spark import Spark
from mpsr_launcher.errors import MpsrError
from mpsr_launcher.pids import cpu_time

DATANODES = 3
DATASET, SINGLE = "/bench/meas", "/bench/single"
DAY_NS = 86_400 * 10**9
EXTRACTIONS, CHART = "extractions", "chart"
PARTS = (EXTRACTIONS, CHART)
WARM, PYTHON_EXTRACTIONS, SPARK_EXTRACTIONS = 50, 2_000, 200
PROCESSES, THREADS, RATE_SECONDS = 2, 16, 30
CHART_ROUNDS, WIDTH = 40, 1_000


def size_of(scale):
    """Scale 1 is 100 million records of 5,000 signals in 100 days; smaller scales have fewer signals, of which a day has as many records."""
    return Size(round(100_000_000 * scale), max(50, round(5_000 * min(1.0, scale))), 100)


def part_of(run):
    """The part that a run belongs to."""
    return CHART if run["kind"] == "chart" or run.get("dataset") == SINGLE else EXTRACTIONS


class Extractions(Suite):
    """One run: random extractions by both clients, as many a second as CALS has, and a chart of all records of one signal."""

    name = "extractions"

    def __init__(self, checkout, console, arguments):
        self._parts = arguments.only.split(",") if arguments.only else PARTS
        if set(self._parts) - set(PARTS):
            raise MpsrError(f"--only {arguments.only}: the parts of extractions are {', '.join(PARTS)}")
        super().__init__(checkout, console, arguments, others=lambda run: part_of(run) not in self._parts)
        self._size = Size(20_000, 20, 4) if arguments.quick else size_of(arguments.scale)
        self._asked = 30 if arguments.quick else PYTHON_EXTRACTIONS
        self._spark_asked = 5 if arguments.quick else SPARK_EXTRACTIONS
        self._rate_seconds = 2 if arguments.quick else RATE_SECONDS
        self._chart_rounds = 2 if arguments.quick else CHART_ROUNDS
        self._cluster = None

    def run(self):
        """Runs on a cluster of its own; returns the exit code: 1 when the clients have other answers."""
        self._cluster = cluster = Cluster(self._checkout, f"bench-{self.name}")
        cluster.stop(self._console)
        cluster.wipe()
        with contextlib.ExitStack() as stack:
            stack.callback(cluster.stop, self._console)
            cluster.start(self._console, DATANODES, DATANODES, kafka=False)
            if EXTRACTIONS in self._parts:
                self._load(DATASET, self._size)
                asked = self._drawn()
                self._extract(asked)
                self._rate(asked)
                self._conclude()
            if CHART in self._parts:
                self._chart()
                self._conclude()
        if not self._keep:
            cluster.wipe()
        count, rows = extractions_figures.compared(self.results.runs)
        return self._show(extractions_figures.text(self.results), f"{count} extractions with {rows:,} records are equal to Spark's")

    def _load(self, dataset, size):
        source = self._cluster.directory / "records.parquet"
        records.generate(self._cluster, self._console, source, size, self._seed)
        records.require_space(self._cluster.directory, f"filling {dataset}", size.records, records.FILLED_BYTES)
        cost = data_layouts.load_mpsr(self._cluster, dataset, source, size.records)
        source.unlink()
        self.results.add({"kind": "load", "dataset": dataset, "records": size.records, **cost, **data_layouts.stored_mpsr(self._cluster, dataset)})
        self._console.say(f"loaded {dataset} with {size.records:,} records in {cost['seconds']:.1f} s")

    def _drawn(self):
        """One signal over one day each, drawn from those that there are."""
        signals = self._spark({"signals": True})["signals"]
        rng, found = random.Random(self._seed), []
        for _ in range(self._asked):
            signal, first, last = rng.choice(signals)
            start = first + rng.randrange(max(1, last - first - DAY_NS))
            found.append({"signal": signal, "start": start, "end": start + DAY_NS})
        return found

    def _extract(self, asked):
        told = self._python([{"extractions": asked, "warm": min(WARM, len(asked))}])[0]
        self._keep_runs(PYTHON, told["found"])
        self._conclude()
        told = self._spark({"extractions": asked, "warm": min(WARM, self._spark_asked), "timed": self._spark_asked})
        self._keep_runs(SPARK, told["found"])
        for number, answer in enumerate(told["all"]):
            self.results.runs.append({"kind": "answer", "number": number, **answer})
        self._conclude()

    def _keep_runs(self, client, found):
        for number, run in enumerate(found):
            self.results.runs.append({"kind": "extraction", "client": client, "number": number, **run})
        self.results.save()

    def _rate(self, asked):
        """As many a second as CALS answers, in some processes; what each process of the cluster computes meanwhile."""
        share = [asked[number::PROCESSES] for number in range(PROCESSES)]
        count = RATE * self._rate_seconds // PROCESSES
        requests = [
            {"extractions": (part * (1 + count // len(part)))[:count], "warm": min(WARM, len(part)), "every": PROCESSES / RATE, "threads": THREADS}
            for part in share
        ]
        before = self._cpu()
        told = self._python(requests)
        after = self._cpu()
        cpu = {name: after[name] - before[name] for name in after} | {"clients": sum(each["cpuSeconds"] for each in told)}
        found = [run for each in told for run in each["found"]]
        latencies, own = ([run[key] for run in found] for key in ("seconds", "own"))
        run = {"kind": "rate", "asked": RATE, "processes": PROCESSES, "seconds": max(each["seconds"] for each in told)}
        self.results.add({**run, "latencies": latencies, "own": own, "cpuSeconds": cpu})

    def _cpu(self):
        names = [name for name in self._cluster.processes.names() if name == "namenode" or name.startswith("dn")]
        return {name: cpu_time(self._cluster.processes.pid(name)) for name in names}

    def _chart(self):
        """A chart of all records of one signal, as many as the other dataset has in all."""
        days = self._size.days
        self._load(SINGLE, Size(self._size.records, 1, days, 1))
        ((_, first, last),) = self._spark({"signals": True}, SINGLE)["signals"]
        asked = {"begin": first, "end": last + 1, "width": WIDTH, "rounds": self._chart_rounds, "dataset": self._cluster.state.fs_uri + SINGLE}
        settings = {"spark.mpsr.answers.bytes": "268435456", "spark.sql.execution.arrow.pyspark.enabled": "true"}
        settings["spark.sql.sources.parallelPartitionDiscovery.threshold"] = "1000"  # the driver lists them
        told = self._spark({"chart": asked}, SINGLE, settings)
        groups = mpsr_cli.ask(self._cluster, ["dataset", "show", SINGLE])["groups"]
        least = min(group["bytes"] for group in groups.values())
        self.results.add({"kind": "chart", **told, "bytes": least, "share": 16 * told["points"] / least})

    def _python(self, requests):
        """What processes with the Python client tell, which run at the same time."""
        state = self._cluster.state
        active = state.namenodes[0]
        common = {"cluster": f"http://{state.address}:{state.ports[f'{active}.http']}", "user": getpass.getuser()}
        common |= {"hosts": str(self._cluster.conf / "hosts"), "dataset": DATASET}
        path = [self._checkout.root, self._checkout.root / "python" / "src"]
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))}
        python, started = ensure_readers(self._checkout, self._console) / "bin" / "python", []
        for number, request in enumerate(requests):
            argv = [str(python), "-m", "benchmarks.suites.extractions.client", self._file(number, {**common, **request})]
            started.append(subprocess.Popen(argv, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
        return [json.loads(_ended(process)) for process in started]

    def _spark(self, request, dataset=DATASET, settings=None):
        """What a process with Spark tells."""
        request = {"dataset": self._cluster.state.fs_uri + dataset, **request}
        env = Spark(self._cluster).environment(stock=False)
        env["PYTHONPATH"] = os.pathsep.join(map(str, (self._checkout.root, self._checkout.launcher)))
        submitted = {"spark.driver.memory": "1800m", "spark.driver.maxResultSize": "0", "spark.ui.enabled": "false", **(settings or {})}
        env["PYSPARK_SUBMIT_ARGS"] = " ".join([*(f"--conf {key}={value}" for key, value in submitted.items()), "pyspark-shell"])
        argv = [str(self._checkout.venv / "bin" / "python"), "-m", "benchmarks.suites.extractions.spark_client", self._file("spark", request)]
        process = subprocess.Popen(argv, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        lines = [line for line in _ended(process).splitlines() if line.startswith("answer ")]
        return json.loads(lines[-1].removeprefix("answer "))

    def _file(self, name, request):
        file = self._cluster.directory / f"asked-{name}.json"
        file.write_text(json.dumps(request), encoding="utf-8")
        return str(file)

    def _conclude(self):
        self.results.notes.clear()
        self.results.problems = extractions_figures.problems(self.results.runs)
        extractions_figures.add(self.results)
        self.results.save()


def _ended(process):
    out, err = process.communicate()
    if process.returncode != 0:
        raise MpsrError(f"'{' '.join(process.args)}' ended with {process.returncode}: {err[-3000:]}")
    return out
