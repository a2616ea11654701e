import subprocess

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


CUDA = {
    "name": "rackwright-cuda", "uri": "https://vendor/cuda", "suites": ["./"], "key_url": "https://vendor/key", "key_fingerprints": ["A" * 40],
    "exclude": ["mft*"],
}  # fmt: skip
ROCKY = {
    "name": "rackwright-baseos",
    "uri": "https://rocky/os",
    "keyring": "/etc/pki/rpm-gpg/RPM-GPG-KEY-Rocky-9",
    "signed": "packages",
}


def test_hosts_install_from_vendors_alone_or_from_the_mirror_as_well(declared):
    assert "hosts need a place to install from" in declared("base").refused
    alone = declared("base", base_repositories=[CUDA]).part("install")
    assert [source["name"] for source in alone["sources"]] == ["rackwright-cuda"]
    (key,) = alone["keys"]
    assert (key["url"], key["fingerprints"], key["sha256"]) == ("https://vendor/key", ["A" * 40], "")
    assert key["path"] == alone["sources"][0]["keyring"]
    both = declared("base", base_repositories=[CUDA], **BASE).part("install")
    assert [source["name"] for source in both["sources"]] == ["rackwright", "rackwright-cuda"]
    assert declared("base", base_repositories=[CUDA]).verify.keys() & {"Package mirror"} == set()


def test_whoever_signs_the_repositories_anew_is_named_once(declared):
    signed = declared("base", base_repositories=[CUDA], base_repository_signers=["B" * 40]).part("install")
    assert signed["keys"][0]["fingerprints"] == ["B" * 40]


def test_a_repository_of_the_distribution_keeps_the_keys_that_came_with_the_system(declared, host_module):
    install = declared("base", os="rocky-9", base_repositories=[ROCKY, CUDA]).part("install")
    assert [key["url"] for key in install["keys"]] == ["https://vendor/key"]
    baseos, cuda = map(host_module("rackwright_dnf").source_text, install["sources"])
    assert {"repo_gpgcheck=0", "gpgcheck=1", "gpgkey=file:///etc/pki/rpm-gpg/RPM-GPG-KEY-Rocky-9"} <= set(
        baseos.split()
    )
    assert {"repo_gpgcheck=1", "gpgcheck=1", "excludepkgs=mft*"} <= set(cuda.split())


def test_a_firewall_is_neither_stopped_nor_ignored_without_a_word(declared):
    guarded = {"firewall": "firewalld"}
    refused = declared("base", os="rocky-9", facts=guarded, **BASE)._run("install")
    assert "firewalld runs on this host" in refused[0]["msg"]
    assert refused[1] == {}, "the host was asked for nothing"
    assert declared("base", os="rocky-9", facts=guarded, **BASE, base_firewall="kept").packages
    off = declared("base", os="rocky-9", facts=guarded, **BASE, base_firewall="off")
    assert off.units["firewalld.service"]["masked"]
    assert "firewalld.service" not in declared("base", os="rocky-9", **BASE).units


NETWORKS = ["10.64.0.0/22", "10.80.0.0/23"]
FIREWALL_CMD = """#!/bin/sh
# Keeps sources in a file per mode as firewalld does; the words are those of firewalld 1.3.3, which took the same commands.
cd "$(dirname "$0")"
for word; do case $word in --permanent) mode=.permanent ;; --add-source=*) added="$added ${word#*=}" ;; --list-sources) listed=1 ;; esac; done
for source in $added; do echo "$source" >> "sources$mode"; done
[ -z "$listed" ] || xargs < "sources$mode"
"""


def test_the_networks_of_the_cluster_come_through_a_firewall_that_runs(declared, tmp_path):
    def commands(**facts):
        role = declared("base", os="rocky-9", facts=facts, **BASE, base_firewall="cluster", base_networks=NETWORKS)
        return role.part("configure").get("commands", []), role.verify.get("Networks of the cluster")

    assert commands(firewall="") == ([], None)
    [entry], verify = commands(firewall="firewalld")
    (tmp_path / "firewall-cmd").write_text(FIREWALL_CMD, encoding="utf-8")
    (tmp_path / "firewall-cmd").chmod(0o755)
    for name in ("sources", "sources.permanent"):
        (tmp_path / name).touch()
    environment = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    codes = [
        subprocess.run(words, env=environment).returncode
        for words in (entry["unless"], entry["run"], entry["unless"], verify["run"])
    ]
    assert codes[0] != 0
    assert codes[1:] == [0, 0, 0]
    assert [(tmp_path / name).read_text().split() for name in ("sources", "sources.permanent")] == [NETWORKS] * 2
    (tmp_path / "sources.permanent").write_text("10.64.0.0/22\n", encoding="utf-8")
    assert subprocess.run(entry["unless"], env=environment).returncode == 1, "the next start would shut nodes out"


@pytest.mark.parametrize(
    ("role", "values", "way_out"),
    [
        ("slurm_node", {"slurm_node_name": "train-001", "slurm_node_pam_adopt": True}, {"slurm_node_selinux": True}),
        ("slurm_node", {"slurm_node_name": "train-001", "slurm_node_pam_adopt": True}, {"slurm_node_pam_adopt": False}),
        ("slurm_node", {"slurm_node_name": "train-001", "slurm_node_pam_adopt": True}, {"selinux": "permissive"}),
    ],
)
def test_an_enforcing_host_is_refused_where_a_role_has_no_policy_for_it(declared, role, values, way_out):
    facts = {"selinux": "enforcing"}
    refused = declared(role, os="rocky-9", facts=facts, **values)._run("install")
    assert "SELinux is enforcing" in refused[0]["msg"]
    facts |= {name: value for name, value in way_out.items() if name == "selinux"}
    options = {name: value for name, value in way_out.items() if name != "selinux"}
    assert declared(role, os="rocky-9", facts=facts, **{**values, **options}).packages
