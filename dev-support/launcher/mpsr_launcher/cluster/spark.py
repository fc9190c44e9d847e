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
"""Spark of the virtual environment, with a cluster's configuration."""

import fcntl
import os
import sys

from mpsr_launcher.checkout import java
from mpsr_launcher.errors import MpsrError

VERIFY = "org.hadoopmpsr.spark.jobs.VerifyDataset"
_IN_MEMORY = "jdbc:derby:memory:metastore;create=true"


class Spark:
    """Command lines and environment of Spark's programs."""

    def __init__(self, cluster, checkout=None):
        """``checkout`` says which Spark; by default the cluster's does."""
        self._cluster = cluster
        self._checkout = checkout or cluster.checkout

    def program(self, name):
        """The path of spark-submit, spark-sql or pyspark."""
        path = self._checkout.spark_home() / "bin" / name
        if not path.is_file():
            raise MpsrError(f"Spark's {name} is missing: install it with 'bin/mpsr quickstart' or 'bin/mpsr test'")
        return str(path)

    def environment(self, stock):
        """The environment of Spark's programs: with MPSR, or stock."""
        env = dict(os.environ)
        env.update(
            SPARK_HOME=str(self._checkout.spark_home()),
            SPARK_CONF_DIR=str(self._cluster.conf / ("spark-stock" if stock else "spark")),
            HADOOP_CONF_DIR=str(self._cluster.conf),
            SPARK_LOCAL_IP=self._cluster.state.address,
        )
        if self._checkout.spark.version.startswith("3.") and java.hadoop_home():
            env["JAVA_HOME"] = java.hadoop_home()
        env.setdefault("PYSPARK_PYTHON", str(self._checkout.venv / "bin" / "python"))
        # What another Spark on this machine has set must not take part.
        for name in ("PYTHONPATH", "PYTHONSTARTUP", "SPARK_DIST_CLASSPATH", "PYSPARK_SUBMIT_ARGS"):
            env.pop(name, None)
        return env

    def metastore(self):
        """The options of a session that may use the cluster's catalog of tables, which is Derby's for one process at a time.

        The first session has it until this process ends, also as another program. Those that come meanwhile have a catalog of
        their own in memory, and are told.
        """
        lock = os.open(self._cluster.directory / "metastore.lock", os.O_CREAT | os.O_RDWR)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            print("mpsr: another session has the catalog: tables that this one creates end with it", file=sys.stderr)
            return ["--conf", f"spark.hadoop.javax.jdo.option.ConnectionURL={_IN_MEMORY}"]
        os.set_inheritable(lock, True)
        return []

    def verify(self, path, json_file):
        """The command that compares a dataset's representations as their files lie."""
        jar = str(self._checkout.spark_jar())
        uri = path if "://" in path else self._cluster.state.fs_uri + path
        # The configuration names the jar as well, and Spark warns of a jar that comes twice.
        command = [self.program("spark-submit"), "--conf", "spark.jars=", "--class", VERIFY, jar, uri]
        return command + (["--json", str(json_file)] if json_file else [])
