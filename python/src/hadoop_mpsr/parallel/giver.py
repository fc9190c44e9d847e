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
"""One process gives work away, others take it, over TCP. Who does not know the key of the program gets nothing."""

import hmac
import secrets
import socket
import socketserver
import struct
import threading

_KEY_BYTES = 32
_DIGEST = "sha256"
_DIGEST_BYTES = 32
_HELLO = struct.Struct(f">{_DIGEST_BYTES}sq")
_ANSWER = struct.Struct(">q")
_ASK = b"?"
_NO_MORE = -1


class Giver:
    """Gives work to so many processes, each of which is served by a thread until it has been told that there is no more.

    As a context manager it ends when all have been told, or have left.
    """

    def __init__(self, work, processes, alone):
        """``alone``: all processes run on this host, so that no other one needs to reach the port."""
        self.key = secrets.token_bytes(_KEY_BYTES)
        self._done = threading.Semaphore(0)
        self._processes = processes
        self._server = _Server(("localhost" if alone else "", 0), self._serve)
        self.port = self._server.server_address[1]
        self._work = work

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, name="mpsr-work", daemon=True).start()
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            for _ in range(self._processes):
                self._done.acquire()
        self._server.shutdown()
        self._server.server_close()

    def _serve(self, connection):
        challenge = secrets.token_bytes(_KEY_BYTES)
        connection.sendall(challenge)
        shown, process = _HELLO.unpack(_received(connection, _HELLO.size))
        if not hmac.compare_digest(shown, hmac.digest(self.key, challenge, _DIGEST)):
            return
        try:
            index = 0
            while index is not None and _received(connection, len(_ASK)):
                index = self._work.take(process)
                connection.sendall(_ANSWER.pack(_NO_MORE if index is None else index))
        finally:
            self._done.release()


class Taker:
    """Takes work from a ``Giver``; a context manager."""

    def __init__(self, host, port, key, process):
        self._socket = socket.create_connection((host, port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        challenge = _received(self._socket, _KEY_BYTES)
        self._socket.sendall(_HELLO.pack(hmac.digest(key, challenge, _DIGEST), process))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._socket.close()

    def take(self):
        """The number of the next split, or None if there is no more.

        Raises ConnectionError if the giver has gone.
        """
        self._socket.sendall(_ASK)
        (index,) = _ANSWER.unpack(_received(self._socket, _ANSWER.size))
        return None if index == _NO_MORE else index


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 1024

    def __init__(self, address, serve):
        super().__init__(address, None)
        self._serve = serve

    def finish_request(self, request, client_address):
        request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._serve(request)

    def handle_error(self, request, client_address):
        """Who has left in the middle has told all that there is to know."""


def _received(connection, size):
    """So many bytes."""
    received = b""
    while len(received) < size:
        more = connection.recv(size - len(received))
        if not more:
            raise ConnectionResetError("the other process has closed the connection; look for what it says")
        received += more
    return received
