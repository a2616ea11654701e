"""No Ethernet port of the node loses more frames to bit errors than the standard allows."""

from rackwright import compare
from rackwright.compare import network
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.network import Ethernet, EthernetPort
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Ethernet) -> Finding:
    """Frames with a wrong checksum as a share of those received."""
    row = compare.limit(expectation, "ethernet.frame_loss")
    if row is None:
        return compare.no_limit(expectation, "ethernet.frame_loss")
    return compare.every(
        expectation,
        network.by_interface(expectation, seen, share),
        lambda lost: lost <= compare.number(row),
        what="share of frames lost to bit errors",
        expected=f"at most {row.value:g}",
        source=compare.limit_source(row),
    )


def share(port: EthernetPort) -> float | None:
    """Wrong frames of received ones; None where the driver does not count, or nothing was received."""
    wrong, good = port.counters.get("rx_crc_errors"), port.counters.get("rx_packets")
    return float(f"{wrong / (good + wrong):.1e}") if wrong is not None and good else None


CHECK = Check(reads=Ethernet, judge=judge, applies=network.carries_ethernet)
