"""What a container runtime answers kubeadm on its socket: that it runs, and which images are there.

Messages are written by hand, because no package has them for Python: field numbers of k8s.io/cri-api v0.33.13, pkg/apis/runtime/v1/api.proto.
"""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc

SOCKET = Path("/run/containerd/containerd.sock")
IMAGE = re.compile(rb"[a-z0-9.]+/[a-z0-9/_-]+:v?[0-9][0-9.-]*")
NOT_RUN = ("coredns", "kube-proxy", "pause")
"""Images of pods that have no program here."""


def program(programs: Path, image: str) -> Path | None:
    """What runs in the place of an image: the program of the same name, of the same minor release; None where it is not there."""
    name, _, tag = image.rpartition("/")[2].partition(":")
    minor = ".".join(tag.removeprefix("v").split(".")[:2])
    return next(iter(programs.glob(f"{name}-{minor}")), None)


def serve(programs: Path) -> grpc.Server:
    """Answer until the process ends."""
    SOCKET.parent.mkdir(parents=True, exist_ok=True)
    server = grpc.server(ThreadPoolExecutor(4))
    server.add_generic_rpc_handlers((_Handler(programs),))
    server.add_insecure_port(f"unix://{SOCKET}")
    server.start()
    return server


class _Handler(grpc.GenericRpcHandler):
    def __init__(self, programs: Path) -> None:
        self._programs = programs

    def service(self, details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler:
        """Every call of one request and one answer, as bytes."""
        method = details.method.rpartition("/")[2]
        return grpc.unary_unary_rpc_method_handler(lambda request, context: self._answer(method, request, context))

    def _answer(self, method: str, request: bytes, context: Any) -> bytes:
        if method == "Version":
            return b"".join(_text(at, text) for at, text in enumerate(("0.1.0", "stand-in", "1", "v1"), start=1))
        if method == "Status":
            ready = [_text(1, name) + b"\x10\x01" for name in ("RuntimeReady", "NetworkReady")]
            config = _text(1, "config") + _text(2, '{"sandboxImage": "registry.k8s.io/pause:3.10"}')
            return _field(1, b"".join(_field(1, condition) for condition in ready)) + _field(2, config)
        if method == "ImageStatus":
            match = IMAGE.search(request)
            image = match[0].decode() if match else ""
            runs = any(f"/{name}:" in image for name in NOT_RUN) or program(self._programs, image)
            return _field(1, _text(1, image) + b"\x20\x01") if runs else b""  # its name, and one byte
        if method in ("ImageFsInfo", "RuntimeConfig", "ListPodSandbox"):
            return b""
        context.abort(grpc.StatusCode.NOT_FOUND, f"this runtime has no {method} for {request!r}")
        return b""


def _field(number: int, content: bytes) -> bytes:
    size, rest = b"", len(content)
    while rest > 127:
        size, rest = size + bytes([rest & 127 | 128]), rest >> 7
    return bytes([number << 3 | 2]) + size + bytes([rest]) + content


def _text(number: int, text: str) -> bytes:
    return _field(number, text.encode())
