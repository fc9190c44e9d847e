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
"""Runs stock PyIceberg with the wheel of the package hadoop-mpsr as a process of its own."""

import getpass
import json
import os
import subprocess
from pathlib import Path

from mpsr_launcher.checkout.setup import ensure_readers
from mpsr_launcher.checkout.wheel import build_wheel
from mpsr_launcher.cluster.webhdfs import WebHdfs
from mpsr_launcher.console import Console


class PyIceberg:
    """A client of a cluster. Its files lie in the cluster's directory."""

    def __init__(self, cluster):
        self._cluster = cluster
        self.directory = cluster.directory / "pyiceberg"
        self._python = str(ensure_readers(cluster.checkout, Console()) / "bin" / "python")
        wheel = build_wheel(cluster.checkout, Console(), self.directory)
        command = [self._python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps"]
        subprocess.run([*command, "--target", str(self.directory / "package"), str(wheel)], check=True)

    def copy(self, dataset):
        """Copies the files of a dataset's default group, with which ``ask`` compares."""
        WebHdfs(self._cluster).fetch(dataset, self.directory / "default")

    def ask(self, uri, dataset, properties, **asked):
        """What pyiceberg_client.py says of what it is asked, and what it has logged; properties are those of the catalog."""
        catalog = {"type": "rest", "uri": uri, **properties}
        return self._run("pyiceberg_client.py", catalog=catalog, table=dataset.strip("/").replace("/", "."), **asked)

    def read(self, dataset, **asked):
        """What http_read_client.py, which needs no gateway, says of what it is asked."""
        active = self._cluster.hdfs.active() or "namenode"
        address = f"http://{self._cluster.state.address}:{self._cluster.state.ports[f'{active}.http']}"
        return self._run("http_read_client.py", cluster=address, user=getpass.getuser(), dataset=dataset, **asked)[0]

    def _run(self, program, **asked):
        asked = {"hosts": str(self._cluster.conf / "hosts"), "directory": str(self.directory / "default"), **asked}
        file = self.directory / "asked.json"
        file.write_text(json.dumps(asked), encoding="utf-8")
        path = os.pathsep.join((str(self.directory / "package"), str(Path(__file__).parent)))
        command = [self._python, str(Path(__file__).with_name(program)), str(file)]
        environment = {**os.environ, "PYTHONPATH": path}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise AssertionError(f"{program} ended with {done.returncode}: {done.stderr[-3000:]}")
        return json.loads(done.stdout.splitlines()[-1]), done.stdout + done.stderr
