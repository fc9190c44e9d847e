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
"""The Maven build, re-used for as long as no source has changed."""

import hashlib
import re
import shutil

from mpsr_launcher.checkout.setup import lock
from mpsr_launcher.errors import MpsrError
from mpsr_launcher.pids import java_processes, run_reading

SKIPPED = {"target", ".mpsr", ".git", "dev-support", "docs", "conf", "bin", "data", "python"}
TOOLS = "dev-support/linkage"
"""Changes the jars of the other modules."""


def ensure_built(checkout, console):
    """Builds the distribution's directory when a source differs from the last build."""
    if not checkout.has_sources:
        return
    with lock(checkout, "build"):
        stamp = checkout.work / "build.stamp"
        wanted = sources_hash(checkout.root)
        if stamp.is_file() and stamp.read_text() == wanted and (checkout.share / "spark").is_dir():
            return
        _clear(checkout, stamp)
        console.say("building with ./mvnw (again only when a source changes)")
        _maven(checkout, console)
        stamp.write_text(wanted)


def ensure_spark_jar(checkout, console):
    """Builds the jar for a Spark other than the distribution's when a source differs from the last build of it."""
    if not checkout.spark.module:
        return
    with lock(checkout, "build"):
        stamp = checkout.work / f"{checkout.spark.requirements}.stamp"
        wanted = sources_hash(checkout.root)
        if stamp.is_file() and stamp.read_text() == wanted and checkout.spark_jar().is_file():
            return
        console.say(f"building the jar for Spark {checkout.spark.version} with ./mvnw (again only when a source changes)")
        _maven(checkout, console, "-Psparks", f"--projects={checkout.spark.module}", "--also-make")
        stamp.write_text(wanted)


def verify(checkout, profiles=(), options=()):
    """Builds everything with all of Maven's tests, as a fresh checkout does.

    The tarballs get their bills of materials. Profiles add modules that are not in the default build; options go to Maven.
    Returns Maven's exit code and the lines of its output that tell errors.
    """
    errors = []

    def on_line(line):
        print(line, flush=True)
        if line.removeprefix("[ERROR]").strip() and line.startswith("[ERROR]"):
            errors.append(line)

    with lock(checkout, "build"):
        stamp = checkout.work / "build.stamp"
        wanted = sources_hash(checkout.root)
        _clear(checkout, stamp)
        command = [str(checkout.root / "mvnw"), "--batch-mode", "--no-transfer-progress", "--fail-at-end"]
        command += ["--threads", "2"]  # Some modules' tests wait more than they compute.
        command += [*(f"-P{profile}" for profile in ("bom", *profiles)), *options, "verify"]
        code = run_reading(command, checkout.root, on_line)
        if code == 0:
            stamp.write_text(wanted)
        return code, errors


def _clear(checkout, stamp):
    """Deletes the last build: jars of versions that are no longer wanted must not stay on the class paths."""
    running = java_processes(f"{checkout.share}/")
    if running:
        raise MpsrError(
            f"the sources have changed since the last build, and {len(running)} processes of that build still run"
            f" ({', '.join(map(str, running))}): stop them first with 'bin/mpsr cluster stop'"
        )
    stamp.unlink(missing_ok=True)
    shutil.rmtree(checkout.dist, ignore_errors=True)
    for tarball in checkout.tarballs().values():
        tarball.unlink()


def sources_hash(root):
    """A hash over names and contents of all poms and of all files below the modules' src folders."""
    digest = hashlib.sha256()
    for path in sorted([*_sources(root), *(_sources(root / TOOLS) if (root / TOOLS).is_dir() else ())]):
        digest.update(str(path.relative_to(root)).encode() + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _sources(root):
    for entry in root.iterdir():
        if entry.name == "pom.xml":
            yield entry
        elif entry.name == "src" and entry.is_dir():
            yield from (path for path in entry.rglob("*") if path.is_file() and "test" not in path.parts)
        elif entry.is_dir() and entry.name not in SKIPPED and not entry.name.startswith("."):
            yield from _sources(entry)


def _maven(checkout, console, *of):
    command = [
        str(checkout.root / "mvnw"),
        "--batch-mode",
        "--threads=1C",
        "-Dmaven.test.skip=true",
        "-Dspotless.check.skip=true",
        "-Dassembly.skipAssembly=true",
        *of,
        "package",
    ]
    told = checkout.work / "build.log"
    with open(told, "w", encoding="utf-8") as log:
        progress = Progress(console, log)
        code = run_reading(command, checkout.root, progress.line)
    if code != 0:
        errors = "\n".join(progress.errors)
        raise MpsrError(
            f"the build failed: './mvnw package' ended with {code}:\n{errors}\nAll of its output is in {told}."
            " Fix the first of the errors and run the same command again."
        )


class Progress:
    """Makes of Maven's output what a person wants to know: which module it builds, and how much it downloads."""

    most_errors = 20

    def __init__(self, console, log):
        self._console = console
        self._log = log
        self._module = "reading the build files"
        self._fetched = 0
        self.errors = []

    def line(self, line):
        """Takes a line of Maven's output."""
        self._log.write(line + "\n")
        building = _BUILDING.match(line)
        if building:
            self._module = "building {} ({} of {})".format(*building.groups())
            self._console.say(self._module)
        elif "Downloaded from " in line:
            self._fetched += 1
            self._console.update(f"{self._module}; Maven has downloaded {self._fetched} files")
        elif line.startswith("[ERROR]") and len(self.errors) < self.most_errors:
            self.errors.append(line)


_BUILDING = re.compile(r"\[INFO\] Building (\S+) .*\[(\d+)/(\d+)\]")
