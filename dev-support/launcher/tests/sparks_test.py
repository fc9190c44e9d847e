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
"""Tests of what pip may install."""

import re
import unittest
from unittest import mock

from mpsr_launcher.checkout import sparks
from mpsr_launcher.checkout.checkout import Checkout, root_of
from mpsr_launcher.cli import commands
from mpsr_launcher.cli.arguments import parser
from mpsr_launcher.cluster import config_files
from mpsr_launcher.cluster.state import new_state
from mpsr_launcher.errors import MpsrError


class SparksTest(unittest.TestCase):
    def asked(self, *arguments):
        return parser("").parse_args(["quickstart", *arguments])

    def test_the_jar_is_that_of_the_module_for_the_spark(self):
        for name, spark in sparks.OTHERS.items():
            checkout = Checkout(root_of(), spark=spark)
            if checkout.has_sources:
                jar = checkout.spark_jar()
                self.assertRegex(jar.name, r"^mpsr-spark-\d\.\d_2\.1[23]-")
                self.assertTrue((jar.parent.parent / "pom.xml").is_file())
                poms = [(above / "pom.xml").read_text(encoding="utf-8") for above in (jar.parents[1], jar.parents[2])]
                self.assertRegex("".join(poms), rf"<mpsr.sparks>([\d.]+,)?{re.escape(name)}(,[\d.]+)?</mpsr.sparks>")

    def test_without_a_wish_it_is_that_of_the_distribution(self):
        checkout = Checkout(root_of())
        self.assertEqual(checkout.spark_jar(), checkout.share / "spark" / "mpsr-spark-connector.jar")
        self.assertEqual(checkout.venv.name, "venv")
        self.assertIsNone(self.asked().spark)

    def test_sessions_get_the_jar(self):
        checkout = Checkout(root_of(), spark=sparks.OTHERS["3.5"])
        if checkout.has_sources:
            state = new_state(1, 1)
            text = (checkout.conf / "local" / "spark-defaults.conf").read_text(encoding="utf-8")
            filled = config_files.filled(text, config_files._values(checkout, state, "conf", "data"))
            self.assertRegex(filled, rf"(?m)^spark.jars +{re.escape(str(checkout.spark_jar()))}$")

    def test_a_cluster_that_stays_up_has_the_spark_of_the_distribution(self):
        checkout = Checkout(root_of())
        with mock.patch.object(checkout, "has_sources", True):
            with self.assertRaisesRegex(MpsrError, "^--spark and --keep: "):
                commands._with_spark(checkout, self.asked("--spark", "3.5", "--keep"))
            self.assertEqual(commands._with_spark(checkout, self.asked("--spark", "3.5")).venv.name, "venv-spark-3.5")

    def test_a_distribution_has_no_sources_to_build_it_from(self):
        checkout = Checkout(root_of())
        with mock.patch.object(checkout, "has_sources", False), self.assertRaisesRegex(MpsrError, "^--spark: .* unpacked distribution"):
            commands._with_spark(checkout, self.asked("--spark", "3.5"))
