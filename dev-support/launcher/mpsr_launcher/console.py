# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
# http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
"""Progress for a person who waits."""

import contextlib
import sys
import threading
import time


class Console:
    """Prints lines with the seconds since the start; a line may be overwritten while it changes.

    Safe to use from several threads. Goes on in silence when nobody reads any more, as there may be processes to stop.
    """

    def __init__(self, stream=None):
        self._stream = stream or sys.stderr
        self._start = time.monotonic()
        self._lock = threading.Lock()
        self._open = False

    def say(self, text):
        """Prints one line."""
        with self._lock:
            self._write(("\n" if self._open else "") + f"{self._stamp()} {text}\n")
            self._open = False

    def update(self, text):
        """Replaces the line printed last, on a terminal; elsewhere says nothing, so that logs stay short."""
        if not self._stream.isatty():
            return
        with self._lock:
            self._write(f"\r\x1b[2K{self._stamp()} {text}")
            self._open = True

    def elapsed(self):
        """Seconds since this console was made."""
        return time.monotonic() - self._start

    def _stamp(self):
        return f"[{self.elapsed():6.1f}s]"

    def _write(self, text):
        with contextlib.suppress(BrokenPipeError):
            self._stream.write(text)
            self._stream.flush()
