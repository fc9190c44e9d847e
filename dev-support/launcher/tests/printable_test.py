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
"""Tests of names that forge lines or control a terminal."""

import io
import unittest

from mpsr_launcher.console import Console
from mpsr_launcher.printable import printable, printable_lines
from mpsr_launcher.tables import aligned

HOSTILE = "/a\nready\x1b[2J\x9b1A\u202e\u2028\ud83d"
SHOWN = r"/a\u000aready\u001b[2J\u009b1A\u202e\u2028\ud83d"


class PrintableTest(unittest.TestCase):
    def test_what_cannot_be_seen_is_escaped(self):
        self.assertEqual(printable(HOSTILE), SHOWN)
        self.assertEqual(printable(SHOWN), SHOWN)
        self.assertEqual(printable("\U000e0041"), r"\udb40\udc41")

    def test_other_text_stays(self):
        for text in ("/cals/meas/day=2017-05-01", "温度", "😀", ""):
            self.assertEqual(printable(text), text)

    def test_lines_stay_lines(self):
        self.assertEqual(printable_lines("a\x1b\nb\r"), "a\\u001b\nb\\u000d")

    def test_the_console_prints_one_line(self):
        said = io.StringIO()
        Console(said, clock=lambda: 0).say(HOSTILE)
        self.assertEqual(said.getvalue(), f"[   0.0s] {SHOWN}\n")

    def test_a_table_keeps_its_rows(self):
        table = aligned([["name"], [HOSTILE]])
        self.assertEqual(table.splitlines(), ["name", "-" * len(SHOWN), SHOWN])
