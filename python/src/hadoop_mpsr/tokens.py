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
"""Delegation tokens of HDFS, in the files that Hadoop's commands write."""

import base64
from pathlib import Path
from typing import NamedTuple

_MAGIC = b"HDTS"
_WRITABLE = 0
_HDFS = b"HDFS_DELEGATION_TOKEN"


class _Token(NamedTuple):
    identifier: bytes
    password: bytes
    kind: bytes
    service: bytes


def delegation_token(file: str | Path) -> str:
    """The delegation token of HDFS in a file that ``hdfs fetchdt`` has written, as Hadoop's web servers take it.

    The text is a secret: who has it reads with the rights of the user.

    Raises:
        OSError: The file cannot be read.
        ValueError: It is no such file, or has not exactly one token of HDFS.
    """
    reader = _Reader(Path(file).read_bytes(), file)
    found = [token for token in reader.tokens() if token.kind == _HDFS]
    if len(found) != 1:
        raise ValueError(
            f"{file} has {len(found)} delegation tokens of HDFS, and one is needed: 'hdfs fetchdt FILE' writes a file with one"
        )
    return base64.urlsafe_b64encode(b"".join(_sized(part) for part in found[0])).rstrip(b"=").decode("ascii")


class _Reader:
    """Reads the form of ``org.apache.hadoop.security.Credentials`` that consists of Writables."""

    def __init__(self, data: bytes, file: str | Path):
        self._data = data
        self._file = file
        self._at = 0

    def tokens(self) -> list[_Token]:
        """All tokens of the file, of any kind."""
        if self._take(len(_MAGIC)) != _MAGIC or self._take(1) != bytes([_WRITABLE]):
            raise self._wrong()
        found = []
        for _ in range(self._number()):
            self._sized()  # the name under which the token is kept
            found.append(_Token(*(self._sized() for _ in _Token._fields)))
        return found

    def _sized(self) -> bytes:
        return self._take(self._number())

    def _number(self) -> int:
        """A length, as ``WritableUtils.writeVInt`` writes it."""
        first = self._take(1)[0]
        if first < 128:
            return first
        size = 256 - first - 112
        if not 1 <= size <= 4:
            raise self._wrong()
        return int.from_bytes(self._take(size), "big")

    def _take(self, size: int) -> bytes:
        found = self._data[self._at : self._at + size]
        if len(found) < size:
            raise self._wrong()
        self._at += size
        return found

    def _wrong(self) -> ValueError:
        return ValueError(f"{self._file} is no file of tokens that 'hdfs fetchdt' has written: write one with 'hdfs fetchdt FILE'")


def _sized(part: bytes) -> bytes:
    size = len(part)
    if size < 128:
        return bytes([size]) + part
    width = (size.bit_length() + 7) // 8
    return bytes([256 - 112 - width]) + size.to_bytes(width, "big") + part
