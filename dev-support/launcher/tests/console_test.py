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
import threading
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

    def test_whoever_waits_is_told_what_goes_on_and_for_how_long(self):
        stream, now = io.StringIO(), [0.0]
        console = Console(stream, lambda: now[0])
        console.say("the cluster is up")
        for seconds in range(1, 20):
            now[0] = float(seconds)
            console.update(f"committed {seconds * 100:,} of 9,999")
            console.beat()
        self.assertEqual(stream.getvalue().splitlines(), [
            "[   0.0s] the cluster is up",
            "[   8.0s] ... committed 800 of 9,999: 7 s",
            "[  16.0s] ... committed 1,600 of 9,999: 15 s",
        ])

    def test_a_block_beats_by_itself(self):
        now = [0.0]
        told = threading.Event()

        class Log(io.StringIO):
            def write(self, text):
                if "... building" in text:
                    told.set()
                return super().write(text)

        console = Console(Log(), lambda: now[0])
        console.say("building")
        now[0] = 60.0
        with console.beating():
            self.assertTrue(told.wait(30))
