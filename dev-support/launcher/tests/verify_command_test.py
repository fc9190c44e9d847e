# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
"""Tests of what bin/mpsr verify prints."""

import unittest

from mpsr_launcher.cli import verify_command


def found(equal=True, files=(), **groups):
    numbers = {"records": 10, "files": 2, "bytes": 300, "contentHash": "0" * 32}
    return {"equal": equal, "groups": {name: {**numbers, **group} for name, group in groups.items()}, "falseFiles": list(files)}


class VerifyCommandTest(unittest.TestCase):
    def lines(self, report):
        return verify_command.text(report).splitlines()

    def test_equal_groups(self):
        lines = self.lines(found(time={}, signal={}))
        self.assertEqual(len(lines), 6)
        self.assertEqual(lines[-1], "2 groups hold the same records")

    def test_segments_of_which_a_group_holds_other_records(self):
        report = found(equal=False, time={}, signal={})
        report["falseSegments"] = [{"segment": "s1", "group": "signal", "problem": "holds\x1b[2J 1 records"}]
        lines = self.lines(report)
        self.assertEqual(lines[-2], "2 groups hold DIFFERENT records")
        self.assertEqual(lines[-1], "segment s1: group signal holds\\u001b[2J 1 records")

    def test_groups_of_which_files_were_not_read(self):
        lines = self.lines({**found(equal=False, time={}, signal={}), "unreadFiles": 2})
        self.assertEqual(lines[-1], "2 groups hold records that are not all compared: 2 files were not read")

    def test_files_that_are_not_as_stated(self):
        files = [{"file": f"/f{i}", "problem": "has 3 records"} for i in range(21)]
        lines = self.lines(found(equal=False, files=files, time={}))
        self.assertEqual(lines[-22], "1 groups hold DIFFERENT records")
        self.assertEqual(lines[-21], "/f0 has 3 records")
        self.assertEqual(lines[-1], "21 files are not as they were published; 1 are not shown")
