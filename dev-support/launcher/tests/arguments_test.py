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
import re
import unittest
from pathlib import Path

from mpsr_launcher.checkout.checkout import root_of
from mpsr_launcher.cli import commands
from mpsr_launcher.cli.arguments import parser
from mpsr_launcher.cli.passthrough import COMMANDS, starts_spark


def refused(*argv):
    """The exit code and what was printed to standard error."""
    with contextlib.redirect_stderr(io.StringIO()) as said:
        try:
            parser("v").parse_args(argv)
        except SystemExit as end:
            return end.code, said.getvalue()
    raise AssertionError(f"{argv} was taken")


class ArgumentsTest(unittest.TestCase):
    def test_quickstart_has_nine_nodes_on_three_racks(self):
        found = parser("v").parse_args(["quickstart"])
        self.assertEqual((found.datanodes, found.racks, found.json, found.data, found.keep), (9, 3, None, None, False))

    def test_a_started_cluster_keeps_its_size_unless_told(self):
        found = parser("v").parse_args(["cluster", "start"])
        self.assertEqual((found.datanodes, found.racks), (None, None))
        found = parser("v").parse_args(["cluster", "start", "--datanodes", "4", "--racks", "2"])
        self.assertEqual((found.datanodes, found.racks), (4, 2))

    def test_advice_of_a_directory_starts_spark(self):
        for arguments in (["/a", "--from", "log.json"], ["--from=log.json", "/a"], ["/cals/meas", "--verify"]):
            self.assertTrue(starts_spark("advise", arguments))
        self.assertFalse(starts_spark("advise", ["/cals/meas", "--json"]))
        self.assertTrue(starts_spark("dataset", ["adopt", "/a"]))
        self.assertFalse(starts_spark("dataset", ["show", "adopt"]))

    def test_without_a_command_the_help_is_shown(self):
        for argv, expected in (((), "quickstart"), (("cluster",), "logs"), (("connect",), "restart")):
            code, said = refused(*argv)
            self.assertEqual(code, 2)
            self.assertIn(expected, said)
            self.assertIn("show this help message", said)

    def test_an_unknown_command_or_option_is_named(self):
        for argv in (("grops",), ("cluster", "begin"), ("cluster", "start", "--nodes"), ("quickstart", "--datanodes", "x")):
            code, said = refused(*argv)
            self.assertEqual(code, 2)
            self.assertIn(argv[-1], said)

    def test_a_bench_is_of_one_suite_or_several_or_all(self):
        self.assertEqual(parser("v").parse_args(["bench"]).suites, [])
        self.assertEqual(parser("v").parse_args(["bench", "peers", "scale", "--quick"]).suites, ["peers", "scale"])
        code, said = refused("bench", "peers", "peer")
        self.assertEqual(code, 2)
        self.assertIn("there is no suite 'peer'; there are namenode, paper, elastic", said)

    def test_every_command_is_in_the_help_and_has_an_implementation(self):
        names = [*commands.COMMANDS, *COMMANDS]
        text = parser("v").format_help()
        for name in names:
            self.assertRegex(text, rf"\n    {name}\s+\S")
        self.assertEqual(len(names), len(set(names)))

    def test_each_command_of_hdfs_mpsr_is_one_of_the_launcher(self):
        rights = Path(root_of(), "docs", "security.md").read_text(encoding="utf-8")
        named = set(re.findall(r"^\| `hdfs mpsr (\w+)", rights, re.MULTILINE))
        self.assertIn("status", named)
        self.assertEqual(named - {*commands.COMMANDS, *COMMANDS}, set())
