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
"""Files of HDFS as streams of Python."""

import bisect
import io
import tempfile
import threading
from collections.abc import Sequence

from hadoop_mpsr.webhdfs.client import WebHdfs

AHEAD_BYTES = 128 * 1024
"""A smaller read fetches so much. The end of a Parquet file, which Arrow reads first, is in it, and small files as a whole."""


class WebHdfsStream(io.RawIOBase):
    """Reads what it is asked for, each range with a request of its own, and of small reads some bytes ahead.

    Safe for use by several threads, which share the position.
    """

    def __init__(self, hdfs: WebHdfs, path: str, location: str, length: int | None = None):
        """A stream at the first byte.

        Args:
            length: Of the file, from whom knows it; None to ask HDFS.

        Raises:
            OSError: As WebHdfs.length().
        """
        super().__init__()
        self._hdfs = hdfs
        self._path = path
        self._location = location
        self._length = hdfs.length(path, location) if length is None else length
        self._at = 0
        self._kept = b""
        self._kept_from = 0
        self._expected: Sequence[tuple[int, int]] = ()
        self._lock = threading.Lock()

    def expect(self, ranges: Sequence[tuple[int, int]]) -> None:
        """Says which bytes will be read, mostly in this order: a read within one of these ranges fetches all of the range.

        Args:
            ranges: Their begins and ends, in order, and apart. One of them is kept in memory at a time.
        """
        with self._lock:
            self._expected = [(begin, min(end, self._length)) for begin, end in ranges]

    def readable(self) -> bool:
        """True."""
        return True

    def seekable(self) -> bool:
        """True."""
        return True

    def tell(self) -> int:
        """The offset of the next byte."""
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Moves the position, also behind the end of the file; returns it."""
        with self._lock:
            base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._length}[whence]
            if base + offset < 0:
                raise ValueError(f"{self._location} has no byte {base + offset}: offsets begin with 0")
            self._at = base + offset
            return self._at

    def read(self, size: int | None = -1) -> bytes:
        """So many bytes, fewer only at the end of the file; all that follow if size is negative or None.

        Raises:
            OSError: As WebHdfs.read().
        """
        with self._lock:
            self._check_open()
            left = max(0, self._length - self._at)
            size = left if size is None or size < 0 else min(size, left)
            found = self._fetch(self._at, size) if size else b""
            self._at += size
            return found

    def readall(self) -> bytes:
        """All bytes that follow."""
        return self.read()

    def readinto(self, buffer) -> int:
        """Fills the buffer, or what the rest of the file fills of it; returns how many bytes."""
        view = memoryview(buffer).cast("B")
        found = self.read(len(view))
        view[: len(found)] = found
        return len(found)

    def close(self) -> None:
        """Lets go of what was read ahead."""
        self._kept = b""
        super().close()

    def _check_open(self) -> None:
        if self.closed:
            raise ValueError(f"{self._location} is read after its stream was closed")

    def _fetch(self, at: int, size: int) -> bytes:
        if not (self._kept_from <= at and at + size <= self._kept_from + len(self._kept)):
            begin, end = self._expecting(at)
            if not (begin <= at and at + size <= end):
                if size >= AHEAD_BYTES:
                    return self._hdfs.read(self._path, self._location, at, size)
                begin = min(at, max(0, self._length - AHEAD_BYTES))
                end = min(begin + AHEAD_BYTES, self._length)
            self._kept = self._hdfs.read(self._path, self._location, begin, end - begin)
            self._kept_from = begin
        return self._kept[at - self._kept_from : at - self._kept_from + size]

    def _expecting(self, at: int) -> tuple[int, int]:
        """The last range that begins at an offset or before it; without one, an empty one."""
        number = bisect.bisect_right(self._expected, at, key=lambda each: each[0])
        return self._expected[number - 1] if number else (0, 0)


class WebHdfsWriter(io.BufferedIOBase):
    """Writes a file of HDFS when it is closed. Until then the bytes are in a temporary file of this host.

    If the block of a ``with`` ends with an exception, nothing is written to HDFS. For one thread at a time.
    """

    def __init__(self, hdfs: WebHdfs, path: str, location: str):
        """A stream without bytes. Asks HDFS nothing yet."""
        super().__init__()
        self._hdfs = hdfs
        self._path = path
        self._location = location
        self._content = tempfile.TemporaryFile()

    def writable(self) -> bool:
        """True."""
        return True

    def write(self, data) -> int:
        """Adds bytes; returns how many."""
        return self._content.write(data)

    def tell(self) -> int:
        """How many bytes there are."""
        return self._content.tell()

    def close(self) -> None:
        """Writes the file to HDFS.

        Raises:
            OSError: As WebHdfs.write(). Closing again does nothing.
        """
        if self.closed:
            return
        try:
            self._hdfs.write(self._path, self._location, self._content)
        finally:
            self._end()

    def __exit__(self, kind, *others) -> None:
        """Writes the file, unless an exception ends the block."""
        if kind is None:
            self.close()
        else:
            self._end()

    def __del__(self) -> None:
        """Writes nothing: who forgets to close has written nothing to HDFS."""
        self._end()

    def _end(self) -> None:
        self._content.close()
        super().close()
