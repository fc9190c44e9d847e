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
"""The short forms of those suites that can share one small cluster: they show that suites work, not what anything costs."""

from benchmarks.harness.data_layouts import PEER, STOCK, iceberg_jar, settings
from benchmarks.harness.stage import Stage
from benchmarks.suites.ingest.sink_cluster import SinkCluster, prepare_plugins
from mpsr_launcher.cluster.cluster import Cluster

NAME = "bench-short"


def run(suites, checkout, console, keep):
    """Runs suites on one cluster with one session of each kind that they need; returns their exit codes.

    Stock's queries are asked of the session with Iceberg, where there is one.
    """
    kinds = {kind for suite in suites for kind in suite.kinds}
    jar = iceberg_jar(checkout, console) if PEER in kinds else None
    sinks = any(suite.name == "ingest" for suite in suites)
    if sinks:
        prepare_plugins(checkout, console)
    cluster = SinkCluster(checkout, NAME, quick=True) if sinks else Cluster(checkout, NAME)
    cluster.stop(console)
    cluster.wipe()
    with Stage(cluster, console, quick=True, keep=keep) as stage:
        stage.start(3, 3, kafka=sinks)
        stage.open({kind: settings(kind, jar, quick=True) for kind in sorted(kinds - ({STOCK} if PEER in kinds else set()))})
        return [suite.on(stage) for suite in suites]
