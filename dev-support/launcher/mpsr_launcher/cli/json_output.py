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
"""The one meaning of --json: alone it prints one JSON object on standard output, with a value it writes a file."""

import contextlib
import json
import sys
import tempfile
from pathlib import Path

from mpsr_launcher.errors import MpsrError

PRINTED = "-"
"""The value of --json alone."""


def add(parser, value="FILE", help="print the result as one JSON object, or write it to FILE"):
    """Gives a command the option."""
    parser.add_argument("--json", nargs="?", const=PRINTED, metavar=value, help=help)


@contextlib.contextmanager
def json_output(arguments, several=False):
    """Within the block ``arguments.json`` names the file that the command writes, or is None.

    Where the object is to be printed, the file is a temporary one, and whatever else the command prints goes to standard
    error. With ``several`` it names a directory; the files there are printed as one object by their names.
    """
    if arguments.json != PRINTED:
        if arguments.json and not several and not Path(arguments.json).resolve().parent.is_dir():
            raise MpsrError(f"--json={arguments.json}: there is no such directory; name a file in one that exists")
        yield
        return
    for option in ("resume", "show"):
        if getattr(arguments, option, False):
            raise MpsrError(f"--{option} needs the results of an earlier run: name them with --json=PATH")
    with tempfile.TemporaryDirectory() as directory:
        arguments.json = directory if several else str(Path(directory) / "result.json")
        with contextlib.redirect_stdout(sys.stderr):
            yield
        files = sorted(Path(directory).glob("*.json"))
        found = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in files}
        if found:
            print(json.dumps(found if several else found["result"], indent=2), flush=True)
