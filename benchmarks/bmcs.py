"""Reads BMCs that answer slowly, as `rackwright collect` does, and prints what it took: ``python benchmarks/bmcs.py COUNT``.

Each BMC has 216 documents and takes 50 ms for each (a GB200 NVL tray needs as many reads); none expands its collections. They are served over plain
HTTP on addresses of 127.0.0.0/8 by another process, whose work counts in the wall seconds, since it runs on the same processors.

Measured with 1,000 of them (2026-11-26): 215,000 documents, every BMC complete, 58 processor seconds in the one process that reads; 393 s of wall time on two
processors that some 25 other processes shared. The answers alone take 84 s: 32 BMCs at a time, of each four documents.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import sys
import time
from pathlib import Path

from rackwright.collect.output import Ask
from rackwright.collect.transports import bmc
from rackwright.model.access import Access, Secret

DOCUMENTS = 216
SECONDS_EACH = 0.05
PORT = 18_443
ROOT = "/redfish/v1"
ACCESS = Access("root", Path("key"), Path("known_hosts"), "admin", Secret("secret"), None)


def tree() -> dict[str, bytes]:
    """The answers by path: a system, a chassis, and as many sensors as make up `DOCUMENTS`."""
    system, chassis, sensors = f"{ROOT}/Systems/1", f"{ROOT}/Chassis/1", f"{ROOT}/Chassis/1/Sensors"
    documents = {
        f"{ROOT}/": {"Systems": _link(f"{ROOT}/Systems"), "Chassis": _link(f"{ROOT}/Chassis")},
        f"{ROOT}/Systems": {"Members": [_link(system)]},
        system: {
            "@odata.id": system,
            "Model": "tray",
            "PowerState": "On",
            "Status": {"State": "Enabled", "Health": "OK"},
        },
        f"{ROOT}/Chassis": {"Members": [_link(chassis)]},
        chassis: {"@odata.id": chassis, "Sensors": _link(sensors)},
    }
    paths = [f"{sensors}/{number}" for number in range(DOCUMENTS - len(documents) - 2)]  # the root is read twice
    documents[sensors] = {"Members": [_link(path) for path in paths]}
    documents |= {
        path: {
            "@odata.id": path, "Id": path.rpartition("/")[2], "Name": path, "ReadingType": "Temperature", "Reading": 30.0, "ReadingUnits": "Cel",
            "Status": {"State": "Enabled", "Health": "OK"}, "Thresholds": {"UpperCritical": {"Reading": 90.0}},
        }
        for path in paths
    }  # fmt: skip
    return {path: json.dumps(document).encode() for path, document in documents.items()}


def _link(path: str) -> dict[str, str]:
    return {"@odata.id": path}


class Bmc(asyncio.Protocol):
    """One connection to a BMC that answers each request after `SECONDS_EACH`."""

    answers: dict[str, bytes]
    transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the way back."""
        assert isinstance(transport, asyncio.Transport)
        self.transport, self.received = transport, b""

    def data_received(self, data: bytes) -> None:
        """Answer each complete request; none has a body."""
        self.received += data
        while b"\r\n\r\n" in self.received:
            request, _, self.received = self.received.partition(b"\r\n\r\n")
            path = request.split(b" ", 2)[1].decode()
            body = self.answers.get(path)
            status, body = (b"200 OK", body) if body is not None else (b"404 Not Found", b"{}")
            head = b"HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % (status, len(body))
            asyncio.get_running_loop().call_later(SECONDS_EACH, self.transport.write, head + body)


def serve(ready: multiprocessing.synchronize.Event) -> None:
    """Every address of 127.0.0.0/8 is a BMC."""

    async def run() -> None:
        Bmc.answers = tree()
        server = await asyncio.get_running_loop().create_server(Bmc, "0.0.0.0", PORT, backlog=4096)  # noqa: S104 - loopback addresses differ
        ready.set()
        await server.serve_forever()

    asyncio.run(run())


async def read(count: int) -> dict[str, float]:
    """Wall seconds, documents, and how many BMCs were read complete."""
    addresses = {f"n{at}": f"http://127.1.{at // 250}.{at % 250 + 1}:{PORT}" for at in range(count)}
    begun, complete, documents = time.monotonic(), 0, 0
    async for output in bmc.ask_bmcs(addresses, Ask("bmc", 60.0, library="redfish"), ACCESS):
        stored = json.loads(output.stdout or b"{}")
        documents += len(stored)
        complete += not output.error and "unread" not in stored
    seconds = time.monotonic() - begun
    return {
        "seconds": round(seconds, 2),
        "bmcs": count,
        "complete": complete,
        "documents": documents,
        "processor_seconds": round(time.process_time(), 1),
    }


def main() -> None:
    """Print the figures as JSON."""
    ready = multiprocessing.Event()
    server = multiprocessing.Process(target=serve, args=(ready,), daemon=True)
    server.start()
    ready.wait(30)
    print(json.dumps(asyncio.run(read(int(sys.argv[1])))))
    server.terminate()


if __name__ == "__main__":
    main()
