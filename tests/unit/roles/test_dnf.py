"""Packages by dnf, with the real rpm, dnf and createrepo_c on a root folder of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.gpg import Gpg
from tests.rotation import of_this_run

PROGRAMS = ("dnf", "rpm", "rpmbuild", "rpmsign", "createrepo_c", "gpg")
pytestmark = pytest.mark.skipif(not all(map(shutil.which, PROGRAMS)), reason=f"needs {', '.join(PROGRAMS)}")
SPEC = """
Name: {name}
Epoch: {epoch}
Version: {version}
Release: 1.el9
Summary: {name}
License: none
BuildArch: noarch
{more}
%description
{name}
%files
"""
STREAM = """\
document: modulemd
version: 2
data:
  name: nvidia-driver
  stream: {stream}
  version: 20251001000000
  context: 00000000
  arch: x86_64
  summary: driver
  description: driver
  license: {{module: [MIT]}}
  profiles: {{default: {{rpms: [kmod-nvidia-open-dkms]}}}}
  artifacts: {{rpms: [{artifacts}]}}
"""


class Bench:
    """A host's root folder and a repository."""

    check = False

    def __init__(self, folder: Path) -> None:
        self.folder, self.root, self.repository = folder, folder / "root", folder / "repository"
        self.told: list[str] = []
        for path in ("etc/yum.repos.d", "etc/dnf/plugins", "etc/dnf/modules.d", "var/lib/rpm"):
            (self.root / path).mkdir(parents=True)
        self.repository.mkdir()
        self.locks = self.root / "etc/dnf/plugins/versionlock.list"
        self.locks.touch()
        (self.root / "etc/dnf/plugins/versionlock.conf").write_text(f"[main]\nenabled=1\nlocklist={self.locks}\n")
        (self.root / "etc/dnf/dnf.conf").write_text(
            "[main]\nbest=True\ninstallonly_limit=3\nclean_requirements_on_remove=True\n"
        )
        for name in ("rackwright", "baseos"):
            where = self.repository if name == "rackwright" else folder / "not-there"
            (self.root / f"etc/yum.repos.d/{name}.repo").write_text(
                f"[{name}]\nname={name}\nbaseurl=file://{where}\nenabled=1\ngpgcheck=0\nmodule_hotfixes=0\n"
            )

    def offer(self, name: str, version: str, *, epoch: int = 0, more: str = "") -> None:
        spec = self.folder / "package.spec"
        spec.write_text(SPEC.format(name=name, version=version, epoch=epoch, more=more))
        subprocess.run(["rpmbuild", "-bb", "--quiet", f"-D_topdir {self.folder}/build", f"-D_rpmdir {self.repository}", str(spec)], check=True)  # fmt: skip

    def publish(self, streams: str = "") -> None:
        (self.repository / "modules.yaml").unlink(missing_ok=True)
        if streams:
            (self.repository / "modules.yaml").write_text(streams)
        subprocess.run(["createrepo_c", "--quiet", str(self.repository)], check=True)

    def run(self, argv, **_):
        root = str(self.root)
        if argv[0] in ("rpm", "rpmkeys"):
            words = [argv[0], f"--root={root}", *argv[1:]]
        else:
            options = [
                f"--installroot={root}",
                "--releasever=9",
                f"--setopt=pluginconfpath={root}/etc/dnf/plugins",
                "--forcearch=x86_64",
            ]
            words = ["dnf", *options, *argv[1:]]
        done = subprocess.run(words, capture_output=True, text=True, check=False, start_new_session=True)
        return done.returncode, done.stdout, done.stderr

    def must(self, argv, what):
        code, out, err = self.run(argv)
        assert code == 0, f"{what}: {err}"
        return out

    def changed(self, what, before="", after=""):
        self.told.append(what)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.fixture
def manager(bench, host_module, monkeypatch):
    module = host_module("rackwright_dnf")
    monkeypatch.setattr(module, "LOCKS", str(bench.locks))
    monkeypatch.setattr(module, "MODULES", str(bench.root / "etc/dnf/modules.d"))
    repair = host_module("rackwright_dnf_repair")
    monkeypatch.setattr(repair, "HISTORY", str(bench.root / "var/lib/dnf/history.sqlite"))
    monkeypatch.setattr(repair, "LOCK_FOLDERS", (str(bench.root / "var/lib/dnf"),))
    return module.Packages(bench, any_source=False)


