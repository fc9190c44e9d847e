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
"""Trino as it is published, with its connector for Iceberg, which reads a dataset through a gateway."""

import json
import shutil
import tarfile
import urllib.request
from pathlib import Path

import catalog_compared
from mpsr_launcher import waiting
from mpsr_launcher.checkout.artifacts import fetched
from mpsr_launcher.checkout.setup import lock
from mpsr_launcher.cluster.ports import free_ports
from mpsr_launcher.errors import MpsrError

VERSION = "476"
"""The last one whose server is a file of a Maven repository."""
JAVA = 24
"""The oldest Java that it runs on."""
WEBHDFS = ("com.sun.jersey:jersey-client:1.19.4", "com.sun.jersey:jersey-core:1.19.4", "javax.ws.rs:jsr311-api:1.1.1")
"""What Trino's own build of Hadoop lacks for ``webhdfs``."""
PROCESS = "trino"
CATALOG = "hdfs"
OPTIONS = (
    *("-Xmx1g", "-XX:+ExitOnOutOfMemoryError", "-Djdk.attach.allowAttachSelf=true", "--add-modules=jdk.incubator.vector"),
    *("--add-opens=java.base/java.nio=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED"),
)
"""Those of the JVM that Trino's own manual asks for, with a small heap."""


def java_home(asked, homes=Path("/usr/lib/jvm")):
    """The home of a Java that runs Trino: the one asked for, else one that the system has."""
    for home in [Path(asked)] if asked else sorted(homes.glob("*")):
        release = home / "release"
        text = release.read_text(encoding="utf-8") if release.is_file() else ""
        version = text.partition('JAVA_VERSION="')[2].partition('"')[0].partition(".")[0]
        if version.isdigit() and int(version) >= JAVA:
            return home
    raise MpsrError(f"Trino {VERSION} needs Java {JAVA} or later, and {asked or homes} has none: name a home of one with --java")


class TrinoClient:
    """Trino beside a cluster."""

    path = '"$path"'
    checksum = "crc32(to_utf8({}))"
    left_out = ()

    def __init__(self, cluster, console, java=None):
        self._cluster = cluster
        self._home = _installed(cluster.checkout, console)
        self._java = java_home(java) / "bin" / "java"
        (self._port,) = free_ports(1)
        self._address = f"http://{cluster.state.address}:{self._port}"

    def start(self, uri):
        """Starts it with a catalog of the gateway; waits until it answers queries. It ends with the cluster."""
        directory = self._cluster.directory / PROCESS
        (directory / "catalog").mkdir(parents=True, exist_ok=True)
        conf = self._cluster.conf
        _write(
            directory / "config.properties",
            {
                "coordinator": "true",
                "node-scheduler.include-coordinator": "true",
                "http-server.http.port": self._port,
                "discovery.uri": self._address,
                "catalog.config-dir": directory / "catalog",
                "plugin.dir": self._home / "plugin",
                "query.max-memory": "600MB",
                "query.max-memory-per-node": "400MB",
                "memory.heap-headroom-per-node": "200MB",
            },
        )
        _write(
            directory / "catalog" / f"{CATALOG}.properties",
            {
                "connector.name": "iceberg",
                "iceberg.catalog.type": "rest",
                "iceberg.rest-catalog.uri": uri,
                "iceberg.rest-catalog.nested-namespace-enabled": "true",
                "fs.hadoop.enabled": "true",
                "hive.config.resources": f"{conf / 'core-site.xml'},{conf / 'hdfs-site.xml'}",
            },
        )
        own = {"node.environment": "test", "node.id": "one", "node.data-dir": directory / "data"}
        own.update({"config": directory / "config.properties", "jdk.net.hosts.file": conf / "hosts"})
        command = [str(self._java), *OPTIONS, *(f"-D{name}={value}" for name, value in own.items())]
        command += ["-cp", f"{self._home / 'lib'}/*", "io.trino.server.TrinoServer"]
        self._cluster.processes.start(PROCESS, command)
        waiting.until(self._serves, "Trino", 120, lambda: self._cluster.processes.require_alive(PROCESS), 1)

    def _serves(self):
        try:
            return self.query("SELECT count(*) FROM system.runtime.nodes WHERE state = 'active'") == [[1]]
        except (OSError, MpsrError):
            return False

    def query(self, sql):
        """The rows of an answer."""
        headers = {"X-Trino-User": "mpsr", "X-Trino-Catalog": CATALOG}
        told = _json(urllib.request.Request(f"{self._address}/v1/statement", sql.encode(), headers))
        rows = told.get("data", [])
        while "nextUri" in told:
            told = _json(told["nextUri"])
            rows += told.get("data", [])
        if "error" in told:
            raise MpsrError(f"Trino refuses '{sql}': {told['error']['message']}")
        return rows

    def rows(self, texts):
        """The rows of the answer to each query."""
        return [self.query(text) for text in texts]

    def ask(self, dataset, queries, seed, group="signal"):
        """What the dataset's table, and that of a group, say to random queries, and what stock Spark does; then appends."""
        schema, _, name = dataset[1:].replace("/", ".").rpartition(".")
        tables = [f'{CATALOG}."{schema}"."{each}"' for each in (name, f"{name}__{group}")]
        found, stock = catalog_compared.ask(self, self._cluster, dataset, tables, queries, seed)
        chosen = stock["queries"][0]["trino"]
        found["appended"] = self._append(tables, chosen, catalog_compared.digest(self, stock))
        return found

    def _append(self, tables, chosen, digest):
        """Appends the records that a condition finds, with a later time; counts, and the digests of each table afterwards."""
        (before,), (count,) = (self.query(f"SELECT count(*) FROM {tables[0]} WHERE {each}")[0] for each in ("true", chosen))
        columns = [row[0] for row in self.query(f"DESCRIBE {tables[0]}")]
        picked = ", ".join(f"{name} + 1" if name == "timestamp_ns" else name for name in columns)
        self.query(f"INSERT INTO {tables[0]} SELECT {picked} FROM {tables[0]} WHERE {chosen}")
        after = {table: self.query(f"SELECT {digest}, count(*) FROM {table}")[0] for table in tables}
        digests = {name: str(of[0]) for name, of in after.items()}
        return {"before": before, "count": count, "after": after[tables[0]][1], "digests": digests}


def _json(request):
    with urllib.request.urlopen(request, timeout=120) as answer:
        return json.load(answer)


def _write(file, properties):
    file.write_text("".join(f"{name}={value}\n" for name, value in properties.items()), encoding="utf-8")


def _installed(checkout, console):
    """The directory of the server with the one plugin that is needed, and what that lacks for ``webhdfs``."""
    home = checkout.work / f"trino-{VERSION}"
    with lock(checkout, "trino"):
        if not home.is_dir():
            directory = checkout.work / "trino-part"
            shutil.rmtree(directory, ignore_errors=True)
            directory.mkdir()
            tarball = fetched(checkout, console, directory, f"io.trino:trino-server:{VERSION}:tar.gz", "821 MB")
            with tarfile.open(tarball) as packed:
                packed.extractall(directory, filter="data")
            server = directory / f"trino-server-{VERSION}"
            for plugin in (server / "plugin").iterdir():
                if plugin.name != "iceberg":
                    shutil.rmtree(plugin)
            for artifact in WEBHDFS:
                fetched(checkout, console, server / "plugin" / "iceberg" / "hdfs", artifact, "0.4 MB at most")
            server.rename(home)
            shutil.rmtree(directory)
    return home
