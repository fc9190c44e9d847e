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
"""A cluster of processes and the Spark sessions that ask it, for one suite or for several, one after the other."""

import contextlib
import getpass

from benchmarks.harness import records
from benchmarks.harness.data_layouts import OURS, PEER, STOCK
from benchmarks.harness.spark_session import SparkSession
from mpsr_launcher import waiting
from mpsr_launcher.cluster import catalog as gateway
from mpsr_launcher.cluster.ports import is_free
from mpsr_launcher.errors import MpsrError


class Stage:
    """A context: at its end all is stopped, and the data is deleted unless it is to be kept or something was raised.

    Quick: the sessions' JVMs compile lightly.
    """

    def __init__(self, cluster, console, quick=False, keep=False):
        self.cluster = cluster
        self.quick = quick
        self._console = console
        self._keep = keep
        self._sessions = {}
        self._source = cluster.directory / "records.parquet"
        self._generated = None
        self._filled = {}
        self.resumed = False
        """Whether the cluster may hold what an earlier run has left."""

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        for session in self._sessions.values():
            session.close()
        self.cluster.stop(self._console)
        if kind is None and not self._keep:
            self.cluster.wipe()

    def start(self, datanodes, racks, kafka=False, machines=None):
        """Starts the cluster. The Connect worker may not serve yet."""
        self.resumed = self.cluster.state is not None
        if self.resumed:
            # Of processes that were killed a moment ago. What others hold the cluster names itself.
            with contextlib.suppress(MpsrError):
                ports = self.cluster.state.ports.values()
                waiting.until(lambda: all(is_free(port) for port in ports), "the cluster's ports", 30)
        self.cluster.start(self._console, datanodes, racks, await_worker=False, kafka=kafka, machines=machines)

    def open(self, settings):
        """Starts a session of each kind (stock, Iceberg, MPSR) with its settings."""
        for kind, each in settings.items():
            self._sessions[kind] = SparkSession(self.cluster, kind, kind != OURS, each, self.quick)
        for kind in settings:
            session = self._sessions[kind]
            session.await_ready()
            if ("org.hadoopmpsr" in session.hello["extensions"]) != (kind == OURS):
                raise MpsrError(f"spark.sql.extensions is '{session.hello['extensions']}' in the session '{kind}'")
        self._console.say(f"Spark {session.hello['spark']} is up in {len(settings)} sessions: {', '.join(settings)}")

    @property
    def source(self):
        """The file of the records that were made last."""
        return self._source

    def ask(self, kind, op, **request):
        """Asks a session. Where stock has none of its own, the one with Iceberg answers, which has no part of MPSR either."""
        session = self._sessions.get(kind) if kind != STOCK else self._sessions.get(STOCK, self._sessions.get(PEER))
        return session.ask(op, **request)

    def catalog(self, name, warehouse):
        """Names an Iceberg catalog of the tables below a directory."""
        self.ask(PEER, "catalog", name=name, settings={"type": "hadoop", "warehouse": warehouse})

    def gateway(self, name, cluster=None):
        """Starts a gateway to MPSR's datasets, of this cluster or of another one, and names it as a catalog of Iceberg; tells its address."""
        uri = gateway.start(cluster or self.cluster)
        settings = {"type": "rest", "uri": uri, "io-impl": "org.apache.iceberg.hadoop.HadoopFileIO", "rest.auth.type": "basic"}
        settings |= {"rest.auth.basic.username": getpass.getuser(), "rest.auth.basic.password": "none"}
        self.ask(PEER, "catalog", name=name, settings=settings)
        return uri

    def parameters(self, queries, size, seed, rounds):
        """Makes the records, and tells what the queries of a module ask of them in so many rounds."""
        if self._generated != (size, seed):
            records.generate(self.cluster, self._console, self._source, size, seed)
            self._generated = (size, seed)
        asked = {"source": self._source.as_uri(), "days": size.days, "seed": seed, "rounds": rounds}
        found = self.ask(STOCK, "parameters", queries=queries, **asked)
        if found["records"] != size.records:
            raise MpsrError(f"the generator has made {found['records']} records of {size.records}")
        return found["parameters"]

    def fill(self, layout, size):
        """Writes the records that were made last in a layout, unless they are there; tells what that took and what is stored."""
        if layout.directory not in self._filled:
            self._filled[layout.directory] = records.fill(self, self._console, layout, self._source, size.records)
        return self._filled[layout.directory]