def bring(manager, host_module, required):
    """What `rackwright_parts` does with one role's packages."""
    versions = host_module("rackwright_versions")
    missing, _ = versions.compare(manager.have(required), required)
    manager.install(missing, required)
    missing, unheld = versions.compare(manager.have(required), required)
    manager.hold(unheld)
    assert missing == []
    assert versions.compare(manager.have(required), required) == ([], [])


def test_exact_versions_come_are_locked_and_follow_the_mirror_up_and_down(bench, manager, host_module):
    for version in ("4.5.0", "4.6.0"):
        bench.offer("datacenter-gpu-manager-4-core", version, epoch=1)
    bench.publish()
    bring(manager, host_module, {"datacenter-gpu-manager-4-core": "4.5.0-*"})
    assert "datacenter-gpu-manager-4-core-1:4.5.0-1.el9.*" in bench.locks.read_text()
    bring(manager, host_module, {"datacenter-gpu-manager-4-core": "4.6.0-*"})
    bring(manager, host_module, {"datacenter-gpu-manager-4-core": "4.5.0-*"})
    # What the mirror has got since the host last asked.
    bench.offer("datacenter-gpu-manager-4-core", "4.7.0", epoch=1)
    bench.publish()
    bring(manager, host_module, {"datacenter-gpu-manager-4-core": "4.7.0-*"})


def test_kernels_are_installed_beside_each_other_and_both_locked(bench, manager, host_module):
    for version in ("5.14.0", "5.15.0"):
        bench.offer("kernel-core", version, more="Provides: installonlypkg(kernel)")
    bench.publish()
    bring(manager, host_module, {"kernel-core": "5.14.0-1.el9"})
    bring(manager, host_module, {"kernel-core": "5.15.0-1.el9"})
    assert [line for line in bench.locks.read_text().splitlines() if line.startswith("kernel-core-0:5.15.0-1.el9")]
    assert len(bench.run(["rpm", "--query", "kernel-core"])[1].split()) == 2


def test_a_package_that_another_one_provides_is_asked_for_by_its_own_name(bench, manager, host_module):
    bench.offer("yum-utils", "4.3.0", more="Provides: dnf-utils = 4.3.0")
    bench.publish()
    bring(manager, host_module, {"yum-utils": ""})
    assert "dnf-utils" not in manager.have({"dnf-utils": ""})


def test_what_is_released_is_no_longer_locked_and_what_is_removed_is_gone(bench, manager, host_module):
    bench.offer("nvlsm", "2025.10.12")
    bench.publish()
    bring(manager, host_module, {"nvlsm": "2025.10.12-*"})
    manager.release(["nvlsm"])
    assert manager.have({"nvlsm": ""}) == {"nvlsm": ("2025.10.12-1.el9", False)}
    manager.remove(["nvlsm"])
    assert manager.have({"nvlsm": ""}) == {}


def test_a_branch_of_the_driver_is_a_stream_and_may_be_exchanged(bench, manager, host_module):
    names = {"580-open": "580.173.02", "590-open": "590.48.01"}
    for version in names.values():
        bench.offer("kmod-nvidia-open-dkms", version, epoch=3)
    bench.publish(
        "".join(
            "---\n"
            + STREAM.format(stream=f'"{stream}"', artifacts=f'"kmod-nvidia-open-dkms-3:{version}-1.el9.noarch"')
            + "...\n"
            for stream, version in names.items()
        )
    )
    for stream, version in names.items():
        bring(manager, host_module, {f"@nvidia-driver:{stream}": "", "kmod-nvidia-open-dkms": f"{version}-*"})


def test_why_dnf_refused_is_said_in_its_own_words(bench, manager, host_module):
    bench.publish()
    with pytest.raises(Exception, match=r"dnf install failed: .*nvidia-imex-580"):
        manager.install(["nvidia-imex"], {"nvidia-imex": "580.173.02-*"})


def test_a_stream_that_the_mirror_lacks_is_named(bench, manager):
    bench.offer("nvlsm", "2025.10.12")
    bench.publish()
    with pytest.raises(Exception, match=r"dnf module failed: Error: Problems in request: .*nvidia-driver:580-open"):
        manager.install(["@nvidia-driver:580-open"], {"@nvidia-driver:580-open": ""})


