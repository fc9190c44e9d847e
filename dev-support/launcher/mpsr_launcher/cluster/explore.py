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
"""The NameNode's web UI for a browser that does not know the DataNodes' names: one address on loopback for all of a cluster."""

import http.client
import shutil
import sys
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from mpsr_launcher.cluster.state import LOOPBACK

_HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "upgrade", "te", "trailer"}
_TIMEOUT_SECONDS = 60


class ExploreServer(ThreadingHTTPServer):
    """Hands requests on to a NameNode, and where it names a DataNode, to that one. Listens from the start; for one address."""

    daemon_threads = True

    def __init__(self, cluster, port=0):
        """A server for the NameNode that is active now, on a port of loopback; 0 for a free one."""
        active = cluster.hdfs.active() or "namenode"
        self.namenode = (cluster.state.address, cluster.state.ports[f"{active}.http"])
        lines = (cluster.conf / "hosts").read_text(encoding="utf-8").splitlines()
        self.hosts = {name: address for address, *names in map(str.split, lines) for name in names}
        super().__init__((LOOPBACK, port), _Handler)

    def handle_error(self, request, client_address):
        """Says nothing of a browser that has gone; of all else what happened."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)

    def page(self, user, dataset=None):
        """The address of the page of pictures, as a user."""
        asked = {"user.name": user, **({"dataset": dataset} if dataset else {})}
        return f"http://{LOOPBACK}:{self.server_port}/mpsr-explore.html?{urllib.parse.urlencode(asked)}"

    def is_for(self, headers):
        """Whether a request is of a page from here, or of a person.

        A page of another site could else read the archive as the user: with a name that it lets resolve to loopback, or by a form.
        """
        own = {f"{name}:{self.server_port}" for name in (LOOPBACK, "localhost")}
        origins = {None, *(f"http://{name}" for name in own)}
        return headers.get("Host") in own and headers.get("Origin") in origins and headers.get("Sec-Fetch-Site") in (None, "none", "same-origin")


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):
        """Asks the NameNode, and the DataNode to which it sends."""
        if not self.server.is_for(self.headers):
            self.close_connection = True
            self.send_error(403, "This address is for the page of pictures alone", f"open {self.server.page('YOU')}")
            return
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(length) if length else None
        self._answering = False
        try:
            self._ask(self.server.namenode, self.path, body)
        except (OSError, http.client.HTTPException) as error:
            self.close_connection = True
            if not self._answering:  # else the browser has gone, or sees that the answer breaks off
                self.send_error(502, "A server of the cluster does not answer", str(error))

    do_POST = do_HEAD = do_GET

    def _ask(self, address, path, body):
        connection = http.client.HTTPConnection(*address, timeout=_TIMEOUT_SECONDS)
        try:
            headers = {name: text for name, text in self.headers.items() if name.lower() not in _HOP_BY_HOP}
            connection.request(self.command, path, body, headers)
            answer = connection.getresponse()
            to = urllib.parse.urlsplit(answer.headers.get("Location", ""))
            if answer.status == 307 and to.hostname in self.server.hosts:
                answer.read()
                datanode = (self.server.hosts[to.hostname], to.port)
                self._ask(datanode, urllib.parse.urlunsplit(("", "", to.path, to.query, "")), body)
            else:
                self._hand_on(answer)
        finally:
            connection.close()

    def _hand_on(self, answer):
        self._answering = True
        self.send_response_only(answer.status, answer.reason)
        for name, text in answer.headers.items():
            if name.lower() not in _HOP_BY_HOP:
                self.send_header(name, text)
        if "Content-Length" not in answer.headers:
            self.send_header("Connection", "close")  # which ends the body
            self.close_connection = True
        self.end_headers()
        if self.command != "HEAD":
            shutil.copyfileobj(answer, self.wfile)

    def log_message(self, *arguments):
        """Says nothing: a browser shows what fails."""
