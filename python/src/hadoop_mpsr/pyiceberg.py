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
"""PyIceberg reads and writes files of HDFS by WebHDFS: the value of the catalog's property ``py-io-impl`` is
``hadoop_mpsr.pyiceberg.WebHdfsFileIO``. Gateways of MPSR set it themselves.

Properties:

- ``mpsr.webhdfs.address.SERVICE``: the web servers of the NameNodes of a name service, separated by commas; SERVICE may also be
  host and port of a NameNode. Gateways of MPSR set it. Without it the configuration in HADOOP_CONF_DIR says it.
- ``token``: the delegation token of HDFS, the same for the gateway and for the files. HDFS without Kerberos does not look at it.
- ``hdfs.user``: the user on a cluster without Kerberos. By default that of ``auth.basic``; without a token, that of this process.
- ``ssl.cabundle``: a file with the certificates of authorities for https.
"""

import errno
import os
import threading
from typing import Any

from pyiceberg.io import HDFS_USER, FileIO, InputFile, OutputFile
from pyiceberg.typedef import EMPTY_DICT, Properties

from hadoop_mpsr import hadoop_conf
from hadoop_mpsr.webhdfs import client
from hadoop_mpsr.webhdfs.caller import Caller
from hadoop_mpsr.webhdfs.client import WebHdfs
from hadoop_mpsr.webhdfs.stream import WebHdfsStream, WebHdfsWriter

ADDRESS = "mpsr.webhdfs.address."
"""Begins the names of the properties that tell the NameNodes' web servers."""
_SCHEME = "hdfs://"
_WEB_SCHEMES = {"webhdfs://": "http://", "swebhdfs://": "https://"}


class WebHdfsFile(InputFile, OutputFile):
    """A file of HDFS, to be read or written. Asks HDFS only when it is asked itself."""

    def __init__(self, location: str, hdfs: WebHdfs, path: str):
        super().__init__(location)
        self._hdfs = hdfs
        self._path = path

    def __len__(self) -> int:
        """The length in bytes."""
        return self._hdfs.length(self._path, self.location)

    def exists(self) -> bool:
        """Whether there is a file or a directory.

        Raises:
            PermissionError: The caller may not know it.
        """
        try:
            len(self)
        except FileNotFoundError:
            return False
        except IsADirectoryError:
            pass
        return True

    def open(self, seekable: bool = True) -> WebHdfsStream:
        """A stream of the file, which may always be sought in.

        Raises:
            FileNotFoundError: There is no such file.
            PermissionError: The caller may not read it, or HDFS does not know the caller.
            OSError: HDFS does not answer.
        """
        return WebHdfsStream(self._hdfs, self._path, self.location)

    def create(self, overwrite: bool = False) -> WebHdfsWriter:
        """A stream that writes the file when it is closed, and the directories above it.

        Raises:
            FileExistsError: There is such a file, and it is not to be overwritten.
            PermissionError: The caller may not know it. Closing the stream raises it, too.
        """
        if not overwrite and self.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), self.location)
        return WebHdfsWriter(self._hdfs, self._path, self.location)

    def delete(self) -> None:
        """Deletes it; raises as WebHdfsFileIO.delete()."""
        self._hdfs.delete(self._path, self.location)

    def to_input_file(self) -> "WebHdfsFile":
        """The same file."""
        return self


class WebHdfsFileIO(FileIO):
    """Reads and writes files of HDFS. Safe for use by several threads."""

    def __init__(self, properties: Properties = EMPTY_DICT):
        super().__init__(properties)
        self._lock = threading.Lock()
        self._services: dict[str, WebHdfs] = {}
        self._session = client.new_session((properties.get("ssl") or {}).get("cabundle"))

    def new_input(self, location: str) -> WebHdfsFile:
        """The file at a location such as ``hdfs://service/path``, or ``webhdfs://gateway:9190/path`` for what a gateway has.

        Raises:
            ValueError: The location is not in HDFS, or nobody says where its NameNodes are.
        """
        scheme = next((each for each in (_SCHEME, *_WEB_SCHEMES) if location.startswith(each)), "")
        service, slash, path = location.removeprefix(scheme).partition("/")
        if not scheme or not service:
            raise ValueError(f"{location} is no location in HDFS: it must begin with hdfs:// and a name service, or host and port")
        return WebHdfsFile(location, self._hdfs(scheme, service), slash + path)

    def new_output(self, location: str) -> WebHdfsFile:
        """As new_input()."""
        return self.new_input(location)

    def delete(self, location: str | InputFile | OutputFile) -> None:
        """Deletes a file.

        Raises:
            FileNotFoundError: There is none.
            PermissionError: The caller may not delete it, or HDFS does not know the caller.
            OSError: HDFS does not answer, or with another error.
        """
        self.new_input(location if isinstance(location, str) else location.location).delete()

    def _hdfs(self, scheme: str, service: str) -> WebHdfs:
        with self._lock:
            name = scheme + service
            if name not in self._services:
                web = _WEB_SCHEMES.get(scheme)
                self._services[name] = WebHdfs([web + service] if web else self._addresses(service), self._caller(), self._session)
            return self._services[name]

    def _addresses(self, service: str) -> list[str]:
        given = self.properties.get(ADDRESS + service, "")
        found = [address.strip() for address in given.split(",") if address.strip()]
        found = found or hadoop_conf.namenodes(hadoop_conf.load(), service)
        if not found:
            raise ValueError(
                f"nobody says where the NameNodes of hdfs://{service} are: set the property '{ADDRESS}{service}' of the catalog to"
                " the addresses of their web servers, such as http://nn1:9870,http://nn2:9870, or let HADOOP_CONF_DIR name the"
                " directory of an hdfs-site.xml that has them"
            )
        return found

    def _caller(self) -> Caller:
        basic = (self.properties.get("auth") or {}).get("basic") or {}
        return Caller.of(self.properties.get("token"), self.properties.get(HDFS_USER) or basic.get("username"))

    def __getstate__(self) -> dict[str, Any]:
        return {"properties": self.properties}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["properties"])  # type: ignore[misc]

