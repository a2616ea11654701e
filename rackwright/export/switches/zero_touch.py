"""What the switches of a list ask for when they start without a configuration: DHCP answers by MAC, and the files that these name.

DHCP answers the listed switches alone, each with its address and the URL of its own folder.
"""

from __future__ import annotations

import hashlib
import ipaddress
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from rackwright.base.errors import Problem, ProblemsError
from rackwright.export.export_request import ExportRequest
from rackwright.export.file import ExportFile
from rackwright.export.switches import refusals, render
from rackwright.export.switches.switch_config import SwitchConfig
from rackwright.install.machines_file import DeclaredMachine
from rackwright.install.switch_start import SYSTEMS, SwitchStart
from rackwright.model.design import Design

TEMPLATES = ("templates", "zero-touch")
URL = re.compile(r"https?://[A-Za-z0-9._~:/\[\]-]{1,200}")
"""It stands in scripts and in files of dnsmasq."""


def starts(
    design: Design, configs: Sequence[SwitchConfig], machines: Mapping[str, DeclaredMachine]
) -> list[SwitchStart]:
    """The listed ones of `configs`. Raises `ProblemsError` for a listed switch whose system has no such start, and where none is listed."""
    listed = [config for config in configs if config.hostname in machines]
    problems = [_unknown(config) for config in listed if config.system.name not in SYSTEMS or config.bridged]
    if not listed:
        problems.append(_nobody(configs))
    if problems:
        raise ProblemsError(problems)
    return [
        SwitchStart(
            machines[config.hostname], config.system.name, config.management.address, config.management.gateway,
            partial(_files, design, config, machines[config.hostname]),
        )
        for config in listed
    ]  # fmt: skip


def export(design: Design, configs: Sequence[SwitchConfig], request: ExportRequest) -> list[ExportFile]:
    """The files of the listed switches, and a file of dnsmasq. Raises `ProblemsError` as `starts` does."""
    listed = starts(design, configs, request.machines)
    files = []
    for start in listed:
        texts = start.files(f"{request.url}/{start.name}")
        files += [ExportFile(f"{start.name}/{name}", (text,), 1) for name, text in texts.items()]
    return [*files, ExportFile("dnsmasq.conf", tuple(_dhcp(listed, request.url)), len(listed))]


def _files(design: Design, config: SwitchConfig, machine: DeclaredMachine, url: str) -> dict[str, str]:
    """What one switch asks for below `url`: its configuration, and the files that lead to it."""
    system = config.system.name
    texts = {name: render.text(config, name, Path(path)) for name, path in refusals.templates(design, system).items()}
    if system == "nvos":  # its ZTP takes the commands alone, and applies them itself
        lines = texts.pop("commands.sh").splitlines(keepends=True)
        texts["commands.txt"] = "".join(line for line in lines if line.startswith("nv set "))
    digests = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in texts.items()}
    for name, path in refusals.templates(design, system, TEMPLATES).items():
        text = render.text(config, name, Path(path), url=url, serial=machine.serial, digests=digests)
        texts[name] = _summed(text) if name == "poap.py" else text
    return texts


def _summed(script: str) -> str:
    """A script of POAP with the line that NX-OS holds it against: the MD5 of all others."""
    first, rest = script.split("\n", 1)
    digest = hashlib.md5(script.encode(), usedforsecurity=False).hexdigest()
    return f'{first}\n#md5sum="{digest}"\n{rest}'


def _dhcp(listed: Sequence[SwitchStart], url: str) -> Iterator[str]:
    """A file of dnsmasq: it answers these switches alone."""
    networks = {ipaddress.IPv4Interface(start.address).network: start.gateway for start in listed}
    yield "# Written by rackwright export; include it with conf-file=.\ndhcp-ignore=tag:!known\n"
    for number, (network, gateway) in enumerate(networks.items()):
        yield f"dhcp-range=set:switches{number},{network.network_address},static,{network.netmask},1h\n"
        yield f"dhcp-option=tag:switches{number},option:router,{gateway}\n"
    for start in listed:
        yield f"dhcp-host={start.host_line()}\n"
        yield from (f"dhcp-option={line}\n" for line in start.option_lines(f"{url}/{start.name}"))


def _unknown(config: SwitchConfig) -> Problem:
    kind = "a switch of BMCs, whose address is on its ports," if config.bridged else config.system.name
    return Problem(
        place="export to switches",
        path=config.hostname,
        message=f"how {kind} starts without a configuration is not written",
        expected=" or ".join(SYSTEMS),
        found=config.system.name,
        next_step="take it out of the list, and load its files by hand",
        code="export.switch_start",
    )


def _nobody(configs: Sequence[SwitchConfig]) -> Problem:
    return Problem(
        place="export to switches",
        path="--machines",
        message="none of the exported switches is in the list",
        expected=f"a row of {configs[0].hostname} to {configs[-1].hostname}",
        found="others",
        next_step="name their fabric with --fabric, or add them to the list",
        code="export.switch_start",
    )
