"""dnsmasq under this process: started with files that are written here, started again when they change, ended with us.

It could read its files again at SIGHUP, but version 2.90 of Debian 12 aborts then once it has given a lease (seen 2026-11-26).
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from rackwright.base.durable_file import replace_file
from rackwright.base.errors import OutsideError
from rackwright.boot import dhcp
from rackwright.boot.dhcp import BootTarget, SwitchTarget

FIRST_LINES = 20
"""Lines of its output that an error quotes."""
SIGNED = ("bootfile-name", "/boot/", "/start/")
"""Words of lines with a signed path."""


END_WITH_PARENT = ("setpriv", "--pdeathsig", "TERM")
"""A server that is killed leaves none behind, which would keep the port of DHCP (setpriv of util-linux, prctl(2): PR_SET_PDEATHSIG)."""
ROOT = ("--user=root", "--group=root")
"""It stays who it is: the kernel forgets the signal above when a process changes its group."""


class Dnsmasq:
    """One dnsmasq, in the foreground under this process."""

    def __init__(self, folder: Path, log: Callable[[str], None]) -> None:
        self._folder, self._log = folder, log
        self._process: asyncio.subprocess.Process | None = None
        self._lines: list[str] = []
        self._again = False
        """Whether its files changed after it was started."""

    def write(self, targets: Sequence[BootTarget], switches: Sequence[SwitchTarget] = ()) -> None:
        """Answer `targets` and `switches` from now on, and nobody else."""
        replace_file(self._folder / dhcp.HOSTS, dhcp.hosts(targets, switches), 0o600)
        replace_file(self._folder / dhcp.OPTIONS, dhcp.options(targets, switches), 0o600)
        self._again = True
        if self._process is not None and self._process.returncode is None:
            self._process.terminate()

    async def run(self, config: str, loader: Path | None) -> None:
        """Run until it ends or this task is cancelled. OutsideError when it ends by itself, or is not installed."""
        program = shutil.which("dnsmasq", path="/usr/sbin:/usr/bin:/sbin:/bin")
        if program is None:
            raise OutsideError(
                "dnsmasq is not installed here: install the package dnsmasq-base, or give --http-only where another DHCP server answers"
            )
        path = self._prepare(config, loader)
        words = [*END_WITH_PARENT, program, "--keep-in-foreground", f"--conf-file={path}", "--pid-file", *ROOT]
        while True:
            self._again = False
            status = await self._run_once(words)
            if not self._again:
                raise OutsideError(f"dnsmasq ended with status {status}: {' | '.join(self._lines)}; see {path}")

    async def _run_once(self, words: Sequence[str]) -> int:
        """Run one process until it ends, which it does with this task; returns its status."""
        self._process = process = await asyncio.create_subprocess_exec(
            *words, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
        )
        try:
            if self._again:  # they changed while it was started
                process.terminate()
            assert process.stdout is not None
            async for line in process.stdout:
                self._take(line.decode(errors="replace").rstrip())
            return await process.wait()
        finally:
            with suppress(ProcessLookupError):
                process.terminate()
            await process.wait()

    def _prepare(self, config: str, loader: Path | None) -> Path:
        """Write what does not change while it runs; returns the path of its configuration."""
        if loader:
            tftp = self._folder / dhcp.TFTP
            tftp.mkdir(exist_ok=True)
            replace_file(tftp / loader.name, loader.read_bytes())
        replace_file(self._folder / dhcp.CONFIG, config, 0o600)
        return self._folder / dhcp.CONFIG

    def _take(self, line: str) -> None:
        if not any(word in line for word in SIGNED):
            self._lines = [*self._lines, line][-FIRST_LINES:]
            self._log(line)
