"""Accounts that a site declares, on the hosts of its twin."""

from dataclasses import replace

import pytest

from rackwright.model.site import Site
from rackwright.twin import systems
from rackwright.twin.guest import options
from rackwright.twin.hosts import accounts
from tests.build import site_design

PUBLIC = "ssh-ed25519 AAAA site\n"


def of(**ssh):
    design = site_design()
    control = design.site.control
    declared = control.model_copy(update={"ssh": control.ssh.model_copy(update=ssh)})
    site: Site = design.site.model_copy(update={"control": declared})
    return accounts.of_site(replace(design, site=site), ["train-001"])


def test_root_needs_no_account():
    assert of() == ()
    assert [file["path"] for file in accounts.login_files((), PUBLIC)] == ["/root/.ssh/authorized_keys"]
    assert accounts.first_files((), systems.load("debian-12")) == []


def test_the_account_that_onboards_takes_the_place_of_root():
    (ops,) = of(user="ops")
    paths = {file["path"]: file for file in accounts.login_files((ops,), PUBLIC)}
    assert set(paths) == {"/home/ops", "/home/ops/.ssh", "/home/ops/.ssh/authorized_keys"}
    assert {file["owner"] for file in paths.values()} == {(1500, 1500)}
    files = {file["path"]: file for file in accounts.first_files((ops,), systems.load("debian-12"))}
    assert "ops:x:1500:1500::/home/ops:/bin/bash\n" in files["/etc/passwd"]["text"]
    assert "ops:*:" in files["/etc/shadow"]["text"]
    assert (files["/etc/sudoers.d/ops"]["mode"], files["/etc/sudoers.d/ops"]["text"].splitlines()[1]) == (
        0o440,
        "ops ALL=(ALL) NOPASSWD:ALL",
    )


@pytest.mark.parametrize("system", systems.names())
def test_the_account_that_collects_has_its_list_and_the_groups_of_device_files(system):
    evidence = of(collect_user="evidence")[0]
    files = {file["path"]: file["text"] for file in accounts.first_files((evidence,), systems.load(system))}
    assert "NOPASSWD: /usr/local/sbin/dmidecode --type 17" in files["/etc/sudoers.d/evidence"]
    groups = dict(line.rsplit(":", 1) for line in files["/etc/group"].splitlines())
    assert {entry.split(":")[0] for entry, members in groups.items() if members.split(",")[-1:] == ["evidence"]} == {
        "render",
        "video",
    }
    assert "/root/.ssh/authorized_keys" in [file["path"] for file in accounts.login_files((evidence,), PUBLIC)]


@pytest.mark.parametrize(
    ("words", "refused"),
    [
        (["show", "-p", "Id", "ssh"], False),
        (["list-units"], False),
        ([], False),
        (["stop", "ssh"], True),
        (["reboot"], True),
    ],
)
def test_an_account_asks_the_init_and_changes_nothing(words, refused):
    options.refuse_changes(words, 0)
    if not refused:
        options.refuse_changes(words, 1500)
        return
    with pytest.raises(ValueError, match="Interactive authentication required"):
        options.refuse_changes(words, 1500)
