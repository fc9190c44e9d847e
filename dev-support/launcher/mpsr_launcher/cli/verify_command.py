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
"""bin/mpsr verify."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from mpsr_launcher.cli import json_output
from mpsr_launcher.cluster import mpsr_cli
from mpsr_launcher.cluster.cluster import running_cluster
from mpsr_launcher.cluster.spark import Spark
from mpsr_launcher.printable import printable
from mpsr_launcher.quickstart.report import group_table

_SHOWN = 20


def text(found):
    """What the Spark job found, as lines of text."""
    words = "the same records" if found["equal"] else "DIFFERENT records"
    unread = found.get("unreadFiles", 0)
    if unread:
        words = f"records that are not all compared: {unread:,} files were not read"
    lines = ["", f"{len(found['groups'])} groups hold {words}"]
    segments = found.get("falseSegments", [])
    lines += [f"segment {of['segment']}: group {of['group']} {of['problem']}" for of in segments[:_SHOWN]]
    files = found.get("falseFiles", [])
    lines += [f"{file['file']} {file['problem']}" for file in files[:_SHOWN]]
    if files:
        more = f"; {len(files) - _SHOWN:,} are not shown" if len(files) > _SHOWN else ""
        lines.append(f"{len(files):,} files are not as they were published{more}")
    return "\n".join([group_table(found["groups"]), *map(printable, lines)])


def run(checkout, console, arguments):
    """bin/mpsr verify."""
    if arguments.path is None and arguments.json not in (None, json_output.PRINTED):
        # "--json PATH" alone: the path is what must be there.
        arguments.path, arguments.json = arguments.json, json_output.PRINTED
    if arguments.path is None:
        print("mpsr: name the dataset, such as 'bin/mpsr verify /cals/meas'", file=sys.stderr)
        return 2
    cluster = running_cluster(checkout, os.environ.get("MPSR_CLUSTER"))
    mpsr_cli.ask(cluster, ["dataset", "show", arguments.path])  # A wrong path is told before Spark starts.
    with json_output.json_output(arguments), tempfile.TemporaryDirectory() as directory:
        spark, file = Spark(cluster), Path(arguments.json or Path(directory) / "verify.json").resolve()
        command = spark.verify(arguments.path, file)
        done = subprocess.run(command, env=spark.environment(False), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False)
        if file.is_file():
            found = json.loads(file.read_text(encoding="utf-8"))
            print(text(found), flush=True)
        return done.returncode
