"""A fault of the twin, and a fault on its nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from rackwright.twin.hardware.state import State

Apply = Callable[[State, Sequence[str]], State]
"""Returns the state with a fault on these nodes."""


@dataclass(frozen=True)
class Fault:
    """A defect that a rehearsal can inject; its fields are the columns of the tables in `tables/`."""

    name: str
    summary: str
    """The defect in one plain sentence, without a full stop."""
    apply: Apply
    checks: AbstractSet[str] = frozenset()
    """Ids (or globs) of the checks that must refuse each of its nodes."""
    also: AbstractSet[str] = frozenset()
    """Further checks that it may turn red later on a host of the twin; the campaign plays those that it turns red at once."""
    names: AbstractSet[str] = frozenset()
    """Words that name the faulty object (``GPU {gpu[3]}``, ``{compute[2]}``: `campaign.objects`); at least one finding of `checks` must contain one of them."""
    masks: AbstractSet[str] = frozenset()
    """Checks (or globs) that cannot find another fault on its nodes, such as those of the GPUs of a machine that is off."""
    elsewhere: AbstractSet[str] = frozenset()
    """Checks (or globs) that it may also turn red on other machines (a lost subnet manager)."""
    needs: str = ""
    """Features of a site without which it does not show: words of `campaign.place.FEATURES` and makers of the catalog, separated by spaces."""
    reported: str = ""
    """What a BMC must report for it to show: a word of `bmc.dialects.REPORTED`."""
    nodes: int = 1
    """Number of nodes that it takes."""
    refused: bool = True
    """False when the node must be reported but may still join (a degraded finding)."""
    unread: bool = False
    """True when it leaves readings missing (a silent host): an inconclusive verdict counts as finding it."""
    onboarding: bool = False
    """True when it obstructs onboarding, which reports it; no acceptance check has to."""
    between: bool = False
    """True when only tests between nodes find it (``isolate --run``); no acceptance check has to."""
    provisioning: bool = False
    """True when it obstructs ``rackwright up``, which names it; no acceptance check has to."""
    racking: bool = False
    """True when ``discover`` finds it: machines that stand where they do not belong, or not at all. No acceptance check has to."""

    def __hash__(self) -> int:
        """By name, which is unique."""
        return hash(self.name)

    @property
    def judged(self) -> bool:
        """Whether an acceptance check must find it."""
        return not (self.onboarding or self.between or self.provisioning or self.racking)


@dataclass(frozen=True)
class Injected:
    """A fault on its nodes."""

    fault: Fault
    nodes: tuple[str, ...]
    names: frozenset[str] = frozenset()
    """`Fault.names` with the names of the parts of these nodes."""
