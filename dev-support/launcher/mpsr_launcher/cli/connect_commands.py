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
"""bin/mpsr connect."""

import json
import os
import sys
from pathlib import Path

from mpsr_launcher.cluster.cluster import running_cluster
from mpsr_launcher.errors import MpsrError


def run(checkout, console, arguments):
    """bin/mpsr connect."""
    connect = running_cluster(checkout, os.environ.get("MPSR_CLUSTER")).connect
    asked = {"offsets": "reported", "reset-offsets": "reset_offsets"}.get(arguments.action, arguments.action)
    if arguments.action == "list":
        found = connect.list()
    elif arguments.action == "create":
        found = connect.create(arguments.name, _config(arguments.config))
    else:
        found = getattr(connect, asked)(arguments.name)
    if found is not None:
        print(json.dumps(found, indent=2))
    return 0


def _config(file):
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
        return json.loads(text)
    except (OSError, ValueError) as error:
        raise MpsrError(f"{file} holds no connector configuration: {error}. Give a file with one JSON object.") from error
