"""Prints failed units as `systemctl list-units --state=failed --plain --no-legend` does."""

from rackwright.model.evidence.host import Units


def render(seen: Units) -> bytes:
    """The lines whose parse is `seen`."""
    return "".join(f"{name} loaded failed failed What {name} is for\n" for name in seen.failed).encode()
