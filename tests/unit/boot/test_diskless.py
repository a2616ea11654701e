"""A machine that boots its image over the network every time: it is answered again and again, each boot with URLs of its own."""

from __future__ import annotations

import asyncio
import io
import re
import tarfile
from dataclasses import replace

import pytest

from rackwright.flow.installed_systems import InstalledSystems

from .test_boot_server import REPORT, urls

RUNNING = REPORT | {"root_sha256": "d9"}
OVERLAY = {
    "etc/hostname": 0o644,
    "etc/rackwright/prepare.sh": 0o600,
    "etc/systemd/system/rackwright-prepare.service": 0o644,
    "etc/systemd/system/sysinit.target.wants/rackwright-prepare.service": 0o644,
}


async def begin(client, serial="SN-0001"):
    """Both scripts of a boot and its overlay: the status of the second script, the URL of the boot, the URL that it phones home to."""
    status, script = await client.get(client.script_url())
    assert status == 200
    chained = re.search(r"chain (\S+)", script)[1]
    status, kernel = await client.get(chained.replace("${serial:uristring}", serial))
    install = urls(script)[0]
    if status != 200:
        return status, install, ""
    assert f"root=live:{install}/root " in kernel
    overlay = re.search(r"live.updates=(\S+)", kernel)[1]
    return status, install, urls(await files_of(client, overlay))[1]


async def files_of(client, url):
    """The script in the archive at `url`, whose entries are those of OVERLAY."""
    async with client.session.get(url.removeprefix("http://x")) as answer:
        content = await answer.read()
    assert content[257:262] == b"ustar", "by which dracut knows it"
    with tarfile.open(fileobj=io.BytesIO(content)) as tar:
        assert {entry.name: entry.mode for entry in tar} == OVERLAY
        assert tar.extractfile("etc/hostname").read() == b"train-001\n"
        return tar.extractfile("etc/rackwright/prepare.sh").read().decode()


def record(boot):
    return boot.installations().records.read("train-001")


def test_every_boot_is_answered_and_the_record_keeps_the_newest(diskless):
    async def play():
        async with diskless.serving() as client:
            for number in (1, 2):
                _, install, home = await begin(client)
                assert record(diskless).state == "starting"
                assert await client.get(f"{install}/root") == (200, "a kernel")
                assert await client.post(home, RUNNING | {"kernel": f"6.1.{number}"}) == 200
                assert (await client.get(f"{install}/root"))[0] == 403, (
                    "nobody uses the URLs of a boot after it phoned home"
                )
                names = [target.install.hostname for target in client.server.installations.targets("x")]
                assert names == ["train-001", "train-002"], "it is answered at its next boot"
            return install, home

    asyncio.run(play())
    last = record(diskless)
    assert (last.state, last.attempt, last.ended, last.report.kernel) == ("running", 2, 2, "6.1.2")
    assert last.digests == {"debian-12-diskless/root.squashfs": "d9"}
    assert [event["state"] for event in diskless.events] == ["booting", "starting", "running"] * 2


def test_a_url_of_the_boot_before_is_good_for_nobody(diskless):
    async def play():
        async with diskless.serving() as client:
            _, first, home = await begin(client)
            await client.post(home, RUNNING)
            await begin(client)
            for name in ("kernel", "root", "overlay.tar", "system.ipxe?serial=SN-0001"):
                assert (await client.get(f"{first}/{name}"))[0] == 403
            assert await client.post(home, RUNNING) == 403
            diskless.installs = [replace(diskless.installs[0], address="10.0.0.9"), diskless.installs[1]]
        async with diskless.serving() as client:
            assert (await client.get(client.script_url()))[0] == 403, "an address of another machine"

    asyncio.run(play())
    assert record(diskless).state == "starting"


def test_a_board_of_another_serial_number_gets_nothing(diskless):
    async def play():
        async with diskless.serving() as client:
            status, install, _ = await begin(client, serial="SN-0002")
            for name in ("kernel", "root", "overlay.tar"):
                assert (await client.get(f"{install}/{name}"))[0] == 403
            names = [target.install.hostname for target in client.server.installations.targets("x")]
            return status, names

    assert asyncio.run(play()) == (403, ["train-002"])
    assert record(diskless).state == "held"
    assert record(diskless).findings[0].startswith("serial number: expected SN-0001, the machine says SN-0002")


@pytest.mark.parametrize(
    ("changes", "says"),
    [({"root_sha256": "d8"}, "digest of its root image: expected d9"), ({"serial": "SN-0002"}, "serial number")],
)
def test_another_root_and_another_machine_are_held(diskless, changes, says):
    async def play():
        async with diskless.serving() as client:
            _, _, home = await begin(client)
            assert await client.post(home, RUNNING | changes) == 409

    asyncio.run(play())
    assert record(diskless).state == "held"
    assert says in record(diskless).findings[0]


def test_a_machine_that_never_comes_up_is_held_until_somebody_looked(diskless):
    async def play():
        async with diskless.serving() as client:
            _, _, home = await begin(client)
            await client.post(home, RUNNING)
            for _ in range(client.server.installations.bounds.boots):
                await begin(client)
            assert (await client.get(client.script_url()))[0] == 403
            client.server.installations.again("train-001")
            _, _, home = await begin(client)
            assert await client.post(home, RUNNING) == 200

    asyncio.run(play())
    assert record(diskless).state == "running"
    finding = next(event["findings"][0] for event in diskless.events if event["state"] == "held")
    assert finding.startswith("10 boots in a row did not end"), finding


def test_the_engine_waits_for_this_boot_and_names_another_image(diskless):
    async def silent(sentence):
        """Nobody listens."""

    async def play():
        async with diskless.serving() as client:
            _, _, home = await begin(client)
            await client.post(home, RUNNING)
            declared = {"node": "train-001", "image": "debian-12-diskless", "digests": {"debian-12-diskless/root.squashfs": "d9"},
                        "server": "http://127.0.0.1:9", "awaited": True}  # fmt: skip
            systems = InstalledSystems(lambda: str(diskless.folder))
            state = await systems.bring(declared, 5, silent)
            newer = declared | {"digests": {"debian-12-diskless/root.squashfs": "e0"}}
            return (
                state,
                (await systems.bring(newer, 5, silent))["mismatches"],
                await systems.differences(state, declared),
            )

    state, mismatches, drift = asyncio.run(play())
    assert (state["state"], state["mismatches"], drift) == ("running", [], ([], [], []))
    assert mismatches[0].startswith(
        "runs from another debian-12-diskless/root.squashfs than is declared; it is left as it is, and gets"
    )
