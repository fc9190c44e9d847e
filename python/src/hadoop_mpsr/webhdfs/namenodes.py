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
"""The web servers of the NameNodes of a name service, one of which is active."""

import errno
import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, BinaryIO, TypeVar
from urllib.parse import urlsplit

import requests

from hadoop_mpsr.webhdfs import redaction
from hadoop_mpsr.webhdfs.answers import TryAgain
from hadoop_mpsr.webhdfs.caller import Caller
from hadoop_mpsr.webhdfs.negotiate import Negotiate, NoTicket

_FIRST_WAIT_SECONDS = 0.1
_LONGEST_WAIT_SECONDS = 3.0
_TIMEOUTS = (10.0, 60.0)
"""Seconds to connect, and to wait for more bytes."""

T = TypeVar("T")


class NameNodes:
    """Asks the NameNode that answered last, and the others if it is on standby, or does not answer. Safe for use by several threads."""

    def __init__(self, addresses: Sequence[str], caller: Caller, session: requests.Session, patience_seconds: float):
        """They.

        Args:
            addresses: The roots of the web servers, such as ``http://nn1:9870``; one at least.
            patience_seconds: So long a request is made again if all servers fail.
        """
        self.addresses = [address.rstrip("/") for address in addresses]
        self.caller = caller
        self._session = session
        self._negotiate = Negotiate() if caller.kerberos else None
        self._patience_seconds = patience_seconds
        self._first = 0
        redaction.hide_tokens()

    def answer(
        self,
        path: str,
        parameters: dict[str, str],
        failure: Callable[[requests.Response], Exception],
        method: str = "GET",
        body: Any = None,
    ) -> requests.Response:
        """The answer of the active NameNode: one of success, or that leads to another server.

        Args:
            path: What follows the root, quoted.
            failure: The exception for an answer of failure; TryAgain lets the next NameNode be asked.
            body: What is sent as JSON; None for nothing.

        Raises:
            TryAgain: No NameNode has answered.
        """
        said = []
        first = self._first  # of several threads, each begins where some of them has found the active one
        for index in range(first, first + len(self.addresses)):
            address = self.addresses[index % len(self.addresses)]
            try:
                response = self.fetch(f"{address}{path}", {**parameters, **self.caller.parameters()}, method, body)
                if not response.ok:
                    raise failure(response)
                self._first = index % len(self.addresses)
                return response
            except TryAgain as again:
                said.append(f"{address}: {again}")
        raise TryAgain("; ".join(said))

    def fetch(
        self,
        address: str,
        parameters: dict[str, str],
        method: str = "GET",
        body: Any = None,
        content: BinaryIO | bytes | None = None,
    ) -> requests.Response:
        """The answer of some server, with its whole body.

        Args:
            body: What is sent as JSON; None for nothing.
            content: What is sent as it is; None for nothing.

        Raises:
            TryAgain: There is none. What the library raises has the address in its text, and in it the token.
            PermissionError: The server asks for a ticket, and there is none.
        """
        # a DataNode does not ask who it is: the address that the NameNode has given says that
        of_namenode = any(address.startswith(f"{root}/") for root in self.addresses)
        try:
            return self._session.request(
                method,
                address,
                params=parameters,
                json=body,
                data=content,
                headers={} if content is None else {"Content-Type": "application/octet-stream"},
                allow_redirects=False,
                timeout=_TIMEOUTS,
                auth=self._negotiate if of_namenode else None,
            )
        except NoTicket as missing:
            raise PermissionError(errno.EACCES, str(missing)) from None
        except requests.RequestException as error:
            failure = type(error).__name__
        raise TryAgain(f"{urlsplit(address).netloc} does not answer ({failure})")

    def patiently(self, ask: Callable[[], T], location: str) -> T:
        """What a question is answered that is asked again for some time.

        Args:
            location: How errors name what is asked for.

        Raises:
            OSError: It has failed with TryAgain for so long.
        """
        until = time.monotonic() + self._patience_seconds
        for wait in _waits():
            try:
                return ask()
            except TryAgain as failure:
                said = str(failure)
            if time.monotonic() + wait > until:
                break
            time.sleep(wait)
        raise OSError(
            f"HDFS has not answered about {location} for {self._patience_seconds:g} s: {said}."
            f" The NameNodes asked are {', '.join(self.addresses)}: see whether one of them is active, and whether this host finds"
            " and reaches them and the DataNodes by their names"
        )


def _waits() -> Iterator[float]:
    """Nothing first: another DataNode may have the bytes at once."""
    yield 0
    for doubled in itertools.count():
        yield min(_FIRST_WAIT_SECONDS * 2**doubled, _LONGEST_WAIT_SECONDS)
