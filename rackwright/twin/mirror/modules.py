"""Kernel modules in packages of the mirror: prebuilt for a kernel, or as source that DKMS builds on the node."""

from __future__ import annotations

import hashlib

from rackwright.model.base import Record
from rackwright.twin.guest import modulefile


def signer_key(signer: str) -> bytes:
    """Stand-in for the id of a certificate: the twin compares keys by id, and the kernels of a system trust that of its `signer`."""
    return hashlib.sha256(signer.encode()).digest()[:20]


class KernelModule(Record):
    """One kernel module."""

    license: str = "GPL"
    """As modinfo shows it: ``Dual MIT/GPL``, ``NVIDIA``, ``GPL v2``."""
    version: str = ""
    description: str = ""
    folder: str = "kernel"
    """Below /lib/modules/<release>, for modules of a kernel package."""
    depends: list[str] = []
    aliases: list[str] = []
    """What it drives (``pci:v000010DEd*sv*sd*bc03sc02i00*``): loaded at boot where such a device is, unless blacklisted."""
    parameters: list[str] = []
    """``name:text (type)``"""
    needs: str = ""
    """File of the twin's state without which the module finds no device (``/run/rackwright-twin/nvml.state``)."""
    conflicts: str = ""
    """Module that has taken the device when it is loaded first (``nouveau``)."""


class Dkms(Record):
    """Modules that DKMS builds from ``/usr/src/<name>-<version>``."""

    name: str
    modules: dict[str, KernelModule]


def facts(module: KernelModule, *, in_tree: bool = False) -> list[tuple[str, str]]:
    """The entries of the module's ``.modinfo``, in order; dependencies and release are added at build time."""
    entries = [("license", module.license), ("version", module.version), ("description", module.description)]
    entries += [("intree", "Y")] if in_tree else []
    entries += [("alias", alias) for alias in module.aliases] + [("parm", parameter) for parameter in module.parameters]
    entries += [("twin_needs", module.needs), ("twin_conflicts", module.conflicts)]
    return [(key, value) for key, value in entries if value]


def built(name: str, module: KernelModule, release: str, signer: str) -> bytes:
    """The module file of a kernel package, signed by the distribution."""
    content = modulefile.build(name, facts(module, in_tree=True), release, module.depends)
    return modulefile.sign(content, signer, signer_key(signer))


def sources(dkms: Dkms, version: str) -> dict[str, str]:
    """File -> text of ``/usr/src``: dkms.conf (dkms(8)) and the entries of each module."""
    folder = f"/usr/src/{dkms.name}-{version}"
    lines = [f'PACKAGE_NAME="{dkms.name}"', f'PACKAGE_VERSION="{version}"', 'AUTOINSTALL="yes"']
    texts = {}
    for index, (name, module) in enumerate(dkms.modules.items()):
        lines += [f'BUILT_MODULE_NAME[{index}]="{name}"', f'DEST_MODULE_LOCATION[{index}]="/updates/dkms"']
        entries = [*facts(module.model_copy(update={"version": module.version or version}))]
        entries += [("depends", dependency) for dependency in module.depends]
        texts[f"{folder}/{name}.modinfo"] = "".join(f"{key}={value}\n" for key, value in entries)
    return {f"{folder}/dkms.conf": "\n".join(lines) + "\n", **texts}
