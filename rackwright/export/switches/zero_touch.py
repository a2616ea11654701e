"""What switches ask for when they start without a configuration: DHCP answers by MAC, and the files that these name.

DHCP answers the listed switches alone, each with its address and the URL of its own folder.
"""

from __future__ import annotations

import hashlib
import ipaddress
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rackwright.base.errors import Problem, ProblemsError
from rackwright.export.export_request import ExportRequest
from rackwright.export.file import ExportFile
from rackwright.export.switches import refusals, render
from rackwright.export.switches.switch_config import SwitchConfig
from rackwright.install.machines_file import DeclaredMachine
from rackwright.model.design import Design

TEMPLATES = ("templates", "zero-touch")
OPTIONS = {
    "sonic": ("option:bootfile-name", "ztp.json"),
    "cumulus": ("239", "cumulus-ztp"),
    "eos": ("option:bootfile-name", "startup-config"),
    "nxos": ("option:bootfile-name", "poap.py"),
}
"""DHCP option, and the file whose URL it gives. EOS takes a file that is no script as its configuration (EOS user manual, secondary); poap.py of NX-OS
is Cisco's own (datacenter/nexus9000 at cf5eb4e, nx-os/poap/poap.py, read): it stands beside the folders, asks for ``conf.<serial>`` in mode
serial_number, and holds it against the line ``md5sum=`` of ``conf.<serial>.md5``."""
URL = re.compile(r"https?://[A-Za-z0-9._~:/\[\]-]{1,200}")
"""It stands in scripts and in files of dnsmasq."""
SHARED = frozenset({"poap.py"})
"""Files that all switches of a system ask for."""


def export(
    design: Design, configs: Sequence[SwitchConfig], request: ExportRequest, written: Sequence[ExportFile]
) -> list[ExportFile]:
    """The files beside `written`, those of the configurations. Raises `ProblemsError` for a listed switch whose system has no such start."""
    listed = [config for config in configs if config.hostname in request.machines]
    problems = [_unknown(config) for config in listed if config.system.name not in OPTIONS or config.bridged]
    if not listed:
        problems.append(_nobody(configs))
    if problems:
        raise ProblemsError(problems)
    texts = {file.name: file for file in written}
    files = [file for config in listed for file in _boot_files(design, config, request)]
    files += [file for config in listed for file in _by_serial(config, request.machines, texts)]
    return [*files, ExportFile("dnsmasq.conf", tuple(_dhcp(listed, request)), len(listed))]


def _boot_files(design: Design, config: SwitchConfig, request: ExportRequest) -> Iterator[ExportFile]:
    url = f"{request.url}/{config.hostname}"
    for name, path in refusals.templates(design, config.system.name, TEMPLATES).items():
        yield ExportFile(f"{config.hostname}/{name}", (render.text(config, name, Path(path), url=url),), 1)


def _by_serial(
    config: SwitchConfig, machines: Mapping[str, DeclaredMachine], texts: Mapping[str, ExportFile]
) -> Iterator[ExportFile]:
    """The configuration under the name that Cisco's poap.py asks for in mode serial_number, and its sum, which it holds it against."""
    if config.system.name != "nxos":
        return
    text = texts[f"{config.hostname}/startup-config"].text()
    name = f"conf.{machines[config.hostname].serial}"
    digest = hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()
    yield ExportFile(name, (text,), 1)
    yield ExportFile(f"{name}.md5", (f"md5sum={digest}\n",), 1)


def _dhcp(configs: Sequence[SwitchConfig], request: ExportRequest) -> Iterator[str]:
    """A file of dnsmasq: it answers these switches alone."""
    networks = {ipaddress.IPv4Interface(config.management.address).network: config for config in configs}
    yield "# Written by rackwright export; include it with conf-file=.\ndhcp-ignore=tag:!known\n"
    for number, (network, config) in enumerate(networks.items()):
        yield f"dhcp-range=set:switches{number},{network.network_address},static,{network.netmask},10m\n"
        yield f"dhcp-option=tag:switches{number},option:router,{config.management.gateway}\n"
    for config in configs:
        name, address = config.hostname, config.management.address.split("/")[0]
        option, file = OPTIONS[config.system.name]
        folder = "" if file in SHARED else f"{name}/"
        yield f"dhcp-host={request.machines[name].mac},set:{name},{address},{name}\n"
        yield f"dhcp-option=tag:{name},{option},{request.url}/{folder}{file}\n"


def _unknown(config: SwitchConfig) -> Problem:
    kind = "a switch of BMCs, whose address is on its ports," if config.bridged else config.system.name
    return Problem(
        place="export to switches",
        path=config.hostname,
        message=f"how {kind} starts without a configuration is not written",
        expected=" or ".join(OPTIONS),
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
