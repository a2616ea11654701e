from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest

from rackwright.base.errors import ProblemsError, UsageError
from rackwright.cli import main, site
from tests.unit.cli import evidence_store


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


@pytest.mark.parametrize("verb", ["up", "onboard", "collect", "preflight"])
def test_evidence_of_another_site_is_refused_before_anything_is_touched(
    verb, example_site, tmp_path, monkeypatch, capsys
):
    for name in ("RACKWRIGHT_BMC_USER", "RACKWRIGHT_BMC_PASSWORD"):
        monkeypatch.setenv(name, "rackwright")
    file, work = tmp_path / "site.yaml", tmp_path / "work"
    file.write_text(example_site.read_text().replace("site: h100-pod", "site: elsewhere"))
    run = evidence_store.write_run(work / "evidence", {"train-001": {}})
    before = sorted(work.rglob("*"))
    assert main.main([verb, str(file), "--work", str(work)]) == 2
    assert f"{run}.jsonl is evidence of site h100-pod, not of elsewhere: give another folder" in capsys.readouterr().err
    assert sorted(work.rglob("*")) == before
