"""The readings of one record that several fleet checks compare, taken at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from rackwright.compare import parts, smoke
from rackwright.compare.node_columns import Names, Readings, readings, shared
from rackwright.compare.series import late_median, middle
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.evidence.load import Burn
from rackwright.model.evidence.network import Rdma
from rackwright.model.evidence.smoke import Serving, Training

ALIKE = "GPU"
"""The slot of accelerators that are comparable at any position."""


class Burned(NamedTuple):
    """Readings of a burn: medians of its second half, when heat has settled, by accelerator; products by accelerator
    and precision.
    """

    clocks: Readings
    powers: Readings
    temperatures: Readings
    """Slots by position in the chassis."""
    products: Readings


class Cards(NamedTuple):
    """Readings of accelerators from the vendor's library."""

    names: Names
    serials: Names
    versions: tuple[tuple[str, str | None], ...]
    """Product and VBIOS of each accelerator; None: not reported."""
    temperatures: Readings
    """Slots by position in the chassis and performance state: idle parts are compared with idle parts."""
    replays: Readings
    """Replays of PCIe packets; each position is also a rail, so that one that stands out on every node is found."""


class ComparisonPair(NamedTuple):
    """Two comparisons of one small job."""

    first: Readings
    second: Readings


class AdapterReading(NamedTuple):
    """Identity of an RDMA device; fields that are not reported are empty."""

    model: str
    board: str
    firmware: str
    pci_address: str


Adapters = tuple[tuple[str, AdapterReading], ...]
"""Pairs of device name and reading."""


def device_names(devices: Sequence[parts.AcceleratorPart]) -> Names:
    """The names of accelerators; records of one node share the object, because all its tests see the same accelerators."""
    return shared(tuple([parts.name(device) for device in devices]))


def burn_readings(burn: Burn) -> Burned:
    """The readings of a burn that are compared."""
    names, looks = device_names(burn.devices), [device.samples for device in burn.devices]
    alike = (ALIKE,) * len(names)
    gemms = [gemm for device in burn.devices for gemm in device.gemms]
    return Burned(
        readings(names, alike, [late_median(device.sm_clock_mhz) for device in looks]),
        readings(names, alike, [late_median(device.power_watts) for device in looks]),
        readings(
            names,
            [f"{ALIKE} {device.index}" for device in burn.devices],
            [late_median(device.temperature_celsius) for device in looks],
        ),
        readings(
            [name for name, device in zip(names, burn.devices, strict=True) for _ in device.gemms],
            [product(gemm.precision, gemm.size) for gemm in gemms],
            [middle(gemm.tflops) for gemm in gemms],
            whats=[gemm.precision for gemm in gemms],
        ),
    )


@lru_cache
def product(precision: str, size: int) -> str:
    """The slot of a product, cached: a burn has few, each on every accelerator."""
    return f"{precision} {size}"


_CARD = attrgetter(
    "index", "serial", "product_name", "vbios", "temperature_celsius", "performance_state", "pcie_replays"
)


def accelerator_readings(accelerators: Accelerators) -> Cards:
    """The readings of accelerators that are compared."""
    names = device_names(accelerators.devices)
    rows = [_CARD(device) for device in accelerators.devices]
    index, serials, products, vbios, degrees, states, replays = zip(*rows, strict=True) if rows else [()] * 7
    positions = [f"{ALIKE} {position}" for position in index]
    return Cards(
        names,
        serials,
        shared(tuple(zip(products, [position or None for position in vbios], strict=True))),
        readings(names, [f"{place} at P{state}" for place, state in zip(positions, states, strict=True)], degrees),
        readings(names, (ALIKE,) * len(names), replays, rails=positions),
    )


_ADAPTER = attrgetter(*AdapterReading._fields)


def adapter_readings(rdma: Rdma) -> Adapters:
    """The readings of RDMA devices that are compared."""
    return shared(tuple([(name, AdapterReading._make(_ADAPTER(device))) for name, device in rdma.devices.items()]))


def serving_readings(serving: Serving) -> ComparisonPair:
    """Wait for the first word, and rate of the others, by server."""
    names, many = shared(tuple([smoke.name(replica) for replica in serving.replicas])), len(serving.replicas)
    waits = [middle(replica.first_token_seconds) for replica in serving.replicas]
    rates = [middle(replica.tokens_per_s) for replica in serving.replicas]
    return ComparisonPair(
        readings(names, [f"after {serving.prompt_tokens} tokens, {serving.tool}"] * many, waits),
        readings(
            names, [f"{serving.answer_tokens} tokens after {serving.prompt_tokens}, {serving.tool}"] * many, rates
        ),
    )


def training_readings(training: Training) -> ComparisonPair:
    """Rate of every accelerator alone, and of all together in the later half of the blocks."""
    names, many = shared(tuple([smoke.name(rank) for rank in training.ranks])), len(training.ranks)
    alone = [middle(rank.tokens_per_s) for rank in training.ranks]
    together = f"{many} ranks, {training.parameters} parameters, {training.tool}, {training.backend}"
    return ComparisonPair(
        readings(names, [f"{training.parameters} parameters, {training.tool}"] * many, alone),
        readings(["all accelerators"], [together], [late_median([rank.tokens_per_s for rank in training.blocks])]),
    )
