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
"""The layouts that 'peers' compares, and how each is filled."""

import json
from dataclasses import dataclass

from mpsr_launcher.checkout import java
from mpsr_launcher.checkout.artifacts import fetched
from mpsr_launcher.cluster import mpsr_cli
from mpsr_launcher.cluster.webhdfs import WebHdfs
from mpsr_launcher.errors import MpsrError

ICEBERG = "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13"
ICEBERG_VERSION = "1.12.0"
CATALOG = "ice"
GATEWAY = "gateway"
WAREHOUSE = "/bench/iceberg"
SCHEMA = (
    "signal string not null, device string not null, system string not null, timestamp_ns timestamp_ns not null,"
    " value double, fill bigint not null, mode string not null"
)
STOCK, PEER, OURS = "stock", "iceberg", "mpsr"
COMMIT_RECORDS = 10_000_000
"""The most of a commit of the loader, as of the sink."""


@dataclass(frozen=True)
class Layout:
    """A layout: which session reads it, what of, where its files lie, and which other layout's files it shares; whether it is
    rewritten after it was written; of MPSR, in how many commits it is loaded and then merged, 0 for as few as may be."""

    name: str
    session: str
    table: dict
    directory: str
    kind: str = ""
    filled_by: str = ""
    rewritten: bool = False
    merged: int = 0

    @property
    def loaded(self):
        """The layout whose load fills it."""
        return self.filled_by or self.name


def layouts(fs_uri, root="/bench", groups=("time", "signal", "device")):
    """All layouts, stock's time partitioning first: its answers are the right ones. Iceberg's are not below ``root``."""
    dataset = f"{root}/mpsr"
    found = [
        Layout("hdfs-time", STOCK, {"path": f"{fs_uri}{root}/hdfs-time"}, f"{root}/hdfs-time", "time"),
        Layout("hdfs-signal", STOCK, {"path": f"{fs_uri}{root}/hdfs-signal"}, f"{root}/hdfs-signal", "signal"),
        Layout("iceberg-sorted", PEER, {"name": f"{CATALOG}.bench.sorted"}, f"{WAREHOUSE}/bench/sorted", "sorted"),
        Layout("iceberg-zorder", PEER, {"name": f"{CATALOG}.bench.zorder"}, f"{WAREHOUSE}/bench/zorder", "zorder", rewritten=True),
    ]
    path = {"path": fs_uri + dataset}
    for group in groups:
        found.append(Layout(f"mpsr-{group}", OURS, {**path, "group": group}, dataset, filled_by="mpsr"))
    return [*found, Layout("mpsr", OURS, path, dataset)]


def through_iceberg(layout):
    """A layout of MPSR as Spark reads it with Iceberg alone, through a gateway."""
    name = ".".join((GATEWAY, *(f"`{part}`" for part in layout.directory[1:].split("/"))))
    return Layout("catalog", PEER, {"name": name}, layout.directory, filled_by=layout.name)


def settings(session, iceberg=None, quick=False):
    """What a session is set to besides the cluster's own configuration. ``iceberg`` is its jar. Quick: it starts fast and
    runs slowly."""
    found = {"spark.driver.memory": "1800m", "spark.sql.shuffle.partitions": "4"}
    if quick:
        found.update({"spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"})
    if session == PEER:
        found["spark.jars"] = str(iceberg)
        found["spark.sql.extensions"] = "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions"
    return found


def iceberg_jar(checkout, console, runtime=ICEBERG, version=ICEBERG_VERSION):
    """Iceberg's runtime for a Spark, by default for that of the distribution, taken by Maven once."""
    return fetched(checkout, console, checkout.work / "bench", f"{runtime}:{version}", "48 MB")


def drop_mpsr(cluster, dataset):
    """Deletes a dataset, and whatever lies in its directory, if there is any."""
    known = mpsr_cli.ask(cluster, ["dataset", "list"])["datasets"]
    if dataset in [each["path"] for each in known]:
        mpsr_cli.ask(cluster, ["dataset", "drop", dataset])
    WebHdfs(cluster).delete(dataset)


def load_mpsr(cluster, dataset, source, records, most=COMMIT_RECORDS):
    """Fills the dataset as a sink with its default limits would from a backlog, with at most so many records in a commit;
    tells the seconds and the CPU seconds of the loader, and how many commits it made."""
    mpsr_cli.ask(cluster, ["dataset", "create", dataset, "--schema", SCHEMA])
    arguments = ["--file", str(source), "--fs", cluster.state.fs_uri, "--dataset", dataset, "--commit-records", str(most)]
    lines = []
    # The records of a commit, while they are sorted and written, take at most some 200 bytes each.
    command = java.bulk_load(cluster.checkout.share, cluster.conf, arguments, 512 + min(records, most) * 200 // 10**6)
    code = cluster.processes.run("bulk-load", command, on_line=lines.append)
    found = [line for line in lines if line.startswith("{")]
    if code != 0 or not found:
        raise MpsrError(f"the loader ended with {code}. Its log:\n{cluster.processes.tail('bulk-load')}")
    told = json.loads(found[-1])
    if told["records"] != records:
        raise MpsrError(f"the loader has committed {told['records']} records of {records}")
    return {key: told[key] for key in ("seconds", "cpuSeconds", "commits")}


def stored_mpsr(cluster, dataset):
    """Files, and bytes, in all groups."""
    groups = mpsr_cli.ask(cluster, ["dataset", "show", dataset])["groups"].values()
    return {key: sum(group[key] for group in groups) for key in ("files", "bytes")}
