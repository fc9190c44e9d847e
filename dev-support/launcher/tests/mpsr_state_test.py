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
"""What a start of a cluster makes of the state of MPSR."""

import unittest
from types import SimpleNamespace

from mpsr_launcher.cluster.hdfs import Hdfs
from mpsr_launcher.errors import MpsrError


class RequireMpsrTest(unittest.TestCase):
    def require(self, bean):
        hdfs = Hdfs(SimpleNamespace(data=None))
        hdfs.bean = lambda name: bean
        return hdfs.require_mpsr()

    def test_a_wrong_configuration_is_told_with_every_reason(self):
        with self.assertRaises(MpsrError) as caught:
            self.require({"State": "off", "Problems": ["dfs.a = 'x': unknown; use y", "dfs.b = '': missing; set it"]})
        self.assertEqual(
            str(caught.exception),
            "HDFS is up, but MPSR is off, for its configuration is wrong:\n  - dfs.a = 'x': unknown; use y\n  - dfs.b = '': missing; set it",
        )

    def test_no_groups_and_no_plugin_are_told(self):
        with self.assertRaisesRegex(MpsrError, "no replica groups are configured"):
            self.require({"State": "off", "Problems": []})
        with self.assertRaisesRegex(MpsrError, "the NameNode has not loaded it"):
            self.require(None)

    def test_what_is_not_ready_yet_is_no_failure(self):
        self.assertEqual(self.require({"State": "not_ready", "Problems": ["too few nodes"]}), ["too few nodes"])
        self.assertEqual(self.require({"State": "ready", "Problems": []}), [])
