import pytest

BASE = {"base_apt_mirror": "http://10.64.0.2:8080/apt"}
DEBIAN_UNITS = {
    "unattended-upgrades.service",
    "apt-daily.timer",
    "apt-daily-upgrade.timer",
    "apt-daily.service",
    "apt-daily-upgrade.service",
}


@pytest.mark.parametrize("system", ["debian-12", "ubuntu-22.04", "ubuntu-24.04"])
def test_debian_and_ubuntu_do_not_upgrade_by_themselves(declared, system):
    role = declared("base", os=system, **BASE)
    assert {name for name, unit in role.units.items() if unit["masked"]} == DEBIAN_UNITS
    assert 'APT::Periodic::Unattended-Upgrade "0";' in role.files["/etc/apt/apt.conf.d/90-rackwright"]
    assert "$nrconf{restart} = 'l';" in role.files["/etc/needrestart/conf.d/90-rackwright.conf"]
    assert {"pciutils", "kmod", "mokutil"} <= set(role.packages)


def test_rhel_has_its_own_timers_and_the_plugin_that_locks_versions(declared):
    role = declared("base", os="rocky-9", **BASE)
    assert {name.split(".")[0].split("-")[1] for name in role.units} == {"automatic"}
    assert "python3-dnf-plugin-versionlock" in role.packages
    assert not any("apt" in path for path in role.files)


def test_a_site_that_freezes_packages_otherwise_says_so(declared):
    role = declared("base", base_freeze=False, **BASE)
    assert not role.units
    assert "Unattended upgrades" not in role.verify


def test_nothing_is_held_that_the_bill_does_not_name(declared):
    assert set(declared("base", **BASE).packages.values()) == {""}


def test_a_mirror_that_is_no_url_is_refused(declared):
    assert "must be an http(s) URL (found /srv/apt)" in declared("base", base_apt_mirror="/srv/apt").refused
    assert declared("base", **BASE).refused == ""
