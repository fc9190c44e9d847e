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
"""The suite 'adoption': an archive of small and large files of several writers becomes a dataset, alone and under queries."""

import subprocess
import threading
import time

from benchmarks.harness import data_layouts, records
from benchmarks.harness.data_layouts import OURS, STOCK
from benchmarks.harness.records import Size
from benchmarks.harness.stage import Stage
from benchmarks.harness.suite import Suite
from benchmarks.suites.adoption import figures as adoption_figures
from mpsr_launcher.checkout.setup import ensure_readers
from mpsr_launcher.cluster import mpsr_cli
from mpsr_launcher.cluster.cluster import Cluster

ADOPT = "adopt"
"""The session that adopts, while others ask."""
SMALL, LARGE = 100_000, 1_000
SMALL_ROWS, LARGE_ROWS = 50, 10_000
NAMES = ("signal", "device", "hour", "all")
QUERIES = "benchmarks.suites.adoption.queries"
TIME_COLUMN = "timestamp_ns timestamp_ns"
READ_AS = "signal string, device string, system string, timestamp_ns bigint, value double, fill bigint, mode string, day date"
DAYS, SIGNALS, DEVICES = 10, 1_000, 50
OTHERS = {"pyarrow": 0.1, "duckdb": 0.1}
"""The shares of small files that others than Spark write."""


