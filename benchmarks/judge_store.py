"""A store with the evidence of a large fleet, as `collect` and a burn-in write it, out of the digital twin.

Nothing
is scaled or repeated: every node has its own serials, addresses and scatter, and one node in a hundred is broken. A program beside
`judge`, which measures, because what makes the evidence leaves a gigabyte in the memory of its process.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from rackwright import collect, design, spec
from rackwright.collect.collector import library
from rackwright.collect.gather import run_header
from rackwright.collect.plan import plan_requests as questions
from rackwright.collect.store import record_cache
from rackwright.model.design import Design
from rackwright.twin import faults, tools
from rackwright.twin.hardware import state

TAKEN = datetime(2026, 11, 21, 9, tzinfo=UTC)
LOADED = datetime(2026, 11, 21, 12, tzinfo=UTC)
AT_A_TIME = 2000
"""Answers that are written together: the disk is waited for less often, and the memory holds no more of them."""
BROKEN = (
    "gpu-row-remap-pending",
    "gpu-hot",
    "rails-swapped",
    "nvlink-down",
    "dimm-missing",
)
"""What is broken on the nodes that are: one of these after the other."""
EVERY = 100
"""One node in so many is broken."""


def make(plan: Design, folder: Path, count: int) -> None:
    """Write the evidence of the first `count` accelerator nodes of `plan`, and of its controllers, below `folder`.

    SystemExit when it has fewer.
    """
    names = [node.name for node in plan.nodes("accelerator")][:count]
    if len(names) < count:
        raise SystemExit(f"the site has {len(names)} accelerator nodes, {count} were requested")
    asked_of = [*names, *(node.name for role in ("ufm", "slurm") for node in plan.nodes(role))]
    store = collect.Store(folder)
    hardware = _broken(state.build(plan, asked_of), names)
    for load, begun_at, purpose in ((False, TAKEN, "state"), (True, LOADED, "load")):
        requests = questions(plan, asked_of, library(), load=load)
        answers = tools.plan_outputs(plan, hardware, requests, load=load)
        with store.begin(run_header(requests, purpose, ""), begun_at) as run:
            while some := list(islice(answers, AT_A_TIME)):
                run.add_all(some)
            record_cache.keep(store, run, library())


def _broken(healthy: state.State, names: Sequence[str]) -> state.State:
    catalogue = faults.load_faults()
    hardware = healthy
    for place, name in enumerate(names[::EVERY]):
        hardware = catalogue[BROKEN[place % len(BROKEN)]].apply(hardware, [name])
    return hardware


def main() -> None:
    """Arguments: site, folder, how many nodes."""
    site, folder, count = sys.argv[1:]
    loaded = spec.load(Path(site))
    make(design.expand(loaded.site, loaded.catalog), Path(folder), int(count))


if __name__ == "__main__":
    main()
