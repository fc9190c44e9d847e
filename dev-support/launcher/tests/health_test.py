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
"""What an ingest makes of the state of its connector."""

import unittest
from types import SimpleNamespace
from unittest import mock

from mpsr_launcher.cluster.ingest import Ingest
from mpsr_launcher.errors import MpsrError


class HealthTest(unittest.TestCase):
    def ingest(self, *answers):
        """An ingest whose connector's failures are asked for; Connect answers one thing after the other."""
        self.failures = mock.Mock(side_effect=answers)
        processes = SimpleNamespace(require_alive=lambda name: None)
        return Ingest(SimpleNamespace(processes=processes, connect=SimpleNamespace(failures=self.failures)))

    def test_a_connector_that_was_just_created_has_no_status_yet(self):
        not_yet = MpsrError("Connect refused GET /connectors/meas/status: No status found for connector meas")
        self.ingest(not_yet, []).require_healthy()
        self.assertEqual(self.failures.call_count, 2)

    def test_a_failed_task_is_told_with_its_trace(self):
        with self.assertRaisesRegex(MpsrError, "the connector 'meas' has failed:\nits trace"):
            self.ingest(["its trace"]).require_healthy()
