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
"""How Spark's programs are called."""

import contextlib
import io
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from mpsr_launcher.checkout import sparks
from mpsr_launcher.checkout.checkout import Checkout, root_of
from mpsr_launcher.cluster.spark import Spark


class SparkTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        path = Path(directory.name)
        state = SimpleNamespace(address="127.0.0.1", fs_uri="hdfs://nn")
        self.cluster = SimpleNamespace(checkout=Checkout(root_of()), conf=path / "conf", directory=path, state=state)
        self.spark = Spark(self.cluster)

    def test_a_python_that_the_user_has_chosen_is_used(self):
        with mock.patch.dict("os.environ", {"PYSPARK_PYTHON": "/opt/python", "PYTHONPATH": "/other/spark"}):
            found = self.spark.environment(False)
        self.assertEqual(found["PYSPARK_PYTHON"], "/opt/python")
        self.assertNotIn("PYTHONPATH", found)

    def test_without_one_it_is_that_of_the_virtual_environment(self):
        with mock.patch.dict("os.environ", clear=True):
            self.assertEqual(self.spark.environment(True)["PYSPARK_PYTHON"], str(self.cluster.checkout.venv / "bin" / "python"))

    def test_the_java_of_hadoop_is_that_of_spark_3_5_and_not_of_spark_4(self):
        other = SimpleNamespace(**{**vars(self.cluster), "checkout": Checkout(root_of(), spark=sparks.OTHERS["3.5"])})
        home = Path(self.cluster.directory)
        (home / "bin").mkdir()
        (home / "bin" / "java").touch(0o755)
        with mock.patch.dict("os.environ", {"MPSR_HADOOP_JAVA": str(home), "JAVA_HOME": "/seventeen"}):
            self.assertEqual(self.spark.environment(False)["JAVA_HOME"], "/seventeen")
            self.assertEqual(Spark(other).environment(False)["JAVA_HOME"], str(home))

    def test_one_session_at_a_time_has_the_catalog(self):
        with contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertEqual(self.spark.metastore(), [])
            self.assertEqual(said.getvalue(), "")
            (option, value) = self.spark.metastore()
        self.assertEqual(option, "--conf")
        self.assertIn("=jdbc:derby:memory:", value)
        self.assertIn("another session has the catalog", said.getvalue())

    def test_verify_names_its_jar_once(self):
        self.spark.program = lambda name: name
        command = self.spark.verify("/cals/meas", "r.json")
        self.assertEqual(command[1:3], ["--conf", "spark.jars="])
        self.assertEqual(command[-3:], ["hdfs://nn/cals/meas", "--json", "r.json"])
