"""How a run of onboarding is to go: what is played, how careful, and what it may do to nodes that serve."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from rackwright.onboard.pull.listening import PullListening
from rackwright.onboard.waves import DEFAULT_SIZE, Tolerance

Mode = Literal["push", "worker", "pull"]
VERIFY = ("verify",)


@dataclass(frozen=True)
class OnboardOptions:
    """The choices of one run; the defaults are those of a rehearsal."""

    check: bool = False
    """Say what would change, and change nothing."""
    diff: bool = False
    mode: Mode = "push"
    """``push``: Ansible runs here. ``worker``: every node runs its own play, sent to it by ansible-runner. ``pull``: every node asks for its play, at `listening`."""
    listening: PullListening | None = None
    """Where nodes reach this machine; of pull mode alone."""
    enrol: bool = False
    """First make the hosts ask for their orders, over SSH; of pull mode alone."""
    wave_size: int | None = DEFAULT_SIZE
    """None: all nodes in one wave."""
    canary: bool | None = None
    """None: when there are more than `waves.CANARY_ABOVE` nodes."""
    tolerance: Tolerance = field(default_factory=Tolerance)
    retries: int = 1
    """How often hosts that failed are played again, alone."""
    roles: tuple[str, ...] = ()
    """Only these roles; empty: all that the host has."""
    parts: tuple[str, ...] = ()
    """Only these parts of the roles (``verify``); empty: all."""
    reboot: bool = False
    """Nodes that need it may be rebooted, once, after they were drained."""
    reboot_wait_seconds: int | None = None
    """How long a rebooted node may take to come back; None: as long as ``roles/reboot.yml`` says."""
    drain_wait_seconds: float = 0.0
    """How long to wait for jobs to end on nodes that are to be disturbed; 0: leave such nodes alone."""
    wipe_scratch: bool = False
    """Empty the scratch file systems of the nodes, once each is out of service; what is on them is lost."""
    drain_hook: tuple[str, ...] = ()
    """Command that takes a node out of service where the scheduler is not Slurm; the name of the node is added to it."""

    @property
    def harmless(self) -> bool:
        """True when nothing is changed, so that running jobs are no reason to leave a node alone."""
        return self.check or self.parts == VERIFY

    def variables(self) -> Mapping[str, Any]:
        """For ``roles/site.yml``; what was not asked for is not named, so that the play's own defaults hold."""
        variables: dict[str, Any] = {}
        if self.roles:
            variables["rackwright_only_roles"] = list(self.roles)
        if self.parts:
            variables["rackwright_parts"] = list(self.parts)
        if self.reboot_wait_seconds is not None:
            variables["rackwright_reboot_seconds"] = self.reboot_wait_seconds
        return variables
