import subprocess
from pathlib import Path

import pytest

from rackwright.twin.guest import grub, initramfs, shutdown

OLD, NEW = "6.1.0-50-amd64", "6.1.0-56-amd64"
SETTINGS = 'GRUB_DEFAULT=0\nGRUB_DISTRIBUTOR=`echo Debian`\nGRUB_CMDLINE_LINUX_DEFAULT="quiet"\nGRUB_CMDLINE_LINUX=""\n'


@pytest.fixture
def disk(tmp_path: Path) -> Path:
    for folder in ("boot/grub", "etc/default/grub.d", "etc/modprobe.d"):
        (tmp_path / folder).mkdir(parents=True)
    for release in (OLD, NEW):
        (tmp_path / f"boot/vmlinuz-{release}").touch()
    (tmp_path / "etc/machine-id").write_text("0123456789abcdef0123456789abcdef\n")
    (tmp_path / "etc/default/grub").write_text(SETTINGS)
    return tmp_path


def boots(disk: Path, setting: str = "") -> tuple[str, str]:
    (disk / "etc/default/grub.d/50-test.cfg").write_text(setting)
    (disk / grub.MENU).write_text(grub.menu(str(disk)))
    return grub.boot(str(disk))


def test_the_newest_kernel_starts_with_the_arguments_of_all_files(disk: Path) -> None:
    (disk / "etc/default/grub.d/40-more.cfg").write_text('GRUB_CMDLINE_LINUX="$GRUB_CMDLINE_LINUX iommu=pt"\n')
    release, command_line = boots(disk, 'GRUB_CMDLINE_LINUX="$GRUB_CMDLINE_LINUX numa_balancing=disable"\n')
    assert release == NEW
    disk_id = "01234567-89ab-cdef-0123-456789abcdef"
    assert command_line == (
        f"BOOT_IMAGE=/boot/vmlinuz-{NEW} root=UUID={disk_id} ro iommu=pt numa_balancing=disable quiet"
    )


@pytest.mark.parametrize(
    ("default", "release"),
    [
        ("1>1", OLD),
        (f"Advanced options for Debian GNU/Linux>Debian GNU/Linux, with Linux {OLD}", OLD),
        (f"gnulinux-advanced-01234567-89ab-cdef-0123-456789abcdef>gnulinux-{OLD}-advanced-01234567-89ab-cdef-0123-456789abcdef", OLD),
        ("1>0", NEW),
        ("an entry that is not there", NEW),
    ],
)  # fmt: skip
def test_the_default_entry_by_number_title_or_id(disk: Path, default: str, release: str) -> None:
    assert boots(disk, f'GRUB_DEFAULT="{default}"\n')[0] == release


def test_a_saved_choice_stays_and_a_choice_for_one_boot_is_used_up(disk: Path) -> None:
    assert boots(disk, "GRUB_DEFAULT=saved\n")[0] == NEW
    (disk / grub.CHOICE).write_text("saved_entry=1>1\n")
    assert grub.boot(str(disk))[0] == OLD
    (disk / grub.CHOICE).write_text("next_entry=1>1\n")
    assert [grub.boot(str(disk))[0], grub.boot(str(disk))[0]] == [OLD, NEW]


def test_a_menu_without_its_kernel_does_not_boot(disk: Path) -> None:
    boots(disk)
    (disk / f"boot/vmlinuz-{NEW}").unlink()
    with pytest.raises(ValueError, match=f"file `/boot/vmlinuz-{NEW}' not found"):
        grub.boot(str(disk))
    (disk / grub.MENU).write_text("# nothing\n")
    with pytest.raises(ValueError, match="no kernel is installed"):
        grub.boot(str(disk))


def test_settings_that_do_not_parse_are_refused_and_the_menu_stays(disk: Path) -> None:
    (disk / "etc/default/grub.d/50-test.cfg").write_text('GRUB_CMDLINE_LINUX="half a string\n')
    with pytest.raises(subprocess.CalledProcessError):
        grub.menu(str(disk))


def test_the_initial_ram_disk_is_a_snapshot(disk: Path) -> None:
    settings = disk / "etc/modprobe.d/nouveau.conf"
    settings.write_text("blacklist nouveau\n")
    initramfs.write(str(disk), NEW)
    settings.unlink()
    assert "blacklist nouveau" in (disk / f"boot/initrd.img-{NEW}").read_text()


@pytest.mark.parametrize(
    ("words", "code", "seconds"),
    [
        ("reboot", shutdown.REBOOT, 0),
        ("poweroff", shutdown.OFF, 0),
        ("reboot -f", shutdown.REBOOT, 0),
        ("shutdown -r now", shutdown.REBOOT, 0),
        ("shutdown -r 0 Reboot", shutdown.REBOOT, 0),
        ("shutdown --reboot +2", shutdown.REBOOT, 120),
        ("shutdown -h now", shutdown.OFF, 0),
        ("shutdown -c", shutdown.CANCELLED, 0),
        ("shutdown", shutdown.OFF, 60),
    ],
)
def test_how_a_machine_is_asked_to_end(words: str, code: int, seconds: float) -> None:
    ending = shutdown.requested_ending(words.split())
    assert ending is not None
    assert (ending.code, ending.seconds) == (code, seconds)


def test_other_words_end_nothing_and_a_time_of_day_is_refused() -> None:
    assert shutdown.requested_ending(["restart", "reboot-helper"]) is None
    assert shutdown.requested_ending(["--no-block", "reboot"]) is not None
    with pytest.raises(ValueError, match="Failed to parse time"):
        shutdown.requested_ending(["shutdown", "-r", "23:00"])
