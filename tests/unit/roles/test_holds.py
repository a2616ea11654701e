"""Packages that are held at whatever version they have, and kernels that are installed beside each other."""

import pytest


class Act:
    """A host whose rpm answers `rows`; remembers what ran."""

    check = False

    def __init__(self, out=""):
        self.out, self.ran, self.told = out, [], []

    def run(self, argv, **options):
        self.ran.append(list(argv))
        return 0, self.out, ""

    def changed(self, what, before="", after=""):
        self.told.append(what)


@pytest.fixture
def parts(host_module):
    return lambda name: host_module(f"rackwright_{name}")


def test_any_version_that_is_held_is_not_asked_for_by_version(parts):
    versions = parts("versions")
    required = {"linux-image-amd64": "*", "nvidia-open": "580.173.02-*", "chrony": ""}
    assert [versions.asked_version(name, required) for name in required] == ["", "580.173.02-*", ""]
    missing, unheld = versions.compare(
        {"linux-image-amd64": ("6.1", False), "nvidia-open": ("580.173.02-1", True)}, required
    )
    assert (missing, unheld) == (["chrony"], ["linux-image-amd64"])


def test_any_version_that_is_held_is_not_pinned(parts):
    text = parts("apt").pin_text({"linux-image-amd64": "*", "nvidia-open": "580.173.02-*", "chrony": ""})
    assert "Package: nvidia-open\n" in text
    assert "linux-image" not in text
    assert "chrony" not in text


def test_a_role_without_versions_has_no_preferences(parts, tmp_path, monkeypatch):
    apt = parts("apt")
    monkeypatch.setattr(apt, "PREFERENCES", str(tmp_path))
    manager = apt.Packages(Act(), any_source=False)
    manager.pin("kernel", {"linux-image-amd64": "*"})
    assert list(tmp_path.iterdir()) == []
    manager.pin("nvidia_driver", {"nvidia-open": "580-*"})
    assert [path.name for path in tmp_path.iterdir()] == ["rackwright-nvidia-driver"]


@pytest.fixture
def dnf(parts, tmp_path, monkeypatch):
    module = parts("dnf")
    monkeypatch.setattr(module, "LOCKS", str(tmp_path / "versionlock.list"))
    (tmp_path / "versionlock.list").write_text("# locks\nkernel-core-0:5.14.0-570.12.1.el9_6.*\nchrony-0:4.6-1.el9.*\n")
    return module


KERNELS = "kernel-core\t5.14.0-503.11.1.el9_5\nkernel-core\t5.14.0-570.12.1.el9_6\nkernel-core\t5.14.0-580.1.1.el9_6\n"


def test_of_several_kernels_the_wanted_one_counts(dnf):
    result = dnf.Packages(Act(KERNELS), any_source=False).have({"kernel-core": "5.14.0-570.12.1.el9_6"})
    assert result == {"kernel-core": ("5.14.0-570.12.1.el9_6", True)}
    result = dnf.Packages(Act(KERNELS), any_source=False).have({"kernel-core": "5.14.0-999.1.el9_6"})
    assert result["kernel-core"][0] == "5.14.0-503.11.1.el9_5", "a kernel that is not there is not found"


def test_a_lock_on_a_longer_name_is_no_lock(dnf):
    result = dnf.Packages(Act("kernel\t5.14.0-570.12.1.el9_6\n"), any_source=False).have({"kernel": ""})
    assert result == {"kernel": ("5.14.0-570.12.1.el9_6", False)}


def test_packages_are_released_by_both_managers(parts, dnf):
    act = Act()
    dnf.Packages(act, any_source=True).release(["chrony", "nothing"])
    assert act.ran == [["dnf", "--assumeyes", "--quiet", "versionlock", "delete", "chrony"]]


def test_an_enabled_stream_is_known_without_the_mirror(dnf, tmp_path, monkeypatch):
    monkeypatch.setattr(dnf, "MODULES", str(tmp_path))
    act = Act("")
    manager = dnf.Packages(act, any_source=False)
    assert manager.have({"@nvidia-driver:580-open": ""}) == {}
    text = "[nvidia-driver]\nname=nvidia-driver\nstream=580-open\nprofiles=\nstate=enabled\n"
    (tmp_path / "nvidia-driver.module").write_text(text)
    assert manager.have({"@nvidia-driver:580-open": ""}) == {"@nvidia-driver:580-open": ("", True)}
    assert manager.have({"@nvidia-driver:590-open": ""}) == {}
    (tmp_path / "nvidia-driver.module").write_text(text.replace("enabled", "disabled"))
    assert manager.have({"@nvidia-driver:580-open": ""}) == {}
    assert act.ran == []
