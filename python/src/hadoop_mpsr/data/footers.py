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
"""The ends of Parquet files, which say what is where."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

_UNIT = "us"
"""Of the times that old writers have as 96 bits."""
_FORMAT = ds.ParquetFileFormat(read_options=ds.ParquetReadOptions(coerce_int96_timestamp_unit=_UNIT))
_APART_BYTES = 128 * 1024
"""Bytes between two that are read cost less than another request."""
_TOGETHER_BYTES = 8 * 1024 * 1024
_MOST_BYTES = 16 * 1024 * 1024

FileKey = tuple[str, int, int]
"""The path, the length, and the time of the last change: such a file is never written anew."""


class Footer:
    """What a file says of itself. Safe for use by several threads.

    Attributes:
        schema: Its columns.
        size: How many bytes it has in the file.
    """

    def __init__(self, stream: BinaryIO):
        """Reads it from the end of a stream.

        Raises:
            OSError: The stream cannot be read.
            pa.ArrowInvalid: It has no Parquet.
        """
        self._metadata = pq.ParquetFile(stream, coerce_int96_timestamp_unit=_UNIT).metadata
        alone = pa.BufferOutputStream()
        self._metadata.write_metadata_file(alone)
        # has no pages, and says which row groups a condition leaves
        self._fragment = _FORMAT.make_fragment(pa.BufferReader(alone.getvalue()))
        self._fragment.ensure_complete_metadata()
        self.schema: pa.Schema = self._fragment.physical_schema
        self.size: int = self._metadata.serialized_size

    def row_groups(self, condition: Any) -> list[int]:
        """The numbers of the row groups that may have records that pass, by their statistics.

        Args:
            condition: An expression of Arrow about columns of the file; None for all row groups.
        """
        if condition is None:
            return list(range(self._metadata.num_row_groups))
        return [each.id for each in self._fragment.subset(filter=condition, schema=self.schema).row_groups]

    def records(self, group: int) -> int:
        """Of a row group."""
        return int(self._metadata.row_group(group).num_rows)

    def leaves(self, columns: set[str]) -> list[int]:
        """The numbers of the columns without parts of which columns of the schema consist."""
        found, number = [], 0
        for field in self.schema:
            count = _leaves(field.type)
            if field.name in columns:
                found += range(number, number + count)
            number += count
        return found

    def ranges(self, groups: Sequence[int], leaves: Sequence[int]) -> list[tuple[int, int]]:
        """The begins and the ends of the bytes that these columns of row groups are in. Those that are near each other are one."""
        chunks = [self._metadata.row_group(group).column(leaf) for group in groups for leaf in leaves]
        found: list[tuple[int, int]] = []
        for begin, end in sorted(_range(chunk) for chunk in chunks):
            if found and begin - found[-1][1] <= _APART_BYTES and end - found[-1][0] <= _TOGETHER_BYTES:
                found[-1] = found[-1][0], max(end, found[-1][1])
            else:
                found.append((begin, end))
        return found

    def open(self, stream: BinaryIO) -> pq.ParquetFile:
        """The file, whose end is not read again."""
        return pq.ParquetFile(stream, metadata=self._metadata, pre_buffer=False, coerce_int96_timestamp_unit=_UNIT)


class Footers:
    """Those of files that were read before. Safe for use by several threads. The most recently used are kept."""

    def __init__(self, most_bytes: int = _MOST_BYTES):
        """None.

        Args:
            most_bytes: That they have in their files, all together.
        """
        self._most = most_bytes
        self._bytes = 0
        self._known: OrderedDict[FileKey, Footer] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: FileKey) -> Footer | None:
        """That of a file, if it is kept."""
        with self._lock:
            found = self._known.get(key)
            if found is not None:
                self._known.move_to_end(key)
            return found

    def put(self, key: FileKey, footer: Footer) -> None:
        """Keeps one."""
        with self._lock:
            before = self._known.pop(key, None)
            self._bytes += footer.size - (before.size if before else 0)
            self._known[key] = footer
            while self._bytes > self._most:
                self._bytes -= self._known.popitem(last=False)[1].size


def _leaves(kind: pa.DataType) -> int:
    if pa.types.is_map(kind):
        return _leaves(kind.key_type) + _leaves(kind.item_type)
    if pa.types.is_struct(kind):
        return sum(_leaves(kind.field(number).type) for number in range(kind.num_fields))
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        return _leaves(kind.value_type)
    return 1


def _range(chunk: Any) -> tuple[int, int]:
    begin = chunk.data_page_offset
    if chunk.dictionary_page_offset is not None and 0 < chunk.dictionary_page_offset < begin:
        begin = chunk.dictionary_page_offset
    return begin, begin + chunk.total_compressed_size
