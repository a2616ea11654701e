"""Compares one switch with its configuration, and brings it there: nothing is kept that was not confirmed over a connection made after the change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from rackwright.base.errors import OutsideError
from rackwright.configure.driver import SwitchChange, SwitchDriver
from rackwright.configure.masking import masked
from rackwright.configure.required_switch import FACTORY_NAMES, mismatches
from rackwright.configure.session import CommandRefusedError, LostReachError, SwitchSession
from rackwright.model.resource import DeclaredSwitch

Connect = Callable[[DeclaredSwitch], SwitchSession]
"""Opens a connection. LostReachError when there is none to be had."""
Outcome = Literal["same", "differs", "applied", "refused", "rolled back", "lost", "not reached"]
WELL: frozenset[Outcome] = frozenset({"same", "applied"})
GRACE_SECONDS = 60
"""After the timer of the switch: it has its configuration to load."""


@dataclass(frozen=True)
class SwitchResult:
    """One switch after it was compared or changed. Every text is masked."""

    name: str
    outcome: Outcome
    sentence: str = ""
    """Why, with the next step; empty where it is as designed."""
    lines: tuple[str, ...] = ()
    """What goes and comes, or still would."""
    left_alone: tuple[str, ...] = ()
    before: Mapping[str, str] = field(default_factory=dict)
    """The running configuration: text by name of the file."""
    after: Mapping[str, str] = field(default_factory=dict)

    @property
    def well(self) -> bool:
        """Whether the switch runs its configuration."""
        return self.outcome in WELL


@dataclass(frozen=True)
class Bringing:
    """What all switches of a run have in common."""

    connect: Connect
    seconds: int
    """After which a switch takes an unconfirmed change back."""
    pause: Callable[[float], None]
    """Waits for so many seconds."""
    keep: Callable[[SwitchResult], None]
    """Stores what a switch runs, before it is changed: whoever is killed in between leaves it."""


@dataclass(frozen=True)
class _Compared:
    change: SwitchChange
    running: dict[str, str]

    def result(
        self, name: str, outcome: Outcome, sentence: str = "", lines: tuple[str, ...] | None = None
    ) -> SwitchResult:
        return SwitchResult(
            name, outcome, masked(sentence), tuple(map(masked, self.change.lines if lines is None else lines)),
            self.change.left_alone, _masked(self.running),
        )  # fmt: skip


def observe(at: DeclaredSwitch, driver: SwitchDriver, bringing: Bringing) -> DeclaredSwitch:
    """The switch at the address of `at`, declared as it runs now. OutsideError when it is not reached, or has no name of its own."""
    session = bringing.connect(at)
    try:
        identity, running = driver.identity(session), driver.running(session)
    finally:
        session.close()
    if identity.hostname in ("", *FACTORY_NAMES):
        raise OutsideError(
            f"{at.address} calls itself {identity.hostname or 'nothing'}: give it its name (`rackwright export --to switches`), then import it"
        )
    hardware = {"platform": identity.hardware.get("platform", ""), "sku": identity.hardware.get("hardware_sku", "")}
    about = {
        "model": next(filter(None, identity.models), ""),
        "serial": identity.serial,
        "files": driver.declarable(running),
    }
    return at.model_copy(update={"name": identity.hostname, **hardware, **about})


def compare(required: DeclaredSwitch, driver: SwitchDriver, bringing: Bringing) -> SwitchResult:
    """How the switch differs from `required`; it stays as it is."""
    return _connected(required, bringing, lambda session: _compared_alone(required, driver, session))


def bring(required: DeclaredSwitch, driver: SwitchDriver, bringing: Bringing) -> SwitchResult:
    """Compare, apply with a timer on the switch, look again over a new connection, confirm."""
    return _connected(required, bringing, lambda session: _changed(required, driver, bringing, session))


def _connected(
    required: DeclaredSwitch, bringing: Bringing, act: Callable[[SwitchSession], SwitchResult]
) -> SwitchResult:
    try:
        session = bringing.connect(required)
    except LostReachError as error:
        return SwitchResult(required.name, "not reached", str(error))
    try:
        return act(session)
    except OutsideError as error:
        return SwitchResult(required.name, "refused", masked(f"{error}; nothing was changed: log in by hand and look"))
    finally:
        session.close()


def _compared(required: DeclaredSwitch, driver: SwitchDriver, session: SwitchSession) -> _Compared | SwitchResult:
    wrong = list(mismatches(required, driver.identity(session)))
    if wrong:
        sentence = f"{required.address} is another switch: {'; '.join(wrong)}: nothing was changed; check its cable and its address, or the design"
        return SwitchResult(required.name, "refused", sentence)
    running = driver.running(session)
    return _Compared(driver.compare(session, running, required.files), running)


def _compared_alone(required: DeclaredSwitch, driver: SwitchDriver, session: SwitchSession) -> SwitchResult:
    compared = _compared(required, driver, session)
    if isinstance(compared, SwitchResult):
        return compared
    return compared.result(required.name, "differs" if compared.change.lines else "same")


def _changed(
    required: DeclaredSwitch, driver: SwitchDriver, bringing: Bringing, session: SwitchSession
) -> SwitchResult:
    compared = _compared(required, driver, session)
    if isinstance(compared, SwitchResult):
        return compared
    if not compared.change.lines:
        return compared.result(required.name, "same")
    if compared.change.obstacle:
        return compared.result(required.name, "refused", compared.change.obstacle)
    if busy := driver.busy(session):
        return compared.result(
            required.name, "refused", f"somebody else is at work on it: {busy}; end that, then run again"
        )
    if driver.running(session) != compared.running:
        return compared.result(
            required.name,
            "refused",
            "its configuration changed while it was compared: find out who else changes it, then run again",
        )
    bringing.keep(compared.result(required.name, "differs"))
    try:
        driver.apply(session, compared.change, bringing.seconds)
    except CommandRefusedError as error:
        driver.withdraw(session)
        return compared.result(
            required.name,
            "refused",
            f"{error}; nothing of it was kept: correct the template or the design, then run again",
        )
    except LostReachError:
        pass  # a change of the management port may cut the connection: what counts is the next one
    session.close()
    return _confirmed(required, driver, bringing, compared)


def _confirmed(required: DeclaredSwitch, driver: SwitchDriver, bringing: Bringing, compared: _Compared) -> SwitchResult:
    """The end of an applied change, over a new connection."""
    try:
        session = bringing.connect(required)
        try:
            return _confirmed_by(required, driver, session, compared)
        finally:
            session.close()
    except LostReachError as error:
        return _taken_back(required, driver, bringing, compared, str(error))


def _confirmed_by(
    required: DeclaredSwitch, driver: SwitchDriver, session: SwitchSession, compared: _Compared
) -> SwitchResult:
    name = required.name
    if not driver.waits(session):
        return compared.result(
            name,
            "rolled back",
            "it no longer waits for the confirmation: it restarted, or took the change back; look at its log, then run again",
        )
    wrong = list(mismatches(required, driver.identity(session)))
    if wrong:
        sentence = f"after the change {required.address} is another switch ({'; '.join(wrong)}): it was not confirmed, and the switch takes it back"
        return compared.result(name, "rolled back", f"{sentence}; two switches may have one address")
    after = driver.running(session)
    rest = driver.compare(session, after, required.files).lines
    driver.confirm(session)
    if rest:
        sentence = "it was applied and confirmed, and still reads otherwise than it was written: compare its lines with the template"
        return replace(compared.result(name, "differs", sentence, rest), after=_masked(after))
    return replace(compared.result(name, "applied"), after=_masked(after))


def _taken_back(
    required: DeclaredSwitch, driver: SwitchDriver, bringing: Bringing, compared: _Compared, reason: str
) -> SwitchResult:
    """Wait for the timer of the switch, and look whether it is back."""
    bringing.pause(bringing.seconds + GRACE_SECONDS)
    try:
        session = bringing.connect(required)
    except LostReachError as error:
        sentence = f"it was lost after the change ({reason}) and did not come back after {bringing.seconds} s ({error}): go to its console"
        return compared.result(required.name, "lost", sentence)
    try:
        after = driver.running(session)
    finally:
        session.close()
    if after != compared.running:
        sentence = f"it was lost after the change ({reason}), and runs another configuration than before: compare both, and look at its log"
        return replace(compared.result(required.name, "lost", sentence), after=_masked(after))
    sentence = f"it was lost after the change ({reason}) and took it back by itself: look at its management port in the lines, then run again"
    return replace(compared.result(required.name, "rolled back", sentence), after=_masked(after))


def _masked(files: Mapping[str, str]) -> dict[str, str]:
    return {name: masked(text) for name, text in files.items()}
