"""Programs of two releases, as tools/kubernetes.py has built them, in one folder: what stands for the images of both."""

from __future__ import annotations

import re
from pathlib import Path

from rackwright.twin.kubernetes.programs import PROGRAMS
from tests.conftest import CACHE, KUBERNETES, ROOT, built_from

BEFORE = ROOT / "tools" / "kubernetes-1.33"
REQUIRED = re.compile(r"^\t(?:go\.etcd\.io/(etcd)/server/v3|k8s\.io/(kubernetes)) v([0-9.]+)$", re.MULTILINE)


def gather(folder: Path) -> tuple[Path, str]:
    """The folder, with each program as NAME-MINOR, and the release before."""
    folder.mkdir()
    for module, built in (
        (ROOT / "tools" / "kubernetes", KUBERNETES),
        (BEFORE, CACHE / "kubernetes" / built_from(BEFORE)),
    ):
        releases = required(module)
        for name in (*PROGRAMS, "kubeadm"):
            release = releases.get(name, releases["kubernetes"])
            (folder / f"{name}-{minor(release)}").symlink_to((built / "bin" / name).resolve(strict=True))
    return folder, required(BEFORE)["kubernetes"]


def required(module: Path) -> dict[str, str]:
    """Releases of Kubernetes and etcd that a go.mod names."""
    text = (module / "go.mod").read_text(encoding="utf-8")
    return {etcd or kubernetes: release for etcd, kubernetes, release in REQUIRED.findall(text)}


def minor(release: str) -> str:
    """``1.34`` of ``1.34.2``."""
    return ".".join(release.split(".")[:2])
