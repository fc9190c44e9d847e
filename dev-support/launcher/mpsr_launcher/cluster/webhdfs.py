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
"""Lists, reads and deletes files over WebHDFS: cheaper than a JVM for a command."""

import getpass
import json
import re
import urllib.error
import urllib.parse
import urllib.request
from concurrent.futures import ThreadPoolExecutor

_READERS = 4


class WebHdfs:
    """Asks the NameNode of a cluster that is active when this is made. Safe for use by several threads."""

    def __init__(self, cluster):
        active = cluster.hdfs.active() or "namenode"
        self._root = f"http://{cluster.state.address}:{cluster.state.ports[f'{active}.http']}/webhdfs/v1"

    def names(self, path):
        """The names in a directory; none if there is no such directory."""
        try:
            return [status["pathSuffix"] for status in self._list(path)]
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return []
            raise

    def read(self, path):
        """The bytes of a file."""
        with urllib.request.urlopen(self._url(path, "OPEN") + "&noredirect=true", timeout=30) as response:
            location = json.load(response)["Location"]
        # Only the cluster's own processes know the DataNodes' host names.
        location = re.sub(r"//[^:/]+:", "//127.0.0.1:", location)
        with urllib.request.urlopen(location, timeout=30) as response:
            return response.read()

    def summary(self, path):
        """The files, and the bytes with all copies, below a directory."""
        found = self._ask(path, "GETCONTENTSUMMARY")["ContentSummary"]
        return {"files": found["fileCount"], "bytes": found["spaceConsumed"]}

    def delete(self, path):
        """Deletes a directory and all below it."""
        request = urllib.request.Request(self._url(path, "DELETE") + "&recursive=true", method="DELETE")
        urllib.request.urlopen(request, timeout=60).close()

    def fetch(self, directory, local):
        """Copies all files below a directory, in directories of their own names."""
        with ThreadPoolExecutor(_READERS) as pool:
            for future in [pool.submit(self._copy, *pair) for pair in self._files(directory, local)]:
                future.result()

    def _files(self, directory, local):
        for status in self._list(directory):
            path, target = f"{directory}/{status['pathSuffix']}", local / status["pathSuffix"]
            if status["type"] == "DIRECTORY":
                yield from self._files(path, target)
            else:
                yield path, target

    def _list(self, path):
        return self._ask(path, "LISTSTATUS")["FileStatuses"]["FileStatus"]

    def _ask(self, path, operation):
        with urllib.request.urlopen(self._url(path, operation), timeout=30) as response:
            return json.load(response)

    def _copy(self, path, target):
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(self.read(path))

    def _url(self, path, operation):
        user = urllib.parse.quote(getpass.getuser())
        return f"{self._root}{urllib.parse.quote(path)}?op={operation}&user.name={user}"
