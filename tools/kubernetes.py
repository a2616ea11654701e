"""Builds programs of a real Kubernetes control plane from pinned Go modules, into this user's cache, with the CRDs of those modules.

    tools/kubernetes.py             # what a twin with Kubernetes needs: a control plane
    tools/kubernetes.py --tests     # what `make test` needs as well: kubeadm and the tools of etcd
    tools/kubernetes.py --all       # Kueue as well, for `make kubernetes`

Run with the project's own Python. Cached by the hash of tools/kubernetes/go.sum, so that it happens once.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import engine

from rackwright.twin.kubernetes.programs import PROGRAMS, RELEASE

MODULE = Path(__file__).resolve().parent / "kubernetes"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rackwright" / "kubernetes"
NEEDED = {name: f"k8s.io/kubernetes/cmd/{name}" for name in PROGRAMS} | {"etcd": "./etcd"}
TESTED = {
    "kubeadm": "k8s.io/kubernetes/cmd/kubeadm",
    "etcdctl": "go.etcd.io/etcd/etcdctl/v3",
    "etcdutl": "go.etcd.io/etcd/etcdutl/v3",
}
"""What tests hold the role of control servers against."""
FURTHER = {"kueue": "sigs.k8s.io/kueue/cmd/kueue"}
CRDS = {
    "kueue": ("sigs.k8s.io/kueue", "config/components/crd/bases"),
    "jobset": ("sigs.k8s.io/jobset", "config/components/crd/bases"),
    "lws": ("sigs.k8s.io/lws", "config/crd/bases"),
}
"""Folder of CustomResourceDefinitions in each module."""


def main() -> int:
    """Build what is missing; print only what is done."""
    words = set(sys.argv[1:])
    programs = NEEDED | (TESTED if words & {"--tests", "--all"} else {}) | (FURTHER if "--all" in words else {})
    target = folder()
    missing = {name: package for name, package in programs.items() if not (target / "bin" / name).is_file()}
    if missing:
        _build(missing, target)
    if not (target / "crds").is_dir():
        _store_crds(target / "crds")
    _name_by_release(target)
    return 0


def folder() -> Path:
    """Where programs and CRDs of these modules are."""
    return CACHE / hashlib.sha256((MODULE / "go.sum").read_bytes()).hexdigest()[:12]


def _name_by_release(target: Path) -> None:
    """Where a twin looks for the programs: it has no go.sum beside it."""
    link = CACHE / RELEASE
    if not link.is_symlink() or link.readlink() != Path(target.name):
        fresh = CACHE / f".{RELEASE}.new"
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(target.name)
        fresh.replace(link)


def _go(*arguments: str) -> str:
    done = subprocess.run(
        [engine.go(), *arguments],
        cwd=MODULE, env={**os.environ, "GOFLAGS": f"-mod=readonly {os.environ.get('GOFLAGS', '')}".strip(), "CGO_ENABLED": "0"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"setup: go {arguments[0]} failed:\n{done.stderr[-2000:]}")
    return done.stdout.strip()


def _build(programs: dict[str, str], target: Path) -> None:
    names = ", ".join(programs)
    print(f"setup: building {names} from Go modules (some minutes, once)", flush=True)
    started = time.monotonic()
    (target / "bin").mkdir(parents=True, exist_ok=True)
    minor = RELEASE.split(".")[1]
    assert f"k8s.io/kubernetes {RELEASE}\n" in (MODULE / "go.mod").read_text(encoding="utf-8")
    flag = "k8s.io/component-base/version"
    facts = f"-s -w -X {flag}.gitVersion={RELEASE} -X {flag}.gitMajor=1 -X {flag}.gitMinor={minor}"
    with tempfile.TemporaryDirectory(dir=target) as scratch:
        _go("build", "-trimpath", "-ldflags", facts, "-o", f"{scratch}/", *programs.values())
        for name in programs:
            (Path(scratch) / name).replace(target / "bin" / name)
    print(f"setup: built {names} in {time.monotonic() - started:.0f} s, in {target}", flush=True)


def _store_crds(target: Path) -> None:
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        stored = Path(scratch) / "crds"
        for name, (module, inside) in CRDS.items():
            shutil.copytree(
                Path(_go("list", "-m", "-f", "{{.Dir}}", module)) / inside, stored / name, copy_function=shutil.copyfile
            )
        for path in [stored, *stored.rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)  # the module cache is read-only
        stored.replace(target)


if __name__ == "__main__":
    raise SystemExit(main())
