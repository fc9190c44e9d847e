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
"""What --json means, for every command."""

import argparse
import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path

from mpsr_launcher.cli.arguments import parser
from mpsr_launcher.cli.json_output import PRINTED, json_output
from mpsr_launcher.errors import MpsrError


class JsonOutputTest(unittest.TestCase):
    def run_command(self, command, several=False, **arguments):
        """What a command that writes JSON and talks prints: standard output, standard error."""
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
            found = argparse.Namespace(**arguments)
            with json_output(found, several):
                command(found.json)
                print("a table")
        return out.getvalue(), err.getvalue()

    def test_every_command_that_has_it_takes_it_alone_and_with_a_value(self):
        for argv in (
            ["quickstart"],
            ["verify", "/a"],
            ["cluster", "status"],
            ["hadoop-tests", "TestFsck"],
            ["spark-tests"],
            ["bench", "peers"],
        ):
            for given, expected in (("--json", PRINTED), ("--json=r", "r")):
                self.assertEqual(parser("v").parse_args([*argv, given]).json, expected, argv)
            self.assertIsNone(parser("v").parse_args(argv).json, argv)
            self.assertEqual(parser("v").parse_args([*argv, "--json", "r"]).json, "r", argv)

    def test_alone_one_object_is_all_of_standard_output(self):
        out, err = self.run_command(lambda file: Path(file).write_text('{"a": 1}', encoding="utf-8"), json=PRINTED)
        self.assertEqual((json.loads(out), err), ({"a": 1}, "a table\n"))

    def test_several_files_are_one_object(self):
        def write(directory):
            for name in ("scale", "peers"):
                (Path(directory) / f"{name}.json").write_text(f'"{name}"', encoding="utf-8")
            (Path(directory) / "report.html").write_text("<html>", encoding="utf-8")

        self.assertEqual(json.loads(self.run_command(write, True, json=PRINTED)[0]), {"peers": "peers", "scale": "scale"})

    def test_with_a_value_the_file_is_written_and_the_rest_is_printed(self):
        with tempfile.TemporaryDirectory() as directory:
            file = str(Path(directory) / "r.json")
            out, err = self.run_command(lambda path: Path(path).write_text("{}", encoding="utf-8"), json=file)
            self.assertEqual((out, err, Path(file).read_text(encoding="utf-8")), ("a table\n", "", "{}"))

    def test_a_command_that_fails_prints_no_object(self):
        with contextlib.redirect_stdout(io.StringIO()) as out, self.assertRaises(MpsrError):
            with json_output(argparse.Namespace(json=PRINTED)):
                raise MpsrError("it went wrong")
        self.assertEqual(out.getvalue(), "")

    def test_the_file_has_a_directory(self):
        with self.assertRaisesRegex(MpsrError, "^--json=/none/r.json: there is no such directory"):
            self.run_command(None, json="/none/r.json")

    def test_going_on_needs_a_file(self):
        with self.assertRaisesRegex(MpsrError, "^--resume needs the results of an earlier run: name them with --json=PATH"):
            self.run_command(None, json=PRINTED, resume=True)
