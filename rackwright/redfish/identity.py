"""Which machine stands behind a BMC: by serial number and UUID, never by the address. Another one is not touched."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rackwright.base.errors import OutsideError
from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.resource import MachineIdentity
from rackwright.redfish.resources.system import System

NOUNS = ("serial number", "UUID")


def identity_of(bmc: BmcEvidence, system: System) -> MachineIdentity:
    """What the machine reports of itself."""
    return MachineIdentity(bmc.serial.strip(), system.uuid)


def to_text(identity: MachineIdentity) -> str:
    """As a line of the file of identities has it after the node, ``SERIAL UUID``; without a UUID where there is none."""
    return " ".join(filter(None, identity))


def is_same(expected: MachineIdentity, observed: MachineIdentity) -> bool:
    """Whether what both know agrees."""
    return not _deviation(expected, observed)


def require_same(
    name: str,
    address: str,
    expected: MachineIdentity,
    observed: MachineIdentity,
    places: Callable[[], Mapping[str, MachineIdentity]],
) -> None:
    """OutsideError for another machine than the one `expected` at `name`; `places` reads the declared identities by node."""
    deviation = _deviation(expected, observed)
    if not deviation:
        return
    home = next(
        (node for node, identity in places().items() if node != name and observed.serial == identity.serial), ""
    )
    belongs = (
        f" The serial number {observed.serial} is that of {home}: exchange the two machines or their cables."
        if home
        else ""
    )
    raise OutsideError(
        f"another machine answers at BMC {address} of {name} ({deviation}); nothing was changed.{belongs} Put the machine of {name} back; "
        f"if it was exchanged on purpose, write `{name} {to_text(observed)}` into control.bmc.identities_file and run "
        f"`rackwright up SITE --nodes {name} --unprotect {name}`"
    )


class Visited:
    """The machines that were met in one run, so that one machine behind two addresses is noticed at the second."""

    def __init__(self) -> None:
        self._names: dict[MachineIdentity, tuple[str, str]] = {}

    def meet(self, name: str, address: str, observed: MachineIdentity) -> None:
        """OutsideError where `observed` answered as another node already. Only a serial number with a UUID tells a machine: makers leave placeholders."""
        if not all(observed):
            return
        peer, behind = self._names.setdefault(observed, (name, address))
        if peer != name:
            raise OutsideError(
                f"BMC {address} of {name} and BMC {behind} of {peer} report one machine (serial number {observed.serial}, UUID "
                f"{observed.uuid}); nothing was changed on {name}: correct the address of one of them, or have the maker write the plate"
            )


def _deviation(expected: MachineIdentity, observed: MachineIdentity) -> str:
    pairs = list(zip(NOUNS, expected, observed, strict=True))
    if any(expected) and not any(before and now for _, before, now in pairs):
        return f"it reports no {' and no '.join(noun for noun, before, _ in pairs if before)}, expected {to_text(expected)}"
    return ", ".join(
        f"{noun} {now}, expected {before}" for noun, before, now in pairs if before and now and before != now
    )
