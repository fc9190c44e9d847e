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
"""Kerberos tickets for the web servers of NameNodes: SPNEGO (RFC 4559), with the GSS-API of the system's Kerberos.

The library is MIT's or Heimdal's, as the system has it, and is called without a package of Python.
"""

import base64
import ctypes
import ctypes.util
import functools
import threading
from typing import Any
from urllib.parse import urlsplit

import requests

_LIBRARIES = ("libgssapi_krb5.so.2", "libgssapi.so.3", "/System/Library/Frameworks/GSS.framework/GSS")
_SPNEGO = b"\x2b\x06\x01\x05\x05\x02"
"""1.3.6.1.5.5.2"""
_HOSTBASED_SERVICE = b"\x2a\x86\x48\x86\xf7\x12\x01\x02\x01\x04"
"""1.2.840.113554.1.2.1.4"""
_MUTUAL = 2
_FAILED = 0xFFFF0000
_GSS_CODE, _MECH_CODE = 1, 2


class NoTicket(Exception):
    """There is no library for Kerberos, or no ticket."""


class _Buffer(ctypes.Structure):
    _fields_ = (("length", ctypes.c_size_t), ("value", ctypes.c_void_p))

    def bytes(self) -> bytes:
        return ctypes.string_at(self.value, self.length) if self.length else b""


class _Oid(ctypes.Structure):
    _fields_ = (("length", ctypes.c_uint32), ("elements", ctypes.c_void_p))

    @staticmethod
    def of(encoded: bytes) -> "_Oid":
        return _Oid(len(encoded), ctypes.cast(ctypes.c_char_p(encoded), ctypes.c_void_p))


@functools.cache
def _gss() -> Any:
    for name in (*_LIBRARIES, ctypes.util.find_library("gssapi_krb5")):
        try:
            library = ctypes.CDLL(name) if name else None
        except OSError:
            continue
        if library is not None:
            for function in ("gss_import_name", "gss_init_sec_context", "gss_display_status"):
                getattr(library, function).restype = ctypes.c_uint32
            return library
    raise NoTicket("this host has no library for Kerberos: install libgssapi-krb5-2 or krb5-libs, or give a delegation token")


def _text(status: int, kind: int) -> str:
    minor, more, text = ctypes.c_uint32(), ctypes.c_uint32(), _Buffer()
    _gss().gss_display_status(ctypes.byref(minor), ctypes.c_uint32(status), kind, None, ctypes.byref(more), ctypes.byref(text))
    try:
        return text.bytes().decode("utf-8", "replace")
    finally:
        _gss().gss_release_buffer(ctypes.byref(minor), ctypes.byref(text))


def token(host: str) -> bytes:
    """What shows the web server of a host who this process is.

    Raises:
        NoTicket: There is no library, no ticket, or the realm does not know the server.
    """
    gss = _gss()
    minor, name, context, made = ctypes.c_uint32(), ctypes.c_void_p(), ctypes.c_void_p(), _Buffer()
    service = f"HTTP@{host}".encode()
    named = _Buffer(len(service), ctypes.cast(ctypes.c_char_p(service), ctypes.c_void_p))
    kind, mechanism = _Oid.of(_HOSTBASED_SERVICE), _Oid.of(_SPNEGO)
    try:
        failed = gss.gss_import_name(ctypes.byref(minor), ctypes.byref(named), ctypes.byref(kind), ctypes.byref(name))
        if not failed & _FAILED:
            failed = gss.gss_init_sec_context(
                ctypes.byref(minor), None, ctypes.byref(context), name, ctypes.byref(mechanism),
                ctypes.c_uint32(_MUTUAL), ctypes.c_uint32(0), None, None, None, ctypes.byref(made), None, None,
            )  # fmt: skip
        if failed & _FAILED:
            said = "; ".join(text for text in (_text(failed, _GSS_CODE), _text(minor.value, _MECH_CODE)) if text)
            raise NoTicket(f"Kerberos gives no ticket for HTTP@{host}: {said}. Get one with 'kinit', and see whether 'klist' shows it")
        return made.bytes()
    finally:
        unused = ctypes.c_uint32()
        if made.value:
            gss.gss_release_buffer(ctypes.byref(unused), ctypes.byref(made))
        if context:
            gss.gss_delete_sec_context(ctypes.byref(unused), ctypes.byref(context), None)
        if name:
            gss.gss_release_name(ctypes.byref(unused), ctypes.byref(name))


class Negotiate(requests.auth.AuthBase):
    """Answers a server that asks for a ticket. Its cookie then stands for the ticket, until it expires. Safe for use by several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # libraries for Kerberos share a cache of tickets

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.register_hook("response", self._answered)
        return request

    def _answered(self, response: requests.Response, **arguments: Any) -> requests.Response:
        asked = response.headers.get("WWW-Authenticate", "").lower().split(",")
        if response.status_code != 401 or not any(each.strip().startswith("negotiate") for each in asked):
            return response
        host = urlsplit(response.url).hostname or ""
        with self._lock:
            shown = base64.b64encode(token(host)).decode()
        response.content  # noqa: B018  the connection is free when all of it was read
        response.close()
        again = response.request.copy()
        again.deregister_hook("response", self._answered)
        again.headers["Authorization"] = f"Negotiate {shown}"
        answer: requests.Response = response.connection.send(again, **arguments)
        answer.history.append(response)
        answer.request = again
        return answer
