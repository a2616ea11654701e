"""Entries of the boot loader, and the commands that change them, on a disk with two kernels of EL 9."""

from pathlib import Path

import pytest

from rackwright.twin.guest import bls, bootloader, dracut, grub, grubby, kernel_install

OLD, NEW = "5.14.0-570.17.1.el9_6.x86_64", "5.14.0-570.25.1.el9_6.x86_64"
DISK = "01234567-89ab-cdef-0123-456789abcdef"
MACHINE = DISK.replace("-", "")


@pytest.fixture
def disk(tmp_path: Path) -> Path:
    for folder in ("boot/loader/entries", "boot/grub2", "etc/default", "etc/modprobe.d", "etc/dracut.conf.d"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "etc/machine-id").write_text(f"{MACHINE}\n")
    (tmp_path / "etc/os-release").write_text('NAME="Rocky Linux"\nVERSION="9.6 (Blue Onyx)"\nID="rocky"\n')
    (tmp_path / "etc/default/grub").write_text('GRUB_DEFAULT=saved\nGRUB_CMDLINE_LINUX="crashkernel=1G"\n')
    for release in (OLD, NEW):
        image = tmp_path / "usr/lib/modules" / release / "vmlinuz"
        image.parent.mkdir(parents=True)
        image.touch()
        kernel_install.place(str(tmp_path), release, str(image))
    return tmp_path


def test_an_installer_makes_the_newest_kernel_the_default(disk: Path) -> None:
    bootloader.write_menu(str(disk))
    assert [entry["version"] for entry in bls.entries(str(disk))] == [NEW, OLD]
    assert bootloader.boot(str(disk)) == (
        NEW,
        f"BOOT_IMAGE=(hd0,gpt2)/vmlinuz-{NEW} root=UUID={DISK} ro crashkernel=1G",
    )
    assert bls.entries(str(disk))[0]["title"] == f"Rocky Linux ({NEW}) 9.6 (Blue Onyx)"
    assert Path(bootloader.ram_disk(str(disk), OLD)) == disk / f"boot/initramfs-{OLD}.img"


@pytest.mark.parametrize("word", ["1", f"{MACHINE}-{OLD}", f"Rocky Linux ({OLD}) 9.6 (Blue Onyx)"])
def test_a_choice_by_number_name_or_title(disk: Path, word: str) -> None:
    bootloader.write_menu(str(disk))
    bls.choose(str(disk), next_entry=word)
    assert [bootloader.boot(str(disk))[0] for _ in range(2)] == [OLD, NEW]
    bls.choose(str(disk), saved_entry=word)
    bootloader.write_menu(str(disk))  # an installer's choice stays
    assert bootloader.boot(str(disk))[0] == OLD


def test_an_entry_without_its_kernel_does_not_start(disk: Path) -> None:
    bootloader.write_menu(str(disk))
    (disk / f"boot/vmlinuz-{NEW}").unlink()
    with pytest.raises(ValueError, match="not found"):
        bootloader.boot(str(disk))
    for entry in bls.entries(str(disk)):
        Path(entry.path).unlink()
    with pytest.raises(ValueError, match="menu is empty"):
        bootloader.boot(str(disk))


def test_arguments_of_kernels_to_come_are_those_of_kernel_install(disk: Path) -> None:
    (disk / "etc/kernel").mkdir()
    (disk / "etc/kernel/cmdline").write_text("root=/dev/sda1 ro\nquiet\n")
    bls.add(str(disk), NEW)
    assert bls.entries(str(disk))[0]["options"] == "root=/dev/sda1 ro quiet"


# grubby-bls of rhboot/grubby, update_args: values are replaced, names removed with any value.
@pytest.mark.parametrize(
    ("before", "remove", "add", "after"),
    [
        ("ro quiet", [], ["iommu=pt"], "ro quiet iommu=pt"),
        ("ro iommu=on quiet", [], ["iommu=pt"], "ro iommu=pt quiet"),
        ("ro quiet", [], ["quiet"], "ro quiet"),
        ("ro iommu=pt quiet", ["iommu"], [], "ro quiet"),
        ("ro iommu=pt quiet", ["iommu=on"], [], "ro iommu=pt quiet"),
        ("ro iommu=pt", ["iommu=pt"], ["pci=realloc=on"], "ro pci=realloc=on"),
    ],
)
def test_arguments_change_as_grubby_changes_them(before: str, remove: list[str], add: list[str], after: str) -> None:
    assert grubby.changed(before, remove, add) == after


def test_the_ram_disk_holds_settings_and_leaves_drivers_out(disk: Path) -> None:
    (disk / "etc/modprobe.d/blacklist-nouveau.conf").write_text("blacklist nouveau\n")
    (disk / "etc/dracut.conf.d/99.conf").write_text('omit_drivers+=" amdgpu i2c-core "\n# omit_drivers+=" nvme "\n')
    dracut.write(str(disk), NEW)
    text = (disk / f"boot/initramfs-{NEW}.img").read_text()
    assert [line for line in text.splitlines() if not line.startswith("#")] == [
        "blacklist nouveau",
        "blacklist amdgpu",
        "blacklist i2c_core",
    ]


def test_the_environment_block_is_grub_s(disk: Path) -> None:
    bls.choose(str(disk), saved_entry="1")
    bls.choose(str(disk), menu_auto_hide="1")
    assert grub.environment(str(disk), bls.CHOICE) == {"saved_entry": "1", "menu_auto_hide": "1"}
