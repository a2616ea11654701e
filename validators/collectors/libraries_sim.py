"""Prints libraries as the command of `libraries` does."""

from rackwright.model.evidence.container import DriverLibraries


def render(seen: DriverLibraries) -> bytes:
    """The lines whose parse is `seen`."""
    return "".join(f"{one.bytes}\t{one.path}\n" for one in seen.libraries).encode()
