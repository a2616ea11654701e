"""The client against servers that others wrote, in four configurations: OpenStack's emulator with its fake driver, and its server of recorded trees.

Neither makes sessions: one has no such service, the other advertises one (as the tree does) and answers the log-in with nothing.
"""

from __future__ import annotations

import asyncio
import json
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import bcrypt
import pytest

from rackwright.base.errors import OutsideError
from rackwright.model.access import Access, Secret
from rackwright.redfish import apply, crawl, inventory
from rackwright.redfish.client import Client
from rackwright.redfish.trust import certificate_pin
from rackwright.redfish.unread import READ_AT
from rackwright.twin.bmc import tls
from tests.patience import PATIENCE
from tests.ports import free_port

from . import trees
from .conftest import anyone, desired_machine, read

BIN = Path(sys.executable).parent
CONFIG = """
SUSHY_EMULATOR_FAKE_DRIVER = True
SUSHY_EMULATOR_LISTEN_IP = "127.0.0.1"
SUSHY_EMULATOR_STATE_DIR = {folder!r}
SUSHY_EMULATOR_FAKE_SYSTEMS = [
    {{"uuid": "da69abcc-dae0-4913-9a7b-d344043097c0", "name": "node1", "power_state": "Off", "nics": []}}
]
"""
ACCESS = Access("", Path("/dev/null"), Path("/dev/null"), "admin", Secret("secret"), None)
Serve = Callable[..., str]


@contextmanager
def _running(call: list[str], url: str) -> Iterator[str]:
    process = subprocess.Popen(call, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _await(f"{url}/redfish/v1/")
        yield url
    finally:
        process.terminate()
        process.wait()


def _await(url: str) -> None:
    """The emulator makes its database at the first request; parallel first requests trip over each other."""
    unverified = ssl.create_default_context()
    unverified.check_hostname, unverified.verify_mode = False, ssl.CERT_NONE
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            with urllib.request.urlopen(url, context=unverified if url.startswith("https") else None) as reply:
                assert reply.status == 200
                return
        except urllib.error.URLError:
            assert time.monotonic() < deadline, "the server does not start"
            time.sleep(0.1)


def _certificate(folder: Path) -> list[str]:
    """Key and certificate that no trusted CA vouches for."""
    files = tls.issue(folder / "tls", ["127.0.0.1"])
    return [str(files.chain), str(files.key)]


@contextmanager
def _emulator(folder: Path, *, secure: bool) -> Iterator[str]:
    port, config = free_port(), folder / "emulator.conf"
    text = CONFIG.format(folder=str(folder))
    call = [str(BIN / "sushy-emulator"), "--config", str(config), "--fake", "-p", str(port)]
    if secure:
        accounts = folder / "accounts"
        accounts.write_text(f"admin:{bcrypt.hashpw(b'secret', bcrypt.gensalt(4)).decode()}\n")
        text += f"SUSHY_EMULATOR_AUTH_FILE = {str(accounts)!r}\n"
        chain, key = _certificate(folder)
        call += ["--ssl-certificate", chain, "--ssl-key", key]
    config.write_text(text)
    with _running(call, f"{'https' if secure else 'http'}://127.0.0.1:{port}") as url:
        yield url


@contextmanager
def _recorded(folder: Path, *, secure: bool) -> Iterator[str]:
    """The tree of a Supermicro machine; over HTTPS without the session service that it advertises."""
    for path, document in trees.recorded("supermicro").items():
        if path.rstrip("/") == "/redfish/v1" and secure:
            document = {name: value for name, value in document.items() if name not in ("SessionService", "Links")}
        place = folder / "tree" / path.removeprefix("/redfish/v1").strip("/")
        place.mkdir(parents=True, exist_ok=True)
        (place / "index.json").write_text(json.dumps(document))
    port = free_port()
    call = [str(BIN / "sushy-static"), "-i", "127.0.0.1", "-p", str(port), "-m", str(folder / "tree")]
    if secure:
        chain, key = _certificate(folder)
        call += ["-c", chain, "-k", key]
    with _running(call, f"{'https' if secure else 'http'}://127.0.0.1:{port}") as url:
        yield url


def test_boot_and_power_of_the_emulator(tmp_path: Path) -> None:
    with _emulator(tmp_path, secure=False) as url:
        documents, before = asyncio.run(read(url, ACCESS))
        assert (before.manufacturer, before.power_state) == ("Sushy Emulator", "Off")
        assert (before.gpu_models, before.nic_ports, before.psus_total) == ([], [], 0)
        assert inventory.parse_machine(documents) == before

        log: list[str] = []
        observed = asyncio.run(apply.bring_machine(desired_machine(bmc_address=url), ACCESS, log.append, accept=anyone))
        assert log == ["boots from Pxe once", "is powered on (On)"]
        assert (observed.system.power_state, observed.system.boot_target) == ("On", "Pxe")


def test_the_emulator_with_an_account_and_a_certificate_of_its_own(tmp_path: Path) -> None:
    with _emulator(tmp_path, secure=True) as url:
        with pytest.raises(OutsideError, match="not trusted"):
            asyncio.run(read(url, ACCESS))
        pinned = replace(ACCESS, bmc_pins={url: asyncio.run(certificate_pin(url))})
        _, machine = asyncio.run(read(url, pinned))
        assert machine.manufacturer == "Sushy Emulator"
        with pytest.raises(OutsideError, match=r"refused the account \(HTTP 401\)"):
            asyncio.run(read(url, replace(pinned, bmc_password=Secret("wrong"))))
        with pytest.raises(OutsideError, match="another certificate"):
            asyncio.run(read(url, replace(ACCESS, bmc_pins={url: "00" * 32})))


@pytest.mark.parametrize("secure", [False, True], ids=["sessions advertised", "TLS, no sessions"])
def test_a_recorded_tree_behind_the_static_server(secure: bool, tmp_path: Path) -> None:
    async def crawled(url: str, access: Access) -> trees.Tree:
        async with Client(url, access) as client:
            return await crawl.crawl_machine(client, with_readings=True)

    with _recorded(tmp_path, secure=secure) as url:
        access = replace(ACCESS, bmc_pins={url: asyncio.run(certificate_pin(url))}) if secure else ACCESS
        documents = asyncio.run(crawled(url, access))
    assert "unread" not in documents
    recorded = trees.recorded("supermicro")
    assert trees.evidence(documents | {READ_AT: recorded[READ_AT]}) == trees.evidence(recorded)
