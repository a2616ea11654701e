from pathlib import Path

import pytest

from rackwright.twin.guest import install, unitfile


def write(root: Path, path: str, text: str) -> None:
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)


SERVICE = """\
[Unit]
Description=A daemon \\
  in two lines
# a comment
[Service]
ExecStart=/usr/bin/daemon --name %N
Environment=A=1
[Install]
WantedBy=multi-user.target
Alias=nick.service
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path, "lib/systemd/system/daemon.service", SERVICE)
    return tmp_path


def test_reads_continued_lines_and_specifiers(root: Path) -> None:
    unit = unitfile.load("daemon", str(root))
    assert unit.last("Unit", "Description").split() == ["A", "daemon", "in", "two", "lines"]
    assert unit.last("Service", "ExecStart") == "/usr/bin/daemon --name daemon"


def test_a_drop_in_clears_and_sets_again(root: Path) -> None:
    write(root, "etc/systemd/system/daemon.service.d/10.conf", "[Service]\nExecStart=\nExecStart=/usr/bin/other\n")
    unit = unitfile.load("daemon.service", str(root))
    assert unit.all("Service", "ExecStart") == ["/usr/bin/other"]
    assert len(unit.drop_ins) == 1


def test_the_administrators_file_wins(root: Path) -> None:
    write(root, "etc/systemd/system/daemon.service", "[Service]\nExecStart=/mine\n")
    assert unitfile.load("daemon", str(root)).last("Service", "ExecStart") == "/mine"


def test_a_template_fills_in_the_instance(root: Path) -> None:
    write(root, "lib/systemd/system/get@.service", "[Service]\nExecStart=/get %i %%\n")
    assert unitfile.load("get@tty-1.service", str(root)).last("Service", "ExecStart") == "/get tty-1 %"


def test_missing_and_masked_units(root: Path) -> None:
    assert unitfile.load("nothing", str(root)).load_state == "not-found"
    install.mask("daemon", str(root))
    assert unitfile.load("daemon", str(root)).load_state == "masked"
    assert install.state("daemon", str(root)) == "masked"
    install.unmask("daemon", str(root))
    assert unitfile.load("daemon", str(root)).load_state == "loaded"


def test_enable_and_disable_make_and_remove_links(root: Path) -> None:
    assert install.state("daemon", str(root)) == "disabled"
    lines = install.enable("daemon", str(root))
    link = root / "etc/systemd/system/multi-user.target.wants/daemon.service"
    assert str(link.readlink()) == "/lib/systemd/system/daemon.service"
    assert len(lines) == 2
    assert install.state("daemon", str(root)) == "enabled"
    assert install.state("nick", str(root)) == "alias"
    assert unitfile.load("nick", str(root)).name == "daemon.service"
    assert install.enable("daemon", str(root)) == []
    assert len(install.disable("daemon", str(root))) == 2
    assert not link.is_symlink()
    assert install.state("daemon", str(root)) == "disabled"


def test_a_unit_without_install_section_is_static(root: Path) -> None:
    write(root, "lib/systemd/system/plain.service", "[Service]\nExecStart=/x\n")
    assert install.state("plain", str(root)) == "static"
    assert install.state("nothing", str(root)) == ""


def test_mask_refuses_to_replace_the_administrators_file(root: Path) -> None:
    write(root, "etc/systemd/system/own.service", "[Service]\nExecStart=/x\n")
    with pytest.raises(FileExistsError):
        install.mask("own", str(root))


def test_manager_settings_come_from_drop_ins_too(root: Path) -> None:
    write(root, "etc/systemd/system.conf", "[Manager]\nDefaultLimitNOFILE=1024\n")
    write(root, "etc/systemd/system.conf.d/90.conf", "[Manager]\nDefaultLimitMEMLOCK=infinity\n")
    settings = unitfile.manager_settings(str(root))
    assert settings.last("Manager", "DefaultLimitNOFILE") == "1024"
    assert settings.last("Manager", "DefaultLimitMEMLOCK") == "infinity"
