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
import contextlib
import http.server
import tempfile
import threading
import types
import unittest
import urllib.error
import urllib.request
from pathlib import Path

from mpsr_launcher.cli.arguments import parser
from mpsr_launcher.cluster.explore import ExploreServer


class Handler(http.server.BaseHTTPRequestHandler):
    """A NameNode that sends to a DataNode, which is the same server by another name."""

    def do_GET(self):
        """Sends on, or answers with what it was asked."""
        length = int(self.headers.get("Content-Length", 0))
        body = f"{self.command} {self.path} {self.rfile.read(length).decode()}".encode()
        if self.path.startswith("/to/"):
            self.send_response(307)
            self.send_header("Location", f"http://{self.path[4:]}:{self.server.server_port}/file%2F?offset=1")
            self.send_header("Content-Length", "0")
        else:
            self.send_response(404 if self.path == "/none" else 200)
            self.send_header("Set-Cookie", "a=b")
            if "nolength" not in self.path:
                self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if not self.path.startswith("/to/"):
            self.wfile.write(body)

    do_POST = do_GET

    def log_message(self, *arguments):
        """Says nothing."""


class ExploreTest(unittest.TestCase):
    def setUp(self):
        self.namenode = self.serve(http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler))
        conf = Path(self.enterContext(tempfile.TemporaryDirectory()))
        (conf / "hosts").write_text("127.0.0.1 localhost\n127.0.0.1 dn1.mpsr.local\n", encoding="utf-8")
        state = types.SimpleNamespace(address="127.0.0.1", ports={"namenode2.http": self.namenode.server_port})
        hdfs = types.SimpleNamespace(active=lambda: "namenode2")
        self.server = self.serve(ExploreServer(types.SimpleNamespace(conf=conf, state=state, hdfs=hdfs)))

    def serve(self, server):
        """Lets a server answer until the test ends."""
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return server

    def get(self, path, body=None, **headers):
        """The answer to a request: its status, its headers and its text."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.server.server_port}{path}", body, headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as error:
            with contextlib.closing(error):
                return error.code, error.headers, error.read().decode()

    def test_requests_and_answers_of_the_namenode_are_handed_on(self):
        status, headers, text = self.get("/mpsr/v1/plan?a=%2F", b"{}")
        self.assertEqual((status, headers["Set-Cookie"], text), (200, "a=b", "POST /mpsr/v1/plan?a=%2F {}"))
        self.assertEqual(self.get("/nolength")[2], "GET /nolength ")
        self.assertEqual(self.get("/none")[::2], (404, "GET /none "))

    def test_a_datanode_is_asked_by_the_name_that_only_the_cluster_knows(self):
        self.assertEqual(self.get("/to/dn1.mpsr.local")[::2], (200, "GET /file%2F?offset=1 "))

    def test_pages_of_other_sites_get_nothing(self):
        port = self.server.server_port
        origins = [{"Origin": origin} for origin in ("http://evil.example", "null")]
        for headers in ({"Host": f"evil.example:{port}"}, {"Host": "127.0.0.1:1"}, *origins, {"Sec-Fetch-Site": "cross-site"}):
            with self.subTest(headers=headers):
                status, _, text = self.get("/none", b"{}", **headers)
                self.assertEqual(status, 403)
                self.assertIn(f"http://127.0.0.1:{port}/mpsr-explore.html", text)
        for headers in ({"Host": f"localhost:{port}"}, {"Origin": f"http://127.0.0.1:{port}"}, {"Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "none"}):
            with self.subTest(headers=headers):
                self.assertEqual(self.get("/a", **headers)[::2], (200, "GET /a "))

    def test_another_server_is_not_asked_for_the_browser(self):
        with self.assertRaises(urllib.error.URLError):
            self.get("/to/elsewhere.invalid")

    def test_a_server_that_does_not_answer_is_told(self):
        self.server.namenode = ("127.0.0.1", 1)
        self.assertEqual(self.get("/")[0], 502)

    def test_the_page_is_that_of_the_user_and_the_dataset(self):
        begin = f"http://127.0.0.1:{self.server.server_port}/mpsr-explore.html?user.name=ann"
        self.assertEqual([self.server.page("ann"), self.server.page("ann", "/a b")], [begin, f"{begin}&dataset=%2Fa+b"])

    def test_the_command_line(self):
        found = parser("v").parse_args(["explore", "/cals/meas", "--port", "8080", "--no-browser"])
        self.assertEqual((found.command, found.path, found.port, found.no_browser), ("explore", "/cals/meas", 8080, True))
        self.assertEqual(parser("v").parse_args(["explore"]).path, None)
