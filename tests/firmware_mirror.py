"""A mirror with images of the twin on a loopback address, for tests that update firmware."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from rackwright.twin.bmc.updates import image


class FirmwareMirror:
    """Serves what is put into `folder` until `close`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def put(self, name: str, versions: Mapping[str, str]) -> str:
        """Write an image that brings `versions`; its SHA-256."""
        content = image(versions)
        (self.folder / name).write_bytes(content)
        return hashlib.sha256(content).hexdigest()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Says nothing."""
