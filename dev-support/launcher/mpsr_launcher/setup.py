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
"""The virtual environment with PySpark, and the checks that bin/mpsr cannot make."""

import fcntl
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from mpsr_launcher.errors import MpsrError
from mpsr_launcher.layout import spark_version


def ensure_venv(layout, console):
    """Makes .mpsr/venv with the pinned PySpark, unless it is there already. Safe to call from several processes."""
    requirement = f"pyspark=={spark_version()}"
    stamp = layout.venv / "mpsr.stamp"
    wanted = f"{requirement} python{sys.version_info.major}.{sys.version_info.minor} {sys.executable}\n"
    with lock(layout, "venv"):
        if stamp.is_file() and stamp.read_text() == wanted:
            return
        console.say(f"installing {requirement} into .mpsr/venv (once; a download of about 450 MB)")
        shutil.rmtree(layout.venv, ignore_errors=True)
        _run([sys.executable, "-m", "venv", str(layout.venv)], "the virtual environment could not be made")
        pip = [str(layout.venv / "bin" / "pip"), "install", "--quiet", requirement]
        _run(pip, f"{requirement} could not be installed")
        stamp.write_text(wanted)


def at_once(*tasks):
    """Runs functions at the same time and waits for all; raises what the first of them raised."""
    with ThreadPoolExecutor(len(tasks)) as pool:
        for future in [pool.submit(task) for task in tasks]:
            future.result()


@contextmanager
def lock(layout, name):
    """Lets one process at a time into the block; the others wait."""
    layout.work.mkdir(exist_ok=True)
    with open(layout.work / f"{name}.lock", "w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _run(command, problem):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        raise MpsrError(
            f"{problem}: '{' '.join(command)}' ended with {done.returncode} (its output is above)."
            " Fix what it says (often no network, or a full disk) and run the same command again."
        )
