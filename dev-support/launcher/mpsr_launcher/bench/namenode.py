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

from pathlib import Path

from mpsr_launcher import java
from mpsr_launcher.bench import results
from mpsr_launcher.errors import MpsrError
from mpsr_launcher.processes import run_in_group

NAMENODE = "org.hadoopmpsr.benchmarks.namenode.NameNodeBenchmark"


def run(layout, console, arguments):
    """Runs the suite; returns its exit code, which is 0 when every answer was right, however long it took."""
    console.say("namenode: NameNodes in one process")
    before = results.read(_file(arguments)) if arguments.only and arguments.json and _file(arguments).is_file() else None
    command = java.in_process_cluster(class_path(layout), NAMENODE, options(arguments), arguments.quick)
    code = run_in_group(command, layout.root)
    if code == 0 and arguments.json:
        results.complete(_file(arguments), layout)
        if before:
            keep_others(_file(arguments), before)
    return code


def keep_others(file, before):
    """Puts back what results from before have of parts that were not measured this time, unless they are of another scale."""
    found = results.read(file)
    if found["scale"] != before["scale"]:
        return
    runs, figures = ({run["name"] for run in found["runs"]}, found["figures"])
    kept = {name: figure for name, figure in before["figures"].items() if name not in figures}
    for figure in kept.values():
        figure.setdefault("date", before.get("date", "earlier"))
    found["runs"] = [run for run in before["runs"] if run["name"] not in runs] + found["runs"]
    found["figures"] = {**kept, **figures}
    found["notes"] = [f"Measured earlier, {figure['date']}: {name}." for name, figure in kept.items()]
    results.write(file, found)


def class_path(layout):
    """What Maven has written down as the suite's class path."""
    target = layout.root / "benchmarks" / "namenode" / "target"
    listed = target / "classpath"
    if not listed.is_file():
        raise MpsrError(f"{listed} is missing: './mvnw package' writes it; delete {layout.work / 'build.stamp'} and try again")
    return [target / "classes", *listed.read_text(encoding="utf-8").strip().split(":")]


def options(arguments):
    """The program's own arguments."""
    found = ["--quick"] if arguments.quick else []
    found += ["--only", arguments.only] if arguments.only else []
    found += ["--files", str(arguments.files)] if arguments.files else []
    found += ["--rounds", str(arguments.rounds)]
    found += ["--directory", str(Path(arguments.directory).resolve())] if arguments.directory else []
    found += ["--json", str(_file(arguments))] if arguments.json else []
    return found


def _file(arguments):
    return Path(arguments.json).resolve() / "namenode.json"
