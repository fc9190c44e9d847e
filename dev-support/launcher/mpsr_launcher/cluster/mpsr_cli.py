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
"""The commands of hadoop-mpsr-client (dataset, groups, status), asked for JSON."""

import json
import subprocess

from mpsr_launcher.checkout import java
from mpsr_launcher.errors import MpsrError

MAIN = "org.hadoopmpsr.client.cli.MpsrCommand"


def command(cluster, arguments, quick=True):
    """The command line of one command. Quick: it ends soon."""
    return java.hadoop_tool(cluster.checkout.share, cluster.conf, MAIN, arguments, quick)


def ask(cluster, arguments, failure_allowed=False):
    """Runs a command with --json and returns its object.

    A command that fails raises with its message, unless a failure is allowed and it has given an object all the same.
    """
    argv = command(cluster, [*arguments, "--json"])
    done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        answer = None
    if answer is None or (done.returncode != 0 and not failure_allowed):
        words = (done.stderr.strip() or done.stdout.strip() or "no message")[-3000:]
        raise MpsrError(f"'mpsr {' '.join(arguments)}' failed with {done.returncode}: {words}")
    return answer
