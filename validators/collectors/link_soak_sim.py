"""Prints two readings of the counters as the script of `link_soak` does."""

from rackwright.model.evidence.network import PortCounters

DEVICES = "/sys/class/infiniband"


def render(seen: PortCounters) -> bytes:
    """The sections whose parse is `seen`."""
    return (_section("before", 0.0, seen.before) + _section("after", seen.seconds, seen.after)).encode()


def _section(name: str, seconds: float, counters: dict[str, dict[str, int]]) -> str:
    lines = [
        f"{DEVICES}/{device}/ports/1/counters/{counter}:{value}\n"
        for device, own in counters.items()
        for counter, value in own.items()
    ]
    return f"== {name}\n{seconds}\n" + "".join(lines)
