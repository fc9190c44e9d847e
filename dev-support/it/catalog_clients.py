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
"""Sparks with Iceberg alone, which read a dataset through a gateway."""

import getpass
import json
import subprocess
from pathlib import Path

from benchmarks.harness import data_layouts, records
from benchmarks.harness.records import Size
from mpsr_launcher.checkout import sparks
from mpsr_launcher.checkout.checkout import Checkout
from mpsr_launcher.checkout.setup import ensure_venv
from mpsr_launcher.cluster.spark import Spark
from mpsr_launcher.errors import MpsrError

SIZE = Size(20_000, 200, 4, 20)
QUICK = 100
"""To compile well takes longer than so few queries."""
RUNTIMES = {
    "4.1": data_layouts.ICEBERG,
    "4.0": "org.apache.iceberg:iceberg-spark-runtime-4.0_2.13",
    "3.5": "org.apache.iceberg:iceberg-spark-runtime-3.5_2.12",
}
"""Iceberg's artifacts by the Sparks that they are for."""


def load(cluster, console, dataset, size=SIZE):
    """Makes a dataset with generated records."""
    source = cluster.directory / "catalog.parquet"
    records.generate(cluster, console, source, size, 1)
    data_layouts.load_mpsr(cluster, dataset, source, size.records)


def told(cluster, spark, command, quick=False):
    """What a program prints as its last line, as JSON, when stock Spark runs it by this command. Quick: compiled lightly."""
    environment = {**spark.environment(stock=True), **({"JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1"} if quick else {})}
    done = subprocess.run(command, env=environment, cwd=cluster.directory, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        # spark-submit prints what the program writes to either as its own output
        raise MpsrError(f"Spark ended with {done.returncode}:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return json.loads(done.stdout.splitlines()[-1])


class SparkClient:
    """Spark of a version, with a version of Iceberg."""

    def __init__(self, cluster, console, spark="4.1", iceberg=data_layouts.ICEBERG_VERSION):
        self._cluster = cluster
        checkout = cluster.checkout
        if spark in sparks.OTHERS:
            checkout = Checkout(checkout.root, checkout.run, sparks.OTHERS[spark])
            ensure_venv(checkout, console)
        self._spark = Spark(cluster, checkout)
        self._jar = data_layouts.iceberg_jar(checkout, console, RUNTIMES[spark], iceberg)

    def ask(self, uri, dataset, queries, seed):
        """What ``catalog_spark.py`` prints of a dataset of the cluster."""
        program = str(Path(__file__).with_name("catalog_spark.py"))
        path, table = self._cluster.state.fs_uri + dataset, dataset[1:].replace("/", ".")
        command = [self._spark.program("spark-submit"), "--jars", str(self._jar), program, uri, getpass.getuser(), table, path]
        return told(self._cluster, self._spark, [*command, str(queries), str(seed)], quick=queries <= QUICK)
