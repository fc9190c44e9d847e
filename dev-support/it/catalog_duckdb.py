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
"""DuckDB with its extension for Iceberg, as both are published for Python, which reads a dataset through a gateway."""

import json
import os
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import catalog_compared
from mpsr_launcher.checkout.setup import ensure_duckdb, pinned
from mpsr_launcher.errors import MpsrError


class DuckDbClient:
    """DuckDB in a virtual environment of its own."""

    path = None
    checksum = "crc32({})"
    left_out = ("day",)
    """A column of the default group's directories alone, which clients that are not Iceberg's Java do not get."""

    def __init__(self, cluster, console, uri):
        self._cluster = cluster
        self._python = ensure_duckdb(cluster.checkout, console) / "bin" / "python"
        self._uri = uri

    def rows(self, texts):
        """The rows of the answer to each query."""
        if not texts:
            return []
        state, active = self._cluster.state, self._cluster.hdfs.active() or "namenode"
        asked = {
            "hosts": str(self._cluster.conf / "hosts"),
            "uri": self._uri,
            "files": {"webhdfs": urlsplit(self._uri).netloc, "hdfs": f"{state.address}:{state.ports[f'{active}.http']}"},
            "queries": texts,
        }
        file = self._cluster.directory / "duckdb.json"
        file.write_text(json.dumps(asked), encoding="utf-8")
        command = [str(self._python), str(Path(__file__).with_name("duckdb_client.py")), str(file)]
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise MpsrError(f"DuckDB ended with {done.returncode}:\n{done.stderr[-3000:]}")
        return json.loads(done.stdout.splitlines()[-1])

    def ask(self, dataset, queries, seed, group="signal"):
        """What the dataset's table, and that of a group, say to random queries, and what stock Spark does."""
        schema, name = dataset[1:].split("/")
        tables = [f'h."{schema}"."{each}"' for each in (name, f"{name}__{group}")]
        return catalog_compared.ask(self, self._cluster, dataset, tables, queries, seed)[0]


def version():
    """DuckDB's."""
    (found,) = [line.partition("==")[2] for line in pinned("duckdb-1.4") if line.startswith("duckdb==")]
    return found
