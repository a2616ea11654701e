import shutil
import subprocess
from pathlib import Path

import pytest

from rackwright.twin.guest import dkms, modulefile, mokutil, signing
from rackwright.twin.mirror import modules

RELEASE = "6.1.0-56-amd64"
SIGNER = "Debian Secure Boot CA"
DRIVER = modules.Dkms(
    name="nvidia",
    modules={
        "nvidia": modules.KernelModule(license="Dual MIT/GPL", aliases=["pci:v000010DEd*sv*sd*bc03sc02i00*"]),
        "nvidia-drm": modules.KernelModule(license="Dual MIT/GPL", depends=["nvidia"]),
    },
)


def test_what_a_module_says_is_read_back() -> None:
    content = modulefile.build("nvidia-drm", [("license", "GPL"), ("alias", "a"), ("alias", "b")], RELEASE, ["nvidia"])
    module = modulefile.read(content)
    assert module["alias"] == ["a", "b"]
    assert module["depends"] == ["nvidia"]
    assert module["vermagic"] == [f"{RELEASE} SMP preempt mod_unload"]
    with pytest.raises(ValueError, match="not an ELF file"):
        modulefile.read(b"text")


def test_a_signature_names_its_key() -> None:
    content = modulefile.build("x", [], RELEASE, [])
    assert modulefile.key_of(content) == b""
    signed = modulefile.sign(content, "somebody", b"\1\2\3")
    assert modulefile.key_of(signed) == b"\1\2\3"
    assert modulefile.read(signed)["name"] == ["x"]


@pytest.mark.skipif(shutil.which("modinfo", path="/sbin:/usr/sbin") is None, reason="needs kmod")
def test_kmod_reads_modules_and_their_dependencies(tmp_path: Path) -> None:
    folder = tmp_path / "lib/modules" / RELEASE
    folder.mkdir(parents=True)
    for name in ("modules.order", "modules.builtin", "modules.builtin.modinfo"):
        (folder / name).touch()
    for name, module in DRIVER.modules.items():
        (folder / f"{name}.ko").write_bytes(modules.built(name, module, RELEASE, SIGNER))
    subprocess.run(["/sbin/depmod", "-b", str(tmp_path), RELEASE], check=True)
    ask = ["/sbin/modprobe", "-d", str(tmp_path), "-S", RELEASE, "--show-depends"]
    process = subprocess.run([*ask, "nvidia-drm"], capture_output=True, text=True, check=True).stdout
    assert [Path(line.split()[1]).name for line in process.splitlines()] == ["nvidia.ko", "nvidia-drm.ko"]
    alias = "pci:v000010DEd00002330sv000010DEsd00002330bc03sc02i00"
    assert "nvidia.ko" in subprocess.run([*ask, alias], capture_output=True, text=True, check=True).stdout
    signer = ["/sbin/modinfo", "-F", "signer", str(folder / "nvidia.ko")]
    assert subprocess.run(signer, capture_output=True, text=True, check=True).stdout.strip() == SIGNER


def test_the_source_of_dkms_says_what_is_built() -> None:
    texts = modules.sources(DRIVER, "580.173.02")
    assert 'BUILT_MODULE_NAME[1]="nvidia-drm"' in texts["/usr/src/nvidia-580.173.02/dkms.conf"]
    assert texts["/usr/src/nvidia-580.173.02/nvidia-drm.modinfo"].splitlines() == [
        "license=Dual MIT/GPL", "version=580.173.02", "depends=nvidia",
    ]  # fmt: skip


