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
"""Where something is measured: the machine, its Java, the commit of the checkout."""

import contextlib
import functools
import os
import platform
import re
import subprocess

from mpsr_launcher.checkout import java


@functools.cache
def commit(root):
    """The commit of a checkout, with a + where files differ from it; "unknown" where there is none."""
    ask = ["git", "-C", str(root), "describe", "--always", "--abbrev=12", "--exclude=*", "--dirty=+"]
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        return subprocess.run(ask, capture_output=True, text=True, check=True, timeout=30).stdout.strip()
    return "unknown"


@functools.cache
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
