"""Prints units as `systemctl show --property=Id,LoadState,ActiveState,UnitFileState` does."""

from rackwright.model.evidence.host import Services


def render(seen: Services) -> bytes:
    """The blocks whose parse is `seen`."""
    return "\n".join(_block(name, active, seen.enabled[name]) for name, active in seen.active.items()).encode()


def _block(name: str, active: str, enabled: str) -> str:
    load, file_state = ("not-found", "") if enabled == "not-found" else ("loaded", enabled)
    return f"Id={name}.service\nLoadState={load}\nActiveState={active}\nUnitFileState={file_state}\n"
