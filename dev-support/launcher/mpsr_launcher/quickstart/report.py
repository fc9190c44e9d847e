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
"""What a quickstart found, as a table and as JSON."""

import platform

from mpsr_launcher import tables
from mpsr_launcher.checkout import surroundings


def table(queries):
    """The queries as lines of text, numbers of stock and MPSR side by side."""
    head = ("query", "group", "files stock", "MPSR", "bytes stock", "MPSR", "s stock", "MPSR", "answers")
    rows = [head]
    for query in queries:
        numbers = [
            text
            for key, form in (("files", tables.plain), ("bytes", tables.size), ("seconds", _seconds))
            for text in (form(query.stock[key]), form(query.mpsr[key]))
        ]
        rows.append((query.name, query.group, *numbers, "equal" if query.equal else "DIFFERENT"))
    return tables.aligned(rows)


def group_table(groups):
    """The representations as lines of text."""
    rows = [("replica group", "records", "files", "bytes", "content hash")]
    for name, group in groups.items():
        rows.append((name, tables.plain(group["records"]), tables.plain(group["files"]), tables.size(group["bytes"]), group["contentHash"]))
    return tables.aligned(rows)


def _seconds(number):
    return f"{number:.2f}"


def as_json(groups, queries, violations, stable, checkout):
    """The object that --json writes."""
    return {
        "groups": {name: {key: group[key] for key in _GROUP} for name, group in groups.items()},
        "queries": [
            {
                "name": query.name,
                "group": query.group,
                "equal": query.equal,
                "stock": {key: query.stock[key] for key in _RUN},
                "mpsr": {key: query.mpsr[key] for key in _RUN},
            }
            for query in queries
        ],
        "placementViolations": violations,
        "allocationStable": stable,
        "versions": {**checkout.versions(), "java": surroundings.java_version(), "python": platform.python_version()},
        "machine": surroundings.machine(),
    }


_GROUP = ("records", "contentHash", "bytes", "files")
_RUN = ("seconds", "bytes", "files")
