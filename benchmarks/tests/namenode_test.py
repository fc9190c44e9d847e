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
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from benchmarks.harness import results
from benchmarks.suites.namenode import suite as bench
from mpsr_launcher.checkout.checkout import Checkout, root_of
from mpsr_launcher.cli.arguments import parser
from mpsr_launcher.console import Console
from mpsr_launcher.errors import MpsrError


def parsed(*argv):
    return parser("v").parse_args(["bench", *argv])


class BenchTest(unittest.TestCase):
    def test_the_suite_gets_its_options(self):
        self.assertEqual(bench.options(parsed("namenode")), ["--rounds", "7"])
        with tempfile.TemporaryDirectory() as directory:
            given = ["--quick", "--only", "heap", "--files", "9", "--rounds", "3"]
            found = bench.options(parsed("namenode", *given, "--directory", directory, "--json", directory), "heap")
            parent = Path(directory).resolve()
        self.assertEqual(found, [*given, "--directory", str(parent), "--json", str(parent / "namenode.json")])

    def test_parts_that_were_not_measured_again_stay(self):
        def told(value, date, scale="full", **names):
            figures = {name: {"value": value, "unit": "ms", "spread": [value, value]} for name in names}
            runs = [{"name": name, "round": 0, "value": value} for name in names]
            return {"suite": "namenode", "seed": 0, "scale": scale, "date": date, "runs": runs, "figures": figures}

        with tempfile.TemporaryDirectory() as directory:
            file = Path(directory) / "namenode.json"
            results.write(file, told(2, "2026-11-22", heap=1))
            before = {**told(1, "2026-11-21", heap=1, publish=1), "parts": ["heap", "publish"]}
            found = bench.keep_others(file, before, "heap", "2026-11-22")
            self.assertEqual(found, results.read(file))
            self.assertEqual(found["parts"], ["publish", "heap"])
            self.assertEqual({name: figure["value"] for name, figure in found["figures"].items()}, {"publish": 1, "heap": 2})
            self.assertEqual([run["name"] for run in found["runs"]], ["publish", "heap"])
            self.assertEqual(found["notes"], ["Measured earlier, 2026-11-21: publish."])
            self.assertEqual(bench.keep_others(file, before, "heap", "2026-11-20")["notes"], [])
            other = bench.keep_others(file, told(1, "2026-11-21", "quick", throughput=1), "heap", "2026-11-22")
            self.assertNotIn("throughput", other["figures"])
            self.assertEqual(other["parts"], ["heap"])

    def test_each_part_is_kept_and_going_on_measures_what_is_missing(self):
        measured = []

        def measure(checkout, arguments, part):
            measured.append(part)
            told = {"suite": "namenode", "seed": 0, "scale": "full", "runs": [], "figures": {}}
            results.write(Path(arguments.json) / "namenode.json", told)
            return 1 if part == "publish" and len(measured) < 7 else 0

        with tempfile.TemporaryDirectory() as directory, mock.patch.object(bench, "_measure", measure):
            asked = ("namenode", "--json", directory)
            checkout, console = Checkout(root_of()), Console(io.StringIO())
            self.assertEqual(bench.run(checkout, console, parsed(*asked)), 1)
            self.assertEqual(measured, ["throughput", "datanodes", "placement", "scatter", "durability", "publish"])
            results.write(Path(directory) / "namenode.json", {**results.read(Path(directory) / "namenode.json"), "parts": measured[:5]})
            self.assertEqual(bench.run(checkout, console, parsed(*asked, "--resume")), 0)
            self.assertEqual(measured[6:], ["publish", "heap", "year", "planning", "reads"])
            self.assertEqual(bench.run(checkout, console, parsed(*asked, "--resume")), 0)
            self.assertEqual(len(measured), 11)

    def test_the_class_path_is_what_maven_wrote(self):
        with tempfile.TemporaryDirectory() as directory:
            root = Path(directory)
            (root / "pom.xml").write_text('<project xmlns="http://maven.apache.org/POM/4.0.0"><version>1</version></project>')
            checkout = Checkout(root)
            with self.assertRaisesRegex(MpsrError, "classpath is missing"):
                bench.class_path(checkout)
            target = root / "benchmarks" / "java" / "namenode" / "target"
            target.mkdir(parents=True)
            (target / "classpath").write_text("/a.jar:/b.jar\n")
            self.assertEqual([str(entry) for entry in bench.class_path(checkout)][1:], ["/a.jar", "/b.jar"])
