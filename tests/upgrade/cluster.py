"""Three servers on one network of their own, and the address that all of them share."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.upgrade.server import Server

ENDPOINT, PORT = "10.0.1.10", 6443
ADDRESSES = ("10.0.1.1", "10.0.1.2", "10.0.1.3")
HUB = f"""\
set -e
ip link set lo up
ip link add hub type bridge stp_state 0 forward_delay 0
ip address add 10.0.1.254/24 dev hub
ip address add {ENDPOINT}/24 dev hub
ip link set hub up
exec "$@"
"""
BALANCER = f"""\
import asyncio, sys
async def copy(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()
async def serve(reader, writer):
    for address in sys.argv[1:]:
        try:
            there = await asyncio.wait_for(asyncio.open_connection(address, {PORT}), 2)
        except (OSError, asyncio.TimeoutError):
            continue
        await asyncio.gather(copy(reader, there[1]), copy(there[0], writer))
        return
    writer.close()
async def main():
    await (await asyncio.start_server(serve, "{ENDPOINT}", {PORT})).serve_forever()
asyncio.run(main())
"""
"""What stands for the load balancer: each connection goes to the first server that takes it."""


@dataclass(frozen=True)
class Cluster:
    """The servers, the first of which founds it."""

    servers: tuple[Server, ...]

    endpoint = f"{ENDPOINT}:{PORT}"

    def options(self) -> dict[str, object]:
        """Of the role, the same for all servers."""
        return {
            "kubernetes_control_plane_endpoint": self.endpoint,
            "kubernetes_control_plane_endpoint_by": "load-balancer",
            "kubernetes_control_plane_servers": [
                {"name": server.name, "address": server.address} for server in self.servers
            ],
        }

    def kubectl(self, *words: str) -> str:
        """As administrator, through the shared address."""
        return self.servers[0].run(*self.servers[0].kubectl, *words)

    def ready(self) -> int:
        """Servers that the cluster calls ready."""
        rows = '{range .items[*]}{.status.conditions[?(@.type=="Ready")].status}{"\\n"}{end}'
        return self.kubectl("get", "nodes", f"--output=jsonpath={rows}").split().count("True")

    def kubelets(self) -> set[str]:
        """Releases of all kubelets."""
        rows = "jsonpath={.items[*].status.nodeInfo.kubeletVersion}"
        return {word.removeprefix("v") for word in self.kubectl("get", "nodes", f"--output={rows}").split()}


@contextmanager
def running(folder: Path, programs: Path) -> Iterator[Cluster]:
    """Servers without a control plane, until the block ends."""
    words = ["unshare", "--net", "--kill-child", "--fork", "bash", "-c", HUB, "hub", sys.executable, "-c", BALANCER, *ADDRESSES]  # fmt: skip
    with ExitStack() as stack, (folder / "hub.log").open("wb") as log:
        process = subprocess.Popen(words, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        stack.callback(process.wait)
        stack.callback(process.kill)
        hub = _ready(process.pid)
        servers = tuple(
            Server(folder, f"server-{at}", address, f"{ENDPOINT}:{PORT}")
            for at, address in enumerate(ADDRESSES, start=1)
        )
        for server in servers:
            stack.callback(server.end)
            server.start(hub)
        yield Cluster(servers)


def _ready(parent: int) -> int:
    """The process behind the bridge, once it listens."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        for child in Path(f"/proc/{parent}/task/{parent}/children").read_text().split():
            look = ["nsenter", f"--target={child}", "--net", "ss", "--listening", "--tcp", "--numeric"]
            if f"{ENDPOINT}:{PORT}" in subprocess.run(look, capture_output=True, text=True, check=False).stdout:
                return int(child)
        time.sleep(0.1)
    raise SystemExit("the network of the servers does not come up")
