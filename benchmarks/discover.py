"""Sweeps BMCs of the twin, all in one process, as `rackwright discover` does, and prints what it took: ``python benchmarks/discover.py COUNT``.

The BMCs are those of `benchmarks/sites/2048-nodes.yaml`, in another process, on addresses of 127.0.0.0/8 and one port, over TLS; each has a slot, a serial number
and a cable. Two machines stand in each other's slot, and one slot is empty. What was swept is judged as well.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import resource
import sys
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path

from rackwright import design, discover, spec
from rackwright.discover.delivery import DeliveredMachine
from rackwright.discover.sweep import Caller
from rackwright.model.access import Access, Secret
from rackwright.model.design import Design
from rackwright.twin import faults
from rackwright.twin.bmc.handler import BmcAccount
from rackwright.twin.bmc.server import BmcServer
from rackwright.twin.hardware import state
from rackwright.twin.hardware.live import Live

SITE = Path(__file__).parent / "sites" / "2048-nodes.yaml"
PORT = 18_444
SECRET = Secret("correct horse")
FAULTS = ("machines-swapped", "machine-missing")


def loopback(address: str) -> str:
    """Where the BMC of the design's `address` listens."""
    return f"127.{address.partition('.')[2]}"


def serve(nodes: list[str], folder: Path, pipe: Connection) -> None:
    """The BMCs of `nodes` until the pipe is closed; then the processor seconds and the memory of this process go into it."""
    plan = _design()
    broken = faults.inject(state.build(plan, nodes), faults.assign_nodes(FAULTS, nodes))
    addresses = {name: loopback(plan.node(name).bmc_address) for name in nodes if broken.machines[name].racked}
    server = BmcServer(
        Live(broken), addresses, BmcAccount("admin", SECRET), folder, PORT, listen=list(addresses.values())
    )
    server.start()
    pipe.send(str(server.ca_file))
    pipe.recv()
    usage = resource.getrusage(resource.RUSAGE_SELF)
    pipe.send((round(time.process_time(), 1), round(usage.ru_maxrss / 1024)))


def _design() -> Design:
    loaded = spec.load(SITE)
    return design.expand(loaded.site, loaded.catalog)


async def sweep(addresses: list[str], caller: Caller, store: discover.VisitStore) -> int:
    """How many of `addresses` were read."""
    return sum([visit is not None async for _, visit in discover.sweep_bmcs(addresses, caller, store)])


def main() -> None:
    """Print the figures as JSON."""
    plan = _design()
    nodes = [node for node in plan.nodes() if node.accelerators][: int(sys.argv[1])]
    names = [node.name for node in nodes]
    with tempfile.TemporaryDirectory() as scratch:
        context = multiprocessing.get_context("spawn")  # a fork would copy the locks of the threads of Polars
        near, far = context.Pipe()
        server = context.Process(target=serve, args=(names, Path(scratch), far), daemon=True)
        server.start()
        nowhere = Path("/dev/null")
        access = Access("root", nowhere, nowhere, "admin", SECRET, Path(near.recv()))
        caller, store = (
            Caller(access, None, lambda address: f"{loopback(address)}:{PORT}"),
            discover.VisitStore(Path(scratch) / "visits"),
        )
        begun, spent = time.monotonic(), time.process_time()
        addresses = [node.bmc_address for node in nodes]
        read = asyncio.run(sweep(addresses, caller, store))
        swept, judged = time.monotonic() - begun, time.process_time()
        healthy = state.build(plan, names)
        notice = [
            DeliveredMachine(healthy.machines[name].serial, node=name, line=at)
            for at, name in enumerate(names, start=2)
        ]
        prepared = time.process_time()
        survey = discover.survey_machines(
            store.read(),
            discover.SurveyInputs(
                plan.site.site,
                nodes,
                discover.SlotWiring.of(plan),
                discover.Declarations.of([], notice, "notice.csv"),
                contacted=frozenset(addresses),
            ),
        )
        figures = {
            "bmcs": len(nodes),
            "read": read,
            "sweep_seconds": round(swept, 1),
            "sweep_processor_seconds": round(judged - spent, 1),
            "survey_processor_seconds": round(time.process_time() - prepared, 1),
            "summary": survey.as_dict()["summary"],
        }
        near.send("stop")
        figures |= dict(zip(("twin_processor_seconds", "twin_mib"), near.recv(), strict=True))
        print(json.dumps(figures))


if __name__ == "__main__":
    main()