class Signers(Gpg):
    """A key ring with the keys of a mirror, of a vendor, and of a stranger."""

    def __init__(self, home: Path) -> None:
        super().__init__(home)
        for name in ("mirror", "vendor", "stranger"):
            self.key(name, created="")
            self.file(name).write_bytes(self.public(name))

    def file(self, name: str) -> Path:
        return self.home / f"{name}.asc"

    def sign_packages(self, signer: str, folder: Path) -> None:
        settings = {"_gpg_name": signer, "_gpg_path": str(self.home), "__gpg": "/usr/bin/gpg"}
        words = [word for name, value in settings.items() for word in ("--define", f"{name} {value}")]
        subprocess.run(["rpmsign", *words, "--addsign", *map(str, folder.rglob("*.rpm"))], check=True)

    def sign_index(self, folder: Path) -> None:
        self.run("--local-user", "mirror", "--armor", "--detach-sign", str(folder / "repodata/repomd.xml"))


@pytest.fixture(scope="module")
def signers(tmp_path_factory):
    ring = Signers(tmp_path_factory.mktemp("g") / "h")
    yield ring
    ring.stop()


@pytest.mark.parametrize(
    ("signer", "unsigned", "refused"),
    [
        ("vendor", [], ""),
        ("stranger", [], r"Public key for nvlsm-\S+rpm is not installed"),
        ("", [], r"Package nvlsm-\S+rpm is not signed"),
        ("", ["nvl*"], ""),
    ],
)
def test_a_package_without_the_signature_of_a_pinned_key_is_refused(
    bench, manager, host_module, monkeypatch, signers, signer, unsigned, refused
):
    monkeypatch.setattr(host_module("rackwright_dnf"), "REPOSITORIES", str(bench.root / "etc/yum.repos.d"))
    bench.offer("nvlsm", "2025.10.12")
    if signer:
        signers.sign_packages(signer, bench.repository)
    bench.publish()
    signers.sign_index(bench.repository)
    keys = {"keyring": str(signers.file("mirror")), "package_keys": str(signers.file("vendor"))}
    manager.source({"name": "rackwright", "uri": f"file://{bench.repository}", "unsigned": unsigned, **keys})
    if refused:
        with pytest.raises(
            Exception, match=rf"dnf install failed: {refused}.*\(nothing was installed: .*base_rpm_unsigned\)"
        ):
            manager.install(["nvlsm"], {"nvlsm": "2025.10.12-*"})
    else:
        bring(manager, host_module, {"nvlsm": "2025.10.12-*"})
    assert ("nvlsm" in manager.have({"nvlsm": ""})) == (not refused)


KILLED_ONCE = """
%{script} -p <lua>
if not posix.stat("/{name}.killed") then
  io.open("/{name}.killed", "w"):close()
  posix.kill(posix.getprocessid("pgrp"), 9)
end
io.open("/{name}.ended", "a"):close()
"""
"""A script that kills dnf, which leads its group of processes, and only the first time."""


@pytest.mark.parametrize("script", of_this_run(["pre", "post", "postun"], 1))
def test_a_run_that_was_killed_inside_of_dnf_is_ended_by_the_next(bench, manager, host_module, script):
    """Before the files come; with the package in the database and its script at work; with the old release still beside the new one."""
    bench.offer("nvlsm", "1.0", more=KILLED_ONCE.format(script=script, name="nvlsm") if script == "postun" else "")
    bench.offer("other", "1.0")
    bench.publish()
    if script == "postun":
        bring(manager, host_module, {"nvlsm": "1.0-*"})
    bench.offer("nvlsm", "2.0", more=KILLED_ONCE.format(script=script, name="nvlsm") if script != "postun" else "")
    bench.publish()
    required = {"nvlsm": "2.0-*", "other": ""}
    with pytest.raises(Exception, match="dnf install failed"):
        manager.install(sorted(required), required)
    assert (bench.root / "nvlsm.killed").exists()
    versions = host_module("rackwright_versions")
    missing, _ = versions.compare(manager.have(required), required)
    assert missing or manager.unfinished(), "nothing shows that a run was killed"
    if missing:
        bring(manager, host_module, required)
    else:
        manager.finish()
    assert manager.unfinished() == []
    assert (bench.root / "nvlsm.ended").exists()
    assert bench.run(["rpm", "--query", "nvlsm"])[1].split() == ["nvlsm-2.0-1.el9.noarch"]


def test_a_lock_of_a_killed_dnf_whose_number_another_process_has_is_dropped(bench, manager):
    path = bench.root / "var/lib/dnf/rpmdb_lock.pid"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(str(os.getpid()))
    os.utime(path, (1.0, 1.0))
    manager.finish()
    assert bench.told == [f"lock {path} of a program that was killed"]
    assert not path.exists()
