"""The HTTP and HTTPS servers that stand in for the repositories of vendors and distributions, by the name that a client asks for.

Source: hosts and paths are those of ``rackwright/upstreams/upstreams.yaml``, whose entries name the vendors' own installation guides.
"""

from __future__ import annotations

import functools
import http.server
import json
import os
import socket
import ssl

from .mirror import MirrorHandler


class VendorHandler(MirrorHandler):
    """Serves the repositories of many hosts, a folder for each; only what belongs to one package can be wrong with them."""

    def translate_path(self, path: str) -> str:
        """The file for `path` on the host that the request names."""
        host = os.path.basename(self.headers.get("Host", "").partition(":")[0])
        translated = http.server.SimpleHTTPRequestHandler.translate_path(self, path)
        return os.path.join(self.directory, host, os.path.relpath(translated, self.directory))


class VendorServer(http.server.ThreadingHTTPServer):
    """Beside the BMCs of the twin, which serve HTTPS on all other addresses."""

    def server_bind(self) -> None:
        """Bind, also where a wildcard listens."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        super().server_bind()


def main(words: list[str]) -> None:
    """Serve ``ADDRESS PORT FOLDER FAULTS [CERTIFICATE]`` until the process is ended, over TLS with a certificate and its key in one file."""
    address, port, folder, faults, *certificates = words
    handler = functools.partial(VendorHandler, directory=folder, faults=json.loads(faults))
    server = VendorServer((address, int(port)), handler)
    if certificates:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(certificates[0])
        # The handshake belongs to the thread of the request: in that of the server a slow client would hold up all others.
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    server.serve_forever()
