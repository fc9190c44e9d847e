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
"""Asks the NameNodes and DataNodes of one name service."""

import errno
import os
import socket
from collections.abc import Sequence
from typing import Any, BinaryIO
from urllib.parse import quote, urlsplit

import requests

from hadoop_mpsr.webhdfs import answers
from hadoop_mpsr.webhdfs.answers import TryAgain
from hadoop_mpsr.webhdfs.caller import Caller
from hadoop_mpsr.webhdfs.namenodes import NameNodes
from hadoop_mpsr.webhdfs.places import Places

_PATIENCE_SECONDS = 30.0
"""A failover takes less."""
_THREADS = 32
"""Connections to a host that are kept."""


class _Session(requests.Session):
    """Looks up once for each server what the environment says of it, such as a proxy. That takes as long as a short request."""

    def __init__(self) -> None:
        super().__init__()
        self._of_servers: dict[tuple[str, ...], Any] = {}

    def merge_environment_settings(self, url: Any, proxies: Any, stream: Any, verify: Any, cert: Any) -> Any:
        """As the library has it."""
        if proxies or verify is not None or cert is not None:
            return super().merge_environment_settings(url, proxies, stream, verify, cert)
        server = urlsplit(url)[:2]
        found = self._of_servers.get(server)
        if found is None:
            found = self._of_servers[server] = super().merge_environment_settings(url, {}, stream, None, None)
        return {**found, "stream": self.stream if stream is None else stream}


def new_session(verify: bool | str | None = None) -> requests.Session:
    """A session for several threads.

    Args:
        verify: A file with certificates of authorities for https; None for those of the system.
    """
    session = _Session()
    adapter = requests.adapters.HTTPAdapter(pool_maxsize=_THREADS)
    session.mount("http://", adapter)
    session.mount("https://", adapter)
    if verify is not None:
        session.verify = verify
    return session


