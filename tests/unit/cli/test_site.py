from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest

from rackwright.base.errors import ProblemsError, UsageError
from rackwright.cli import site


@pytest.fixture(scope="session")
def design(example_site):
    return site.expand(site.load(Namespace(site=str(example_site))))


def test_a_number_means_the_first_nodes_with_their_controllers(design):
    names = site.nodes(Namespace(nodes="2"), design)
    assert names == ["train-001", "train-002", "slurm-01", "ufm-01"]


def test_nothing_means_all(design):
    assert len(site.nodes(Namespace(nodes=""), design)) == 34
    assert len(site.nodes(Namespace(), design)) == 34


def test_names_come_in_design_order_and_once(design):
    assert site.nodes(Namespace(nodes="train-009, train-002,train-009"), design) == ["train-002", "train-009"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0", "give 1 to 31"), ("32", "give 1 to 31"), ("9" * 9999, "give 1 to 31"), ("trian-002", "did you mean train-002"),
        ("xyz", "nodes are called train-001 to ufm-02"), (",", "no name was given"), ("-1", "no node -1"), ("²", "no node ²"),
    ],
)  # fmt: skip
def test_what_names_no_node(design, text, words):
    with pytest.raises(UsageError, match=words):
        site.nodes(Namespace(nodes=text), design)


def test_workspace_defaults_to_the_name_of_the_site(design, tmp_path):
    assert site.workspace(Namespace(), design.site).path == Path(".rackwright/h100-pod")
    assert site.workspace(Namespace(work=str(tmp_path)), design.site).path == tmp_path


def test_a_problem_of_the_design_has_a_line(tmp_path, example_site):
    file = tmp_path / "site.yaml"
    file.write_text(example_site.read_text().replace("count: 31", "count: 32"))
    line = 1 + next(i for i, text in enumerate(file.read_text().splitlines()) if "count: 32" in text)
    with pytest.raises(ProblemsError) as raised:
        site.expand(site.load(Namespace(site=str(tmp_path))))
    assert [problem.place for problem in raised.value.problems] == [f"{file}:{line}"]
