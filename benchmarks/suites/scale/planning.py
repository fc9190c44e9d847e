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
"""The part 'planning' of the suite 'scale': a NameNode with files that exist in its memory only, and who plans reads of them."""

import json
import random
import subprocess
import time
import urllib.request
from datetime import date, timedelta

from benchmarks.harness import data_layouts
from benchmarks.harness.data_layouts import GATEWAY, OURS, PEER, STOCK
from benchmarks.harness.stage import Stage
from benchmarks.suites.namenode import suite as namenode
from mpsr_launcher.checkout import java
from mpsr_launcher.cluster.cluster import Cluster
from mpsr_launcher.cluster.config_files import site, site_properties
from mpsr_launcher.errors import MpsrError

DAYS = 334  # Each commit of the planned dataset has a file of each in each of its three groups.
SERVED = "namenode"
WARM_UP = 2
OPENS = 2  # At a million files stock's listing takes most of the time.
SCHEMA = "signal string, device string, system string, timestamp_ns bigint, value double, day date"
DATASET = "/bench/meas"
CATALOG, TABLE = "planned", "bench.files"
THROUGH_CATALOG = "catalog"
"""Stock Spark with Iceberg, which asks a gateway for MPSR's files."""
GATEWAY_PLANS = 15
DAY_NS = 24 * 3600 * 10**9
FIRST_DAY = 16_000  # since 1970


def commits(files):
    """How many commits so many files in three groups are."""
    return max(1, int(files / (3 * DAYS) + 0.5))


def _day(number):
    day = date(1970, 1, 1) + timedelta(days=FIRST_DAY + number)
    return [str(day), (FIRST_DAY + number) * DAY_NS, (FIRST_DAY + number + 1) * DAY_NS - 1]


def parameters(number):
    """What the queries of a round ask for; each round asks anew, because MPSR keeps plans."""
    which = number % (DAYS - 9)
    signal, device = f"PT-{1005 + which}", f"DEV-{109 + which}"
    return {"signal": signal, "system": "CRYO", "device": device, "day": _day(7 + which), "dayOfSignal": _day(5 + which)}


GROUPS = {"signal": "signal", "day": "time", "device": "device", "both": "signal"}


