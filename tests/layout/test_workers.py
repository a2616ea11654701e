"""Groups of system tests: tests that share a twin stay together, and `make system` collects every file that needs a machine."""

import re
from pathlib import Path

from tests import rotation, workers
from tests.roles import conftest
from tests.roles.cast import stages
from tests.roles.tours import tours, tours_of_this_run

TESTS = Path(__file__).resolve().parents[1]


def test_the_tests_of_a_role_are_on_the_worker_of_its_theatre():
    for role in [scene.role for stage in stages() for scene in stage.scenes]:
        group = workers.group(f"tests/roles/test_{role}.py::test_something")
        assert group == workers.group(f"tests/roles/test_scenarios.py::test_anything[{role}]"), role
        assert not group.endswith(".py"), role


def test_theatres_of_two_sites_are_two_groups():
    assert len({workers.group(f"tests/roles/test_{stage.scenes[0].role}.py::test_x") for stage in stages()}) == len(
        stages()
    )


def test_by_turns_every_host_of_a_theatre_the_laboratory_and_every_tour_play(monkeypatch):
    monkeypatch.setenv("CI", "true")
    monkeypatch.delenv("RACKWRIGHT_TOURS", raising=False)
    places, played = set(), set()
    for turn in range(4 * len(tours())):
        monkeypatch.setattr(rotation, "tree_digest", lambda turn=turn: f"{turn:x}")
        playing = conftest.playing()
        places |= playing
        played |= {*tours_of_this_run()} if conftest.TOUR in playing else set()
    hosts = {(stage.site, host) for stage in stages() for host in stage.parts}
    assert places == {*hosts, conftest.LABORATORY, conftest.TOUR, None}
    assert played == {*tours()}


def test_what_plays_in_no_theatre_stays_with_its_file():
    assert workers.group("tests/roles/test_vendors.py::test_a") == "roles/test_vendors.py"
    assert workers.group("tests/twin/test_boot.py::test_a[b]") == "twin/test_boot.py"


def test_files_that_share_a_twin_or_an_api_server_are_one_group():
    assert workers.group("tests/twin/test_onboard.py::test_a") == workers.group(
        "tests/twin/test_onboard_scale.py::test_b"
    )
    assert workers.group("tests/twin/test_hosts.py::test_a") == workers.group("tests/twin/test_collect.py::test_b")
    assert workers.group("tests/kubernetes/test_stack.py::test_a") == workers.group(
        "tests/kubernetes/test_objects.py::test_b"
    )


def test_tests_that_share_nothing_are_groups_of_their_own():
    assert workers.group("tests/engine/test_up.py::test_a") != workers.group("tests/engine/test_up.py::test_b")
    shared = re.compile(r"""scope=["'](module|session)""")
    files = [
        path for start in workers.SINGLE for path in TESTS.glob(f"{start}*.py" if start[-1] != "/" else f"{start}*")
    ]
    assert len(files) > 3
    assert [path for path in files if path.suffix == ".py" and shared.search(path.read_text())] == []


def test_what_begins_first_exists():
    missing = [
        start for start in (*workers.LONGEST, *workers.SINGLE, *workers.TOGETHER) if not list(TESTS.glob(f"{start}*"))
    ]
    assert missing == [], "a renamed file begins last"


def test_marks_of_the_machine_are_given_where_make_looks_for_them():
    """`make system` collects the files that name a mark; a mark given in a conftest would escape it."""
    needs = re.compile(r"mark\.(engine|twin|slurm|fabric|postgres)\b")
    assert [path for path in TESTS.rglob("conftest.py") if needs.search(path.read_text())] == []
