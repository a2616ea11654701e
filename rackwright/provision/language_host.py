"""A small Python language host, so that a plain ``pulumi up`` works where the engine came without one.

It installs nothing and manages no virtual environment: those of the caller are used.
"""

from __future__ import annotations

import logging
import os
import runpy
import signal
import sys
import threading
import warnings
from collections.abc import Callable
from concurrent import futures
from pathlib import Path
from typing import Any

import grpc
from google.protobuf import empty_pb2
from pulumi.automation._server import LanguageServer
from pulumi.runtime._grpc_settings import _GRPC_CHANNEL_OPTIONS
from pulumi.runtime.proto import language_pb2, language_pb2_grpc, plugin_pb2

from rackwright import __version__

PARENT_POLL_SECONDS = 1.0
"""An engine that was killed cannot say goodbye; the host notices by its parent."""


class LanguageHost(language_pb2_grpc.LanguageRuntimeServicer):
    """Answers the calls that the engine makes for an update; names and signatures are those of the service."""

    def Handshake(self, request: Any, context: Any) -> Any:  # noqa: N802, ARG002, D102
        return language_pb2.LanguageHandshakeResponse()

    def GetPluginInfo(self, request: Any, context: Any) -> Any:  # noqa: N802, ARG002, D102
        return plugin_pb2.PluginInfo(version=__version__)

    def GetRequiredPackages(self, request: Any, context: Any) -> Any:  # noqa: N802, ARG002, D102
        return language_pb2.GetRequiredPackagesResponse()  # our plugin is found on PATH, nothing is downloaded

    def RuntimeOptionsPrompts(self, request: Any, context: Any) -> Any:  # noqa: N802, ARG002, D102
        return language_pb2.RuntimeOptionsResponse()

    def About(self, request: Any, context: Any) -> Any:  # noqa: N802, ARG002, D102
        return language_pb2.AboutResponse(executable=sys.executable, version=sys.version.split()[0])

    def InstallDependencies(self, request: Any, context: Any) -> Any:  # noqa: N802, ARG002, D102
        return iter(())

    def GetProgramDependencies(self, request: Any, context: Any) -> Any:  # noqa: N802, ARG002, D102
        return language_pb2.GetProgramDependenciesResponse()

    def Cancel(self, request: Any, context: Any) -> Any:  # noqa: N802, ARG002, D102
        return empty_pb2.Empty()

    def Run(self, request: Any, context: Any) -> Any:  # noqa: N802, D102
        folder = Path(request.info.program_directory or request.pwd)
        entry = folder / (request.info.entry_point or ".")
        os.chdir(folder)  # programs read files relative to their own folder
        run: Callable[[Any, Any], Any] = LanguageServer(lambda: run_program(entry)).Run
        return run(request, context)


def run_program(entry: Path) -> None:
    """Run the program at `entry` (a file, or a folder with ``__main__.py``) as Python would."""
    file = entry / "__main__.py" if entry.is_dir() else entry
    sys.path.insert(0, str(file.parent))
    try:
        runpy.run_path(str(file), run_name="__main__")
    finally:
        sys.path.remove(str(file.parent))


def quiet() -> None:
    """Keep tracebacks of gRPC and the SDK off the terminal: another message reports that the engine is gone."""
    logging.getLogger("grpc").setLevel(logging.CRITICAL)
    warnings.filterwarnings("ignore", message="Error in event stream")


def main() -> int:
    """Serve until the engine asks to stop or ends; prints the port, as the engine expects."""
    quiet()
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):  # both come from the engine: plugins have their own process group
        signal.signal(number, lambda *_: ended.set())
    parent = os.getppid()
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=4), options=_GRPC_CHANNEL_OPTIONS)
    language_pb2_grpc.add_LanguageRuntimeServicer_to_server(LanguageHost(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(port, flush=True)
    while not ended.wait(PARENT_POLL_SECONDS) and os.getppid() == parent:
        pass
    server.stop(grace=None)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
