"""The HTTP server of the package mirror: serves a folder, and gives single clients a mirror that is broken (faults)."""

from __future__ import annotations

import functools
import http.server
import json
import os
import sys
from http import HTTPStatus
from typing import Any

EXPIRED = "expired"
"""Folder of the repository with the same release signed by a key that has expired."""
SIGNED = ("InRelease", "Release.gpg")
RPM_SIGNATURE = "repomd.xml.asc"


class MirrorHandler(http.server.SimpleHTTPRequestHandler):
    """Serves files; faults depend on the address of the client."""

    protocol_version = "HTTP/1.1"

    def __init__(self, *arguments: Any, faults: dict[str, str], **options: Any) -> None:
        self.faults = faults
        super().__init__(*arguments, **options)

    @property
    def fault(self) -> str:
        """The fault for this client; empty if there is none."""
        return self.faults.get(self.client_address[0], "")

    def do_GET(self) -> None:
        """Answer one request."""
        package = self.path.endswith((".deb", ".rpm"))
        if self.fault == "unavailable":
            self.send_error(HTTPStatus.INTERNAL_SERVER_ERROR)
        elif package and self.fault in ("truncated", "altered"):
            self._spoilt()
        else:
            super().do_GET()

    def translate_path(self, path: str) -> str:
        """The file for `path`; with an expired key the signatures come from elsewhere."""
        translated = super().translate_path(path)
        folder, name = os.path.split(translated)
        if self.fault != "expired-key":
            return translated
        if name == RPM_SIGNATURE:  # rpm/SYSTEM/MACHINE/repodata
            system = os.path.basename(os.path.dirname(os.path.dirname(folder)))
            return os.path.join(folder, "..", "..", "..", "..", EXPIRED, "rpm", system, name)
        if name in SIGNED:
            return os.path.join(folder, "..", "..", EXPIRED, os.path.basename(folder), name)
        return os.path.join(folder, EXPIRED, name) if name.endswith(".asc") else translated

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002 - the name of the base class
        """One line per request, without the base class's look-up of the client's name."""
        sys.stderr.write(f"{self.client_address[0]} {format % arguments}\n")

    def _spoilt(self) -> None:
        """A package with half of its bytes, or with all of them and one changed."""
        try:
            with open(self.translate_path(self.path), "rb") as file:
                content = file.read()
        except OSError:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        middle = len(content) // 2
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.fault == "truncated":
            self.wfile.write(content[:middle])
            self.close_connection = True
        else:
            self.wfile.write(content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :])


def main(words: list[str]) -> None:
    """Serve ``ADDRESS PORT FOLDER FAULTS`` until the process is ended."""
    address, port, folder, faults = words
    handler = functools.partial(MirrorHandler, directory=folder, faults=json.loads(faults))
    http.server.ThreadingHTTPServer((address, int(port)), handler).serve_forever()