class Tree:
    """A node's folders in a temporary one, with dkms looking there."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        from rackwright.twin.guest import dkms_tree

        self.root, self.modules = root, root / "lib/modules" / RELEASE
        for path, text in modules.sources(DRIVER, "580.173.02").items():
            (root / path[1:]).parent.mkdir(parents=True, exist_ok=True)
            (root / path[1:]).write_text(text)
        self.modules.mkdir(parents=True)
        monkeypatch.setattr(dkms_tree, "TREE", str(root / "var/lib/dkms"))
        monkeypatch.setattr(dkms_tree, "SOURCES", str(root / "usr/src"))
        monkeypatch.setattr(dkms_tree, "MODULES", str(root / "lib/modules"))
        monkeypatch.setattr(dkms, "BROKEN", str(root / "dkms-fails"))
        monkeypatch.setattr(dkms, "list_modules", lambda _kernel: None)
        monkeypatch.setattr(signing, "own_key", lambda: signing.Key("test key", b"\7"))
        self.monkeypatch = monkeypatch

    def headers(self) -> None:
        target = self.modules / "build/include/generated/utsrelease.h"
        target.parent.mkdir(parents=True)
        target.write_text(f'#define UTS_RELEASE "{RELEASE}"\n')

    def run(self, line: str) -> int:
        self.monkeypatch.setattr("sys.argv", line.split())
        return dkms.main()


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    return Tree(tmp_path, monkeypatch)


def test_dkms_adds_builds_installs_and_removes(tree: Tree, capsys: pytest.CaptureFixture[str]) -> None:
    tree.headers()
    assert tree.run("dkms add -m nvidia -v 580.173.02") == 0
    assert tree.run("dkms build -m nvidia/580.173.02 -k " + RELEASE) == 0
    tree.run("dkms status")
    assert capsys.readouterr().out == f"nvidia/580.173.02, {RELEASE}, x86_64: built\n"
    assert tree.run(f"dkms install nvidia/580.173.02 -k {RELEASE}") == 0
    tree.run("dkms status nvidia")
    assert capsys.readouterr().out == f"nvidia/580.173.02, {RELEASE}, x86_64: installed\n"
    content = (tree.modules / "updates/dkms/nvidia.ko").read_bytes()
    assert modulefile.key_of(content) == b"\7"
    assert tree.run("dkms remove -m nvidia -v 580.173.02 --all") == 0
    tree.run("dkms status")
    assert capsys.readouterr().out == ""
    assert not (tree.modules / "updates/dkms/nvidia.ko").exists()


def test_dkms_without_headers_and_with_a_compiler_that_refuses(tree: Tree, capsys: pytest.CaptureFixture[str]) -> None:
    assert tree.run(f"dkms build nvidia/580.173.02 -k {RELEASE}") == 1
    assert f"Please install the linux-headers-{RELEASE} package" in capsys.readouterr().err
    tree.headers()
    (tree.root / "dkms-fails").touch()
    assert tree.run(f"dkms build nvidia/580.173.02 -k {RELEASE}") == 10
    assert "Bad return status for module build" in capsys.readouterr().err
    assert "fatal error" in (tree.root / "var/lib/dkms/nvidia/580.173.02/build/make.log").read_text()
    (tree.root / "dkms-fails").unlink()
    assert tree.run(f"dkms install nvidia/580.173.02 -k {RELEASE}") == 0


def test_a_build_that_was_killed_between_two_modules_is_made_again(tree: Tree) -> None:
    tree.headers()
    assert tree.run(f"dkms build nvidia/580.173.02 -k {RELEASE}") == 0
    folder = tree.root / f"var/lib/dkms/nvidia/580.173.02/{RELEASE}/x86_64/module"
    every = sorted(path.name for path in folder.iterdir())
    (folder / every[-1]).unlink()
    assert tree.run(f"dkms install nvidia/580.173.02 -k {RELEASE}") == 0
    assert sorted(path.name for path in (tree.modules / "updates/dkms").iterdir()) == every


def test_a_key_whose_certificate_was_never_written_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, certificate = tmp_path / "mok.key", tmp_path / "mok.pub"
    monkeypatch.setattr(signing, "KEY", str(key))
    monkeypatch.setattr(signing, "CERTIFICATE", str(certificate))
    key.touch()  # what a killed openssl leaves
    first = signing.own_key()
    assert first is not None
    assert first.signer == "DKMS module signing key"
    again = signing.own_key()
    assert again is not None
    assert again.fingerprint == first.fingerprint


def test_package_scripts_build_for_the_running_and_the_newest_kernel(
    tree: Tree, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dkms, "running", lambda: "6.1.0-50-amd64")
    tree.headers()
    assert tree.run("/usr/lib/dkms/common.postinst nvidia 580.173.02") == 0
    output = capsys.readouterr().out
    assert f"Building for 6.1.0-50-amd64 {RELEASE}" in output
    assert "Module build for kernel 6.1.0-50-amd64 was skipped since the kernel headers" in output
    assert (tree.modules / "updates/dkms/nvidia.ko").exists()


@pytest.mark.parametrize(
    ("line", "code", "says"),
    [
        ("dkms add -m other -v 1", 2, "Could not find module source directory"),
        ("dkms remove -m nvidia -v 580.173.02 --all", 3, "is not located in the DKMS tree"),
        ("dkms build", 1, "are not specified"),
        ("dkms frobnicate", 1, "Unknown action"),
    ],
)
def test_dkms_refuses(tree: Tree, line: str, code: int, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert tree.run(line) == code
    assert says in capsys.readouterr().err


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    target = tmp_path / "own.der"
    make = f"{signing.MAKE} -keyout {tmp_path / 'own.key'} -outform DER -out {target}"
    subprocess.run(["/bin/sh", "-c", make], check=True, capture_output=True)
    return target


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl")
def test_a_key_waits_until_somebody_confirms_it(
    certificate: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, leaf in (("NVRAM", "."), ("ENROLLED", "MokList"), ("WAITING", "MokNew"), ("SECURE_BOOT", "sb")):
        monkeypatch.setattr(mokutil, name, str(tmp_path / leaf))
    (tmp_path / "sb").write_text("enabled\n")

    def ask(*words: str) -> tuple[int, str]:
        monkeypatch.setattr("sys.argv", ["mokutil", *words])
        return mokutil.main(), capsys.readouterr().out

    assert ask("--sb-state") == (0, "SecureBoot enabled\n")
    assert ask("--test-key", str(certificate)) == (0, f"{certificate} is not enrolled\n")
    assert ask("--import", str(certificate))[0] == 0
    assert "enrollment request" in ask("--test-key", str(certificate))[1]
    assert "CN=DKMS module signing key" in ask("--list-new")[1]
    assert "is empty" in ask("--list-enrolled")[1]
    mokutil.confirm()
    assert ask("--test-key", str(certificate)) == (1, f"{certificate} is already enrolled\n")
    printed = signing.fingerprint(certificate.read_bytes()).hex(":")
    assert printed in ask("--list-enrolled")[1]
