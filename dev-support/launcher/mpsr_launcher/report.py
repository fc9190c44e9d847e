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

import contextlib
import os
import platform
import re
import subprocess

from mpsr_launcher import java


def table(queries):
    """The queries as lines of text, numbers of stock and MPSR side by side."""
    head = ("query", "group", "files stock", "MPSR", "bytes stock", "MPSR", "s stock", "MPSR", "answers")
    rows = [head]
    for query in queries:
        numbers = [
            text
            for key, form in (("files", _plain), ("bytes", size), ("seconds", _seconds))
            for text in (form(query.stock[key]), form(query.mpsr[key]))
        ]
        rows.append((query.name, query.group, *numbers, "equal" if query.equal else "DIFFERENT"))
    return aligned(rows)


def group_table(groups):
    """The representations as lines of text."""
    rows = [("replica group", "records", "files", "bytes", "content hash")]
    for name, group in groups.items():
        rows.append((name, _plain(group["records"]), _plain(group["files"]), size(group["bytes"]), group["contentHash"]))
    return aligned(rows)


def aligned(rows):
    """Rows of cells as lines of text, the first one the head; numbers stand to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [text.ljust(width) if _is_word(text) else text.rjust(width) for text, width in zip(row, widths)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]])


def _is_word(text):
    return not re.match(r"^[0-9][0-9.,]*( [kMG]?B)?$", text)


def _plain(number):
    return f"{number:,}"


def _seconds(number):
    return f"{number:.2f}"


def commit(root):
    """The commit of a checkout, with a + where files differ from it; "unknown" where there is none."""
    ask = ["git", "-C", str(root), "describe", "--always", "--abbrev=12", "--exclude=*", "--dirty=+"]
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        return subprocess.run(ask, capture_output=True, text=True, check=True, timeout=30).stdout.strip()
    return "unknown"


def size(number):
    """A number of bytes with three digits."""
    for unit, factor in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if number >= factor:
            return f"{number / factor:.3g} {unit}" if number < 100 * factor else f"{number / factor:.0f} {unit}"
    return f"{number} B"


def as_json(groups, queries, violations, stable, layout):
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
        "versions": {**layout.versions(), "java": java_version(), "python": platform.python_version()},
        "machine": machine(),
    }


_GROUP = ("records", "contentHash", "bytes", "files")
_RUN = ("seconds", "bytes", "files")


def java_version():
    """The version of the java program in use."""
    done = subprocess.run([java.java(), "-version"], capture_output=True, text=True, check=False)
    found = re.search(r'version "([^"]+)"', done.stderr)
    return found.group(1) if found else "unknown"


def machine():
    """Cores, memory, processor and system of this machine."""
    return {
        "cores": len(os.sched_getaffinity(0)),
        "memoryBytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "cpu": _cpu(),
        "os": f"{platform.system()} {platform.release()} {platform.machine()}",
    }


def _cpu():
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        found = re.search(r"^model name\s*: (.*)$", info.read(), re.MULTILINE)
    return found.group(1) if found else platform.processor()
