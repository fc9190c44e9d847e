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
"""Stands between Connect workers and NameNodes, and knows which call passes: so a fault strikes exactly there.

Hadoop's RPC without encryption is a preamble of seven bytes and then frames of a length and that many bytes. A request's
frame begins with the RPC header, which holds the call's number, and the name of its method; a reply's with a header that
holds the number again.
"""

import contextlib
import socket
import struct
import threading
from dataclasses import dataclass

from mpsr_launcher import waiting
from mpsr_launcher.cluster import ports

BEFORE, DURING, AFTER = "before", "during", "after"
_PREAMBLE = 7


@dataclass(frozen=True)
class Call:
    """One call of a worker: BEFORE it reaches the NameNode, DURING it, or AFTER it with the reply still to come."""

    worker: str
    namenode: str
    method: str
    frame: bytes


class Trap:
    """Waits for the first call of some methods at a moment and does something to it, in that connection's thread.

    The action returns whether the call, or its reply, goes on; if not, the connection is cut.
    """

    def __init__(self, methods, moment, action, wanted):
        self._methods = methods
        self._moment = moment
        self._action = action
        self._wanted = wanted
        self._sprung = threading.Event()
        self._lock = threading.Lock()

    def matches(self, call, moment):
        """Whether this is the call; it is the only one that ever is."""
        if moment != self._moment or call.method not in self._methods or not self._wanted(call):
            return False
        with self._lock:
            if self._sprung.is_set():
                return False
            self._sprung.set()
            return True

    def act(self, call):
        """Does it."""
        return self._action(call)

    def disarm(self):
        """No call is the one any more; returns whether one was."""
        with self._lock:
            sprung = self._sprung.is_set()
            self._sprung.set()
            return sprung

    def sprung(self):
        """Whether a call came, or the trap was disarmed."""
        return self._sprung.is_set()


class Traps:
    """The trap that is set now, if any. Safe for use by several threads."""

    def __init__(self):
        self._trap = None

    def set(self, trap):
        """Replaces the trap that was set."""
        self._trap = trap

    def passing(self, call, moment):
        """A call passes; returns whether it goes on."""
        trap = self._trap
        return trap.act(call) if trap and trap.matches(call, moment) else True


class RpcProxy:
    """Listens in place of one NameNode for one worker; refuses connections while the NameNode does."""

    def __init__(self, worker, namenode, target, traps):
        self._worker = worker
        self._namenode = namenode
        self._target = target
        self._traps = traps
        self._listener = _listen(0)
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            client, _ = self._listener.accept()
            try:
                server = socket.create_connection(("127.0.0.1", self._target), 10)
            except OSError:
                self._listener.close()
                client.close()
                waiting.until(lambda: ports.answers(self._target), f"{self._namenode} for {self._worker}", 3600)
                self._listener = _listen(self.port)
                continue
            server.settimeout(None)
            methods = {}
            for end in (client, server):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for pump in (self._requests, self._replies):
                threading.Thread(target=self._run, args=(pump, client, server, methods), daemon=True).start()

    def _run(self, pump, client, server, methods):
        with contextlib.suppress(OSError, EOFError):
            pump(client, server, methods)
        for end in (client, server):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _requests(self, client, server, methods):
        server.sendall(_read(client, _PREAMBLE))
        while True:
            frame = _read_frame(client)
            number, method = _request(frame[4:])
            methods[number] = method
            call = Call(self._worker, self._namenode, method, frame)
            if not self._traps.passing(call, BEFORE):
                return
            server.sendall(frame)
            if not self._traps.passing(call, DURING):
                return

    def _replies(self, client, server, methods):
        while True:
            frame = _read_frame(server)
            method = methods.pop(_reply(frame[4:]), "")
            if not self._traps.passing(Call(self._worker, self._namenode, method, frame), AFTER):
                return
            client.sendall(frame)


def _listen(port):
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    listener.listen(64)
    return listener


def _read(end, count):
    data = b""
    while len(data) < count:
        part = end.recv(count - len(data))
        if not part:
            raise EOFError
        data += part
    return data


def _read_frame(end):
    head = _read(end, 4)
    return head + _read(end, struct.unpack(">i", head)[0])


def _request(body):
    """The number of the call, and its method; the connection's own messages have a number and no method."""
    header, rest = _message(body)
    number = _fields(header).get(3)
    method = b"" if not rest else _fields(_message(rest)[0]).get(1, b"")
    return number, method.decode("utf-8", "replace") if isinstance(method, bytes) else ""


def _reply(body):
    """The number of the call, as the request had it: there it is written zigzag, here as it is."""
    return _fields(_message(body)[0]).get(1, 0) << 1


def _message(data):
    """A message with its length in front, and what follows it."""
    length, at = _varint(data, 0)
    return data[at : at + length], data[at + length :]


def _fields(message):
    """The last value of each field of a protobuf message, by number."""
    found, at = {}, 0
    while at < len(message):
        key, at = _varint(message, at)
        if key & 7 == 0:
            found[key >> 3], at = _varint(message, at)
        elif key & 7 == 2:
            length, at = _varint(message, at)
            found[key >> 3] = message[at : at + length]
            at += length
        else:
            at += 8 if key & 7 == 1 else 4
    return found


def _varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at
