"""No adapter of the node runs firmware below the security floor of its release train."""

from rackwright import compare
from rackwright.compare import network
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.network import Rdma, RdmaDevice
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Rdma) -> Finding:
    """Compare train and build of the firmware (``28.47.2682``: model, train, build) with the fixed build of each train."""
    row = compare.limit(expectation, "nic.firmware_trains")
    if row is None:
        return compare.no_limit(expectation, "nic.firmware_trains")
    fixed = {version[0]: version[1] for version in map(compare.version_numbers, compare.words(row))}
    readings = network.by_device(expectation, record, version_of)
    verdicts = {text: safe(compare.version_numbers(text), fixed) for text in set(readings.values()) if text is not None}
    return compare.every(
        expectation,
        readings,
        lambda text: verdicts[text],
        what="firmware of adapter",
        expected=f"a train after {max(fixed)}, or a fixed build ({', '.join(compare.words(row))})",
        source=compare.limit_source(row),
    )


def version_of(device: RdmaDevice) -> str | None:
    """The firmware; None for adapters of other makers, which have no trains."""
    return device.firmware if device.model.startswith("MT") and device.firmware.count(".") > 1 else None


def safe(version: tuple[int, ...], fixed: dict[int, int]) -> bool:
    """Whether the build is the fixed one of its train or later; trains after the last one include the fix."""
    _, train, *build = version
    return train > max(fixed) or (train in fixed and bool(build) and build[0] >= fixed[train])


def applies(expectation: Expectation) -> bool:
    """Nodes with ConnectX or BlueField adapters, which alone have release trains."""
    every = network.rdma_links(expectation)
    return network.carries_rdma(expectation) and len(network.nvidia_links(expectation)) == len(every)


CHECK = Check(reads=Rdma, judge=judge, applies=applies)
