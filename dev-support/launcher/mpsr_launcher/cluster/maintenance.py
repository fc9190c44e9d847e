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
"""The process of a cluster that maintains its datasets."""

from mpsr_launcher.cluster import mpsr_cli
from mpsr_launcher.cluster.spark import Spark

PROCESS = "maintain"
_SPARK = "--master local[1] --driver-memory 1g"


def start(cluster, interval="1m", *options, quick=False):
    """Starts it, with more options of ``hdfs mpsr maintain``. Quick: the JVMs compile lightly."""
    arguments = ["maintain", "--interval", interval, "--spark-options", _SPARK, *options]
    environment = Spark(cluster).environment(stock=False)
    if quick:
        environment["JDK_JAVA_OPTIONS"] = "-XX:TieredStopAtLevel=1"
    cluster.processes.start(PROCESS, mpsr_cli.command(cluster, arguments), environment)
