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
"""bin/mpsr quickstart: the whole path once, on real parts and real data."""

import json
from pathlib import Path

from mpsr_launcher.cluster import catalog, mpsr_cli
from mpsr_launcher.cluster.cluster import Cluster, cluster_names
from mpsr_launcher.cluster.ingest import Ingest
from mpsr_launcher.cluster.spark import Spark
from mpsr_launcher.errors import MpsrError
from mpsr_launcher.quickstart import closing, queries, report

NAME = "quickstart"
SHIPPED = "lhb_scada.parquet"
FLUSH_RECORDS = 1_000_000
FLUSH_INTERVAL_MS = 8_000


class Quickstart:
    """One run. Every step leaves what it found; ``problems`` says in words what differs or is missing."""

    def __init__(self, checkout, console, data, size, name=None):
        """``data`` is a Parquet file instead of the shipped one, ``size`` the numbers of DataNodes and racks, ``name`` the
        cluster's where the user has chosen one."""
        self._console = console
        self._checkout = checkout
        self._shipped = data is None
        self._data = Path(data).resolve() if data else checkout.benchmarks / "data" / SHIPPED
        self._size = size
        self._named = name is not None
        self._cluster = Cluster(checkout, name or NAME)
        self._mark = self._cluster.directory / "quickstart"
        self._ingest = Ingest(self._cluster, partitions=1)
        self.problems = []
        self.groups = {}
        self.queries = []
        self._asked = {}
        self.violations = None
        self.stable = None

    def run(self, json_file, keep):
        """Runs all steps; returns the exit code. The cluster is stopped at the end, unless it is to be kept."""
        if not self._data.is_file():
            raise MpsrError(f"--data {self._data}: there is no such file; give a Parquet file with the quickstart's columns")
        self._make_room()
        done = False
        try:
            self._cluster.start(self._console, *self._size, await_worker=False)
            self._mark.touch()
            self._steps()
            self._show(json_file)
            done = True
        finally:
            if not (keep and done):
                self._cluster.stop(self._console)
        if keep:
            uri = catalog.start(self._cluster)
            print(closing.while_it_is_up(self._cluster, uri, self._ingest.dataset, self._asked["signal"]), flush=True)
        return 1 if self.problems else 0

    def _make_room(self):
        """Deletes the cluster of an earlier quickstart. Any other cluster of that name is left alone."""
        for name in [self._cluster.name] if self._named else cluster_names(self._checkout):
            if Cluster(self._checkout, name).is_running():
                raise MpsrError(f"cluster '{name}' runs already: stop it first with 'bin/mpsr cluster stop'")
        if self._cluster.state and self._cluster.name != NAME and not self._mark.is_file():
            raise MpsrError(
                f"cluster '{self._cluster.name}' (MPSR_CLUSTER) has data that no quickstart has made: name another cluster,"
                " or delete it with 'bin/mpsr cluster stop --wipe'"
            )
        self._cluster.stop(self._console)
        self._cluster.wipe()

    def _steps(self):
        self._fill()
        self._check_placement()
        self._verify_contents()
        self._restart_namenode()
        self._console.say("running the queries: first with stock Spark, then with MPSR's extension (spark.sql.extensions)")
        self.queries, self._asked = queries.run_both(self._cluster, self._ingest.dataset, self._data, self._console)
        for query in self.queries:
            self.problems += query.problems(self._shipped)

    def _fill(self):
        say, update = self._console.say, self._console.update
        update(f"creating dataset {self._ingest.dataset}")
        self._ingest.create_dataset()
        say(f"created dataset {self._ingest.dataset}")
        update("sending the records to Kafka")
        self._sent = self._ingest.produce(self._data, on_progress=lambda n: update(f"produced {n:,} messages"))
        say(f"produced {self._sent:,} protobuf messages from {self._data.name}")
        self._cluster.await_worker(self._console)
        update("creating the connector")
        self._ingest.create_connector(FLUSH_RECORDS, FLUSH_INTERVAL_MS)
        self._ingest.await_committed(self._sent, on_progress=lambda n: update(f"committed {n:,} of {self._sent:,}"))
        say(f"committed {self._sent:,} messages in every replica group")

    def _check_placement(self):
        self._console.update("checking where each block lies")
        found = mpsr_cli.ask(self._cluster, ["dataset", "check", self._ingest.dataset], failure_allowed=True)
        self.violations = len(found["violations"])
        self._console.say(f"checked {found['blocks']:,} blocks: {self.violations} lie outside their group")
        if self.violations:
            self.problems.append(f"blocks outside their group's nodes: {found['violations'][:5]}")
        if not found["blocks"]:
            self.problems.append("the placement check found no block")

    def _verify_contents(self):
        self._console.update("comparing the records of the groups, as their files lie")
        output = self._cluster.directory / "verify.json"
        output.unlink(missing_ok=True)
        command = Spark(self._cluster).verify(self._ingest.dataset, output)
        code = self._cluster.processes.run("spark-verify", command, Spark(self._cluster).environment(False))
        if not output.is_file():
            end = self._cluster.processes.tail("spark-verify")
            raise MpsrError(f"the comparison of the replica groups ended with {code}. Its log:\n{end}")
        found = json.loads(output.read_text(encoding="utf-8"))
        self.groups = found["groups"]
        self._compare_groups(found["equal"] and code == 0)

    def _compare_groups(self, equal):
        known = self._ingest.show()["groups"]
        hashes = {group["contentHash"] for group in self.groups.values()}
        if not equal or len(hashes) != 1:
            self.problems.append(f"the replica groups hold different records: {self.groups}")
        for name, group in self.groups.items():
            if group["records"] != self._sent:
                self.problems.append(f"group {name} holds {group['records']} records; {self._sent} were sent")
        if set(known) != set(self.groups):
            self.problems.append(f"groups in the NameNode: {sorted(known)}; with files: {sorted(self.groups)}")
        for name in set(known) & set(self.groups):
            if any(known[name][key] != self.groups[name][key] for key in ("records", "contentHash")):
                self.problems.append(f"group {name}: the NameNode says {known[name]}, its files {self.groups[name]}")
        self._console.say(f"{len(self.groups)} groups hold {'the same' if len(hashes) == 1 else 'DIFFERENT'} records")

    def _restart_namenode(self):
        self._console.update("restarting the NameNode")
        before = self._allocation()
        self._cluster.restart_namenode(self._console)
        after = self._allocation()
        self.stable = before == after and all(before.values())
        self._console.say(f"NameNode restarted: allocation of nodes {'unchanged' if self.stable else 'CHANGED'}")
        if not self.stable:
            self.problems.append(f"allocation before the restart {before}, after {after}")

    def _allocation(self):
        found = mpsr_cli.ask(self._cluster, ["groups"])
        if found["state"] != "ready":
            raise MpsrError(f"MPSR is {found['state']}: {found['problems']}")
        return {group["name"]: sorted(node["uuid"] for node in group["nodes"]) for group in found["groups"]}

    def _show(self, json_file):
        result = report.as_json(self.groups, self.queries, self.violations, self.stable, self._checkout)
        if json_file:
            Path(json_file).write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
        print(f"\n{report.group_table(self.groups)}\n\n{report.table(self.queries)}\n", flush=True)
        for problem in self.problems:
            self._console.say(f"PROBLEM {problem}")
        verdict = f"{len(self.problems)} problems" if self.problems else "every answer is equal to stock's"
        self._console.say(f"done: {verdict}; {len(self.queries)} queries")
        if not self.problems:
            print(f"\n{closing.what_was_shown(self.groups, self.queries)}", flush=True)
