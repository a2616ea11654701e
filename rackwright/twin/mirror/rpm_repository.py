"""Turns a folder of rpm packages into a repository: signed packages, index, module streams, signature.

One folder per system and machine, as `rackwright mirror sync` publishes them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from rackwright.twin.guest.mirror import EXPIRED
from rackwright.twin.mirror import rpm_package
from rackwright.twin.mirror.families import PackageDefinition
from rackwright.twin.mirror.repository import BEFORE, OWNER, VENDOR, keyring, public_key
from rackwright.twin.mirror.tools import run

MACHINE = "x86_64"
SUMMARY = Path("repodata/repomd.xml")
PACKAGE_KEYS = "rackwright-rpm-keys.asc"
"""The public keys that sign rpm packages, at the root of the mirror, as `rackwright mirror sync` publishes them."""
MODULE_VERSION = 20260101000000


def folder(root: Path, system: str) -> Path:
    """The repository of `system` in the mirror at `root`."""
    return root / "rpm" / system / MACHINE


def index(root: Path, system: str, packages: Sequence[PackageDefinition], keys: Path) -> None:
    """Sign the packages in the repository of `system` as their vendor, and what describes them with the key in `keys`.

    Publishes the keys that packages are checked with.
    """
    repository = folder(root, system)
    index_folder(repository, packages, keys)
    (root / PACKAGE_KEYS).write_text(all_keys(keys))
    expired = root / EXPIRED / "rpm" / system
    expired.mkdir(parents=True)
    _sign(repository, keys.with_name(f"{keys.name}-{EXPIRED}"), expired / f"{SUMMARY.name}.asc", BEFORE)


def index_folder(repository: Path, packages: Sequence[PackageDefinition], keys: Path) -> None:
    """The same for the repository in any folder, without the published keys of the mirror."""
    if files := sorted(repository.rglob("*.rpm")):
        _sign_packages(files, vendor_keys(keys))
    run(["createrepo_c", "--quiet", "--no-database", "--simple-md-filenames", "."], folder=repository)
    if text := modules(packages):
        (repository / "modules.yaml").write_text(text, encoding="utf-8")
        run(["modifyrepo_c", "--mdtype=modules", "modules.yaml", "repodata"], folder=repository)
        (repository / "modules.yaml").unlink()
    _sign(repository, keys, repository / f"{SUMMARY}.asc")


def all_keys(keys: Path) -> str:
    """The public keys of the mirror and of the vendor, armored."""
    return public_key(keys) + public_key(vendor_keys(keys), VENDOR)


def vendor_keys(keys: Path) -> Path:
    """The key ring of the vendor beside that of the mirror."""
    return keys.with_name("vendor-key")


def _sign_packages(files: Sequence[Path], keys: Path) -> None:
    with keyring(keys, owner=VENDOR) as environment:
        settings = {"_gpg_name": VENDOR, "_gpg_path": environment["GNUPGHOME"], "__gpg": "/usr/bin/gpg"}
        signer = [word for name, value in settings.items() for word in ("--define", f"{name} {value}")]
        run(["rpmsign", *signer, "--addsign", *map(str, files)], environment=environment)


def _sign(repository: Path, keys: Path, signature: Path, at: tuple[str, ...] = ()) -> None:
    with keyring(keys, at) as environment:
        gpg = ["gpg", "--batch", "--yes", "--no-tty", "--quiet", *at[:2], "--local-user", OWNER]
        words = ["--armor", "--detach-sign", "--output", str(signature), str(repository / SUMMARY)]
        run([*gpg, *words], environment=environment)


def modules(packages: Sequence[PackageDefinition]) -> str:
    """The module streams that `packages` belong to, as modulemd documents (libmodulemd, yaml_specs/modulemd_stream_v2.yaml)."""
    streams: dict[str, list[str]] = {}
    for package in packages:
        for stream in package.streams:
            streams.setdefault(stream, []).append(_artifact(package))
    documents = [_document(stream, artifacts) for stream, artifacts in sorted(streams.items())]
    return "".join(f"---\n{json.dumps(document, indent=1)}\n...\n" for document in documents)


def _artifact(package: PackageDefinition) -> str:
    """NAME-EPOCH:VERSION-RELEASE.ARCH"""
    version = package.version if ":" in package.version else f"0:{package.version}"
    return f"{package.name}-{version}.{rpm_package.ARCHITECTURES[package.architecture]}"


def _document(stream: str, artifacts: Sequence[str]) -> dict[str, object]:
    name, _, word = stream.partition(":")
    data = {
        "name": name,
        "stream": word,
        "version": MODULE_VERSION,
        "context": "twin",
        "arch": MACHINE,
        "summary": f"{name}, stream {word}",
        "description": "Stands in for the vendor's module on the nodes of a rackwright twin.",
        "license": {"module": ["MIT"]},
        "artifacts": {"rpms": list(artifacts)},
    }
    return {"document": "modulemd", "version": 2, "data": data}
