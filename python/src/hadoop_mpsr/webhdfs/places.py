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
"""Where a NameNode has led to for bytes of files."""

import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

_RANGE = re.compile(r"(?<=[?&])(offset|length)=\d+(?=&|$)")
_PIECE_BYTES = 128 * 1024 * 1024
"""Bytes farther away are often in another block, which other DataNodes have."""
_SECONDS = 60.0
"""Others may get a copy meanwhile, or less to do. Delegation tokens, which addresses may have, hold much longer."""
_MOST = 4_096


class Places:
    """Addresses at which DataNodes have delivered bytes, for further bytes nearby: the NameNode need not be asked where they are.

    A DataNode asks the NameNode at each read, with the caller's name, whether the caller may read: a place gives nobody a right. It may
    be wrong at any time, and then the NameNode is to be asked. Safe for use by several threads. The most recently used are kept.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic):
        """None.

        Args:
            clock: Tells seconds.
        """
        self._clock = clock
        self._known: OrderedDict[tuple[str, int], tuple[str, float]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, path: str, offset: int, length: int) -> str | None:
        """The address for a range of a file, or None."""
        key = path, offset // _PIECE_BYTES
        with self._lock:
            address, until = self._known.get(key, ("", 0.0))
            if until <= self._clock():
                self._known.pop(key, None)
                return None
            self._known.move_to_end(key)
        wanted = {"offset": offset, "length": length}
        return _RANGE.sub(lambda found: f"{found[1]}={wanted[found[1]]}", address)

    def put(self, path: str, offset: int, address: str) -> None:
        """Keeps the address that has delivered a range, if it says which range, once."""
        if sorted(found[1] for found in _RANGE.finditer(address)) != ["length", "offset"]:
            return
        with self._lock:
            self._known[path, offset // _PIECE_BYTES] = address, self._clock() + _SECONDS
            while len(self._known) > _MOST:
                self._known.popitem(last=False)

    def forget(self, path: str, offset: int) -> None:
        """The address for this offset is wrong."""
        with self._lock:
            self._known.pop((path, offset // _PIECE_BYTES), None)
