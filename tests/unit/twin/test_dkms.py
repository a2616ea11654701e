"""The twin's dkms ends as Debian's does: 11 when autoinstall left a module out, and the others are there."""

import pytest

from rackwright.twin.guest import dkms, dkms_tree

KERNEL = "6.1.0-40-amd64"


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """run(words) -> status and what it printed on standard error; ``good`` builds, ``bad`` has no kernel headers of its own."""
    for name, folder in (("TREE", "dkms"), ("SOURCES", "src"), ("MODULES", "modules")):
        monkeypatch.setattr(dkms_tree, name, str(tmp_path / folder))
    for module, version in (("nvidia", "580.1"), ("nvidia", "580.2"), ("gdrdrv", "2.5")):
        source = tmp_path / "src" / f"{module}-{version}"
        source.mkdir(parents=True)
        source.joinpath("dkms.conf").write_text(f'BUILT_MODULE_NAME[0]="{module}"\n')
        base = tmp_path / "dkms" / module / version
        base.mkdir(parents=True)
        base.joinpath("source").symlink_to(source)
    installed = []

    def install(name, version, kernel):
        if name == "gdrdrv" or not dkms_tree.headers(kernel):
            raise dkms.DkmsFailure(dkms.BAD_BUILD, f"Bad return status for module build on kernel: {kernel} (x86_64)")
        installed.append(f"{name}/{version}")

    monkeypatch.setattr(dkms, "_install", install)

    def call(*words):
        monkeypatch.setattr("sys.argv", ["/usr/sbin/dkms", *words])
        return dkms.main(), capsys.readouterr().err, installed

    return call


def test_autoinstall_goes_on_after_a_module_that_fails_and_ends_with_11(run, tmp_path):
    headers = tmp_path / "modules" / KERNEL / "build" / "include" / "generated"
    headers.mkdir(parents=True)
    headers.joinpath("utsrelease.h").write_text(f'#define UTS_RELEASE "{KERNEL}"\n')
    status, words, installed = run("autoinstall", "--kernelver", KERNEL)
    assert status == 11
    assert installed == ["nvidia/580.2"]
    assert "Bad return status for module build" in words
    assert words.endswith(
        "Error! One or more modules failed to install during autoinstall.\nRefer to previous errors for more information.\n"
    )


def test_autoinstall_without_headers_ends_with_11(run):
    assert run("autoinstall", "--kernelver", KERNEL)[0] == 11


def test_a_build_without_headers_ends_as_the_release_of_the_system_does(run, monkeypatch):
    monkeypatch.setattr(dkms, "dkms_release", lambda: "3.0.10")
    status, words, _ = run("build", "-m", "nvidia", "-v", "580.1", "-k", KERNEL)
    assert (status, words.startswith("Error! Your kernel headers for kernel")) == (1, True)
    monkeypatch.setattr(dkms, "dkms_release", lambda: "3.2.2")
    assert run("build", "-m", "nvidia", "-v", "580.1", "-k", KERNEL)[0] == 21
