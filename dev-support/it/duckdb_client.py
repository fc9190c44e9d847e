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
"""DuckDB reads tables of a gateway: duckdb_client.py FILE.

The file has a JSON object: ``hosts`` is a file with the names of DataNodes, ``uri`` the gateway's, ``files`` the web servers that
files of each scheme are read from by WebHDFS, and ``queries`` texts of SQL. Prints one JSON array: the rows of each answer.
"""

import getpass
import json
import sys
import zlib
from pathlib import Path

import cluster_hosts
import duckdb
import duckdb_ext
from fsspec.implementations.webhdfs import WebHDFS


def files_of(scheme, address):
    """Files of a scheme, as DuckDB takes them."""

    class Files(WebHDFS):
        protocol = scheme

        @classmethod
        def _strip_protocol(cls, path):
            return "/" + path.partition("://")[2].partition("/")[2] if "://" in path else path

    host, _, port = address.partition(":")
    return Files(host, int(port), user=getpass.getuser(), use_listings_cache=False, skip_instance_cache=True)


def main(file):
    """Reads and prints."""
    asked = json.loads(Path(file).read_text(encoding="utf-8"))
    cluster_hosts.know(asked["hosts"])
    session = duckdb.connect()
    session.execute("SET extension_directory = ?", [str(Path(next(iter(duckdb_ext.__path__))) / "extensions")])
    session.execute("SET autoinstall_known_extensions = false")
    for name in ("avro", "httpfs", "iceberg"):
        session.execute(f"LOAD {name}")
    for scheme, address in asked["files"].items():
        session.register_filesystem(files_of(scheme, address))
    session.create_function("crc32", lambda text: zlib.crc32(text.encode()), ["VARCHAR"], "BIGINT")
    session.execute(f"ATTACH '' AS h (TYPE iceberg, ENDPOINT '{asked['uri']}', AUTHORIZATION_TYPE 'none')")
    print(json.dumps([session.execute(query).fetchall() for query in asked["queries"]]))


if __name__ == "__main__":
    main(*sys.argv[1:])
