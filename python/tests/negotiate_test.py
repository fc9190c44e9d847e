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
"""Servers that ask for a ticket. KerberosTest of the NameNode has real tickets."""

import base64
import http.server
import threading
import unittest
from unittest import mock

from hadoop_mpsr.webhdfs import negotiate
from hadoop_mpsr.webhdfs.caller import Caller
from hadoop_mpsr.webhdfs.client import new_session
from hadoop_mpsr.webhdfs.namenodes import NameNodes


class Server(http.server.BaseHTTPRequestHandler):
    """Wants a ticket once, and then its cookie."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        ticket, cookie = self.headers.get("Authorization"), self.headers.get("Cookie")
        self.server.asked.append((self.path, ticket, cookie, body))
        known = cookie == "hadoop.auth=ann" or ticket == "Negotiate " + base64.b64encode(b"ticket of localhost").decode()
        self.send_response(200 if known else 401)
        if known:
            self.send_header("Set-Cookie", "hadoop.auth=ann; Path=/")
        else:
            self.send_header("WWW-Authenticate", self.server.asks)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *arguments):
        pass


class NegotiateTest(unittest.TestCase):
    def setUp(self):
        self.server = http.server.ThreadingHTTPServer(("localhost", 0), Server)
        self.server.asked, self.server.asks = [], "Negotiate"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.root = f"http://localhost:{self.server.server_port}"

    def ask(self, caller, session=None):
        namenodes = NameNodes([self.root], caller, session or new_session(), 1)
        return namenodes.answer("/mpsr/v1/plan", {"a": "b"}, lambda response: OSError(response.status_code), "POST", {"path": "/d"})

    def test_a_ticket_is_shown_once_and_then_the_cookie(self):
        session = new_session()
        with mock.patch.object(negotiate, "token", lambda host: f"ticket of {host}".encode()):
            for _ in range(3):
                self.assertEqual(self.ask(Caller.of(None, None, kerberos=True), session).status_code, 200)
        tickets = [ticket is not None for _, ticket, _, _ in self.server.asked]
        self.assertEqual(tickets, [False, True, False, False])
        self.assertEqual([cookie for _, _, cookie, _ in self.server.asked], [None, None, "hadoop.auth=ann", "hadoop.auth=ann"])
        self.assertEqual({(path, body) for path, _, _, body in self.server.asked}, {("/mpsr/v1/plan?a=b", b'{"path": "/d"}')})

    def test_a_ticket_that_is_not_taken_is_shown_once(self):
        with mock.patch.object(negotiate, "token", lambda host: b"other"), self.assertRaisesRegex(OSError, "401"):
            self.ask(Caller.of(None, None, kerberos=True))
        self.assertEqual(len(self.server.asked), 2)

    def test_nobody_else_is_shown_a_ticket(self):
        with mock.patch.object(negotiate, "token", side_effect=AssertionError("no ticket is wanted")):
            with self.assertRaisesRegex(OSError, "401"):
                self.ask(Caller.of(None, "ann"))
            self.server.asks = 'Basic realm="x"'
            with self.assertRaisesRegex(OSError, "401"):
                self.ask(Caller.of(None, None, kerberos=True))
            namenodes = NameNodes(["http://other:1"], Caller.of(None, None, kerberos=True), new_session(), 1)
            self.assertEqual(namenodes.fetch(f"{self.root}/x", {}, "POST", {}).status_code, 401)

    def test_without_a_library_the_error_says_so(self):
        negotiate._gss.cache_clear()
        self.addCleanup(negotiate._gss.cache_clear)
        with (
            mock.patch.object(negotiate.ctypes, "CDLL", side_effect=OSError("none")),
            self.assertRaisesRegex(PermissionError, "no library for Kerberos: install"),
        ):
            self.ask(Caller.of(None, None, kerberos=True))

    def test_one_thing_says_who_asks(self):
        for token, user in (("t", None), (None, "ann")):
            with self.assertRaisesRegex(ValueError, "kerberos=True and a (token|user) are given"):
                Caller.of(token, user, kerberos=True)
        self.assertEqual(Caller.of(None, None, kerberos=True).parameters(), {})
        self.assertIn("kinit", str(Caller.of(None, None, kerberos=True)))
