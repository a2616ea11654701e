"""All units of one host: loads them, starts them with what they need, keeps jobs on one unit apart.

As with systemd, a unit file that
changed on disk counts only after `forget` (daemon-reload).
"""

from __future__ import annotations

from collections.abc import Callable

from . import install, readiness, unitfile
from .loop import Loop, Signal, Until
from .service import Service
from .unitfile import UnitFile

NEEDS = ("Requires", "BindsTo", "Wants")
BOOT = ("sysinit.target", "basic.target", "network-online.target", "remote-fs.target", "multi-user.target")
"""Targets reached at boot; what a distribution ships below them by itself is left out, only links of the host count."""


class UnitManager:
    """The units of this host."""

    def __init__(self, loop: Loop, watch: Callable[[int], Signal]) -> None:
        self.loop = loop
        self.watch = watch
        self.services: dict[str, Service] = {}
        self._locks: dict[str, Signal] = {}

    def get(self, name: str) -> Service:
        """The unit called `name` (an alias leads to the real one); a unit that is not there has no state."""
        name = unitfile.full_name(name)
        loaded = self.services.get(name)
        if loaded is not None:
            return loaded
        unit = unitfile.load(name)
        service = self.services.get(unit.name) or Service(unit, self.loop, self.watch)
        if unit.load_state == "loaded":
            self.services[unit.name] = self.services[name] = service
        return service

    def forget(self) -> None:
        """Read every unit file again."""
        for name, service in list(self.services.items()):
            service.unit = unitfile.load(service.unit.name)
            if service.unit.load_state != "loaded" and service.active in ("inactive", "failed"):
                del self.services[name]

    async def start(self, name: str, starting: frozenset[str] = frozenset()) -> tuple[int, str]:
        """Start a unit with what it requires and wants; exit code and message as systemctl has them."""
        service = self.get(name)
        refused = _refusal("start", service, name)
        if refused:
            return refused
        needed = service.unit.name
        of_kind = {"Requires": [readiness.BUS]} if service.kind == "dbus" else {}
        for key in NEEDS:
            for dependency in [*of_kind.get(key, []), *service.unit.words("Unit", key)]:
                if dependency in starting or not dependency.endswith(".service") or dependency == needed:
                    continue
                code, _ = await self.start(dependency, starting | {needed})
                if code and key != "Wants":
                    return 1, f"A dependency job for {needed} failed. See 'journalctl -xe' for details."
        return await self._job(service, "start")

    async def stop(self, name: str) -> tuple[int, str]:
        """Stop a unit, after those that are bound to it or part of it."""
        service = self.get(name)
        if service.unit.load_state == "not-found":
            return 5, f"Failed to stop {service.unit.name}: Unit {service.unit.name} not loaded."
        for dependent in set(self.services.values()):
            ties = [word for key in ("Requires", "BindsTo", "PartOf") for word in dependent.unit.words("Unit", key)]
            if service.unit.name in ties and dependent.active not in ("inactive", "failed"):
                await self._job(dependent, "stop")
        return await self._job(service, "stop")

    async def restart(self, name: str) -> tuple[int, str]:
        """Stop and start a unit; what is part of it and ran is started again."""
        service = self.get(name)
        refused = _refusal("restart", service, name)
        if refused:
            return refused
        parts = [
            dependent.unit.name
            for dependent in set(self.services.values())
            if service.unit.name in dependent.unit.words("Unit", "PartOf") and dependent.active == "active"
        ]
        await self.stop(name)
        result = await self.start(name)
        for part in parts:
            await self.start(part)
        return result

    async def reload(self, name: str) -> tuple[int, str]:
        """Run ExecReload= of an active unit."""
        service = self.get(name)
        refused = _refusal("reload", service, name)
        if refused:
            return refused
        if service.active != "active":
            return 1, f"{service.unit.name} is not active, cannot reload."
        if not service.unit.all("Service", "ExecReload"):
            return 1, f"Failed to reload {service.unit.name}: Job type reload is not applicable for unit {name}."
        return await self._job(service, "reload")

    async def _job(self, service: Service, verb: str) -> tuple[int, str]:
        """Run one job; jobs on the same unit wait for each other."""
        name = service.unit.name
        while name in self._locks:
            await Until(self._locks[name])
        if verb == "start" and service.active == "active":
            return 0, ""
        self._locks[name] = Signal()
        try:
            done = await {"start": service.start, "stop": service.stop, "reload": service.reload}[verb]()
        finally:
            self._locks.pop(name).set()
        if done:
            return 0, ""
        return 1, (
            f"Job for {name} failed because {_failure_reason(service)}.\n"
            f'See "systemctl status {name}" and "journalctl -xeu {name}" for details.'
        )

    def boot(self) -> None:
        """Start what the links below /etc/systemd/system enable: all at once, each after those its After= and Before= ask."""
        names = {unitfile.full_name(name) for target in BOOT for name in install.wanted_by(target)}
        enabled = [self.get(name) for name in sorted(names) if install.state(name) in ("enabled", "alias")]
        services = {service.unit.name: service for service in enabled if service.unit.name.endswith(".service")}
        done = {name: Signal() for name in services}
        for name, earlier in order({name: service.unit for name, service in services.items()}).items():
            self.loop.spawn(self._boot_one(name, [done[each] for each in earlier], done[name]))

    async def _boot_one(self, name: str, earlier: list[Signal], done: Signal) -> None:
        for signal in earlier:
            await Until(signal)
        try:
            await self.start(name)
        finally:
            done.set()


def order(units: dict[str, UnitFile]) -> dict[str, set[str]]:
    """For each unit those of `units` that must be started before it; a cycle is broken at its last name."""
    after = {name: set(unit.words("Unit", "After")) & units.keys() - {name} for name, unit in units.items()}
    for name, unit in units.items():
        for later in unit.words("Unit", "Before"):
            if later in after and later != name:
                after[later].add(name)
    free: set[str] = set()
    while len(free) < len(after):
        ready = [name for name in sorted(after) if name not in free and after[name] <= free]
        if not ready:
            blocked = max(after.keys() - free)
            after[blocked] &= free
        free.update(ready)
    return after


def _refusal(verb: str, service: Service, unit: str) -> tuple[int, str] | None:
    if service.unit.load_state == "not-found":
        name = unitfile.full_name(unit)
        return 5, f"Failed to {verb} {name}: Unit {name} not found."
    if service.unit.load_state == "masked":
        return 1, f"Failed to {verb} {service.unit.name}: Unit {service.unit.name} is masked."
    return None


def _failure_reason(service: Service) -> str:
    reasons = {
        "timeout": "a timeout was exceeded",
        "resources": "of unavailable resources or another system error",
        "protocol": "the service did not take the steps required by its unit configuration",
        "signal": "a fatal signal was delivered to the control process",
    }
    return reasons.get(service.result, "the control process exited with error code")
