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
"""Plans, as the NameNode answers them by HTTP."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import quote

import requests

from hadoop_mpsr.errors import Denied, MpsrError, NoAnswer, NotADataset, Refused, Unplannable
from hadoop_mpsr.webhdfs import answers
from hadoop_mpsr.webhdfs.answers import TryAgain
from hadoop_mpsr.webhdfs.namenodes import NameNodes

_ROOT = "/mpsr/v1"
_DENIED = {"AccessControlException", "AuthorizationException", "SecurityException", "InvalidToken", "AuthenticationException"}
_CHANGED = "PlanChangedException"
_ATTEMPTS = 5


class Column(NamedTuple):
    """A column of a dataset.

    Attributes:
        name: Under which readers see it.
        stored: Under which files have it.
        type: As a schema's text names it, such as ``timestamp_ns``.
    """

    name: str
    stored: str
    type: str


class PlannedFile(NamedTuple):
    """A file to read.

    Attributes:
        length: In bytes; None where only HDFS knows it.
        partition: The texts of the values that its directories name and it lacks, by stored name.
        modified: When it was changed for the last time, in milliseconds since 1970; None where it may change again.
    """

    path: str
    length: int | None
    partition: Mapping[str, str | None]
    modified: int | None = None


class Plan(NamedTuple):
    """What is to be read.

    Attributes:
        group: The chosen replica group.
        reason: Why.
        as_of: The number of the change whose state is planned; None for the present state.
        columns: Those of the state, and then those that only directories have.
        files: Each record is in one of them.
        candidates: What reading each group would cost.
    """

    group: str
    reason: str
    as_of: int | None
    columns: tuple[Column, ...]
    files: tuple[PlannedFile, ...]
    candidates: tuple[Mapping[str, Any], ...]


class _Changed(Exception):
    """A page is of another state than the first one."""


class Api:
    """Asks the NameNodes. Safe for use by several threads."""

    def __init__(self, namenodes: NameNodes):
        self._namenodes = namenodes

    def status(self) -> dict[str, Any]:
        """The state of MPSR."""
        return self._ask("/status", "the state of MPSR", {})

    def dataset(self, path: str) -> dict[str, Any]:
        """What the NameNode says of a dataset.

        Raises:
            NotADataset: There is none.
            Denied: The caller may not read it.
        """
        return self._ask(f"/datasets{quote(path)}", f"the dataset {path}", {})

    def datasets(self, path: str) -> list[dict[str, Any]]:
        """The datasets at or below a path that the caller may read."""
        found: list[dict[str, Any]] = []
        parameters = {"path": path}
        while True:
            page = self._ask("/datasets", f"the datasets below {path}", parameters)
            found += page["datasets"]
            if page["next"] is None:
                return found
            parameters = {"path": path, "after": page["next"]}

    def plan(self, request: Mapping[str, Any]) -> Plan:
        """A plan with all its files.

        Args:
            request: The body of the request, without a page.

        Raises:
            NotADataset: There is none.
            Denied: The caller may not read it.
            Unplannable: The NameNode leaves the reader on the dataset's directory.
            Refused: The request makes no sense.
        """
        what = f"a read of the dataset {request['path']}"
        for _ in range(_ATTEMPTS):
            try:
                first = self._ask("/plan", what, {}, request)
                if first["stock"]:
                    raise _unplannable(what, first["reason"])
                files = list(first["files"])
                page = first
                while page["nextPage"] is not None:
                    page = self._ask("/plan", what, {}, {**request, "page": page["nextPage"]})
                    files += page["files"]
                return _plan(what, first, files)
            except _Changed as changed:
                said = str(changed)
        raise _unplannable(what, said)

    def columns(self, path: str, as_of: Any) -> tuple[Column, ...]:
        """The columns of a dataset as they are now, or were in an earlier state; raises as plan()."""
        nothing = {"op": "or", "parts": []}
        return self.plan({"path": path, "filter": nothing, **({} if as_of is None else {"asOf": str(as_of)})}).columns

    def _ask(self, path: str, what: str, parameters: dict[str, str], body: Any = None) -> dict[str, Any]:
        def ask() -> requests.Response:
            method = "GET" if body is None else "POST"
            return self._namenodes.answer(
                f"{_ROOT}{path}", parameters, lambda response: self._failure(response, what, path), method, body
            )

        try:
            response = self._namenodes.patiently(ask, what)
        except PermissionError as error:
            raise Denied(f"cannot ask for {what}", str(error.strerror), "Then ask again.") from None
        except OSError as error:
            raise NoAnswer(f"cannot ask for {what}", str(error), "Look at the NameNodes, and ask again.") from None
        try:
            return response.json()
        except (ValueError, json.JSONDecodeError):
            raise NoAnswer(
                f"cannot ask for {what}",
                "the answer is none of MPSR",
                f"See whether {', '.join(self._namenodes.addresses)} are the web servers of NameNodes.",
            ) from None

    def _failure(self, response: requests.Response, what: str, path: str) -> Exception:
        error = answers.read(response, self._namenodes.caller)
        if error.name in answers.OF_THIS_NAMENODE or response.status_code >= 500:
            return TryAgain(f"{error.name}: {error.message}" if error.name else error.message)
        if error.name == _CHANGED:
            return _Changed(error.message)
        return self._typed(error, response, what, path)

    def _typed(self, error: answers.RemoteError, response: requests.Response, what: str, path: str) -> MpsrError:
        problem = f"cannot ask for {what}"
        if error.name in _DENIED or response.status_code == requests.codes.unauthorized:
            return Denied(
                problem,
                error.message,
                f"Ask for the right to read, or ask as somebody else: the caller is {self._namenodes.caller}.",
            )
        if not error.name:
            return NotADataset(
                problem,
                f"the web server has no {_ROOT}{path} ({error.message})",
                "See whether it is that of a NameNode, and MPSR of this version runs there.",
            )
        if error.name == "FileNotFoundException":
            return NotADataset(problem, error.message, "See .datasets() for those that you may read.")
        if response.status_code == requests.codes.bad_request or error.name == "OversizeMessageException":
            return Refused(problem, error.message, "Correct the request.")
        return Unplannable(problem, error.message, "Correct the request, or ask again in a moment.")


def _plan(what: str, first: Mapping[str, Any], files: list[Mapping[str, Any]]) -> Plan:
    columns = tuple(Column(each["name"], each["stored"], each["type"]) for each in first["columns"])
    stored = {column.stored.lower() for column in columns}
    own = tuple(
        Column(each["name"], each["name"], each["type"]) for each in first["directoryColumns"] if each["name"].lower() not in stored
    )
    found = [PlannedFile(each["path"], each["length"], _partition(what, each), each["modificationTime"]) for each in files]
    found += [PlannedFile(each["path"], None, _partition(what, each)) for each in first["untracked"]]
    return Plan(first["group"], first["reason"], first["asOf"], columns + own, tuple(found), tuple(first["candidates"]))


def _partition(what: str, file: Mapping[str, Any]) -> Mapping[str, str | None]:
    if file["partition"] is None:
        raise _unplannable(what, f"the directories of {file['path']} do not name the values of its partition")
    return file["partition"]


def _unplannable(what: str, reason: str) -> Unplannable:
    return Unplannable(
        f"cannot plan {what}", reason, "Ask again in a moment; 'hdfs mpsr status' says what is wrong with MPSR, if anything is."
    )
