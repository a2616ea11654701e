"""Switches over a real SSH connection: an SSH server of asyncssh runs the script of the collector in a real shell, beside a `nv` that prints recorded answers."""

import asyncio
import os
from dataclasses import replace
from pathlib import Path

import asyncssh
import pytest

from rackwright.base import yaml_text
from rackwright.collect import collector
from rackwright.collect.transports import ssh_connection
from rackwright.collect.transports.connection_limits import Patience
from rackwright.model.access import Access, Secret
from rackwright.preflight import switches
from rackwright.preflight.plan import Asking, probes
from rackwright.preflight.result import ProbeError, ProbeReading
from tests import build
from tests.patience import PATIENCE

COLLECTOR = collector.library()[switches.COLLECTOR]
CASES = Path(__file__).parents[2] / "cases" / "collectors" / switches.COLLECTOR


def printed(case: str) -> str:
    return str(yaml_text.load((CASES / f"{case}.yaml").read_text())["output"])


def access(folder: Path) -> Access:
    return Access("monitor", folder / "key", folder / "known_hosts", "", Secret(""), None, limited=True)


async def looked_at(folder: Path, path: str) -> ProbeReading:
    """The reading of a switch on which `path` is where programs are."""
    key = asyncssh.generate_private_key("ssh-ed25519")
    key.write_private_key(folder / "key")
    (folder / "authorized").write_bytes(key.export_public_key())

    async def answer(process: "asyncssh.SSHServerProcess[bytes]") -> None:
        shell = await asyncio.create_subprocess_shell(
            str(process.command), stdout=asyncio.subprocess.PIPE, env={"PATH": path}
        )
        process.stdout.write((await shell.communicate())[0])
        process.exit(shell.returncode or 0)

    server = await asyncssh.listen(
        "127.0.0.1",
        0,
        server_host_keys=[key],
        authorized_client_keys=str(folder / "authorized"),
        process_factory=answer,
        encoding=None,
    )
    async with server:
        port = server.sockets[0].getsockname()[1]
        (folder / "known_hosts").write_text(f"[127.0.0.1]:{port} {key.export_public_key().decode()}")
        patience = Patience(connect_seconds=PATIENCE)
        trust = ssh_connection.trust(access(folder), patience)
        return await switches.look("127.0.0.1", trust, patience, COLLECTOR, port)


def program(folder: Path, name: str, text: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text)
    (folder / name).chmod(0o755)


def test_a_switch_with_nvue_is_looked_at_over_ssh(tmp_path: Path) -> None:
    sections = printed("sn5600").split("\n== nvue ")[1:]
    for part, body in (section.split("\n", 1) for section in sections):
        (tmp_path / part).write_text(body)
    program(
        tmp_path / "bin", "nv", f'#!/bin/sh\n[ "$*" = "show platform environment $4 -o json" ] && cat {tmp_path}/$4\n'
    )
    reading = asyncio.run(looked_at(tmp_path, f"{tmp_path / 'bin'}:{os.environ['PATH']}"))
    assert reading == ProbeReading("2 power supplies, 10 fans, 4 temperatures are well")


def test_a_switch_of_another_system_is_a_failure_with_the_next_step(tmp_path: Path) -> None:
    program(tmp_path / "bin", "other", "")
    with pytest.raises(ProbeError, match=r"neither nv nor psushow is here.*Cumulus Linux, NVOS and SONiC can be read"):
        asyncio.run(looked_at(tmp_path, f"{tmp_path / 'bin'}:/usr/bin:/bin"))


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ("sonic", "192.0.2.7: PSU 1 is WARNING, fan2 is Not OK, fan3 is Updating: look at"),
        ("nvos", "192.0.2.7: FAN1/2 is absent: look at"),
        ("nvue_refuses", "You do not have permission to execute that command.*let monitor run"),
    ],
)
def test_what_is_not_well_is_named(case: str, words: str) -> None:
    with pytest.raises(ProbeError, match=words):
        switches.read("192.0.2.7", "monitor", printed(case), COLLECTOR)


def test_a_sensor_above_its_limit_is_a_failure() -> None:
    hot = printed("sn5600").replace('"current": "25.0"', '"current": "81.5"', 1)
    with pytest.raises(ProbeError, match=r"Board-Sensor-Near-Virtual-Switch has 81.5 °C of 80 °C"):
        switches.read("192.0.2.7", "monitor", hot, COLLECTOR)


def test_what_a_switch_does_not_tell_is_advice_and_no_pass() -> None:
    reading = switches.read("192.0.2.7", "monitor", printed("sonic_without_fans"), COLLECTOR)
    assert reading.advice
    assert reading.text.endswith("not told: no power supplies, no fans, no temperatures")


def test_switches_are_asked_only_with_a_declared_account(tmp_path: Path) -> None:
    without = build.site_design()
    ssh = without.site.control.ssh.model_copy(update={"switch_user": "monitor"})
    control = without.site.control.model_copy(update={"ssh": ssh})
    declared = replace(without, site=without.site.model_copy(update={"control": control}))
    requested = [
        [
            probe.subject
            for probe in probes(design, [], Asking(access(tmp_path)), ["onboard"])
            if probe.name == "switch.environment"
        ]
        for design in (without, declared)
    ]
    assert requested[0] == []
    assert requested[1] == list(switches.management_addresses(declared))
    assert requested[1]
