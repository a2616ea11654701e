import json
from types import SimpleNamespace

import pytest

DECLARED = {
    "nvidia_driver": {"nvidia-open": "580.173.02-*", "libcuda1*": "580.173.02-*"},
    "time": {"chrony": ""},
    "kernel": {"linux-image-6.1.0-49-amd64": "*"},
}
GOOD = [
    ("nvidia-open", "580.173.02-1", "hold", "installed"),
    ("libcuda1", "580.173.02-1", "hold", "installed"),
    ("chrony", "4.3-2", "install", "installed"),
    ("linux-image-6.1.0-49-amd64", "6.1.170-1", "hold", "installed"),
]
OWN = "http://10.64.0.2:8080/apt"
DISTRIBUTION = [r"^https?://([a-z0-9.-]+\.)?debian\.org/"]


@pytest.fixture
def audit(host_module, monkeypatch):
    module = host_module("rackwright_audit")
    monkeypatch.setattr(module, "apt_sources", lambda: [OWN, "http://mirror.debian.org/debian"])
    return module


class Act:
    """A host with `rows` of packages; remembers what changed."""

    def __init__(self, rows, check=False):
        self.rows, self.check, self.told = rows, check, []

    def run(self, argv):
        return 0, "".join("\t".join(row) + "\n" for row in self.rows), ""

    def changed(self, what, before="", after=""):
        self.told.append(what)


def entry(path="/nowhere", **more):
    return {"path": str(path), "declared": DECLARED, "sources": [OWN], "allowed_sources": DISTRIBUTION, **more}


def problems(audit, rows, **more):
    return " | ".join(audit.problems(Act(rows), entry(**more), "debian"))


def test_a_host_as_declared_has_no_problems(audit):
    assert problems(audit, GOOD) == ""


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("nvidia-open", "580.173.02-1", "install", "installed"), "declared and not on hold: nvidia-open"),
        (("libcuda1", "595.91.07-1", "hold", "installed"), "libcuda1 595.91.07-1 (wanted 580.173.02-*)"),
        (("dcgm", "1", "hold", "installed"), "on hold and declared by no role: dcgm"),
        (("chrony", "4.3-2", "hold", "installed"), "on hold and declared by no role: chrony"),
        (("slurmd", "22.05", "install", "half-configured"), "half installed: slurmd"),
    ],
)
def test_every_difference_is_said_with_what_to_do(audit, change, message):
    rows = [row for row in GOOD if row[0] != change[0]] + [change]
    assert message in problems(audit, rows)


def test_all_problems_come_at_once(audit):
    rows = [("nvidia-open", "595.91.07-1", "install", "installed"), ("dcgm", "1", "hold", "installed")]
    assert problems(audit, rows).count(" | ") == 2


def test_what_is_missing_is_for_its_own_role_to_say(audit):
    assert problems(audit, [row for row in GOOD if row[0] != "nvidia-open"]) == ""


def test_holds_of_the_site_are_allowed_by_pattern(audit):
    rows = [*GOOD, ("site-agent", "1", "hold", "installed")]
    assert "site-agent" in problems(audit, rows)
    assert problems(audit, rows, also=["site-*"]) == ""


def test_a_source_that_is_not_the_sites_is_said(audit, monkeypatch):
    monkeypatch.setattr(audit, "apt_sources", lambda: [OWN + "/", "https://developer.download.nvidia.com/x"])
    assert "not the site's: https://developer.download.nvidia.com/x" in problems(audit, GOOD)
    assert problems(audit, GOOD, allowed_sources=[r"^https://developer\.download\.nvidia\.com/"]) == ""


def test_the_evidence_names_versions_and_owners_and_is_the_same_for_the_same_state(audit, tmp_path):
    path = tmp_path / "audit.json"
    act = Act(GOOD)
    audit.bring(act, entry(path), None, "debian")
    document = json.loads(path.read_text())
    assert document["held"]["libcuda1"] == {"version": "580.173.02-1", "role": "nvidia_driver"}
    assert document["foreign_sources"] == []
    assert act.told == [str(path)]
    again = Act(GOOD)
    audit.bring(again, entry(path), None, "debian")
    assert again.told == []


def test_a_check_writes_nothing(audit, tmp_path):
    path = tmp_path / "audit.json"
    act = Act(GOOD, check=True)
    audit.bring(act, entry(path, release=True), None, "debian")
    assert act.told == [str(path)]
    assert not path.exists()


def test_holds_are_released_only_where_that_was_asked_for(audit, tmp_path):
    rows = [*GOOD, ("dcgm", "1", "hold", "installed")]
    released = []
    manager = SimpleNamespace(release=lambda names: released.extend(names))
    audit.bring(Act(rows), entry(tmp_path / "a"), manager, "debian")
    assert released == []
    audit.bring(Act(rows), entry(tmp_path / "b", release=True), manager, "debian")
    assert released == ["dcgm"]


def test_sources_of_apt_are_read_in_both_formats(host_module, tmp_path):
    (tmp_path / "sources.list").write_text(
        "deb [arch=amd64] http://a/ x main\n# deb http://no/ x\ndeb-src http://no/ x\n"
    )
    folder = tmp_path / "sources.list.d"
    folder.mkdir()
    (folder / "one.list").write_text("deb http://b/ x main\n")
    (folder / "two.sources").write_text(
        "Types: deb\nURIs: http://c/\n http://d/\nSuites: x\n\nTypes: deb\nEnabled: no\nURIs: http://no/\nSuites: x\n"
    )
    (folder / "three.list.save").write_text("deb http://no/ x main\n")
    result = host_module("rackwright_audit").apt_sources(str(tmp_path))
    assert result == ["http://a/", "http://b/", "http://c/", "http://d/"]


def test_sources_of_dnf_are_read_when_enabled(host_module, tmp_path):
    (tmp_path / "one.repo").write_text(
        "[a]\nbaseurl=http://a/\nenabled=1\n[b]\nbaseurl=http://no/\nenabled=0\n[c]\nmetalink = http://c/\n"
    )
    assert host_module("rackwright_audit").rpm_sources(str(tmp_path)) == ["http://a/", "http://c/"]


def test_locked_versions_count_as_held_on_rhel(host_module, tmp_path, monkeypatch):
    module = host_module("rackwright_audit")
    locks = tmp_path / "versionlock.list"
    locks.write_text("kernel-core-0:5.14.0-570.12.1.el9_6.*\n# Added lock on Sat\n")
    monkeypatch.setattr(module, "LOCKS", str(locks))
    monkeypatch.setattr(module, "rpm_sources", list)
    act = Act(
        [
            ("kernel-core", "5.14.0-503.11.1.el9_5"),
            ("kernel-core", "5.14.0-570.12.1.el9_6"),
            ("kernel", "5.14.0-570.12.1.el9_6"),
        ]
    )
    packages = module.observe(act, "redhat")["packages"]
    assert packages["kernel-core"] == ("5.14.0-570.12.1.el9_6", True)
    assert packages["kernel"][1] is False, "a lock on kernel-core is none on kernel"


def test_the_role_knows_what_all_roles_of_the_host_declare(declared):
    role = declared(
        "hold_and_audit",
        rackwright_roles=["base", "time", "hold_and_audit"],
        base_apt_mirror=OWN,
        time_servers=["10.64.0.2"],
    )
    for part in ("join", "verify"):
        reported = role.part(part)["audit"][0]
        assert reported["declared"]["time"] == {"chrony": ""}
        assert reported["sources"] == [OWN]
        assert reported["path"] == "/var/lib/rackwright/audit.json"
