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

import os

from mpsr_launcher.errors import MpsrError

VERIFY = "org.hadoopmpsr.spark.jobs.VerifyDataset"


class Spark:
    """Command lines and environment of Spark's programs."""

    def __init__(self, cluster):
        self._cluster = cluster
        self._checkout = cluster.checkout

    def program(self, name):
        """The path of spark-submit, spark-sql or pyspark."""
        path = self._checkout.spark_home() / "bin" / name
        if not path.is_file():
            raise MpsrError(f"Spark's {name} is not there: set it up with 'bin/mpsr quickstart' or 'bin/mpsr test'")
        return str(path)

    def environment(self, stock):
        """The environment of Spark's programs: with MPSR, or stock."""
        env = dict(os.environ)
        env.update(
            SPARK_HOME=str(self._checkout.spark_home()),
            SPARK_CONF_DIR=str(self._cluster.conf / ("spark-stock" if stock else "spark")),
            HADOOP_CONF_DIR=str(self._cluster.conf),
            SPARK_LOCAL_IP=self._cluster.state.address,
            PYSPARK_PYTHON=str(self._checkout.venv / "bin" / "python"),
        )
        # What another Spark on this machine has set must not take part.
        for name in ("PYTHONPATH", "PYTHONSTARTUP", "SPARK_DIST_CLASSPATH", "PYSPARK_SUBMIT_ARGS"):
            env.pop(name, None)
        return env

    def verify(self, path, json_file):
        """The command that compares a dataset's representations as their files lie."""
        jar = str(self._checkout.share / "spark" / "mpsr-spark-connector.jar")
        uri = path if "://" in path else self._cluster.state.fs_uri + path
        command = [self.program("spark-submit"), "--class", VERIFY, jar, uri]
        return command + (["--json", str(json_file)] if json_file else [])
