"""Prints packages as `dpkg-query --show` does, with one that was removed among them, as on every real node."""

from rackwright.model.evidence.host import Packages

REMOVED = "nvidia-driver-removed\t535.1-1\tdeinstall\tconfig-files\nnvidia-never-there\t\tunknown\tnot-installed\n"


def render(seen: Packages) -> bytes:
    """The listing whose parse is `seen`."""
    lines = [
        f"{name}\t{package.version}\t{'hold' if package.held else 'install'}\t{package.status}\n"
        for name, package in seen.packages.items()
    ]
    return ("".join(lines) + REMOVED).encode()
