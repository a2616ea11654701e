"""No Ethernet port of the node loses more frames to bit errors than the standard allows."""

from rackwright.compare import network
from rackwright.compare.threshold import at_most, threshold
from rackwright.model.evidence.network import Ethernet, EthernetPort


def share(port: EthernetPort) -> float | None:
    """Frames with a wrong checksum as a share of those received; None without the counter or without received frames."""
    wrong, good = port.counters.get("rx_crc_errors"), port.counters.get("rx_packets")
    return float(f"{wrong / (good + wrong):.1e}") if wrong is not None and good else None


CHECK = threshold(
    reads=Ethernet,
    metric="ethernet.frame_loss",
    readings=lambda expectation, ethernet, _: network.by_interface(expectation, ethernet, share),
    good=at_most,
    what="share of frames lost to bit errors",
    applies=network.carries_ethernet,
)
