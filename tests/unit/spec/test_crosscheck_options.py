"""Options of roles in the bill: unknown names, wrong types, wrong values, and what is right."""

import pytest

from rackwright import catalog
from rackwright.base import yaml_text
from rackwright.model.site import Site
from rackwright.spec.crosscheck import options


@pytest.fixture
def problems(example_site):
    def run(argument, pool=None):
        data = yaml_text.load(example_site.read_text())
        data["software"] |= {"options": argument, "pools": {"train": {"options": pool or {}}}}
        return list(options.check(Site.model_validate(data), catalog.load()))

    return run


@pytest.mark.parametrize(
    ("argument", "code", "expected", "step"),
    [
        (
            {"nvidia_driver_flavor": "open"},
            "unknown_option",
            "an option of a role",
            "did you mean nvidia_driver_flavour?",
        ),
        ({"xyzzy": 1}, "unknown_option", "an option of a role", "README of each role"),
        ({"nvidia_driver_flavour": "purple"}, "wrong_value", "one of auto, open, proprietary", "write one of auto"),
        ({"boot_cmdline_extra": 7}, "wrong_type", "a list", "write a list"),
        ({"nvidia_driver_profiling": "maybe"}, "wrong_type", "true or false", "write true or false"),
        ({"nvidia_driver_gpus": True}, "wrong_type", "a whole number", "write a whole number"),
    ],
)
def test_refused(problems, argument, code, expected, step):
    (entry,) = problems(argument)
    assert entry.path == f"software.options.{next(iter(argument))}"
    assert entry.code == f"spec.{code}"
    assert expected in entry.expected
    assert step in entry.next_step


def test_all_at_once_and_where_they_stand(problems):
    result = problems({"xyzzy": 1, "boot_cmdline_extra": 7}, {"nvidia_driver_flavour": "purple"})
    assert [entry.path for entry in result] == [
        "software.options.xyzzy", "software.options.boot_cmdline_extra", "software.pools.train.options.nvidia_driver_flavour",
    ]  # fmt: skip


def test_what_is_right_is_not_mentioned(problems):
    argument = {"boot_cmdline_extra": ["hugepages=64"], "nvidia_driver_gpus": 8, "nvidia_driver_flavour": "open"}
    assert problems(argument, {"nvidia_driver_profiling": False}) == []