class Planning:
    """One NameNode at a time, with more and more files. Spark sessions plan queries of them and run none."""

    def __init__(self, checkout, console, seed, rounds, quick, jar):
        self._checkout = checkout
        self._console = console
        self._seed = seed
        self._rounds = rounds
        self._quick = quick
        self._jar = jar
        self._cluster = Cluster(checkout, "bench-scale-planning")
        self._report = self._cluster.directory / "namenode.json"

    def measure(self, results, files, stage=None):
        """Measures with so many files in three groups; with the sessions of a stage, if one is given, else with new ones."""
        self._cluster.stop(self._console)
        self._cluster.wipe()
        self._cluster.prepare(3, 3)
        with Stage(self._cluster, self._console, self._quick) as own:
            server = self._serve(files)
            uri = self._address(server)
            core_site = self._cluster.conf / "core-site.xml"
            core_site.write_text(site({**site_properties(core_site), "fs.defaultFS": uri}), encoding="utf-8")
            if stage is None:
                more = {"spark.driver.memory": "3g"}
                own.open({kind: data_layouts.settings(kind, self._jar, self._quick) | more for kind in (STOCK, PEER, OURS)})
            asked = stage or own
            self._fill_iceberg(asked, uri, commits(files) * DAYS)
            self._ask_gateway(results, asked.gateway(GATEWAY, self._cluster))
            self._plan(results, asked, uri)
            server.stdin.close()
            server.stdout.read()
            if server.wait() != 0:
                raise MpsrError(f"the NameNode has ended with {server.returncode}. Its log:\n{self._tail()}")
            told = json.loads(self._report.read_text(encoding="utf-8"))
            results.add({"kind": "server", "figures": told["figures"], "runs": told["runs"]})

    def _serve(self, files):
        options = ["--serve", "--json", str(self._report)]
        options += ["--quick", "--only", "planning"] if self._quick else ["--files", str(files), "--only", "heap,planning"]
        command = java.in_process_cluster(namenode.class_path(self._checkout), namenode.NAMENODE, options, self._quick)
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self._console.say(f"a NameNode gets {files:,} files in three groups")
        return self._cluster.processes.start(SERVED, command, **pipes)

    def _address(self, server):
        """What it says before it serves are its own figures."""
        for line in server.stdout:
            word, _, rest = line.strip().partition(" ")
            if word == "serving":
                return rest
            self._console.say(f"NameNode: {' '.join(line.split())}")
        raise MpsrError(f"the NameNode does not serve. Its log:\n{self._tail()}")

    def _tail(self):
        return self._cluster.processes.tail(SERVED)

    def _fill_iceberg(self, stage, uri, files):
        warehouse = uri + data_layouts.WAREHOUSE
        stage.catalog(CATALOG, warehouse)
        stage.ask(PEER, "create", table=f"{CATALOG}.{TABLE}")
        arguments = ["--warehouse", warehouse, "--table", TABLE, "--files", str(files)]
        arguments += ["--dataset", uri + DATASET]
        path = [*namenode.class_path(self._checkout), self._jar]
        command = java.in_process_cluster(path, "org.hadoopmpsr.benchmarks.namenode.IcebergFiles", arguments, self._quick)
        if self._cluster.processes.run("iceberg-files", command) != 0:
            raise MpsrError(f"Iceberg's table was not filled. The log:\n{self._cluster.processes.tail('iceberg-files')}")
        self._console.say(f"Iceberg's table has {files:,} files")

    def _ask_gateway(self, results, address):
        """Plans of one signal each, as a client of the gateway gets them, which has asked before."""
        for number in range(-WARM_UP, 1 if self._quick else GATEWAY_PLANS):
            signal = parameters(number + WARM_UP)["signal"]
            body = json.dumps({"filter": {"type": "eq", "term": "signal", "value": signal}, "select": ["signal", "timestamp_ns", "value"]})
            address_of_plan = f"{address}/v1/namespaces/bench/tables/meas/plan"
            request = urllib.request.Request(address_of_plan, body.encode(), {"Content-Type": "application/json"})
            start = time.monotonic()
            with urllib.request.urlopen(request, timeout=600) as answer:
                plan = answer.read()
            seconds = round(time.monotonic() - start, 4)
            planned = len(json.loads(plan)["file-scan-tasks"])
            results.add({"kind": "gateway", "round": number, "seconds": seconds, "bytes": len(plan), "files": planned})

    def _plan(self, results, stage, uri):
        path = {"path": uri + DATASET, "schema": SCHEMA}
        tables = {STOCK: path, PEER: {"name": f"{CATALOG}.{TABLE}"}, OURS: path, THROUGH_CATALOG: {"name": f"{GATEWAY}.bench.meas"}}
        sessions = {system: PEER if system == THROUGH_CATALOG else system for system in tables}
        first = 0 if self._quick else -WARM_UP
        for number in range(first, self._rounds):
            choice = random.Random(self._seed * 1_000_003 + number)
            opened_now = number == first or 0 <= number < OPENS
            for kind in choice.sample(list(tables), len(tables)) if opened_now else ():
                opened = stage.ask(sessions[kind], "open", table=tables[kind])
                results.add({"kind": "open", "system": kind, "round": number, **opened})
            for query in choice.sample(list(GROUPS), len(GROUPS)):
                for kind in choice.sample(list(tables), len(tables)):
                    if kind == PEER and query == "device" and number >= OPENS:
                        continue  # All files pass, and Iceberg asks for the places of each one's blocks.
                    asked = {"table": tables[kind], "query": query, "parameters": parameters(number - first + WARM_UP + GATEWAY_PLANS)}
                    found = stage.ask(sessions[kind], "plan", queries="benchmarks.suites.scale.planning_queries", **asked)
                    results.add({"kind": "plan", "system": kind, "query": query, "round": number, **found})
            self._console.say(f"planned: round {number + 1} of {self._rounds}")
