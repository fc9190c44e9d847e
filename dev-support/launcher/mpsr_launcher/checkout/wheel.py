# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
"""The package of Python in python/ as a wheel. As a program, for the build of the tarballs: wheel ROOT DIRECTORY."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from mpsr_launcher.checkout.checkout import Checkout
from mpsr_launcher.checkout.setup import ensure_build_tools
from mpsr_launcher.console import Console
from mpsr_launcher.errors import MpsrError

_LEFT_OUT = ("tests", "build", "*.egg-info", "__pycache__")


def build_wheel(checkout, console, directory):
    """Builds the wheel into a directory, without a network once its tools are installed; returns its path.

    Other wheels of the package there are deleted.
    """
    pip = ensure_build_tools(checkout, console) / "bin" / "pip"
    directory = Path(directory)
    for old in directory.glob("hadoop_mpsr-*.whl"):
        old.unlink()
    with tempfile.TemporaryDirectory() as place:
        # What setuptools leaves beside the sources would be in the next wheel, too.
        sources = shutil.copytree(checkout.root / "python", Path(place) / "python", ignore=shutil.ignore_patterns(*_LEFT_OUT))
        command = [str(pip), "wheel", "--disable-pip-version-check", "--no-index", "--no-deps", "--no-build-isolation"]
        done = subprocess.run([*command, "--wheel-dir", str(directory), str(sources)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise MpsrError(f"the wheel of {checkout.root / 'python'} could not be built:\n{(done.stdout + done.stderr)[-2000:]}")
    (wheel,) = directory.glob("hadoop_mpsr-*.whl")
    return wheel


if __name__ == "__main__":
    try:
        build_wheel(Checkout(sys.argv[1]), Console(), sys.argv[2])
    except MpsrError as error:
        sys.exit(str(error))
