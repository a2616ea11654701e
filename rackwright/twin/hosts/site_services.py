"""Site services of a twin on the in-band network: an NTP server and the package mirror.

The time server never adjusts the machine's clock (chronyd -x).
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from rackwright.base.errors import OutsideError
from rackwright.model.site import Site
from rackwright.twin.hosts.namespaces import launch
from rackwright.twin.hosts.network import ControllerAddresses

START_SECONDS = 60.0
LOCAL_STRATUM = 8
NTP_PORT = 123
HTTP, HTTPS = 80, 443


class SiteServices:
    """The running programs; each `start_...` method adds one."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._running: list[subprocess.Popen[bytes]] = []

    def start_clock(self, refused: Iterable[str]) -> None:
        """Serve NTP on every address of the twin; the clients `refused` get no answer."""
        configuration = self._folder / "ntp.conf"
        lines = [f"local stratum {LOCAL_STRATUM}", "allow", "cmdport 0", f"pidfile {self._folder / 'ntp.pid'}"]
        lines += [f"deny {address}" for address in refused]
        configuration.write_text("\n".join(lines) + "\n", encoding="utf-8")
        (self._folder / "ntp.pid").unlink(missing_ok=True)
        self._start(
            ["chronyd", "-d", "-x", "-u", "root", "-f", str(configuration)],
            "ntp",
            (f":{NTP_PORT:04X}", "/proc/net/udp"),
        )

    def start_mirror(self, site: Site, addresses: ControllerAddresses, folder: Path, faults: Mapping[str, str]) -> None:
        """Serve `folder` at the site's apt_mirror; nothing to do when that address is outside the twin.

        `faults` maps addresses of clients to what they get instead (``guest/mirror.py``).
        """
        mirror = urlsplit(site.software.apt_mirror)
        if mirror.hostname not in addresses.services:
            return
        root = self._folder / "http"
        link = root.joinpath(*[part for part in mirror.path.split("/") if part])
        link.parent.mkdir(parents=True, exist_ok=True)
        link.unlink(missing_ok=True)
        link.symlink_to(folder.resolve())
        port = mirror.port or 80
        words = (str(mirror.hostname), str(port), str(root), json.dumps(dict(faults)))
        self._start(launch("mirror", "sys.argv[1:]", *words), "mirror", (f":{port:04X}", "/proc/net/tcp"))

    def start_vendors(self, address: str, folder: Path, certificate: Path, faults: Mapping[str, str]) -> None:
        """Serve the hosts of `folder` on `address`, over HTTP and with `certificate` over HTTPS; `faults` as for `start_mirror`."""
        common = (address, str(folder), json.dumps(dict(faults)))
        table_address = (
            f"{int.from_bytes(ip_address(address).packed, sys.byteorder):08X}"  # as proc(5) writes addresses
        )
        for name, port, more in (("vendors-http", HTTP, ()), ("vendors-https", HTTPS, (str(certificate),))):
            words = (common[0], str(port), *common[1:], *more)
            self._start(
                launch("vendor_mirror", "sys.argv[1:]", *words), name, (f"{table_address}:{port:04X}", "/proc/net/tcp")
            )

    def stop(self) -> None:
        """Stop all programs."""
        for process in self._running:
            process.terminate()
        for process in self._running:
            process.wait()
        self._running.clear()

    def _start(self, command: Sequence[str], name: str, listens: tuple[str, str]) -> None:
        log = self._folder / f"{name}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        self._running.append(process)
        deadline = time.monotonic() + START_SECONDS
        while not _listening(*listens):
            if process.poll() is not None or time.monotonic() > deadline:
                last = log.read_text(errors="replace").strip().splitlines()[-1:] or ["it printed nothing"]
                raise OutsideError(f"the {name} service of the twin does not start ({command[0]}): {last[0]}")
            time.sleep(0.01)


def _listening(local: str, table: str) -> bool:
    """Whether a line of `table` has a local address that ends with `local`."""
    lines = Path(table).read_text(encoding="ascii").splitlines()[1:]
    return any(line.split()[1].endswith(local) for line in lines)
