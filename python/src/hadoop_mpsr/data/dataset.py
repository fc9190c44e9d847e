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
"""Datasets, as Python sees them."""

import datetime
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pyarrow as pa

from hadoop_mpsr.data import conditions, where as texts
from hadoop_mpsr.data.chart import Chart
from hadoop_mpsr.data.conditions import All, Compare, Condition, Named
from hadoop_mpsr.data.files import FileReader
from hadoop_mpsr.data.footers import Footers
from hadoop_mpsr.data.plan import Api, Column, Plan
from hadoop_mpsr.data.values import TIMES
from hadoop_mpsr.errors import Denied, FilesGone, Refused
from hadoop_mpsr.webhdfs.client import WebHdfs

THREADS = 8
"""Files that are read at a time."""
_ATTEMPTS = 3
_TRANSFORMS = ("year", "month", "day", "hour")

Time = datetime.datetime | datetime.date | str | int | Any
"""A datetime with a zone, or without one in UTC; one of pandas or numpy; or a text such as ``2014-05-01T06:00:00Z``."""


class Dataset:
    """A dataset as it was when it was asked for. Safe for use by several threads."""

    def __init__(self, api: Api, hdfs: WebHdfs, footers: Footers, description: Mapping[str, Any]):
        self._api = api
        self._hdfs = hdfs
        self._footers = footers
        self.description = description
        """What the NameNode says of it, as docs/http.md has it."""

    @property
    def path(self) -> str:
        """The dataset's directory."""
        return self.description["path"]

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns, and then those that only the directories of files have, such as ``day``."""
        own = tuple(Column(each["name"], each["stored"], each["type"]) for each in self.description["columns"])
        stored = {column.stored.lower() for column in own}
        return own + tuple(
            Column(each["name"], each["name"], each["type"])
            for each in self.description["directoryColumns"]
            if each["name"].lower() not in stored
        )

    @property
    def schema(self) -> pa.Schema:
        """That of a read without a choice of columns."""
        return FileReader(self._hdfs, self._footers, self.columns, _Request(self.description, self.columns, None, {}).wanted, All(())).schema()

    def read(self, columns: Sequence[str] | None = None, **asked: Any) -> pa.Table:
        """The records that pass all conditions, as one table, in no particular order.

        A read whose files are gone before they are read is planned again, once.

        Args:
            columns: The names of the columns, in order; None for all but those that only directories have.
            start: The time from which on, inclusive. A time without a zone is in UTC.
            end: The time until which, exclusive.
            time: The column that start and end are about; needed only where it is not plain which one is.
            where: A condition in SQL's words: ``value > 1.5 AND device IN ('a', 'b')``.
            equal: Values by the name of a column: equal to it, to one of a list, or null where it is None.
            group: The replica group to read, whatever the cost; None for the cheapest.
            as_of: An earlier state: the number of a change, a day, a time, or a tag.
            **equalities: As ``equal``, for columns whose names are none of the above: ``signal="LHC.B1"``.

        Raises:
            NotADataset: The dataset is gone.
            Denied: The caller may not read all of it.
            Unplannable: The NameNode has no plan for it at the moment.
            Refused: A column, a value or another argument makes no sense.
            FilesGone: Files could not be read, nor those of a second plan.
            NoAnswer: Nobody answers.
        """
        return self._made(columns, asked, lambda empty, tables: pa.concat_tables([empty, *tables]))

    def series(
        self, value: str, width: int, *, start: Time, end: Time, time: str | None = None, **asked: Any
    ) -> pa.Table:
        """The times and values that a line chart shows, in the order of time: at most four for each column of pixels.

        Lines between them cover the pixels that lines between all records cover, where each column of pixels stands for as many
        whole units of the time's column (the M4 of ``hadoop_mpsr.m4``). Nulls and values that are no number are left out. All
        records are read, and few are in memory at a time.

        Args:
            value: The name of a column of numbers.
            width: The width of the chart in pixels.
            start: The time at its left edge, as read() has it.
            end: The time behind its right edge.
            time: The column of times; needed only where it is not plain which one is.
            **asked: The conditions of read(), such as ``signal="LHC.B1"``.

        Raises:
            MpsrError: As read().
        """
        asked = {**asked, "start": start, "end": end, "time": time}
        request = _Request(self.description, self.columns, [value], asked)
        try:
            chart = Chart.of(request.time(), request.named(value), start, end, width)
        except ValueError as error:
            raise _refused(self.path, str(error), "Ask for another chart.") from None
        return self._made([chart.time, chart.value], {**asked, "time": chart.time}, chart.shown)

    def _made(
        self,
        columns: Sequence[str] | None,
        asked: Mapping[str, Any],
        make: Callable[[pa.Table, Iterator[pa.Table]], pa.Table],
    ) -> pa.Table:
        """What is made of an empty table and of those of all files."""
        for attempt in (1, 2):
            reader, plan = self._planned(columns, asked)
            try:
                with _Reads(reader, plan) as reads:
                    return make(reader.schema().empty_table(), iter(reads))
            except PermissionError as error:
                raise self._denied(error) from None
            except OSError as error:
                failed = error
        raise self._gone(failed)

    def to_batches(self, columns: Sequence[str] | None = None, **asked: Any) -> Iterator[pa.RecordBatch]:
        """As read(), by batches, of which few are in memory at a time.

        Files that are gone are planned again only before the first batch; later FilesGone is raised, as what was given cannot be
        taken back.
        """
        for attempt in (1, 2):
            reader, plan = self._planned(columns, asked)
            given = False
            try:
                with _Reads(reader, plan) as reads:
                    for table in reads:
                        for batch in table.to_batches():
                            given = True
                            yield batch
                return
            except PermissionError as error:
                raise self._denied(error) from None
            except OSError as error:
                failed = error
            if given:
                break
        raise self._gone(failed)

    def plan(self, columns: Sequence[str] | None = None, **asked: Any) -> Plan:
        """What read() would read: the group, why, and the files."""
        return self._planned(columns, asked)[1]

    def _denied(self, failed: OSError) -> Denied:
        return Denied(f"cannot read the dataset {self.path}", str(failed), "Ask for the right to read all of it.")

    def _gone(self, failed: OSError) -> FilesGone:
        return FilesGone(
            f"cannot read the dataset {self.path}",
            str(failed),
            "Ask again; if it stays so, 'hdfs mpsr status' and 'hdfs fsck' say what is lost.",
        )

    def _planned(self, columns: Sequence[str] | None, asked: Mapping[str, Any]) -> tuple[FileReader, Plan]:
        known = self.columns
        for _ in range(_ATTEMPTS):
            try:
                request = _Request(self.description, known, columns, asked)
            except Refused:
                now = self._api.columns(self.path, asked.get("as_of"))
                if now == known:
                    raise
                known = now
                continue
            plan = self._api.plan(request.body())
            if plan.columns == known:
                return FileReader(self._hdfs, self._footers, known, request.wanted, request.condition), plan
            known = plan.columns  # altered meanwhile, or those of the earlier state
        raise _refused(self.path, "its columns change all the time", "Ask again in a moment.")


class _Request:
    """What somebody asks for, with the columns that the dataset has."""

    def __init__(
        self, description: Mapping[str, Any], known: Sequence[Column], columns: Sequence[str] | None, asked: Mapping[str, Any]
    ):
        self._path = description["path"]
        self._description = description
        self._known = {column.name.lower(): column for column in known}
        self._asked = dict(asked)
        self._group = self._asked.pop("group", None)
        self._as_of = self._asked.pop("as_of", None)
        self._of_time = self._asked.pop("time", None)
        if isinstance(columns, str):
            raise _refused(self._path, f"the columns are '{columns}', a text", f"Give a list: ['{columns}'].")
        only = {each["name"].lower() for each in description["directoryColumns"]} - {each["stored"].lower() for each in description["columns"]}
        try:
            self.wanted = (
                [column.name for column in known if column.name.lower() not in only]
                if columns is None
                else [self.named(name).name for name in columns]
            )
            self.condition = self._conditions()
        except ValueError as error:
            raise _refused(self._path, str(error), f"There are {', '.join(column.name for column in known)}.") from None

    def body(self) -> dict[str, Any]:
        """The request for the plan."""
        found: dict[str, Any] = {"path": self._path, "filter": conditions.sent(self.condition)}
        found["columns"] = sorted(self._known[name.lower()].stored for name in self.wanted)
        if self._group is not None:
            found["group"] = self._group
        if self._as_of is not None:
            found["asOf"] = str(self._as_of)
        return found

    def named(self, name: str) -> Named:
        """The column of this name; ValueError if there is none."""
        column = self._known.get(name.lower())
        if column is None:
            raise ValueError(f"there is no column '{name}'")
        return Named(column.name, column.stored, column.type)

    def _conditions(self) -> Condition:
        parts: list[Condition] = []
        start, end = self._asked.pop("start", None), self._asked.pop("end", None)
        text = self._asked.pop("where", None)
        if start is not None or end is not None:
            column = self.time()
            parts += [] if start is None else [Compare.of(column, ">=", start)]
            parts += [] if end is None else [Compare.of(column, "<", end)]
        if text is not None:
            parts.append(texts.parse(text, self.named))
        for name, value in {**(self._asked.pop("equal", None) or {}), **self._asked}.items():
            parts.append(conditions.equal(self.named(name), value))
        return All(tuple(parts))

    def time(self) -> Named:
        """The column that start and end are about: the one that is named, the only time, or the one by which groups are partitioned.

        Raises:
            ValueError: Nobody can tell.
        """
        if self._of_time is not None:
            return self.named(self._of_time)
        times = [column.name for column in self._known.values() if column.type in TIMES]
        shown = {column.stored.lower(): column.name for column in self._known.values()}
        by = {
            shown.get(predicate.partition("(")[2].rstrip(")").strip().strip("`").lower())
            for group in self._description["groups"]
            for predicate in group["predicates"]
            if predicate.partition("(")[0].strip() in _TRANSFORMS
        } & set(times)
        for found in (times, sorted(name for name in by if name)):
            if len(found) == 1:
                return self.named(found[0])
        raise ValueError(f"start and end are about one of {times or 'no column of a time'}: say which with time=")


class _Reads:
    """The tables of a plan's files in the plan's order, some of which are read ahead."""

    def __init__(self, reader: FileReader, plan: Plan):
        self._reader = reader
        self._files = iter(plan.files)
        self._alone = plan.files[0] if len(plan.files) == 1 else None
        self._pool = ThreadPoolExecutor(THREADS, "mpsr-read")
        self._ahead: list[Future[pa.Table]] = []

    def __enter__(self) -> "_Reads":
        return self

    def __exit__(self, *error: object) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)

    def __iter__(self) -> Iterator[pa.Table]:
        if self._alone is not None:
            yield self._reader.read(self._alone)  # a thread would cost more than it gains
            return
        while True:
            while len(self._ahead) < 2 * THREADS and (file := next(self._files, None)) is not None:
                self._ahead.append(self._pool.submit(self._reader.read, file))
            if not self._ahead:
                return
            yield self._ahead.pop(0).result()


def _refused(path: str, cause: str, fix: str) -> Refused:
    return Refused(f"cannot read the dataset {path}", cause, fix)
