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
"""Files that the checkout's Maven fetches once."""

import shutil
import subprocess

from mpsr_launcher.checkout.setup import lock
from mpsr_launcher.errors import MpsrError


def fetched(checkout, console, directory, artifact, told):
    """The file of an artifact, ``group:name:version`` with a type if it is no jar, in a directory.

    Safe to call from several processes. ``told`` says how large a download it is.
    """
    name, version, *kind = artifact.split(":")[1:]
    file = directory / f"{name}-{version}.{kind[0] if kind else 'jar'}"
    with lock(checkout, f"fetch-{name}"):
        if not file.is_file():
            console.say(f"fetching {name} {version} (once; {told})")
            part = directory / f"part-{name}"
            command = [str(checkout.root / "mvnw"), "--quiet", "--batch-mode", "--non-recursive", "dependency:copy"]
            command += [f"-Dartifact={artifact}", f"-DoutputDirectory={part}"]
            done = subprocess.run(command, cwd=checkout.root, stdin=subprocess.DEVNULL, check=False)
            if done.returncode != 0:
                raise MpsrError(f"{name} {version} could not be fetched: '{' '.join(command)}' ended with {done.returncode}")
            (part / file.name).replace(file)
            shutil.rmtree(part)
    return file
