"""The HTTP side of a twin's API server: reads requests, says who asks, writes documents and streams logs."""

from __future__ import annotations

import json
import secrets
import ssl
import sys
from collections.abc import Callable, Iterator
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from rackwright.twin.kubernetes.api import Answer, Request
from rackwright.twin.kubernetes.objects import ApiError

PROTOBUF = "application/vnd.kubernetes.protobuf"
"""What kubectl sends some questions in; their bodies are not read."""
SECONDS = 60.0
"""Until a client must have said something."""


class ApiServer(ThreadingHTTPServer):
    """Accepts connections."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print nothing about a client that went away before its answer, as a kubelet that is stopped does."""
        if not isinstance(sys.exc_info()[1], (ConnectionError, ssl.SSLEOFError)):
            super().handle_error(request, client_address)


class ApiHandler(BaseHTTPRequestHandler):
    """One connection; `handler` says what answers it."""

    protocol_version = "HTTP/1.1"
    timeout = SECONDS
    answer: Callable[[Request], Answer]
    log: Callable[[Request], Iterator[bytes] | None]
    token: str

    def _reply(self) -> None:
        request = self._request()
        try:
            blocks = self.log(request) if self.command == "GET" else None
        except ApiError as error:
            self._document((error.status, error.body()))
            return
        if blocks is None:
            self._document(self.answer(request))
        else:
            self._stream(blocks)

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = _reply

    def _request(self) -> Request:
        size = int(self.headers.get("Content-Length") or 0)
        text = self.rfile.read(size) if size else b""
        address = urlsplit(self.path)
        kind = self.headers.get("Content-Type", "").partition(";")[0]
        body = None if kind == PROTOBUF else json.loads(text or b"{}")
        return Request(self.command, address.path, self._client_name(), dict(parse_qsl(address.query)), body, kind)

    def _document(self, reply: Answer) -> None:
        data = json.dumps(reply[1]).encode()
        self.send_response(reply[0])
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, blocks: Iterator[bytes]) -> None:
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for block in blocks:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(block), block))
            self.wfile.flush()
        self.wfile.write(b"0\r\n\r\n")

    def _client_name(self) -> str:
        if secrets.compare_digest(self.headers.get("Authorization", ""), f"Bearer {self.token}"):
            return "bootstrap"
        assert isinstance(self.connection, ssl.SSLSocket)
        certificate: Any = self.connection.getpeercert() or {}
        subject = dict(entry[0] for entry in certificate.get("subject", ()))
        return str(subject.get("commonName", ""))

    def log_message(self, *_: object) -> None:
        """Nothing on the screen of whoever runs the twin."""


def handler(
    answer: Callable[[Request], Answer], log: Callable[[Request], Iterator[bytes] | None], token: str
) -> type[ApiHandler]:
    """The handler class of one server."""
    attributes = {"answer": staticmethod(answer), "log": staticmethod(log), "token": token}
    return type("OwnHandler", (ApiHandler,), attributes)
