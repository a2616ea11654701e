import pytest


@pytest.fixture
def module(role_module):
    return role_module("exact_packages")


WANTED = {"nvidia-open": "580.173.02-*", "libcuda1*": "580.173.02-*", "chrony": ""}


def test_what_agrees_is_left_alone(module):
    have = {"nvidia-open": ("580.173.02-1", "hold"), "libcuda1": ("580.173.02-1", "hold"), "chrony": ("4.3", "install")}
    assert module.compare(have, WANTED) == ([], [])


def test_absent_wrong_and_unheld_packages_are_told_apart(module):
    have = {"nvidia-open": ("580.173.02-1", "install"), "libcuda1": ("595.91.07-1", "hold")}
    assert module.compare(have, WANTED) == (["chrony", "libcuda1"], ["nvidia-open"])


def test_a_package_with_any_version_is_not_held(module):
    assert module.compare({"chrony": ("1", "install")}, {"chrony": ""}) == ([], [])


def test_a_version_pattern_does_not_reach_into_the_next_release(module):
    assert module.matches("580.173.02-1", "580.173.02-*")
    assert not module.matches("580.173.021-1", "580.173.02-*")
    assert module.matches("1:4.6.0-1", "1:4.6.0-*")
    assert not module.matches("4.6.0-1", "1:4.6.0-*")


def test_pins_are_above_what_apt_would_call_a_downgrade(module):
    text = module.pin_text({"nvidia-open": "580.173.02-*", "chrony": ""})
    assert "Package: nvidia-open\nPin: version 580.173.02-*\nPin-Priority: 1001\n" in text
    assert "chrony" not in text


def test_bundles_that_disagree_are_refused(module):
    class RefusedError(Exception):
        pass

    class Fake:
        params = {"bundles": {"a": {"x": "1-*"}, "b": {"x": "2-*"}}}

        def fail_json(self, msg):
            raise RefusedError(msg)

    with pytest.raises(RefusedError, match=r"x is wanted as 1-\* and, by b, as 2-\*"):
        module.wanted_packages(Fake())
