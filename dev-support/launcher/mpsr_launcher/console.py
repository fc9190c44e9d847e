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

from mpsr_launcher.printable import printable

QUIET_SECONDS = 8
"""A person who sees nothing for longer wonders whether anything goes on."""


class Console:
    """Prints lines with the seconds since the start; a line may be overwritten while it changes.

    Safe to use from several threads. Goes on in silence when nobody reads any more, as there may be processes to stop.
    """

    def __init__(self, stream=None, clock=time.monotonic):
        self._stream = stream or sys.stderr
        self._clock = clock
        self._start = self._written = self._since = clock()
        self._lock = threading.Lock()
        self._open = False
        self._doing = ""

    def say(self, text):
        """Prints one line."""
        text = printable(text)
        with self._lock:
            self._does(text)
            self._line(text)

    def update(self, text):
        """Replaces the line printed last, on a terminal. Elsewhere it prints nothing, and ``beat`` may, so logs stay short."""
        text = printable(text)
        with self._lock:
            self._does(text)
            if self._stream.isatty():
                self._replace(text)

    @contextlib.contextmanager
    def beating(self):
        """Within the block nobody waits long for a line: ``beat`` is called every second."""
        ended = threading.Event()

        def beat():
            while not ended.wait(1):
                self.beat()

        thread = threading.Thread(target=beat, daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    def beat(self):
        """Prints what was said last, and for how long that has gone on, when nothing was printed for a while."""
        with self._lock:
            if self._doing and self._clock() - self._written >= QUIET_SECONDS:
                text = f"... {self._doing}: {self._clock() - self._since:.0f} s"
                (self._replace if self._stream.isatty() else self._line)(text)

    def elapsed(self):
        """Seconds since this console was made."""
        return self._clock() - self._start

    def _does(self, text):
        """The time since when is that of the first of several updates that differ in their numbers only."""
        if _words(text) != _words(self._doing):
            self._since = self._clock()
        self._doing = text

    def _line(self, text):
        self._write(("\n" if self._open else "") + f"{self._stamp()} {text}\n")
        self._open = False

    def _replace(self, text):
        self._write(f"\r\x1b[2K{self._stamp()} {text}")
        self._open = True

    def _stamp(self):
        return f"[{self.elapsed():6.1f}s]"

    def _write(self, text):
        self._written = self._clock()
        with contextlib.suppress(BrokenPipeError):
            self._stream.write(text)
            self._stream.flush()


def _words(text):
    return "".join(letter for letter in text if letter.isalpha())
