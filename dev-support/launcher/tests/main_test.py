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
import contextlib
import io
import unittest

from mpsr_launcher.cli import commands


def run(*argv):
    """The exit code and what was printed to standard error."""
    with contextlib.redirect_stderr(io.StringIO()) as said:
        return commands.main(list(argv)), said.getvalue()


class MainTest(unittest.TestCase):
    def test_verify_without_a_path_is_a_wrong_command_line(self):
        code, said = run("verify", "--json")
        self.assertEqual(code, 2)
        self.assertIn("name the dataset, such as", said)

    def test_a_file_that_could_not_be_written_is_refused_before_the_work(self):
        code, said = run("quickstart", "--json", "/no/such/directory/q.json")
        self.assertEqual(code, 1)
        self.assertEqual(
            said, "mpsr: --json=/no/such/directory/q.json: there is no such directory; name a file in one that exists\n"
        )
