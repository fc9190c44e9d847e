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
"""A module of dev-support that runs the tests that another project publishes, on stock and with MPSR."""

import os
import shutil
import zipfile

from mpsr_launcher.checkout import java
from mpsr_launcher.checkout.build import sources_hash
from mpsr_launcher.checkout.setup import lock
from mpsr_launcher.errors import MpsrError
from mpsr_launcher.pids import run_in_group


class PublishedTests:
    """Where a module keeps its lists, class paths, unpacked tests and reports, and how it is built.

    A class names the ``module``, which is also its Maven profile, further ``profiles`` and ``options`` of Maven, the
    directory that its tests are ``unpacked`` into, the packages that its JVM ``opens`` besides those that all JVMs do,
    and with ``_holds_tests`` the jars to unpack.
    """

    module = ""
    unpacked = ""
    opens = ()
    profiles = ""
    options = ()

    def __init__(self, checkout, target="target"):
        self._checkout = checkout
        self._home = checkout.root / "dev-support" / self.module
        self._target = self._home / target
        self._unpacked = self._target / self.unpacked
        self.reports = self._target / "reports"

    def build(self, console):
        """Builds the class paths when a source differs from the last build."""
        with lock(self._checkout, "build"):
            stamp, wanted = self._stamp(), self._wanted()
            if stamp.is_file() and stamp.read_text() == wanted:
                return
            stamp.unlink(missing_ok=True)
            module = str(self._home.relative_to(self._checkout.root))
            console.say(f"building {module} with ./mvnw (again only when a source changes)")
            command = ["--quiet", "--batch-mode", "--no-transfer-progress", f"-P{self.module}{self.profiles}", "-pl", module]
            command += ["--also-make", "-Dmaven.test.skip=true", *self.options, "package"]
            code = run_in_group([str(self._checkout.root / "mvnw"), *command], self._checkout.root)
            if code != 0:
                raise MpsrError(f"the build failed: ./mvnw {' '.join(command)} ended with {code}; see its errors above")
            self._unpack()
            stamp.write_text(wanted)

    def take_build(self):
        """Takes the class paths that a larger build has just made, with this module's profile."""
        with lock(self._checkout, "build"):
            self._unpack()
            self._stamp().write_text(self._wanted())

    def _stamp(self):
        return self._target / "build.stamp"

    def _wanted(self):
        return sources_hash(self._checkout.root) + sources_hash(self._home)

    def _unpack(self):
        """Unpacks the tests: some read or write files beside their classes."""
        shutil.rmtree(self._unpacked, ignore_errors=True)
        for jar in self._jars("stock"):
            if self._holds_tests(jar):
                with zipfile.ZipFile(jar) as archive:
                    archive.extractall(self._unpacked)

    def _holds_tests(self, jar):
        raise NotImplementedError

    def _jars(self, side):
        names = ["stock"] if side == "stock" else ["ours", "stock"]
        paths = [(self._target / f"{name}.classpath").read_text(encoding="utf-8").strip() for name in names]
        return [jar for path in paths for jar in path.split(os.pathsep)]

    def _java(self, tuning, properties, class_path, arguments):
        """The command line of a JVM."""
        options = [f"-D{key}={value}" for key, value in properties.items()]
        options += [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in self.opens]
        path = os.pathsep.join(str(entry) for entry in class_path)
        return [java.java(), *tuning, *java.OPENS, *options, "-cp", path, *arguments]


def listed(path):
    """The lines of a file that are no comments."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]
