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
"""The suite 'namenode', a Java program."""

from datetime import datetime, timezone
from pathlib import Path

from benchmarks.harness import results
from mpsr_launcher.checkout import java
from mpsr_launcher.errors import MpsrError
from mpsr_launcher.pids import run_in_group

NAMENODE = "org.hadoopmpsr.benchmarks.namenode.NameNodeBenchmark"
PARTS = ("throughput", "datanodes", "placement", "scatter", "durability", "publish", "heap", "year", "planning", "reads")


def run(checkout, console, arguments):
    """Runs the suite; returns its exit code, which is 0 when every answer was right, however long it took. With --json each
    part is kept when it ends; going on leaves out what is kept."""
    console.say("namenode: NameNodes in one process")
    if not arguments.json:
        return _measure(checkout, arguments, arguments.only)
    began, file = datetime.now(timezone.utc).isoformat(), _file(arguments)
    before = results.read(file) if (arguments.only or arguments.resume) and file.is_file() else {}
    asked = arguments.only.split(",") if arguments.only else PARTS
    kept = before.get("parts", []) if arguments.resume else []
    for part in (part for part in asked if part not in kept):
        code = _measure(checkout, arguments, part)
        if code != 0:
            return code
        results.complete(file, checkout)
        before = keep_others(file, before, part, began)
    return 0


def _measure(checkout, arguments, only):
    command = java.in_process_cluster(class_path(checkout), NAMENODE, options(arguments, only), arguments.quick)
    return run_in_group(command, checkout.root)


def keep_others(file, before, part, began):
    """Puts back what results from before have of other parts than this one, which was measured now, unless they are of
    another scale; says what is older than this run, which began then. Returns all results."""
    found = results.read(file)
    found["parts"] = [part]
    if before.get("scale") != found["scale"]:
        results.write(file, found)
        return found
    found["commits"] = list(dict.fromkeys(before.get("commits", []) + found.get("commits", [])))
    found["parts"] = [*(other for other in before.get("parts", []) if other != part), part]
    runs, figures = ({run["name"] for run in found["runs"]}, found["figures"])
    kept = {name: figure for name, figure in before["figures"].items() if name not in figures}
    for figure in kept.values():
        figure.setdefault("date", before.get("date", ""))
    found["runs"] = [run for run in before["runs"] if run["name"] not in runs] + found["runs"]
    found["figures"] = {**kept, **figures}
    older = {name: figure["date"] for name, figure in kept.items() if figure["date"] < began}
    found["notes"] = [f"Measured earlier, {date}: {name}." for name, date in older.items()]
    results.write(file, found)
    return found


def class_path(checkout):
    """What Maven has written down as the suite's class path."""
    target = checkout.benchmarks / "java" / "namenode" / "target"
    listed = target / "classpath"
    if not listed.is_file():
        raise MpsrError(f"{listed} is missing: './mvnw package' writes it; delete {checkout.work / 'build.stamp'} and try again")
    return [target / "classes", *listed.read_text(encoding="utf-8").strip().split(":")]


def options(arguments, only=None):
    """The program's own arguments, for the parts that are named only."""
    found = ["--quick"] if arguments.quick else []
    found += ["--only", only] if only else []
    found += ["--files", str(arguments.files)] if arguments.files else []
    found += ["--rounds", str(arguments.rounds)]
    found += ["--directory", str(Path(arguments.directory).resolve())] if arguments.directory else []
    found += ["--json", str(_file(arguments))] if arguments.json else []
    return found


def _file(arguments):
    return Path(arguments.json).resolve() / "namenode.json"
