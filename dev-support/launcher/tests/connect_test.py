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
import unittest

from mpsr_launcher.cluster import connect
from mpsr_launcher.errors import MpsrError


class PatientlyTest(unittest.TestCase):
    def _asked(self, *answers, **how):
        """How often a request is made that fails with these words one after the other, and then succeeds."""
        left = list(answers)
        asked = []

        def request():
            asked.append(1)
            if left:
                raise MpsrError(left.pop(0))

        connect.patiently(request, 10, **how)
        return len(asked)

    def test_what_connect_cannot_do_yet_is_asked_again(self):
        self.assertEqual(self._asked("Connect refused PUT /x: Cannot complete request because of a Rebalance"), 2)
        self.assertEqual(self._asked("Connect refused PUT /x: IO Error trying to forward REST request"), 2)
        self.assertEqual(self._asked("Connect refused PUT /x/pause: Unknown connector x"), 2)
        self.assertEqual(self._asked("Connect refused PUT /x: Not Found", "Connect refused PUT /x: HTTP Error 404: Not Found"), 3)

    def test_another_refusal_is_raised_at_once(self):
        with self.assertRaisesRegex(MpsrError, "is invalid"):
            self._asked("Connect refused PUT /x: the configuration is invalid", unanswered=True)
        with self.assertRaisesRegex(MpsrError, "x not found"):
            self._asked("Connect refused DELETE /x: Connector x not found", unanswered=True)

    def test_a_worker_that_does_not_answer_is_asked_again_by_who_says_so(self):
        words = "Connect does not answer at http://x: Connection refused"
        self.assertEqual(self._asked(words, unanswered=True), 2)
        with self.assertRaisesRegex(MpsrError, "does not answer"):
            self._asked(words)


class RequestsTest(unittest.TestCase):
    """What is asked of Connect."""

    def setUp(self):
        self.asked = []
        self.connect = connect.Connect("http://x")
        self.connect._ask = lambda method, path, body=None: self.asked.append((method, path)) or {"message": "done"}

    def test_a_connector_is_stopped_and_its_offsets_are_shown_and_reset(self):
        self.connect.stop("a/b")
        self.assertEqual(self.connect.reported("a"), {"message": "done"})
        self.assertEqual(self.connect.reset_offsets("a"), {"message": "done"})
        offsets = "/connectors/a/offsets"
        self.assertEqual(self.asked, [("PUT", "/connectors/a%2Fb/stop"), ("GET", offsets), ("DELETE", offsets)])
