"""What the operator reads when a package cannot be set up, and files of rackwright that a package would ask about."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

BUILD = """\
Error! Bad return status for module build on kernel: 6.1.0-56-amd64 (x86_64)
Consult /var/lib/dkms/nvidia/580.173.02/build/make.log for more information.
dpkg: error processing package nvidia-kernel-open-dkms (--configure):
"""


def packages(host_module, *answers):
    """The package manager of a host that gives `answers`, and its queries."""
    apt, requested, values = host_module("rackwright_apt"), [], iter(answers)
    act = SimpleNamespace(run=lambda argv, **options: requested.append(argv) or next(values), role="x", check=False)
    return apt.Packages(act, any_source=True), requested


def test_a_build_that_failed_is_told_before_what_dpkg_makes_of_it(host_module):
    manager, _ = packages(host_module, (100, "", BUILD + "E: Sub-process /usr/bin/dpkg returned an error code (1)\n"))
    with pytest.raises(Exception, match=r"Error! Bad return status .* Consult .*make.log .* E: Sub-process"):
        manager._apt("install", "nvidia-open")


def test_an_interrupted_dpkg_that_cannot_end_says_why(host_module, monkeypatch, tmp_path):
    monkeypatch.setattr(host_module("rackwright_apt"), "JOURNAL", str(tmp_path))
    manager, requested = packages(
        host_module, (1, "", BUILD + "Errors were encountered while processing:\n nvidia-open\n")
    )
    monkeypatch.setattr(
        manager, "_in_state", lambda field, states: ["nvidia-open"] if "half-configured" in states else []
    )
    with pytest.raises(Exception, match=r"cannot end its work: Error! Bad return status"):
        manager.finish()
    assert "--force-confold" in requested[0]


def test_a_transaction_goes_on_where_dpkg_alone_cannot_end(host_module, monkeypatch, tmp_path):
    """A package whose script needs files of another one that was not yet unpacked when the run was killed."""
    monkeypatch.setattr(host_module("rackwright_apt"), "JOURNAL", str(tmp_path))
    manager, requested = packages(host_module, (1, "", "Errors were encountered while processing:\n cuda-config\n"))
    monkeypatch.setattr(
        manager, "_in_state", lambda field, states: ["cuda-config"] if "half-configured" in states else []
    )
    installed = []
    monkeypatch.setattr(manager, "_apt", lambda *words: installed.append(words[0]))
    manager.install(["cuda-cudart"], {"cuda-cudart": "13.0.96"})
    assert ("--configure" in requested[0], installed) == (True, ["update", "install"])


def test_files_that_roles_wrote_are_kept_without_a_question(host_module):
    manager, requested = packages(host_module, (0, "", ""))
    manager._apt("install", "nvidia-imex")
    assert "Dpkg::Options::=--force-confold" in requested[0]


def test_the_package_that_dpkg_could_not_set_up_is_named_with_the_reason(host_module):
    printed = (
        "dpkg: error processing package cuda-x (--configure):\n"
        " installed cuda-x package post-installation script subprocess returned error exit status 1\n"
        "Errors were encountered while processing:\n cuda-x\nE: Sub-process /usr/bin/dpkg returned an error code (1)\n"
    )
    manager, _ = packages(host_module, (100, "", printed))
    with pytest.raises(Exception, match=r"package cuda-x \(--configure\): installed cuda-x .* exit status 1 E: Sub-"):
        manager._apt("install", "cuda-x")


def test_what_a_killed_run_left_half_unpacked_is_dropped_and_installed_again(host_module, monkeypatch, tmp_path):
    monkeypatch.setattr(host_module("rackwright_apt"), "JOURNAL", str(tmp_path))
    half_unpacked, settled = (0, "cuda\treinstreq\nbash\tok\n", ""), (0, "", "")
    manager, requested = packages(host_module, half_unpacked, settled, settled, settled, settled)
    manager.install(["nvidia-open"], {"nvidia-open": ""})
    assert requested[1] == ["dpkg", "--force-remove-reinstreq", "--force-depends", "--remove", "cuda"]
    assert requested[-1][-2:] == ["nvidia-open", "cuda"]
    assert "--fix-broken" in requested[-1]


def test_a_transaction_that_fails_is_reported_in_its_own_words(host_module, monkeypatch, tmp_path):
    """A full disk leaves packages half unpacked as well: a second try in the same run would hide why the first one failed."""
    monkeypatch.setattr(host_module("rackwright_apt"), "JOURNAL", str(tmp_path))
    full = (100, "", "dpkg: error: No space left on device\nE: Sub-process /usr/bin/dpkg returned an error code (2)\n")
    manager, _ = packages(host_module, (0, "", ""), (0, "", ""), (0, "", ""), full)
    with pytest.raises(Exception, match=r"the disk of the host is full"):
        manager.install(["nvidia-open"], {"nvidia-open": ""})
