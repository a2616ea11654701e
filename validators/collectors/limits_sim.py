"""Prints limits as `prlimit --noheadings --raw --output RESOURCE,SOFT` does."""

from rackwright.model.evidence.host import Limits


def render(seen: Limits) -> bytes:
    """The lines whose parse is `seen`."""
    said = {"AS": None, "NOFILE": seen.open_files, "NPROC": seen.processes, "STACK": seen.stack_bytes, "RTPRIO": 0}
    return "".join(f"{name} {'unlimited' if value is None else value}\n" for name, value in said.items()).encode()
