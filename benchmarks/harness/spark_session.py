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
"""A Spark session in a process of its own that is asked one thing after the other."""

import contextlib
import json
import os
import shutil
import subprocess

from mpsr_launcher.cluster.spark import Spark
from mpsr_launcher.errors import MpsrError


class SparkSession:
    """One session of a cluster: stock, stock with more settings, or with MPSR. Not for use by several threads.

    Quick: the JVM compiles lightly. ``script`` is a program that answers as spark/session.py does, which is the default.
    """

    def __init__(self, cluster, name, stock, settings, quick=False, script=None):
        self._processes = cluster.processes
        self._name = f"spark-{name}"
        script = script or cluster.checkout.benchmarks / "harness" / "spark" / "session.py"
        command = [str(cluster.checkout.venv / "bin" / "python"), str(script)]
        for key, value in settings.items():
            command += ["--conf", f"{key}={value}"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        environment = Spark(cluster).environment(stock)
        environment["PYTHONPATH"] = os.pathsep.join(map(str, (cluster.checkout.root, cluster.checkout.launcher)))
        # Where shuffles and spills lie: gone with the cluster's data, and what a run that was killed has left goes now.
        local = cluster.directory / "spark-local" / name
        shutil.rmtree(local, ignore_errors=True)
        environment["SPARK_LOCAL_DIRS"] = str(local)
        if quick:
            environment["JDK_JAVA_OPTIONS"] = "-XX:TieredStopAtLevel=1"
        self._child = self._processes.start(self._name, command, environment, **pipes)
        self.hello = None

    def await_ready(self):
        """Waits until the session has started; ``hello`` then says what it is."""
        self.hello = self._answer()

    def ask(self, op, **request):
        """Asks one thing and returns the answer."""
        # One that has died takes nothing: its answer says so.
        with contextlib.suppress(BrokenPipeError):
            self._child.stdin.write(json.dumps({"op": op, **request}) + "\n")
            self._child.stdin.flush()
        answer = self._answer()
        if "error" in answer:
            words = {key: value for key, value in request.items() if key != "parameters"}
            raise MpsrError(
                f"{self._name}: {op} {words} failed: {answer['error']}\nSee {self._processes.log(self._name)}"
            )
        return answer

    def _answer(self):
        for line in self._child.stdout:
            word, _, text = line.partition(" ")
            if word == "answer":
                return json.loads(text)
        raise MpsrError(f"{self._name} has died. The end of its log:\n{self._processes.tail(self._name)}")

    def close(self):
        """Ends the session, or what is left of it."""
        with contextlib.suppress(BrokenPipeError):
            self._child.stdin.close()
        self._processes.stop([self._name], 10)
        self._child.stdout.close()
