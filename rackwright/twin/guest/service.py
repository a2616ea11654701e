"""One unit while the host runs: starting, stopping, reloading and restarting it, as systemd.service(5) says.

All waiting is in coroutines; every process that ends
comes back through `ended`.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
import uuid
from collections.abc import Callable

from . import command, notify, process, readiness
from .ending import end, seconds
from .loop import Loop, Signal, Until
from .notify import NotifySocket
from .unitfile import UnitFile

NOTIFYING = ("notify", "notify-reload")
CLEAN = {0, -signal.SIGHUP, -signal.SIGINT, -signal.SIGTERM, -signal.SIGPIPE}
BURST, BURST_SECONDS = 5, 10.0
"""systemd's DefaultStartLimitBurst and DefaultStartLimitIntervalSec."""


class Service:
    """The run-time side of one unit."""

    def __init__(self, unit: UnitFile, loop: Loop, watch: Callable[[int], Signal]) -> None:
        self.unit = unit
        self.loop = loop
        self.watch = watch
        self.active, self.sub, self.result = "inactive", "dead", "success"
        self.main_pid, self.exit_code, self.restarts = 0, 0, 0
        self.invocation = ""
        self.status_text = ""
        self.condition = True
        self.since = 0.0
        self._ready = Signal()
        self._wanted = False
        self._restarted: list[float] = []

    @property
    def kind(self) -> str:
        """Type=, with systemd's default."""
        default = "simple" if self.unit.all("Service", "ExecStart") else "oneshot"
        return self.unit.last("Service", "Type", default)

    def environment(self) -> dict[str, str]:
        """The environment of a process of this unit; OSError when an EnvironmentFile is missing."""
        extra = {"INVOCATION_ID": self.invocation}
        if self.main_pid:
            extra["MAINPID"] = str(self.main_pid)
        if self.kind in NOTIFYING:
            extra["NOTIFY_SOCKET"] = notify.path(self.unit.name)
        return command.environment(self.unit, extra)

    async def start(self) -> bool:
        """Start; True when the unit is active afterwards (or a condition of it failed, which is no error)."""
        self.condition = all(_condition(text) for text in self.unit.all("Unit", "ConditionPathExists"))
        if not self.condition:
            return True
        self.invocation, self._ready, self.result, self._wanted = uuid.uuid4().hex, Signal(), "success", True
        self._set("activating", "start")
        try:
            process.make_folders(self.unit)
            started = await self._run("ExecStartPre") and await self._main()
        except (OSError, KeyError, ValueError) as error:
            self._log(f"{self.unit.name}: {error}")
            started, self.result = False, "resources"
        if started:
            await self._run("ExecStartPost")
            return True
        if self.active != "failed":
            await self._kill_all()
            self._fail(self.result if self.result != "success" else "exit-code")
        return False

    async def _main(self) -> bool:
        lines = command.commands(self.unit, "ExecStart", self.environment())
        if self.kind == "oneshot":
            ok = await self._run("ExecStart")
            if ok:
                stays = self.unit.flag("Service", "RemainAfterExit")
                self._set(*(("active", "exited") if stays else ("inactive", "dead")))
            return ok
        listener = NotifySocket(self.unit.name, self.loop, self._notified) if self.kind in NOTIFYING else None
        pid = process.start(self.unit, lines[0], self.environment())
        ended = self.watch(pid)
        if self.kind == "forking":
            return await self._forked(ended)
        self._follow(pid, ended)
        if listener is not None:
            await Until(self._ready, ended, seconds=self._timeout("TimeoutStartSec"))
            ok = self._ready.is_set and not ended.is_set
            listener.close()
        elif self.kind == "dbus":
            ok = await readiness.name_owned(self._succeeds, self.unit, ended, self._timeout("TimeoutStartSec"))
        else:
            # systemd calls a simple service active at once; a program that cannot be run at all is seen here
            await Until(ended, seconds=0.01)
            ok = not (ended.is_set and ended.value == process.EXIT_EXEC)
        if ok and self.active == "activating":
            self._set("active", "running")
        return ok

    async def _forked(self, ended: Signal) -> bool:
        if not await Until(ended, seconds=self._timeout("TimeoutStartSec")):
            self.result = "timeout"
            return False
        if ended.value != 0:
            self.exit_code = ended.value
            return False
        pid = await readiness.forked_pid(self.unit, self.invocation, self._timeout("TimeoutStartSec"))
        if pid <= 0:
            self.result = "protocol"
            return False
        self._set("active", "running")
        self._follow(pid, self.watch(pid))
        return True

    def _follow(self, pid: int, ended: Signal) -> None:
        self.main_pid = pid
        self.loop.spawn(self._until_end(pid, ended))

    async def _until_end(self, pid: int, ended: Signal) -> None:
        await Until(ended)
        if pid != self.main_pid:
            return
        self.main_pid, self.exit_code = 0, ended.value
        if self.active in ("activating", "deactivating"):
            return
        clean = ended.value in CLEAN
        await self._kill_all()
        if clean:
            stays = self.unit.flag("Service", "RemainAfterExit")
            self._set(*(("active", "exited") if stays else ("inactive", "dead")))
        else:
            self._fail("signal" if ended.value < 0 else "exit-code")
        process.remove_folders(self.unit)
        await self._again(clean=clean)

    async def _again(self, *, clean: bool) -> None:
        policy = self.unit.last("Service", "Restart", "no")
        restarts = policy == "always" or (policy == "on-success" if clean else policy in ("on-failure", "on-abnormal"))
        prevented = str(self.exit_code) in self.unit.words("Service", "RestartPreventExitStatus")
        now = time.monotonic()
        self._restarted = [moment for moment in self._restarted if now - moment < BURST_SECONDS]
        if not restarts or prevented or len(self._restarted) >= BURST or not self._wanted:
            return
        self._restarted.append(now)
        self._set("activating", "auto-restart")
        await Until(seconds=seconds(self.unit.last("Service", "RestartSec", "100ms")))
        if self.active == "activating" and self.sub == "auto-restart":
            self.restarts += 1
            await self.start()

    async def stop(self) -> bool:
        """Stop; nothing of the unit runs afterwards."""
        self._wanted = False
        if self.active in ("inactive", "failed"):
            self._set("inactive", "dead")
            return True
        self._set("deactivating", "stop")
        await self._run("ExecStop")
        await self._kill_all()
        await self._run("ExecStopPost")
        process.remove_folders(self.unit)
        self.main_pid = 0
        self._set("inactive", "dead")
        return True

    async def reload(self) -> bool:
        """Run ExecReload=."""
        return await self._run("ExecReload")

    def reset(self) -> None:
        """Forget a failure (``systemctl reset-failed``)."""
        self._restarted.clear()
        if self.active == "failed":
            self._set("inactive", "dead")

    def kill(self, name: str) -> bool:
        """Send a signal to every process of the unit; False when there is none."""
        number = int(name) if name.isdigit() else getattr(signal, name if name.startswith("SIG") else f"SIG{name}")
        members = process.members(self.invocation) if self.invocation else []
        for pid in members:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
        return bool(members)

    async def _kill_all(self) -> None:
        await end(self.unit, self.main_pid, self.invocation, self.watch)

    async def _run(self, key: str) -> bool:
        """Run the commands of `key` one after the other; False at the first that fails."""
        for line in command.commands(self.unit, key, self.environment()):
            ended = self.watch(process.start(self.unit, line, self.environment()))
            if not await Until(ended, seconds=self._timeout("TimeoutStartSec")):
                self.result = "timeout"
                return False
            if ended.value != 0 and not line.ignore_failure:
                self.exit_code = ended.value
                return False
        return True

    async def _succeeds(self, line: str) -> bool:
        asking = command.Command(line, self.environment())
        ended = self.watch(process.start(self.unit, asking, self.environment()))
        return await Until(ended, seconds=self._timeout("TimeoutStartSec")) and ended.value == 0

    def _notified(self, key: str, value: str) -> None:
        if key == "STATUS":
            self.status_text = value
        elif key == "READY" and value == "1":
            self._ready.set()

    def _timeout(self, key: str) -> float:
        return seconds(self.unit.last("Service", key) or self.unit.last("Service", "TimeoutSec") or "90s")

    def _set(self, active: str, sub: str) -> None:
        if active != self.active:
            self.since = time.time()
        self.active, self.sub = active, sub

    def _fail(self, result: str) -> None:
        self.result = result
        self._set("failed", "failed")

    def _log(self, text: str) -> None:
        os.makedirs(process.LOGS, exist_ok=True)
        with open(os.path.join(process.LOGS, self.unit.name), "a", encoding="utf-8") as log:
            log.write(text + "\n")


def _condition(text: str) -> bool:
    expected = not text.startswith("!")
    return os.path.exists(text.lstrip("!|")) is expected