class Adoption(Suite):
    """One run."""

    name = "adoption"
    kinds = (STOCK, OURS)

    def __init__(self, checkout, console, arguments):
        super().__init__(checkout, console, arguments)
        scale = 0.0005 if arguments.quick else arguments.scale
        self._small, self._large = max(20, round(SMALL * scale)), max(2, round(LARGE * scale))
        rows = self._small * SMALL_ROWS + self._large * LARGE_ROWS
        self._size = Size(rows, SIGNALS, DAYS, DEVICES)
        self._stage = None
        self._path = f"{self._size.root}/archive"
        self._parameters = {}
        self._source = None
        self._uri = ""

    def run(self):
        """Runs on a cluster of its own; returns the exit code: 1 when an answer differs from stock's."""
        cluster = Cluster(self._checkout, f"bench-{self.name}")
        cluster.stop(self._console)
        cluster.wipe()
        with Stage(cluster, self._console, keep=self._keep) as stage:
            stage.start(9, 3)
            session = {**data_layouts.settings(STOCK), "spark.jars": str(self._checkout.spark_jar())}
            stage.open({**{kind: data_layouts.settings(kind) for kind in self.kinds}, ADOPT: session})
            return self.on(stage, ADOPT)

    def on(self, stage, adopter=OURS):
        """Runs on a stage with sessions of these kinds; returns the exit code."""
        self._stage = stage
        self._uri = stage.cluster.state.fs_uri
        records.require_space(stage.cluster.directory, "the archive", self._size.records, 2 * records.FILLED_BYTES)
        self._source = stage.cluster.directory / "archive.parquet"  # the stage's own is of other suites
        records.generate(stage.cluster, self._console, self._source, self._size, self._seed)
        archive = self._archive()
        self._console.say(f"the archive has {archive['files']:,} files, {archive['bytes'] / 1e6:,.1f} MB with all copies")
        self._parameters = stage.ask(STOCK, "asked", source=self._source.as_uri())
        before = self._answers(STOCK)
        survey = {"path": self._uri + self._path, "schema": TIME_COLUMN}
        footers = self._stage.ask(adopter, "survey", **survey, sample=0)
        dry = {**self._stage.ask(adopter, "survey", **survey), "footerSeconds": footers["seconds"]}
        self._console.say(f"the dry run took {dry['seconds']:.1f} s, without a trial {footers['seconds']:.1f} s")
        self._adopt("alone", adopter, archive, before, dry, asking=False)
        if adopter == ADOPT:
            mpsr_cli.ask(stage.cluster, ["dataset", "drop", self._path, "--now"])
            self._await_copies(archive["bytes"])
            archive = self._stored(self._path)
            self._adopt("asked", adopter, archive, self._answers(STOCK), dry, asking=True)
        adoption_figures.add(self.results)
        self.results.save()
        return self._show(adoption_figures.text(self.results), "every answer was stock's")

    def _adopt(self, name, adopter, archive, before, dry, asking):
        """Adopts the archive, and asks meanwhile; keeps what that took and which answers differed."""
        cluster = self._stage.cluster
        told, problems = {}, []
        used = [self._used()]
        worker = threading.Thread(target=lambda: told.update(self._adopted(adopter)))
        worker.start()
        rounds = 0
        while worker.is_alive():
            if asking:
                self._stage.ask(STOCK, "more", path=self._uri + self._path, source=self._source.as_uri(), number=rounds)
                problems += self._compare(f"round {rounds}, while files are adopted")
                rounds += 1
            used.append(self._used())
            time.sleep(0 if asking else 1)
        worker.join()
        if "error" in told:
            problems.append(told["error"])
        problems += self._compare("after the adoption")
        if not asking and self._answers(STOCK) != before:
            problems.append("the answers of stock Spark changed")
        shown = mpsr_cli.ask(cluster, ["dataset", "show", self._path])["groups"]
        written = {group: found["bytes"] for group, found in shown.items()}
        self.results.add(
            {
                "kind": "adopt",
                "name": name,
                "files": archive["files"],
                "storedBefore": archive["bytes"],
                "used": [used[0], max(used)],
                "rounds": rounds,
                "dry": dry,
                "told": told,
                "written": written,
                "problems": problems,
            }
        )
        self.results.problems += [f"{name}: {problem}" for problem in problems]

    def _adopted(self, adopter):
        try:
            return self._stage.ask(adopter, "adopt", path=self._uri + self._path, schema=TIME_COLUMN)
        except Exception as error:  # the suite fails, once the other sessions are done
            return {"error": str(error)}

    def _archive(self):
        """Writes the files: the small ones of the first records, of an older form by Spark, and by others; the large ones then."""
        shares = {engine: round(self._small * share) for engine, share in OTHERS.items()}
        ensure_readers(self._checkout, self._console)
        begins = 0
        for engine, files in shares.items():
            directory = self._stage.cluster.directory / f"archive-{engine}"
            self._local(engine, directory, files, begins)
            self._stage.ask(STOCK, "put", source=directory.as_uri(), path=self._uri + self._path)
            begins += files * SMALL_ROWS
        total = self._size.records
        small = self._small * SMALL_ROWS / total
        parts = [
            {"first": begins / total, "end": small, "rows_of_file": SMALL_ROWS, "older": True},
            {"first": small, "end": 1, "rows_of_file": LARGE_ROWS, "older": False},
        ]
        self._stage.ask(STOCK, "archive", source=self._source.as_uri(), path=self._uri + self._path, parts=parts)
        return self._stored(self._path)

    def _local(self, engine, directory, files, begins):
        python = self._checkout.work / "readers" / "bin" / "python"
        script = self._checkout.benchmarks / "suites" / "adoption" / "local_files.py"
        numbers = [str(files), str(SMALL_ROWS), str(begins)]
        subprocess.run([str(python), str(script), engine, str(self._source), str(directory), *numbers], check=True)

    def _stored(self, path):
        return self._stage.ask(STOCK, "stored", path=self._uri + path)

    def _used(self):
        """The bytes on all disks. Files that are being written do not count: HDFS would count a whole block for each."""
        return self._stage.ask(STOCK, "used", path=self._uri)["bytes"]

    def _await_copies(self, stored):
        while self._stored(self._path)["bytes"] < stored:
            time.sleep(1)

    def _answers(self, kind):
        table = {"path": self._uri + self._path, "schema": READ_AS}
        self._stage.ask(kind, "open", table=table)
        return {
            name: self._stage.ask(kind, "query", queries=QUERIES, query=name, table=table, parameters=self._parameters)["digest"]
            for name in NAMES
        }

    def _compare(self, when):
        stock, ours = self._answers(STOCK), self._answers(OURS)
        return [f"{when}: the answer of '{name}' differs" for name in NAMES if stock[name] != ours[name]]
