"""Every RoCE port of the node notifies of and reacts to congestion on the lossless priority of the fabric."""

from rackwright.compare import roce
from rackwright.compare.threshold import threshold
from rackwright.model.evidence.roce import Roce, RocePort


def both(port: RocePort) -> tuple[str, str] | None:
    """Priorities with notification and priorities with reaction, in words; None if the driver does not report both."""
    if port.notifies is None or port.reacts is None:
        return None
    return " ".join(map(str, port.notifies)), " ".join(map(str, port.reacts))


CHECK = threshold(
    reads=Roce,
    metric="nic.lossless_priorities",
    readings=lambda expectation, record, _: roce.by_port(expectation, record, both),
    good=lambda both_ends, lossless: all(set(lossless) <= set(point.split()) for point in both_ends),
    what="priorities with notification, and with reaction, of port",
    expected="{words} in both",
    applies=roce.carries,
)
