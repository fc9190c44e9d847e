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
"""A MapReduce job that runs while a test does something else."""

import re
import time

from mpsr_launcher import waiting
from mpsr_launcher.cluster.webhdfs import WebHdfs


class MapReduceJob:
    """A job on YARN, from its start on; its client's output goes to a log of the cluster."""

    def __init__(self, cluster, jobs, name, arguments, before=()):
        """Starts ``hadoop jar`` with arguments, of which the last but one is the output directory."""
        self._cluster = cluster
        self._name = name
        self._output = arguments[-2]
        self._began = time.monotonic()
        self._child = cluster.processes.start(name, jobs.hadoop_jar(*arguments, before=before))
        self.seconds = None

    def _log(self):
        return self._cluster.processes.log(self._name).read_text(encoding="utf-8", errors="replace")

    def mapped_percent(self):
        """How much of the maps is done."""
        return max(map(int, re.findall(r"map (\d+)% reduce", self._log())), default=0)

    def require_running(self):
        """Raises when the job has ended."""
        if self._child.poll() is not None:
            raise AssertionError(f"{self._name} has ended too early with {self._child.returncode}\n{self._log()[-3000:]}")

    def await_end(self, timeout_seconds):
        """Waits until the job has ended, and fails if that was not well."""
        waiting.until(lambda: self._child.poll() is not None, f"the end of {self._name}", timeout_seconds)
        self.seconds = time.monotonic() - self._began
        if self._child.returncode != 0:
            raise AssertionError(f"{self._name} ended with {self._child.returncode}\n{self._log()[-5000:]}")

    def counter(self, name):
        """The value of a counter, as the client prints it at the end; 0 if it does not."""
        found = re.findall(rf"^\s*{re.escape(name)}=(\d+)$", self._log(), re.MULTILINE)
        return int(found[-1]) if found else 0

    def output(self):
        """The lines of the output, sorted."""
        files = WebHdfs(self._cluster)
        names = [name for name in files.names(self._output) if name.startswith("part-")]
        return sorted(line for name in names for line in files.read(f"{self._output}/{name}").splitlines())
