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
"""Web servers of NameNodes and DataNodes, which answer as those of Hadoop 3.4 do, or fail as they are told."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

PREFIX = "/webhdfs/v1"
MPSR = "/mpsr/v1"


class Failure(Exception):
    """An answer of failure: its status, exception and message."""


class FakeHdfs:
    """NameNodes, the first of which is active, and DataNodes. Each DataNode has all files."""

    def __init__(self, namenodes=1, datanodes=1):
        self.files = {}
        self.denied = set()
        self.token = None
        self.asked = []
        """What the servers were asked: their names, operations and parameters."""
        self.datanodes = [Server(self, f"dn{number}", _datanode) for number in range(datanodes)]
        self.namenodes = [Server(self, f"nn{number}", _namenode) for number in range(namenodes)]
        self.active = self.namenodes[0]
        self.mpsr = None
        """Answers requests to MPSR, as FakeMpsr does."""
        self._next = 0

    def addresses(self):
        """The value of the property that tells the NameNodes."""
        return ",".join(each.url for each in self.namenodes)

    def reads(self):
        """The offsets and lengths that were asked of DataNodes."""
        return [(int(q["offset"]), int(q["length"])) for name, op, q in self.asked if op == "OPEN" and name.startswith("dn")]

    def led(self):
        """How often a NameNode was asked where bytes are."""
        return sum(op == "OPEN" and name.startswith("nn") for name, op, _ in self.asked)

    def datanode(self, excluded):
        """The DataNode whose turn it is, or None. They share one address: the one that was asked last is what is excluded."""
        if not excluded:
            return self.datanodes[self._next % len(self.datanodes)]
        if len(self.datanodes) == 1:
            return None
        self._next += 1
        return self.datanodes[self._next % len(self.datanodes)]

    def close(self):
        """Stops all servers."""
        for each in (*self.namenodes, *self.datanodes):
            each.stop()


class Server:
    """One web server on a port of its own."""

    def __init__(self, hdfs, name, answer):
        self.name = name
        self.content = lambda found: found
        """Changes the bytes that a DataNode sends."""
        self.refusal = None
        """The status, the exception and the message that each request gets."""
        self.other = None
        """The bytes that each request gets, with success."""
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True  # or each body waits for the acknowledgement of its header

            def do_GET(self):
                """Answers a request of WebHDFS."""
                url = urlsplit(self.path)
                query = dict(parse_qsl(url.query))
                hdfs.asked.append((name, query.get("op", url.path), query))
                path = unquote(url.path.removeprefix(PREFIX))
                self.sent = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                if server.refusal:
                    _fail(self, *server.refusal)
                elif server.other:
                    _send(self, 200, server.other)
                else:
                    answer(hdfs, server, self, path, query)

            do_POST = do_PUT = do_DELETE = do_GET

            def log_message(self, *arguments):
                """Says nothing."""

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._http.server_port}"
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()

    def stop(self):
        """No request is answered from now on."""
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


def _namenode(hdfs, server, request, path, query):
    if hdfs.token and query.get("delegation") != hdfs.token:
        _fail(
            request,
            403,
            "InvalidToken",
            f"token ({query.get('delegation')}) can't be found in cache; delegation={query.get('delegation')}",
        )
    elif server is not hdfs.active:
        _fail(request, 403, "StandbyException", "Operation category READ is not supported in state standby")
    elif path.startswith(MPSR):
        body = json.loads(request.sent) if request.sent else None
        if hdfs.mpsr is None:
            _send(request, 404, b"<html>")
            return
        try:
            found = hdfs.mpsr.answer(path.removeprefix(MPSR), query, body)
        except Failure as failure:
            _fail(request, *failure.args)
            return
        _send(request, 200, json.dumps(found).encode())
    elif path in hdfs.denied:
        _fail(request, 403, "AccessControlException", "Permission denied: user=joe, access=READ")
    elif any(each.startswith(f"{path}/") for each in hdfs.files):
        _send(request, 200, json.dumps({"FileStatus": {"type": "DIRECTORY", "length": 0}}).encode())
    elif query["op"] == "DELETE":
        _send(request, 200, json.dumps({"boolean": hdfs.files.pop(path, None) is not None}).encode())
    elif path not in hdfs.files and query["op"] != "CREATE":
        _fail(request, 404, "FileNotFoundException", f"File does not exist: {path}")
    elif query["op"] == "GETFILESTATUS":
        _send(request, 200, json.dumps({"FileStatus": {"type": "FILE", "length": len(hdfs.files[path])}}).encode())
    else:
        datanode = hdfs.datanode(query.get("excludedatanodes"))
        if datanode is None:
            _fail(request, 403, "IOException", "No active nodes contain this block")
        else:
            location = f"{datanode.url}{request.path.partition('?')[0]}?{urlencode(query)}"
            _send(request, 307, b"", Location=location)


def _datanode(hdfs, server, request, path, query):
    if query["op"] == "CREATE":
        hdfs.files[path] = request.sent
        _send(request, 201, b"")
        return
    if path not in hdfs.files:
        _fail(request, 404, "FileNotFoundException", f"File does not exist: {path}")
        return
    offset, length = int(query["offset"]), int(query["length"])
    content = server.content(hdfs.files[path][offset : offset + length])
    if content is None:
        request.close_connection = True
        request.send_response(200)
        request.send_header("Content-Length", str(length))
        request.end_headers()
        request.wfile.write(hdfs.files[path][offset : offset + length // 2])
    else:
        _send(request, 200, content)


def _fail(request, status, name, message):
    _send(request, status, json.dumps({"RemoteException": {"exception": name, "message": message}}).encode())


def _send(request, status, body, **headers):
    request.send_response(status)
    for name, value in headers.items():
        request.send_header(name, value)
    request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)
