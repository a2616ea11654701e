"""What several fleet checks compare of one record, taken at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from rackwright.compare import parts, smoke
from rackwright.compare.node_columns import Names, Readings, readings, shared
from rackwright.compare.series import late, middle
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.evidence.load import Burn
from rackwright.model.evidence.network import Rdma
from rackwright.model.evidence.smoke import Serving, Training

ALIKE = "GPU"
"""The slot of accelerators that are alike wherever they sit."""


class Burned(NamedTuple):
    """Of a burn: its second half, when heat has settled, by accelerator; its products by accelerator and precision."""

    clocks: Readings
    powers: Readings
    temperatures: Readings
    """By position in the chassis."""
    products: Readings


class Cards(NamedTuple):
    """Of accelerators as the library shows them."""

    names: Names
    serials: Names
    versions: tuple[tuple[str, str | None], ...]
    """Product and VBIOS; None: not shown."""
    temperatures: Readings
    """By position in the chassis and performance state: idle parts with idle parts."""
    replays: Readings
    """Of PCIe packets; a position that stands out on every node is a rail."""


class Pair(NamedTuple):
    """Two comparisons of one small job."""

    first: Readings
    second: Readings


class Adapter(NamedTuple):
    """Of an RDMA device; empty where it is not shown."""

    model: str
    board: str
    firmware: str
    pci_address: str


Adapters = tuple[tuple[str, Adapter], ...]
"""By name of the device."""


def named(devices: Sequence[parts.Part]) -> Names:
    """The names of accelerators; one object for all records of a node, because all its tests see the same ones."""
    return shared(tuple([parts.name(one) for one in devices]))


def burned(seen: Burn) -> Burned:
    """Everything that a burn is compared by."""
    names, looks = named(seen.devices), [one.samples for one in seen.devices]
    alike = (ALIKE,) * len(names)
    gemms = [gemm for one in seen.devices for gemm in one.gemms]
    return Burned(
        readings(names, alike, [late(one.sm_clock_mhz) for one in looks]),
        readings(names, alike, [late(one.power_watts) for one in looks]),
        readings(
            names,
            [f"{ALIKE} {one.index}" for one in seen.devices],
            [late(one.temperature_celsius) for one in looks],
        ),
        readings(
            [name for name, one in zip(names, seen.devices, strict=True) for _ in one.gemms],
            [product(gemm.precision, gemm.size) for gemm in gemms],
            [middle(gemm.tflops) for gemm in gemms],
            whats=[gemm.precision for gemm in gemms],
        ),
    )


@lru_cache
def product(precision: str, size: int) -> str:
    """The slot of a product; a burn has few, and takes each on every accelerator."""
    return f"{precision} {size}"


_CARD = attrgetter(
    "index", "serial", "product_name", "vbios", "temperature_celsius", "performance_state", "pcie_replays"
)


def cards(seen: Accelerators) -> Cards:
    """Everything that accelerators are compared by."""
    names = named(seen.devices)
    rows = [_CARD(one) for one in seen.devices]
    index, serials, products, vbios, degrees, states, replays = zip(*rows, strict=True) if rows else [()] * 7
    positions = [f"{ALIKE} {one}" for one in index]
    return Cards(
        names,
        serials,
        shared(tuple(zip(products, [one or None for one in vbios], strict=True))),
        readings(names, [f"{place} at P{state}" for place, state in zip(positions, states, strict=True)], degrees),
        readings(names, (ALIKE,) * len(names), replays, rails=positions),
    )


_ADAPTER = attrgetter(*Adapter._fields)


def adapters(seen: Rdma) -> Adapters:
    """Everything that RDMA devices are compared by."""
    return shared(tuple([(name, Adapter._make(_ADAPTER(one))) for name, one in seen.devices.items()]))


def served(seen: Serving) -> Pair:
    """Wait for the first word, and rate of the others, by server."""
    names, many = shared(tuple([smoke.name(one) for one in seen.replicas])), len(seen.replicas)
    waits = [middle(one.first_token_seconds) for one in seen.replicas]
    rates = [middle(one.tokens_per_s) for one in seen.replicas]
    return Pair(
        readings(names, [f"after {seen.prompt_tokens} tokens, {seen.tool}"] * many, waits),
        readings(names, [f"{seen.answer_tokens} tokens after {seen.prompt_tokens}, {seen.tool}"] * many, rates),
    )


def trained(seen: Training) -> Pair:
    """Rate of every accelerator alone, and of all together in the later blocks."""
    names, many = shared(tuple([smoke.name(one) for one in seen.ranks])), len(seen.ranks)
    alone = [middle(one.tokens_per_s) for one in seen.ranks]
    together = f"{many} ranks, {seen.parameters} parameters, {seen.tool}, {seen.backend}"
    return Pair(
        readings(names, [f"{seen.parameters} parameters, {seen.tool}"] * many, alone),
        readings(["all accelerators"], [together], [late([one.tokens_per_s for one in seen.blocks])]),
    )
