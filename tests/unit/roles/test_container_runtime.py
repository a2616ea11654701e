import tomllib

import pytest

from tests.unit.roles.conftest import SYSTEMS

MAIN, DROP_IN = "/etc/containerd/config.toml", "/etc/containerd/conf.d/10-rackwright.toml"
ASKED = {"container_runtime_version": "2.1.5"}


@pytest.mark.parametrize("os", SYSTEMS)
def test_the_package_is_the_same_everywhere_and_replaces_that_of_the_distribution(declared, os):
    role = declared("container_runtime", os=os, **ASKED)
    assert role.packages == {"containerd.io": "2.1.5-*"}
    assert "runc" in role.part("install")["remove"]


@pytest.mark.parametrize(
    ("version", "form", "plugin"),
    [("2.1.5", 3, "io.containerd.cri.v1.runtime"), ("1.7.27", 2, "io.containerd.grpc.v1.cri")],
)
def test_systemd_owns_control_groups_in_the_format_of_the_release(declared, version, form, plugin):
    files = declared("container_runtime", container_runtime_version=version).files
    main, mine = tomllib.loads(files[MAIN]), tomllib.loads(files[DROP_IN])
    assert main == {"version": form, "imports": ["/etc/containerd/conf.d/*.toml"]}
    runc = mine["plugins"][plugin]["containerd"]["runtimes"]["runc"]
    assert runc["options"]["SystemdCgroup"] is True
    assert mine["plugins"][plugin]["enable_cdi"] is True


def test_mirrors_stand_for_every_registry_in_their_order(declared):
    path = "/etc/containerd/certs.d/_default/hosts.toml"
    urls = ["https://mirror.example:5000", "http://10.0.0.2:5000"]
    role = declared("container_runtime", **ASKED, container_runtime_mirrors=urls).files
    assert list(tomllib.loads(role[path])["host"]) == urls
    assert path not in declared("container_runtime", **ASKED).files


def test_containerd_restarts_when_its_configuration_changed_and_not_otherwise(declared):
    watched = declared("container_runtime", **ASKED).units["containerd"]["restart_on"]
    assert watched == [MAIN, "/etc/containerd/conf.d/*"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"container_runtime_version": "2.1"}, "must be exact (found 2.1)"),
        ({"container_runtime_version": "3.0.0"}, "choose a release of 1 or 2"),
        ({**ASKED, "container_runtime_mirrors": ["mirror:5000"]}, "must be an http(s) URL (found mirror:5000)"),
    ],
)
def test_what_cannot_work_is_refused(declared, options, message):
    assert message in declared("container_runtime", **options).refused


def test_a_release_that_is_known_is_accepted(declared):
    assert declared("container_runtime", **ASKED).refused == ""
