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
"""The records of one planned file."""

import datetime
import operator
import urllib.parse
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.acero as acero

from hadoop_mpsr.data.conditions import Condition, joined
from hadoop_mpsr.data.footers import Footer, Footers
from hadoop_mpsr.data.plan import Column, PlannedFile
from hadoop_mpsr.data.types import arrow_type
from hadoop_mpsr.webhdfs.client import WebHdfs
from hadoop_mpsr.webhdfs.stream import WebHdfsStream


class FileReader:
    """Reads files: the columns that are asked for, of the row groups that a condition needs. Safe for use by several threads."""

    def __init__(self, hdfs: WebHdfs, footers: Footers, columns: Sequence[Column], wanted: Sequence[str], condition: Condition):
        """A reader.

        Args:
            footers: Of files that were read before, by whomever with the rights of this caller.
            columns: All of the dataset.
            wanted: The names of those that the table has, in order.
            condition: That the records pass.
        """
        self._hdfs = hdfs
        self._footers = footers
        self._wanted = list(wanted)
        self._condition = condition
        needed = {*wanted, *condition.columns()}
        self._columns = [column for column in columns if column.name in needed]

    def schema(self) -> pa.Schema:
        """That of each table."""
        types = {column.name: arrow_type(column.type) for column in self._columns}
        return pa.schema([pa.field(name, types[name]) for name in self._wanted])

    def read(self, file: PlannedFile) -> pa.Table:
        """The records of a file that pass the condition.

        Raises:
            OSError: The file cannot be read, or is none of Parquet.
            pa.ArrowInvalid: A column is of a type that the dataset's does not hold.
        """
        with WebHdfsStream(self._hdfs, file.path, file.path, file.length) as stream:
            footer = self._footer(file, stream)
            found = self._found(file, footer.schema)
            names = {column.name: found[column.name] for column in self._columns if column.name in found}
            groups = footer.row_groups(self._pushed(names, footer.schema))
            leaves = footer.leaves(set(names.values()))
            stream.expect(footer.ranges(groups, leaves))
            opened = footer.open(stream)
            # one after the other, so that few records are in memory that do not pass
            parts = [
                self._passing(file, names, opened.reader.read_row_group(group, column_indices=leaves, use_threads=False), footer.records(group))
                for group in groups
            ]
        return pa.concat_tables([self.schema().empty_table(), *parts])

    def _footer(self, file: PlannedFile, stream: WebHdfsStream) -> Footer:
        key = None if file.length is None or file.modified is None else (file.path, file.length, file.modified)
        footer = None if key is None else self._footers.get(key)
        if footer is None:
            try:
                footer = Footer(stream)
            except pa.ArrowInvalid as error:
                raise OSError(f"{file.path} is no file of Parquet: {error}") from None
            if key is not None:
                self._footers.put(key, footer)
        return footer

    def _passing(self, file: PlannedFile, names: Mapping[str, str], read: pa.Table, records: int) -> pa.Table:
        """Those that pass of the records of a row group."""
        if not self._columns:
            return pa.table({"": pa.nulls(records)}).select([])
        arrays = [
            self._array(column, read[names[column.name]] if column.name in names else None, file, records) for column in self._columns
        ]
        table = pa.table(arrays, names=[column.name for column in self._columns])
        condition = self._condition.expression({column.name: column.name for column in self._columns})
        source, exact = acero.TableSourceNodeOptions(table), acero.FilterNodeOptions(condition)
        steps = [acero.Declaration("table_source", source), acero.Declaration("filter", exact)]
        return acero.Declaration.from_sequence(steps).to_table(use_threads=False).select(self._wanted)

    def _found(self, file: PlannedFile, physical: pa.Schema) -> Mapping[str, str]:
        """The names under which the file has columns; those of its directories are none of the file's."""
        by_name: dict[str, str] = {}
        for name in physical.names:
            if by_name.setdefault(name.lower(), name) != name or physical.names.count(name) > 1:
                raise OSError(f"{file.path} has the column '{name}' more than once: nobody can tell which is meant")
        outside = {name.lower() for name in file.partition}
        return {
            column.name: by_name[column.stored.lower()]
            for column in self._columns
            if column.stored.lower() in by_name and column.stored.lower() not in outside
        }

    def _pushed(self, names: Mapping[str, str], physical: pa.Schema) -> Any:
        """As much of the condition as the file's statistics can decide: of the columns that it has with the dataset's types."""
        types = {column.name: arrow_type(column.type) for column in self._columns}
        same = {name for name, stored in names.items() if physical.field(stored).type == types[name]}
        parts = [part.expression(names) for part in self._condition.conjuncts() if part.columns() <= same]
        return joined(parts, operator.and_) if parts else None

    def _array(self, column: Column, array: pa.ChunkedArray | None, file: PlannedFile, records: int) -> pa.ChunkedArray:
        kind = arrow_type(column.type)
        if array is not None:
            return array if array.type == kind else _widened(array, kind)
        texts = {name.lower(): text for name, text in file.partition.items()}
        text = texts.get(column.stored.lower())
        value = None if text is None else _value(text, column)
        return pa.chunked_array([pa.repeat(pa.scalar(value, kind), records)])


def _widened(array: pa.ChunkedArray, kind: pa.DataType) -> pa.ChunkedArray:
    if pa.types.is_nested(kind):
        return pa.chunked_array([_nested(chunk, kind) for chunk in array.chunks], kind)
    return array.cast(kind)


def _nested(array: pa.Array, kind: pa.DataType) -> pa.Array:
    """The values with the fields of the type: those that are missing are null."""
    if array.type == kind:
        return array
    if pa.types.is_struct(kind):
        have = {array.type.field(i).name.lower(): i for i in range(array.type.num_fields)}
        fields = [kind.field(i) for i in range(kind.num_fields)]
        parts = [
            _nested(array.field(have[field.name.lower()]), field.type) if field.name.lower() in have else pa.nulls(len(array), field.type)
            for field in fields
        ]
        return pa.StructArray.from_arrays(parts, fields=fields, mask=array.is_null())
    return pa.array(array.to_pylist(), kind) if pa.types.is_nested(kind) else array.cast(kind)


def _value(text: str, column: Column) -> Any:
    """What a directory's text stands for.

    Raises:
        OSError: It is no value of the column's type.
    """
    kind = column.type
    try:
        if kind == "string":
            return text
        if kind == "date":
            return datetime.date.fromisoformat(text)
        if kind == "boolean":
            return {"true": True, "false": False}[text.lower()]
        if kind in ("tinyint", "smallint", "int", "bigint", "timestamp_ns", "time_ns"):
            return int(text)
        if kind in ("timestamp", "timestamp_ntz"):
            return pa.scalar(int(text), pa.int64()).cast(arrow_type(kind))
    except (ValueError, KeyError):
        pass
    raise OSError(f"the directory '{column.stored}={urllib.parse.quote(text)}' names no value of the type {kind}")
