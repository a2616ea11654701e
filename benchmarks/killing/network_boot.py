"""A racked machine as it boots: from its disk, or with an empty one from the network, by DHCP, iPXE and the installer of the image `debian-12-image`.

It follows what it is given: the kernel's words, and the calls of curl in ``install.sh``, which the real curl carries out. The disk is a file that outlives a
kill. What takes minutes on a real machine takes a second here.
"""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import subprocess
import tempfile
import time
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.killing import dhcp_client
from rackwright.base.durable_file import replace_file

STEP_SECONDS = 0.7
"""A POST, the start of the ramdisk, partitions, the unpacking, the first boot of the system."""
WRITTEN = "written.jsonl"
HOME = re.compile(r"'(http[^']+)' >/etc/rackwright/phone-home.url")


class BootFailedError(Exception):
    """The machine boots anew."""


@dataclass(frozen=True)
class RackedMachine:
    """A machine of the list, and its disk in `folder`."""

    node: str
    address: str
    interface: str
    """Of this computer, to which its network port is cabled."""
    report: dict[str, str]
    """What the installed system reports when it phones home."""
    folder: Path

    @property
    def disk(self) -> Path:
        """What is on it."""
        return self.folder / f"{self.node}.disk"

    def boot(self) -> None:
        """Until the system runs and has phoned home."""
        while True:
            try:
                if not self.disk.exists():
                    self._install()
                self._phone_home()
            except (BootFailedError, OSError, HTTPException) as error:
                print(f"{self.node} boots anew: {error}", flush=True)
                time.sleep(STEP_SECONDS)
            else:
                return

    def _install(self) -> None:
        loader = dhcp_client.bootfile(self.interface, self.report["mac"], ipxe=False)
        if not loader:
            raise BootFailedError("nobody answers it by DHCP")
        self._get(loader)
        script_url = dhcp_client.bootfile(self.interface, self.report["mac"], ipxe=True)
        script = self._get(script_url).decode().splitlines() if script_url else []
        lines = {line.split()[0]: line.removesuffix(" || goto failed") for line in script if line.strip()}
        try:
            words = lines["kernel"].split()
            self._get(words[1])
            self._get(lines["initrd"].split()[-1])
        except (OSError, HTTPException, KeyError) as error:
            if "reboot" in script:
                raise BootFailedError(f"iPXE: {error}") from None
            self._stand(f"iPXE ended: {error}")
        time.sleep(STEP_SECONDS)
        try:
            self._ramdisk(next(word.partition("=")[2] for word in words if word.startswith("rackwright.install=")))
        except (OSError, HTTPException, subprocess.CalledProcessError, BootFailedError) as error:
            reason = (
                f"curl ended with {error.returncode}" if isinstance(error, subprocess.CalledProcessError) else error
            )
            if not any(word.startswith("panic=") for word in words):
                self._stand(f"the ramdisk waits at its prompt: {reason}")
            raise BootFailedError(f"the installation failed: {reason}") from None  # without its URLs, which are signed

    def _ramdisk(self, server: str) -> None:
        script = self._get(f"{server}/install.sh").decode()
        digest = re.search(r"= ([0-9a-f]{64})$", script, re.MULTILINE)
        with tempfile.TemporaryDirectory() as name:
            for line in re.findall(r"^curl .*$", script, re.MULTILINE):
                time.sleep(STEP_SECONDS)
                call = [word.replace("/target/root", name) for word in shlex.split(line.partition("|")[0])]
                content = subprocess.run([*call, "--interface", self.address], check=True, capture_output=True).stdout
                if call[-1].endswith("/root") and (digest is None or hashlib.sha256(content).hexdigest() != digest[1]):
                    raise BootFailedError("the system has another digest")
                prepare = Path(name, "prepare.sh")
                if prepare.exists() and not self.disk.exists():
                    home = HOME.search(prepare.read_text())
                    with (self.folder / WRITTEN).open("a") as stream:
                        stream.write(json.dumps(self.node) + "\n")
                    replace_file(self.disk, home[1] if home else "", 0o600)

    def _phone_home(self) -> None:
        """Report the installed system, once; BootFailedError where that is refused."""
        url = self.disk.read_text()
        if url:
            self._call("POST", url, self.report)
            replace_file(self.disk, "", 0o600)

    def _get(self, url: str) -> bytes:
        return self._call("GET", url)

    def _call(self, method: str, url: str, body: Any = None) -> bytes:
        parts = urlsplit(url)
        line = HTTPConnection(str(parts.hostname), parts.port or 80, timeout=60, source_address=(self.address, 0))
        try:
            line.request(method, parts.path, json.dumps(body) if body else None)
            answer = line.getresponse()
            content = answer.read()
        finally:
            line.close()
        if answer.status != 200:
            raise BootFailedError(f"{parts.path.split('/')[1]}: status {answer.status}")
        return content

    def _stand(self, why: str) -> None:
        print(f"{self.node} stands until somebody comes: {why}", flush=True)
        while True:
            time.sleep(3600)
