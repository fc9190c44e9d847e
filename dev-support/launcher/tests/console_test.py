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
import io
import unittest

from mpsr_launcher.console import Console


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Gone(io.StringIO):
    def write(self, text):
        raise BrokenPipeError(32, "Broken pipe")


class ConsoleTest(unittest.TestCase):
    def test_on_a_terminal_a_line_is_replaced_while_it_changes(self):
        stream = Terminal()
        console = Console(stream)
        console.update("1 of 2")
        console.update("2 of 2")
        console.say("done")
        self.assertRegex(stream.getvalue(), r"^\r\x1b\[2K\[ +\d\.\ds\] 1 of 2\r\x1b\[2K\[.*\] 2 of 2\n\[.*\] done\n$")

    def test_elsewhere_only_what_stays_is_printed(self):
        stream = io.StringIO()
        console = Console(stream)
        console.update("1 of 2")
        console.say("done")
        self.assertRegex(stream.getvalue(), r"^\[ +\d\.\ds\] done\n$")

    def test_goes_on_in_silence_when_nobody_reads(self):
        console = Console(Gone())
        console.update("1 of 2")
        console.say("stopping")