class WebHdfs:
    """Reads and writes files of a name service. Safe for use by several threads.

    Asks the NameNode that answered last, and the others if it is on standby, or does not answer. Asks for bytes that a DataNode
    does not deliver from another one. Gives up when that has failed for some time.
    """

    def __init__(
        self,
        addresses: Sequence[str],
        caller: Caller,
        session: requests.Session | None = None,
        patience_seconds: float = _PATIENCE_SECONDS,
    ):
        """A client.

        Args:
            addresses: The roots of the NameNodes' web servers, such as ``http://nn1:9870``; one at least.
            patience_seconds: So long a request is made again if all servers fail.
        """
        self._caller = caller
        self._namenodes = NameNodes(addresses, caller, session or new_session(), patience_seconds)
        self._places = Places()

    def length(self, path: str, location: str) -> int:
        """The length of a file in bytes.

        Args:
            location: How errors name the file.

        Raises:
            FileNotFoundError: There is no such file.
            PermissionError: The caller may not see it, or HDFS does not know the caller.
            IsADirectoryError: It is a directory.
            OSError: HDFS does not answer, or with another error.
        """

        def ask() -> int:
            status = answers.file_status(self._namenode(path, {"op": "GETFILESTATUS"}, location))
            if status is None:
                raise OSError(
                    f"the answer about {location} is none of WebHDFS: see whether {', '.join(self._namenodes.addresses)} are the web servers"
                    " of NameNodes, and how they are spelled"
                )
            if status["type"] == "DIRECTORY":
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), location)
            return int(status["length"])

        return self._namenodes.patiently(ask, location)

    def read(self, path: str, location: str, offset: int, length: int) -> bytes:
        """So many bytes of a file, exactly. A DataNode that has delivered bytes nearby is asked before the NameNode is.

        Raises:
            OSError: As length(); and if the file has become shorter.
        """
        failed: set[str] = set()
        place = self._places.get(path, offset, length)
        if place is not None:
            try:
                return _all(self._datanode("GET", place, location).content, length)
            except TryAgain:
                failed.update(_address(place))
            except OSError:
                pass  # a token may have expired: the NameNode says what is wrong
            self._places.forget(path, offset)

        def ask() -> bytes:
            parameters = {"op": "OPEN", "offset": str(offset), "length": str(length)}
            if failed:
                parameters["excludedatanodes"] = ",".join(sorted(failed))
            try:
                response = self._namenode(path, parameters, location)
            except OSError as error:
                if not failed or isinstance(error, (FileNotFoundError, PermissionError)):
                    raise
                failed.clear()
                raise TryAgain(f"no DataNode but those that have failed: {error.strerror}") from None
            if not response.is_redirect:
                return _all(response.content, length)  # a gateway such as HttpFS has read them itself
            address = response.headers["Location"]
            try:
                found = _all(self._datanode("GET", address, location).content, length)
            except TryAgain:
                failed.update(_address(address))
                raise
            self._places.put(path, offset, address)
            return found

        return self._namenodes.patiently(ask, location)

    def write(self, path: str, location: str, content: BinaryIO) -> None:
        """Writes a file, also over one that is there, and the directories above it. Readers may see a part of it until this ends.

        Args:
            content: What can be sought in, as it is sent again to another DataNode if one fails. All of it is written.

        Raises:
            PermissionError: The caller may not write it, or HDFS does not know the caller.
            OSError: HDFS does not answer, or with another error. Nobody knows what there is of the file then.
        """
        failed: set[str] = set()

        def ask() -> None:
            parameters = {"op": "CREATE", "overwrite": "true"}
            if failed:
                parameters["excludedatanodes"] = ",".join(sorted(failed))
            response = self._namenode(path, parameters, location, "PUT")
            if not response.is_redirect:
                raise OSError(errno.EIO, f"the server did not say where to send the bytes (HTTP status {response.status_code})", location)
            address = response.headers["Location"]
            empty = content.seek(0, os.SEEK_END) == 0
            content.seek(0)
            try:
                self._datanode("PUT", address, location, b"" if empty else content)
            except TryAgain:
                failed.update(_address(address))
                raise

        self._namenodes.patiently(ask, location)

    def delete(self, path: str, location: str) -> None:
        """Deletes a file, or a directory that is empty.

        Raises:
            FileNotFoundError: There is none.
            PermissionError: The caller may not delete it, or HDFS does not know the caller.
            OSError: HDFS does not answer, or with another error.
        """
        tries = 0

        def ask() -> bool:
            nonlocal tries
            tries += 1
            # An earlier try may have deleted it, and its answer was lost.
            return _said(self._namenode(path, {"op": "DELETE"}, location, "DELETE")) or tries > 1

        if not self._namenodes.patiently(ask, location):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), location)

    def _namenode(self, path: str, parameters: dict[str, str], location: str, method: str = "GET") -> requests.Response:
        """The answer of the active NameNode: one of success, or that leads to a DataNode."""
        return self._namenodes.answer(
            f"/webhdfs/v1{quote(path)}", parameters, lambda response: answers.exception(response, location, self._caller), method
        )

    def _datanode(self, method: str, address: str, location: str, content: BinaryIO | bytes | None = None) -> requests.Response:
        host = urlsplit(address).netloc
        response = self._namenodes.fetch(address, {}, method, content=content)
        if response.ok and not response.is_redirect:
            return response
        error = answers.exception(response, location, self._caller)
        if isinstance(error, (FileNotFoundError, PermissionError)):
            raise error
        raise TryAgain(f"DataNode {host}: {answers.read(response, self._caller).message}")


def _address(url: str) -> list[str]:
    """The address of a DataNode as NameNodes know it: that of the host, as WebHDFS does not tell the port that they know."""
    try:
        return [socket.gethostbyname(urlsplit(url).hostname or "")]
    except OSError:
        return []


def _said(response: requests.Response) -> bool:
    """What an answer that is true or false says; true if it is none of these."""
    try:
        return bool(response.json()["boolean"])
    except (ValueError, KeyError, TypeError):
        return True


def _all(content: bytes, length: int) -> bytes:
    if len(content) != length:
        raise TryAgain(
            f"there came {len(content)} bytes instead of {length}; the file may have become shorter since it was planned"
        )
    return content
