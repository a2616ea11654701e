"""Reads BMCs that answer slowly, as `rackwright collect` does, and prints what it took: ``python benchmarks/bmcs.py COUNT``.

Each BMC has 216 documents and takes 50 ms for each (a GB200 NVL tray needs as many reads); none expands its collections. They are served over TLS with
pinned certificates on addresses of 127.0.0.0/8, by a process of their own: its work is named apart, and counts in the wall seconds where it runs on the
same processors. The answers alone take ``latency_seconds``: so many BMCs at a time, of each four documents.

Measured with 1,000 of them over TLS (2026-11-26, two processors that 30 other processes wanted as well, which gave way to this one): 92 s, 216,000 documents,
every BMC complete, 78 processor seconds in the one process that reads and 18 in the one that answers. The answers alone take 42 s: one process is busy with 64
BMCs at a time, so more of them would not be quicker. One BMC alone: 3.2 s.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import multiprocessing
import resource
import ssl
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from rackwright.collect.output import Ask
from rackwright.collect.transports import bmc
from rackwright.model.access import Access, Secret
from rackwright.redfish.client import RequestLimits
from rackwright.redfish.concurrency import limits
from rackwright.twin.hosts.certificate_authority import Authority

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


def certificate(folder: Path) -> tuple[Path, str]:
    """A file in `folder` with certificate and key of all BMCs, and the pin of the certificate."""
    presented, key = Authority("BMCs").server("bmc", ["127.1.0.1"])
    path = folder / "bmc.pem"
    path.write_bytes(presented + key)
    return path, hashlib.sha256(ssl.PEM_cert_to_DER_cert(presented.decode())).hexdigest()


def serve(ready: multiprocessing.synchronize.Event, key: Path) -> None:
    """Every address of 127.0.0.0/8 is a BMC."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(key)

    async def run() -> None:
        Bmc.answers = tree()
        server = await asyncio.get_running_loop().create_server(
            Bmc,
            "0.0.0.0",  # noqa: S104 - loopback addresses differ
            PORT,
            backlog=4096,
            ssl=context,
        )
        ready.set()
        await server.serve_forever()

    asyncio.run(run())


async def read(count: int, pin: str) -> dict[str, float]:
    """Wall seconds, documents, and how many BMCs were read complete."""
    addresses = {f"n{at}": f"https://127.1.{at // 250}.{at % 250 + 1}:{PORT}" for at in range(count)}
    access = replace(ACCESS, bmc_pins=dict.fromkeys(addresses.values(), pin))
    begun, complete, documents, longest = time.monotonic(), 0, 0, 0.0
    async for output in bmc.ask_bmcs(addresses, Ask("bmc", 60.0, library="redfish"), access):
        stored = json.loads(output.stdout or b"{}")
        documents += len(stored)
        complete += not output.error and "unread" not in stored
        longest = max(longest, output.seconds)
    return {
        "seconds": round(time.monotonic() - begun, 2),
        "latency_seconds": round(
            count * DOCUMENTS * SECONDS_EACH / limits()["machines_at_once"] / RequestLimits().connections, 1
        ),
        "longest_seconds": round(longest, 2),
        "bmcs": count,
        "complete": complete,
        "documents": documents,
        "processor_seconds": round(time.process_time(), 1),
    }


def main() -> None:
    """Print the figures as JSON."""
    ready = multiprocessing.Event()
    with tempfile.TemporaryDirectory() as folder:
        key, pin = certificate(Path(folder))
        server = multiprocessing.Process(target=serve, args=(ready, key), daemon=True)
        server.start()
        ready.wait(30)
        figures = asyncio.run(read(int(sys.argv[1]), pin))
    server.terminate()
    server.join()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(json.dumps(figures | {"server_processor_seconds": round(used.ru_utime + used.ru_stime, 1)}))


if __name__ == "__main__":
    main()
