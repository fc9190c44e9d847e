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
"""Runs the query script with stock Spark and with MPSR, and compares."""

import json
import re
from dataclasses import dataclass

from mpsr_launcher.cluster.spark import Spark
from mpsr_launcher.errors import MpsrError

EXTENSION = "org.hadoopmpsr.spark.MpsrSparkSessionExtensions"

# What the shipped data's queries must be answered by. Not listed: several groups are about as cheap.
EXPECTED_GROUPS = {
    "one_signal_all_time": "signal",
    "two_signals_joined": "signal",
    "one_day_all_signals": "time",
    "six_hours_by_timestamp": "time",
    "one_device_all_time": "device",
}


@dataclass(frozen=True)
class Query:
    """One query in both runs, each a dict with seconds, bytes, files, digest and scans."""

    name: str
    stock: dict
    mpsr: dict

    @property
    def groups(self):
        """The groups that the scans were given, without repetition; empty when MPSR took no part."""
        found = [re.search(r"parquet\[mpsr ([A-Za-z0-9_-]+)", scan) for scan in self.mpsr["scans"]]
        return list(dict.fromkeys(match.group(1) for match in found if match))

    @property
    def group(self):
        """The groups in one word."""
        return "+".join(self.groups)

    @property
    def equal(self):
        """Whether both runs gave the same answer."""
        return self.stock["digest"] == self.mpsr["digest"]

    def problems(self, shipped_data):
        """What is wrong with this query, in words."""
        if not self.equal:
            yield f"{self.name}: another answer than stock: {self.mpsr['sample']} instead of {self.stock['sample']}"
        if not self.groups or not all("parquet[mpsr " in scan for scan in self.mpsr["scans"]):
            yield f"{self.name}: MPSR took no part; EXPLAIN shows {self.mpsr['scans']}"
        if any("mpsr" in scan for scan in self.stock["scans"]):
            yield f"{self.name}: the stock run was not stock; EXPLAIN shows {self.stock['scans']}"
        if shipped_data:
            yield from self._unexpected()

    def _unexpected(self):
        expected = EXPECTED_GROUPS.get(self.name)
        if expected and self.group != expected:
            yield f"{self.name}: read group '{self.group}', expected '{expected}'; EXPLAIN shows {self.mpsr['scans']}"
        if self.name.startswith("one_signal") and self.mpsr["bytes"] * 5 > self.stock["bytes"]:
            yield f"{self.name}: read {self.mpsr['bytes']} bytes, more than a fifth of stock's {self.stock['bytes']}"


def run_both(cluster, dataset, source, console):
    """Runs the script twice, stock first, with the same parameters; returns the queries, and what they asked for.

    ``source`` is the Parquet file that the dataset was filled from.
    """
    stock = _run(cluster, dataset, ["--source", source.as_uri()], "stock", console)
    mpsr = _run(cluster, dataset, ["--like", str(_output(cluster, "stock"))], "mpsr", console)
    if stock["extensions"] or EXTENSION not in mpsr["extensions"]:
        raise MpsrError(f"spark.sql.extensions was '{stock['extensions']}' in the stock run, '{mpsr['extensions']}' with MPSR")
    pairs = zip(stock["queries"], mpsr["queries"])
    return [Query(one["name"], one, other) for one, other in pairs], mpsr["parameters"]


_NAMES = {"stock": "stock Spark", "mpsr": "Spark with MPSR"}


def _output(cluster, kind):
    return cluster.directory / f"queries-{kind}.json"


def _run(cluster, dataset, parameters, kind, console):
    spark = Spark(cluster)
    output = _output(cluster, kind)
    output.unlink(missing_ok=True)
    script = cluster.checkout.launcher / "mpsr_launcher" / "quickstart" / "spark_queries.py"
    command = [spark.program("spark-submit"), str(script), "--path", cluster.state.fs_uri + dataset]
    command += [*parameters, "--output", str(output)]
    name = f"spark-{kind}"

    console.update(f"{_NAMES[kind]}: starting")

    def show(line):
        word, _, rest = line.partition(" ")
        if word == "step":
            console.update(f"{_NAMES[kind]}: {rest}")

    environment = {**spark.environment(kind == "stock"), "PYTHONPATH": str(cluster.checkout.launcher)}
    code = cluster.processes.run(name, command, environment, show)
    if code != 0:
        raise MpsrError(f"the {kind} run of the queries ended with {code}. Its log:\n{cluster.processes.tail(name)}")
    return json.loads(output.read_text(encoding="utf-8"))
