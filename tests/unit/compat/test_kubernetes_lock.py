from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from rackwright import catalog
from rackwright.base import yaml_text
from rackwright.compat import kubernetes_addons, kubernetes_lock
from rackwright.compat.kubernetes_lock import LockedComponent
from rackwright.model.site import Site
from rackwright.spec.crosscheck import kubernetes as crosscheck

LOCK = kubernetes_lock.load()


def test_a_component_is_pinned_or_it_says_why_not() -> None:
    names = [entry.name for entry in (*LOCK.components, *LOCK.unpinned)]
    assert len(names) == len(set(names)) >= 30
    assert all(entry.date <= "2026-11-27" for entry in LOCK.components)
    assert sum(entry.proven for entry in LOCK.components) >= 15


def test_every_chart_is_rendered_or_says_why_it_is_not() -> None:
    entry = LOCK.by_name()["gpu-operator"].model_dump()
    for rendered, why in ((True, "a reason"), (False, "")):
        with pytest.raises(
            ValidationError, match="gpu-operator: give rendered: true, or unrendered: why its chart is not"
        ):
            LockedComponent.model_validate(entry | {"rendered": rendered, "unrendered": why})
    assert {bool(component.unrendered) for component in LOCK.components if component.module} == {False}
    assert sum(component.rendered for component in LOCK.components) >= 11


def test_what_is_pinned_is_a_release_that_rackwright_writes_objects_for() -> None:
    table = kubernetes_addons.load().by_name()
    for component in LOCK.components:
        release = table[component.name].release(component.version)
        assert release is not None, component.name
        assert all(component.serves.get(kind, api) == api for kind, api in release.apis.items()), component.name


def test_a_chart_is_installed_by_one_command_and_manifests_are_not() -> None:
    by_name = LOCK.by_name()
    assert (
        by_name["kueue"].install_command()
        == "helm install kueue oci://registry.k8s.io/kueue/charts/kueue --version 0.14.0 --namespace kueue-system --create-namespace"
    )
    assert (
        "--repo https://nvidia.github.io/gpu-operator/stable --version v26.7.0"
        in by_name["gpu-operator"].install_command()
    )
    assert by_name["gateway-api"].install_command() == ""


def test_a_kind_is_found_by_the_group_of_its_api() -> None:
    kai, kueue = LOCK.serving("kai.scheduler/v1alpha1", "Topology"), LOCK.serving("kueue.x-k8s.io/v1beta2", "Topology")
    assert kai is not None
    assert kueue is not None
    assert (kai.name, kueue.name) == ("kai-scheduler", "kueue")
    assert LOCK.serving("example.org/v1", "Topology") is None


@pytest.mark.parametrize(
    ("release", "kubernetes", "code"),
    [
        ("1.5.1", "1.34.2", None),
        ("1.5.2", "1.34.2", None),
        ("1.4.0", "1.34.2", "spec.unknown_release"),
        ("1.5.1", "1.28.9", "spec.unsupported"),
    ],
)
def test_check_compares_a_pinned_component_with_the_kubernetes_of_the_site(
    release: str, kubernetes: str, code: str | None
) -> None:
    data = yaml_text.load((Path(__file__).parents[3] / "inventories" / "mixed-pod" / "site.yaml").read_text())
    data["control"]["kubernetes"] |= {"version": kubernetes, "addons": {"amd-gpu-operator": {"version": release}}}
    problems = crosscheck.check(Site.model_validate(data), catalog.load())
    codes = {problem.code for problem in problems if problem.path.endswith("amd-gpu-operator.version")}
    assert codes == ({code} if code else set())


@pytest.mark.parametrize("name", [entry.name for entry in LOCK.unpinned])
def test_check_refuses_a_component_that_cannot_be_pinned_and_says_why(name: str) -> None:
    data = yaml_text.load((Path(__file__).parents[3] / "inventories" / "mixed-pod" / "site.yaml").read_text())
    for enabled in (True, False):
        data["control"]["kubernetes"]["addons"] = {name: {"version": "1.0.0", "enabled": enabled}}
        (*problems,) = crosscheck.check(Site.model_validate(data), catalog.load())
        assert [problem.code for problem in problems] == ["spec.not_pinned"] * enabled
        assert all(f"{name} cannot be pinned: " in problem.message for problem in problems)
