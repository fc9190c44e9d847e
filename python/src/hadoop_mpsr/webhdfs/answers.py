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
"""What the web servers of HDFS answer, as exceptions."""

import errno
import re
from typing import Any, NamedTuple

import requests

from hadoop_mpsr.webhdfs.caller import Caller

_DENIED = {"AccessControlException"}
_UNKNOWN_CALLER = {"InvalidToken", "SecurityException", "AuthenticationException", "AuthorizationException"}
OF_THIS_NAMENODE = {"StandbyException", "RetriableException"}
"""The exceptions for which another NameNode, or the same one later, may have an answer."""
_SERVER_ERRORS = 500
_TOKENS = re.compile(r"(delegation=)[^&\s\"']+")


class TryAgain(Exception):
    """This server cannot answer, and another one or the same one later may. The text has no secrets."""


class RemoteError(NamedTuple):
    """An exception of HDFS."""

    name: str
    message: str


def read(response: requests.Response, caller: Caller) -> RemoteError:
    """What an answer that is none of success says. Its texts have no secrets."""
    try:
        found = response.json()["RemoteException"]
        return RemoteError(str(found["exception"]), caller.cleared(without_tokens(str(found["message"]))))
    except (ValueError, KeyError, TypeError):
        return RemoteError("", f"HTTP status {response.status_code}")


def file_status(response: requests.Response) -> dict[str, Any] | None:
    """What an answer says of a file or directory: ``type`` and ``length``, among others; None if it is no such answer."""
    try:
        found = response.json()["FileStatus"]
        return found if {"type", "length"} <= found.keys() else None
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def exception(response: requests.Response, location: str, caller: Caller) -> Exception:
    """The exception for an answer that is none of success.

    Args:
        location: What was asked for.
        caller: Who has asked.

    Returns:
        FileNotFoundError, PermissionError, another OSError, or TryAgain.
    """
    error = read(response, caller)
    if error.name in OF_THIS_NAMENODE or response.status_code >= _SERVER_ERRORS:
        return TryAgain(f"{error.name}: {error.message}" if error.name else error.message)
    if error.name == "FileNotFoundException":
        return FileNotFoundError(errno.ENOENT, "There is no such file, or it has been deleted since it was planned", location)
    if error.name == "FileAlreadyExistsException":
        return FileExistsError(errno.EEXIST, error.message, location)
    if error.name in _DENIED:
        return PermissionError(errno.EACCES, error.message, location)
    if error.name in _UNKNOWN_CALLER or response.status_code == requests.codes.unauthorized:
        return PermissionError(errno.EACCES, f"HDFS does not take {caller} ({error.message})", location)
    return OSError(errno.EIO, f"HDFS answered {error.name or 'an error'}: {error.message}", location)


def without_tokens(text: str) -> str:
    """The text without the delegation tokens of the addresses in it."""
    return _TOKENS.sub(r"\1...", text)
