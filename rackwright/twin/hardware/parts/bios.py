"""BIOS settings of a simulated machine: what differs from the factory, what waits for the next boot, what the BIOS will not take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

Value = bool | int | str


@dataclass(frozen=True)
class BiosState:
    """One BIOS."""

    changed: Mapping[str, Value] = field(default_factory=dict)
    """Attributes that are not as they left the factory."""
    pending: Mapping[str, Value] = field(default_factory=dict)
    """Changes that the BMC keeps for the next boot."""
    ignored: tuple[str, ...] = ()
    """What stays as it is at the boot, without a message: a silent reject. Attributes, ``SecureBoot``, ``*``: all."""
    stage: str = ""
    """Stage of the boot at which it stands (Redfish BootProgressTypes); empty: its system runs."""
    secure_boot: bool | None = None
    """Secure Boot setting for the next boot; None: unchanged."""

    def staged(self, changes: Mapping[str, Value]) -> BiosState:
        """The BIOS with `changes` pending for the next boot."""
        return replace(self, pending={**self.pending, **changes})

    def booted(self) -> BiosState:
        """The BIOS after a boot: pending settings are in force, except for those it ignores."""
        applied = {name: value for name, value in self.pending.items() if not {name, "*"} & set(self.ignored)}
        return replace(self, changed={**self.changed, **applied}, pending={})

    def secure_boot_after(self, current: bool) -> bool:
        """Whether Secure Boot is on after a boot."""
        return current if self.secure_boot is None or {"SecureBoot", "*"} & set(self.ignored) else self.secure_boot
